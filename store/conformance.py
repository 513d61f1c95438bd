"""What every store must do, as a test suite: subclass ``StoreContract`` and run pytest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import Any, Final

from ..errors import ConfigError, Conflict, InvalidKey, LimitExceeded, NoSuchKey, StoreError
from .conformance_tools import add_up, blob_of, delete, put, refuses, run_threads, same, scan
from .documents import DOCUMENT_LIMIT
from .store import Entry, Store

ODD_KEYS: Final = (
    "A",
    "a",
    "a b",
    "a/b",
    "../a",
    ".",
    "..",
    "a.b",
    "a%2fb",
    "a~b",
    "con",
    "line\nbreak",
    "back\\slash",
    "quote'\"",
    "e\u0301",
    "\u00e9",
    "\U0001f41b",
    "\uffff",
    "x" * 255,
    "X" * 255,
    "\u00e9" * 127,
)
"""Keys that file systems, databases and URLs tend to mix up."""

NO_TEXT: Final[tuple[Any, ...]] = (None, 5, b"k", ["k"], "a\ud800")
"""What is no text that UTF-8 can hold."""

BAD_KEYS: Final[tuple[Any, ...]] = (*NO_TEXT, "", "a\0b", "x" * 256, "\u00e9" * 128)
"""What is no key."""

BAD_REVISIONS: Final[tuple[Any, ...]] = (None, "1", 1.0, True, False, -1)
"""What is no revision."""

NO_BYTES: Final[tuple[Any, ...]] = (None, 5, "text", [1], bytearray(b"a"), memoryview(b"a"))
"""What is no blob; bytes that may still change are none either."""

BAD_NAMES: Final[tuple[Any, ...]] = (
    *(None, 5, b"n", ""),
    *("A", "a b", "a/b", "..", "a.b", "-a", "a_b", "\u00e9", "a\n", "x" * 65),
)
"""What is no name of a document."""

_THREADS: Final = 4
_ROUNDS: Final = 25


class StoreContract(ABC):
    """Tests of one store; each method is a behaviour that ``Store`` promises.

    Subclass it in a test file as ``class TestMyStore(StoreContract)`` and define ``make_store``.
    Nothing here needs pytest, so any runner that gives each method a fresh instance will do.
    """

    blob_limit: int = 1024 * 1024
    """Size in bytes of the largest blob that the stores of ``make_store`` take."""

    @abstractmethod
    def make_store(self) -> Store:
        """A store that takes blobs of ``blob_limit`` bytes; it begins empty in each test.

        Called again in one test, it gives another connection to the same data, or the same store
        where there is only one. Stores are closed by whoever defines this.
        """

    def test_a_new_key_is_put_and_got(self) -> None:
        """What is put under a new key is got back, at revision 1, with its write id."""
        store = self.make_store()
        same(store.put("k", b"one", expected=0, write_id="w1"), 1)
        same(store.get("k"), Entry("k", b"one", 1, "w1"))

    def test_a_missing_key_is_none(self) -> None:
        """A key that nobody put is None."""
        same(self.make_store().get("k"), None)

    def test_another_connection_sees_a_put(self) -> None:
        """A put is seen by every other connection once it returned."""
        self.make_store().put("k", b"one", expected=0, write_id="w1")
        same(self.make_store().get("k"), Entry("k", b"one", 1, "w1"))

    def test_a_put_over_the_read_revision_wins(self) -> None:
        """A put that expects the current revision replaces the blob and grows the revision."""
        store = self.make_store()
        first = put(store, "k", b"one", 0)
        second = put(store, "k", b"two", first)
        same(second > first, True)
        same(blob_of(store, "k"), b"two")

    def test_of_two_writers_one_wins(self) -> None:
        """Two writers read one revision and both save: the second meets a Conflict."""
        one, two = self.make_store(), self.make_store()
        read = put(one, "k", b"read by both", 0)
        found = put(one, "k", b"first", read)
        error = refuses(Conflict, lambda: put(two, "k", b"second", read))
        same((error.key, error.expected, error.found), ("k", read, found))
        same(blob_of(two, "k"), b"first")

    def test_of_two_creators_one_wins(self) -> None:
        """Two writers create one key: the second meets a Conflict."""
        one, two = self.make_store(), self.make_store()
        found = put(one, "k", b"first", 0)
        error = refuses(Conflict, lambda: put(two, "k", b"second", 0))
        same((error.expected, error.found), (0, found))
        same(blob_of(two, "k"), b"first")

    def test_a_put_on_a_missing_key_conflicts(self) -> None:
        """A put that expects a revision of a key that never was meets a Conflict."""
        store = self.make_store()
        error = refuses(Conflict, lambda: put(store, "k", b"one", 3))
        same((error.expected, error.found), (3, 0))
        same(store.get("k"), None)

    def test_a_put_is_repeated_with_its_write_id(self) -> None:
        """A put that already happened is not done again, and is no Conflict."""
        store = self.make_store()
        for _ in range(2):
            same(store.put("k", b"one", expected=0, write_id="w1"), 1)
        for _ in range(2):
            same(store.put("k", b"two", expected=1, write_id="w2"), 2)
        same(store.get("k"), Entry("k", b"two", 2, "w2"))

    def test_a_put_that_was_overtaken_conflicts(self) -> None:
        """A repeated put does not undo what somebody else saved since."""
        store = self.make_store()
        store.put("k", b"one", expected=0, write_id="w1")
        store.put("k", b"two", expected=1, write_id="w2")
        refuses(Conflict, lambda: store.put("k", b"one", expected=0, write_id="w1"))
        same(blob_of(store, "k"), b"two")

    def test_a_deleted_key_is_none(self) -> None:
        """A deleted key is None, and a scan passes over it."""
        store = self.make_store()
        delete(store, "k", put(store, "k", b"one", 0))
        same(store.get("k"), None)
        same(list(store.scan()), [])

    def test_a_late_save_does_not_bring_a_deleted_key_back(self) -> None:
        """A save that expects what was deleted since meets a Conflict."""
        store = self.make_store()
        read = put(store, "k", b"one", 0)
        delete(store, "k", read)
        error = refuses(Conflict, lambda: put(store, "k", b"late", read))
        same((error.expected, error.found), (read, 0))
        same(store.get("k"), None)

    def test_a_late_save_does_not_hit_a_recreated_key(self) -> None:
        """Revisions go on growing over a deletion, so no late save ever fits by chance."""
        store = self.make_store()
        read = put(store, "k", b"one", 0)
        delete(store, "k", read)
        again = put(store, "k", b"again", 0)
        same(again > read, True)
        refuses(Conflict, lambda: put(store, "k", b"late", read))
        refuses(Conflict, lambda: delete(store, "k", read))
        same(blob_of(store, "k"), b"again")

    def test_a_stale_deletion_conflicts(self) -> None:
        """A deletion that expects an older revision meets a Conflict."""
        store = self.make_store()
        read = put(store, "k", b"one", 0)
        put(store, "k", b"two", read)
        refuses(Conflict, lambda: delete(store, "k", read))
        same(blob_of(store, "k"), b"two")

    def test_a_deletion_is_repeated_with_its_write_id(self) -> None:
        """A deletion that already happened is no Conflict."""
        store = self.make_store()
        read = put(store, "k", b"one", 0)
        for _ in range(2):
            store.delete("k", expected=read, write_id="gone")
        same(store.get("k"), None)

    def test_a_second_deletion_conflicts(self) -> None:
        """A deletion of what somebody else deleted meets a Conflict."""
        store = self.make_store()
        read = put(store, "k", b"one", 0)
        delete(store, "k", read)
        refuses(Conflict, lambda: delete(store, "k", read))

    def test_nothing_to_delete_is_no_such_key(self) -> None:
        """A deletion that expects nothing where nothing is raises NoSuchKey."""
        store = self.make_store()
        refuses(NoSuchKey, lambda: delete(store, "k", 0))

    def test_odd_keys_stay_apart(self) -> None:
        """Keys that differ in any character are different keys."""
        store = self.make_store()
        for key in ODD_KEYS:
            put(store, key, key.encode(), 0)
        for key in ODD_KEYS:
            same(blob_of(store, key), key.encode())
        same([entry.key for entry in store.scan()], sorted(ODD_KEYS))

    def test_what_is_no_key_is_refused(self) -> None:
        """No text, empty, too long, with NUL or a lone surrogate: InvalidKey from every method."""
        store = self.make_store()
        for key in BAD_KEYS:
            refuses(InvalidKey, partial(store.get, key))
            refuses(InvalidKey, partial(put, store, key, b"", 0))
            refuses(InvalidKey, partial(delete, store, key, 1))
        same(list(store.scan()), [])

    def test_a_write_id_must_be_plain(self) -> None:
        """Empty, long or unprintable write ids are refused, and what is no text."""
        store = self.make_store()
        bad: tuple[Any, ...] = ("", "x" * 65, "a\nb", "\u00e9", None, 5, b"w")
        for write_id in bad:
            refuses(StoreError, partial(store.put, "k", b"", expected=0, write_id=write_id))
            refuses(StoreError, partial(store.delete, "k", expected=0, write_id=write_id))
        same(store.get("k"), None)

    def test_a_revision_is_a_whole_number(self) -> None:
        """What is no integer from 0, or is a boolean, is a ConfigError, and nothing is written."""
        store = self.make_store()
        put(store, "k", b"one", 0)
        for expected in BAD_REVISIONS:
            refuses(ConfigError, partial(put, store, "k", b"two", expected))
            refuses(ConfigError, partial(delete, store, "k", expected))
        same(blob_of(store, "k"), b"one")

    def test_a_blob_is_bytes(self) -> None:
        """What is no bytes is a ConfigError, and nothing is written."""
        store = self.make_store()
        for blob in NO_BYTES:
            refuses(ConfigError, partial(put, store, "k", blob, 0))
        same(store.get("k"), None)

    def test_any_bytes_survive(self) -> None:
        """A blob of any bytes comes back whole: NULs, line ends, every value, none at all."""
        store = self.make_store()
        for number, blob in enumerate((b"a\0b", b"\r\n\n", bytes(range(256)) * 3, b"")):
            put(store, f"k{number}", blob, 0)
            same(blob_of(store, f"k{number}"), blob)

    def test_the_largest_blob_survives(self) -> None:
        """A blob of exactly the limit is kept."""
        store = self.make_store()
        blob = bytes(range(256)) * (self.blob_limit // 256)
        blob += b"\xff" * (self.blob_limit - len(blob))
        put(store, "k", blob, 0)
        same(blob_of(store, "k") == blob, True)

    def test_a_larger_blob_is_refused(self) -> None:
        """One byte more is LimitExceeded, and what was stored stays."""
        store = self.make_store()
        read = put(store, "k", b"one", 0)
        refuses(LimitExceeded, lambda: put(store, "k", bytes(self.blob_limit + 1), read))
        same(blob_of(store, "k"), b"one")

    def test_a_scan_is_in_order_of_code_points(self) -> None:
        """A scan gives whole entries in the order of the keys' code points."""
        store = self.make_store()
        keys = ["b", "a", "B", "a/2", "a/10", "\uffff", "\U00010000", "\u00e9"]
        for key in keys:
            store.put(key, key.encode(), expected=0, write_id="w")
        same(list(store.scan()), [Entry(key, key.encode(), 1, "w") for key in sorted(keys)])

    def test_a_scan_begins_where_it_is_told(self) -> None:
        """A prefix is literal text, and ``after`` leaves its own key out."""
        store = self.make_store()
        for key in ("a", "a%", "a%x", "a_", "ab", "b"):
            put(store, key, b"", 0)
        same([entry.key for entry in store.scan("a%")], ["a%", "a%x"])
        same([entry.key for entry in store.scan("a_")], ["a_"])
        same([entry.key for entry in store.scan("a", after="a%x")], ["a_", "ab"])
        same([entry.key for entry in store.scan(after="ab")], ["b"])
        same([entry.key for entry in store.scan("a", after="b")], [])

    def test_a_scan_takes_text(self) -> None:
        """What is no text, or holds a lone surrogate, is InvalidKey wherever a scan begins."""
        store = self.make_store()
        put(store, "k", b"one", 0)
        for text in NO_TEXT:
            refuses(InvalidKey, partial(scan, store, text))
            refuses(InvalidKey, partial(scan, store, "", text))

    def test_a_prefix_that_no_key_can_have_finds_nothing(self) -> None:
        """A prefix with a NUL, or longer than any key, is looked for like any other."""
        store = self.make_store()
        put(store, "a", b"", 0)
        put(store, "b", b"", 0)
        for prefix in ("a\0", "a" * 256):
            same(list(store.scan(prefix)), [])
        same([entry.key for entry in store.scan(after="a\0")], ["b"])

    def test_a_scan_bears_writes(self) -> None:
        """Keys put, changed and deleted during a scan do not break it."""
        store = self.make_store()
        reads = {key: put(store, key, b"old", 0) for key in ("a", "b", "c", "d")}
        scan = store.scan()
        same(next(scan).key, "a")
        delete(store, "b", reads["b"])
        put(store, "c", b"new", reads["c"])
        put(store, "0", b"behind the scan", 0)
        rest = [entry for entry in scan if entry.key != "b"]
        same([entry.key for entry in rest], ["c", "d"])
        same(rest[0].blob in {b"old", b"new"}, True)
        same(rest[1].blob, b"old")

    def test_threads_lose_no_update(self) -> None:
        """Threads that add to one number by compare-and-set lose none of it."""
        store = self.make_store()
        put(store, "n", b"0", 0)
        run_threads([partial(add_up, store, "n", _ROUNDS)] * _THREADS)
        same(blob_of(store, "n"), str(_THREADS * _ROUNDS).encode())

    def test_connections_lose_no_update(self) -> None:
        """Threads with a connection each lose no update either."""
        put(self.make_store(), "n", b"0", 0)
        stores = [self.make_store() for _ in range(_THREADS)]
        run_threads([partial(add_up, store, "n", _ROUNDS) for store in stores])
        same(blob_of(stores[0], "n"), str(_THREADS * _ROUNDS).encode())

    def test_a_document_is_put_and_got(self) -> None:
        """A document comes back as it is, whatever its bytes, through any connection."""
        store = self.make_store()
        for number, content in enumerate((b"{}", b"a\0b\r\n", bytes(range(256)), b"")):
            same(store.put_document(f"d-{number}", content), content)
            same(self.make_store().get_document(f"d-{number}"), content)
        same(store.get_document("none"), None)

    def test_a_document_is_written_once(self) -> None:
        """A second document of one name changes nothing; the first is returned."""
        one, two = self.make_store(), self.make_store()
        same(one.put_document("d", b"first"), b"first")
        same(two.put_document("d", b"second"), b"first")
        same(one.get_document("d"), b"first")

    def test_of_many_writers_of_a_document_one_wins(self) -> None:
        """Threads that put one document all get the same back, and it is one of theirs."""
        self.make_store()
        stores = [self.make_store() for _ in range(_THREADS)]
        kept: list[bytes] = []

        def put_one(store: Store, content: bytes) -> None:
            kept.append(store.put_document("d", content))

        run_threads([partial(put_one, store, b"%d" % n) for n, store in enumerate(stores)])
        same(len(kept), _THREADS)
        same(set(kept), {stores[0].get_document("d")})

    def test_documents_lie_apart_from_states(self) -> None:
        """A document and a state of one name do not meet, and a scan passes over documents."""
        store = self.make_store()
        store.put_document("k", b"document")
        same(store.get("k"), None)
        put(store, "k", b"state", 0)
        put(store, "documents", b"state", 0)
        same(store.get_document("k"), b"document")
        same([entry.key for entry in store.scan()], ["documents", "k"])
        delete(store, "k", 1)
        same(store.get_document("k"), b"document")

    def test_documents_are_listed(self) -> None:
        """The names of documents come once each, in order, and those of states do not."""
        store = self.make_store()
        same(list(store.documents()), [])
        put(store, "state", b"s", 0)
        names = ["con", "b", "a-1", "0", "x" * 64, "a"]
        for name in names:
            store.put_document(name, b"one")
            store.put_document(name, b"two")
        same(list(store.documents()), sorted(names))
        same(list(self.make_store().documents()), sorted(names))

    def test_a_listing_bears_new_documents(self) -> None:
        """A document that is put meanwhile is named or not; those that were there all are."""
        store = self.make_store()
        for name in ("b", "c", "d"):
            store.put_document(name, b"")
        seen: list[str] = []
        for name in store.documents():
            seen.append(name)
            store.put_document("a", b"")
            store.put_document("e", b"")
        same([name for name in seen if name not in "ae"], ["b", "c", "d"])
        same(len(seen), len(set(seen)))

    def test_what_is_no_document_is_refused(self) -> None:
        """A bad name is InvalidKey, no bytes are ConfigError, too many LimitExceeded."""
        store = self.make_store()
        for name in BAD_NAMES:
            refuses(InvalidKey, partial(store.get_document, name))
            refuses(InvalidKey, partial(store.put_document, name, b""))
        for content in NO_BYTES:
            refuses(ConfigError, partial(store.put_document, "d", content))
        refuses(LimitExceeded, lambda: store.put_document("d", bytes(DOCUMENT_LIMIT + 1)))
        same(store.get_document("d"), None)

    def test_a_closed_store_refuses(self) -> None:
        """A closed store raises StoreError, and may be closed again."""
        store = self.make_store()
        with store as entered:
            same(entered is store, True)
        store.close()
        refuses(StoreError, lambda: store.get("k"))
        refuses(StoreError, lambda: put(store, "k", b"", 0))
        refuses(StoreError, lambda: list(store.scan()))
        refuses(StoreError, lambda: store.get_document("d"))
        refuses(StoreError, lambda: list(store.documents()))
        refuses(StoreError, lambda: store.put_document("d", b""))
