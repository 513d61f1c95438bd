"""Keep the last states: what goes, what stays whatever is asked, and what is told."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.fleet_subject import blob_at, codec_at

from instar.codec.tag.binary_frame import pack_binary
from instar.errors import (
    ConfigError,
    InstarError,
    InvalidKey,
    NewerVersion,
    StoreError,
    StoreLayoutError,
    TruncatedBlob,
    UnknownFingerprint,
    Untagged,
)
from instar.store import (
    Entry,
    FileStore,
    MemoryStore,
    PrunedGroup,
    PruneReport,
    Repository,
    SQLiteStore,
    Store,
)
from instar.store.prune import prune

GOOD, BAD = b"good", b"bad"


class Plain:
    """A codec whose blobs can be read where they begin with ``good``."""

    def encode(self, state: bytes, /) -> bytes:
        return state

    def decode(self, blob: bytes, /) -> bytes:
        if not blob.startswith(GOOD):
            raise TruncatedBlob("it is bad")
        return blob


def fill(store: Store, *keys: str, blob: bytes = GOOD) -> Store:
    for key in keys:
        store.put(key, blob, expected=0, write_id="w")
    return store


def keys(store: Store) -> list[str]:
    return [entry.key for entry in store.scan()]


def pruned(store: Store, keep: int = 1, **options: Any) -> PruneReport:
    return Repository(Plain(), store).prune(keep=keep, **options)


@pytest.fixture(params=["memory", "files", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "files": lambda: FileStore(tmp_path / "s"),
        "sqlite": lambda: SQLiteStore(tmp_path / "s.db"),
    }
    with made[request.param]() as opened:
        yield opened


def test_the_last_of_each_group_stay(store: Store) -> None:
    """Of each run the last n stay, in every store; what was kept and what went is counted."""
    fill(store, "a/0001", "a/0002", "a/0003", "b/0001", "b/0002", "c/0001")
    report = pruned(store, 2)
    assert keys(store) == ["a/0002", "a/0003", "b/0001", "b/0002", "c/0001"]
    assert report == PruneReport(5, 1, len(GOOD), 0, (), (), (), (), None)
    assert report.is_clean


def test_a_group_is_what_stands_before_the_last_separator() -> None:
    """Groups lie within each other and stay apart, though a scan meets their keys mixed."""
    store = fill(MemoryStore(), "a/1", "a/b/1", "a/b/2", "a/c", "ab/1", "ab/2")
    groups: list[PrunedGroup] = []
    pruned(store, on_group=groups.append)
    assert keys(store) == ["a/b/2", "a/c", "ab/2"]
    assert groups == [
        PrunedGroup("a/b/", "a/b/2", 1, 1, 4),
        PrunedGroup("a/", "a/c", 1, 1, 4),
        PrunedGroup("ab/", "ab/2", 1, 1, 4),
    ]


def test_a_key_of_no_group_stays() -> None:
    """States under plain keys are no checkpoints of each other: none is ever deleted."""
    store = fill(MemoryStore(), "agent-1", "agent-2", "agent-3")
    report = pruned(store)
    assert (len(keys(store)), report.left, report.deleted, report.is_clean) == (3, 3, 0, True)


def test_another_separator() -> None:
    """What separates may be any text; the one that is last in the key counts."""
    store = fill(MemoryStore(), "a/1--x--1", "a/1--x--2", "a/2")
    assert pruned(store, separator="--").deleted == 1
    assert keys(store) == ["a/1--x--2", "a/2"]


def test_a_prefix_keeps_to_itself() -> None:
    """Only keys that begin with the prefix are looked at."""
    store = fill(MemoryStore(), "a/1", "a/2", "b/1", "b/2")
    assert pruned(store, prefix="b/").count == 2
    assert keys(store) == ["a/1", "a/2", "b/2"]


@pytest.mark.parametrize(
    ("tails", "newest"),
    [
        (("8", "9", "10"), "10"),
        (("step-9", "step-10", "step-1"), "step-10"),
        (("0009", "0010"), "0010"),
        (("2026-01-09T10:00:00Z", "2026-01-10T09:00:00Z"), "2026-01-10T09:00:00Z"),
        (("01A99", "01A5C", "01AZ1"), "01AZ1"),
        (("a", "a1"), "a1"),
        (("\u0661\u0660", "\u0669"), "\u0669"),
        (("0001", "0002", "first"), "first"),
    ],
)
def test_the_newest_is_the_last(tails: tuple[str, ...], newest: str) -> None:
    """Numbers go by their value where they alone differ; all else goes by code points."""
    store = fill(MemoryStore(), *(f"run/{tail}" for tail in tails))
    assert pruned(store).unordered == ()
    assert keys(store) == [f"run/{newest}"]


def test_an_order_that_nobody_can_tell_deletes_nothing() -> None:
    """Numbers of several widths among words: the group is left whole, and named."""
    store = fill(MemoryStore(), "a/10", "a/9", "a/last", "b/1", "b/2")
    report = pruned(store)
    assert keys(store) == ["a/10", "a/9", "a/last", "b/2"]
    assert (report.unordered, report.left, report.is_clean) == (("a/",), 3, False)
    assert pruned(store, 3).is_clean


def test_what_cannot_be_read_stays_and_does_not_count() -> None:
    """LIM-7: the newest readable state stays, however many unreadable ones are newer."""
    store = fill(MemoryStore(), "a/1", "a/2", "a/3", "a/6")
    fill(store, "a/0", "a/4", "a/5", "a/7", "a/8", "b/1", "b/2", blob=BAD)
    report = pruned(store, 2)
    assert keys(store) == ["a/0", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "b/1", "b/2"]
    assert [each.key for each in report.unreadable] == [
        *("a/0", "a/4", "a/5", "a/7", "a/8", "b/1", "b/2"),
    ]
    assert all(isinstance(each.error, TruncatedBlob) for each in report.unreadable)
    assert (report.kept, report.deleted, report.is_clean) == (2, 2, False)


def test_old_code_leaves_what_is_newer_than_it() -> None:
    """A pruner of version 1 keeps what it reads of its own, and each reason is a typed error."""
    store = MemoryStore()
    blobs = {
        "r/1": blob_at(1, note="a"),
        "r/2": blob_at(1, note="b"),
        "r/3": blob_at(1, note="c")[:-1],
        "r/4": blob_at(4, title="T", budget=1),
        "r/5": b"{}",
        "r/6": blob_at(1, note="f").replace(b"f", b"g"),
    }
    for key, blob in blobs.items():
        fill(store, key, blob=blob)
    report = Repository(codec_at(1), store).prune(keep=1)
    assert keys(store) == ["r/2", "r/3", "r/4", "r/5", "r/6"]
    found = {each.key: type(each.error).__name__ for each in report.unreadable}
    assert found == {
        "r/3": "TruncatedBlob",
        "r/4": "NewerVersion",
        "r/5": "Untagged",
        "r/6": "ChecksumMismatch",
    }
    assert isinstance(report.unreadable[1].error, NewerVersion)


def test_a_payload_is_read_and_not_its_tag_alone() -> None:
    """A blob with a right tag and checksum, and a payload that is none, is not the newest kept."""
    codec = codec_at(1)
    store = fill(MemoryStore(), "r/1", blob=blob_at(1, note="whole"))
    fill(store, "r/2", blob=pack_binary("avro", 1, codec.fingerprint, b"\xff"))
    report = Repository(codec, store).prune(keep=1)
    assert (report.deleted, [each.key for each in report.unreadable]) == (0, ["r/2"])


def test_schemas_in_the_store_make_newer_states_readable() -> None:
    """What older code can read by the schemas in the store counts as read."""
    store = MemoryStore()
    codec = codec_at(3)
    new: Repository[Any] = Repository(codec, store)
    for number in range(3):
        new.create(f"r/{number}", codec.from_builtins({"id": 1, "text": "t"}))
    report = Repository(codec_at(1), store).prune(keep=1)
    assert (report.deleted, report.is_clean, keys(store)) == (2, True, ["r/2"])


def test_a_dry_run_deletes_nothing(store: Store) -> None:
    """A dry run tells what would go, and the next run is it."""
    fill(store, "a/1", "a/2", "a/3", "b/9", "b/10")
    before = list(store.scan())
    told = pruned(store, dry_run=True)
    assert list(store.scan()) == before
    assert pruned(store) == told
    assert told.deleted == 3


class Disturbed(MemoryStore):
    """Runs what a test hangs on the next deletion of a key, or refuses one that it names."""

    def __init__(self) -> None:
        super().__init__()
        self.before: dict[str, Callable[[], object]] = {}
        self.asked: list[str] = []

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        self.asked.append(key)
        if key in self.before:
            self.before[key]()
        super().delete(key, expected=expected, write_id=write_id)


def refuse() -> None:
    raise StoreError("the disk is full")


def test_what_somebody_saved_meanwhile_stays() -> None:
    """A state that was saved or deleted since it was read is skipped, told, and not tried again."""
    store = Disturbed()
    fill(store, "a/1", "a/2", "a/3", "a/4")
    store.before["a/1"] = lambda: store.put("a/1", b"good too", expected=1, write_id="other")
    store.before["a/2"] = lambda: MemoryStore.delete(store, "a/2", expected=1, write_id="other")
    report = pruned(store)
    assert (report.conflicts, report.deleted, report.is_clean) == (("a/1", "a/2"), 1, True)
    assert (keys(store), store.asked) == (["a/1", "a/4"], ["a/1", "a/2", "a/3"])


def test_a_deletion_that_fails_stops_no_other() -> None:
    """A store failure on one key is in the report with its error; the others are deleted."""
    store = Disturbed()
    fill(store, "a/1", "a/2", "a/3", "b/1", "b/2")
    store.before["a/1"] = refuse
    report = pruned(store)
    (failure,) = report.failures
    assert (failure.key, failure.error.what) == ("a/1", "the disk is full")
    assert (report.deleted, report.is_clean, keys(store)) == (2, False, ["a/1", "a/3", "b/2"])


class Losing(MemoryStore):
    """Deletes, and then loses the first answer."""

    answered = False

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        super().delete(key, expected=expected, write_id=write_id)
        if not self.answered:
            self.answered = True
            refuse()


def test_a_lost_answer_is_no_conflict() -> None:
    """A deletion whose answer was lost is repeated under its write id, and counts once."""
    store = Losing()
    fill(store, "a/1", "a/2")
    report = pruned(store)
    assert (report.deleted, report.conflicts, keys(store)) == (1, (), ["a/2"])


class Stopping(MemoryStore):
    """Fails a scan behind one key; it names the key that it could not read where it is told to."""

    def __init__(self, last: str, key: str = "") -> None:
        super().__init__()
        self.last = last
        self.key = key

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        for entry in super().scan(prefix, after):
            yield entry
            if entry.key == self.last:
                error = StoreError("the disk is gone")
                error.key = self.key
                raise error


def test_a_scan_that_stops_loses_no_report() -> None:
    """What was settled before counts; the group that was not seen whole is left as it is."""
    store = Stopping("b/2")
    fill(store, "a/1", "a/2", "b/1", "b/2", "b/3", "c/1", "c/2")
    report = pruned(store)
    assert isinstance(report.stopped, StoreError)
    assert (report.deleted, report.kept, report.left, report.is_clean) == (1, 1, 2, False)
    assert report.count == 4
    store.last = ""
    assert keys(store) == ["a/2", "b/1", "b/2", "b/3", "c/1", "c/2"]


def test_a_key_that_cannot_be_scanned_is_passed() -> None:
    """Where the store names the key at fault, the scan goes on behind it."""
    store = Stopping("a/1", key="a/2")
    fill(store, "a/1", "a/2", "a/3", "a/4")
    report = pruned(store)
    assert [each.key for each in report.failures] == ["a/2"]
    assert (report.stopped, report.deleted, report.count) == (None, 2, 4)


def test_a_store_that_names_one_key_for_ever_is_left() -> None:
    """A scan that does not get on ends the run: a report, and no loop without end."""
    store = Stopping("a/1", key="a/1")
    fill(store, "a/1", "a/2")
    report = pruned(store)
    assert (type(report.stopped), report.failures) == (StoreError, ())


def test_a_damaged_file_stops_no_other(tmp_path: Path) -> None:
    """In a file store, a file that no store wrote is named, stays, and holds up no other."""
    store = FileStore(tmp_path / "s")
    fill(store, "a/1", "a/2", "a/3", "b/1", "b/2")
    damaged = tmp_path / "s" / "a%2f3.blob"
    damaged.write_bytes(b"\xff")
    report = pruned(store)
    (failure,) = report.failures
    assert (failure.key, type(failure.error)) == ("a/3", StoreLayoutError)
    assert (report.deleted, damaged.read_bytes()) == (2, b"\xff")
    assert [store.get(key) is not None for key in ("a/1", "a/2", "b/1", "b/2")] == [
        *(False, True, False, True),
    ]


def test_a_store_that_is_closed_is_told() -> None:
    """Nothing of a store is raised: a program that prunes after a save has saved."""
    store = fill(MemoryStore(), "a/1", "a/2")
    store.close()
    assert isinstance(pruned(store).stopped, StoreError)


@pytest.mark.parametrize("keep", [0, -1, True, 1.5, None, "2"])
def test_nothing_is_no_number_to_keep(keep: Any) -> None:
    """Less than one, or no integer, is a ConfigError, and nothing is touched."""
    store = fill(MemoryStore(), "a/1", "a/2")
    with pytest.raises(ConfigError, match="cannot be kept"):
        pruned(store, keep)
    assert len(keys(store)) == 2


def test_bad_arguments_are_refused() -> None:
    """A separator must be text, and a prefix too."""
    wrong: Any
    for wrong in ("", None, b"/"):
        with pytest.raises(ConfigError, match="separates nothing"):
            pruned(MemoryStore(), separator=wrong)
    wrong = "\ud800"
    with pytest.raises(InvalidKey):
        pruned(MemoryStore(), prefix=wrong)


def test_blobs_are_not_held() -> None:
    """Of 40 MiB that are read, good and bad, no more than a few are in memory at once."""

    class Made(MemoryStore):
        def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
            for number in range(40):
                yield Entry(f"a/{number:04}", (GOOD, BAD)[number % 2] * 2**18, 1, "w")

    tracemalloc.start()
    report = pruned(Made(), dry_run=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (report.deleted, len(report.unreadable)) == (19, 20)
    assert peak < 6 * 2**20


@given(
    st.dictionaries(
        st.text("ab/12", min_size=1, max_size=5), st.sampled_from([GOOD, BAD]), max_size=12
    ),
    st.integers(1, 3),
)
def test_every_entry_is_accounted_for(states: dict[str, bytes], keep: int) -> None:
    """Whatever the keys: unreadable and newest states stay, and every entry is counted once."""
    store = MemoryStore()
    for key, blob in states.items():
        fill(store, key, blob=blob)
    groups: list[PrunedGroup] = []
    report = pruned(store, keep, on_group=groups.append)
    after = set(keys(store))
    gone = states.keys() - after
    assert report.count == len(states)
    assert (report.deleted, report.stopped) == (len(gone), None)
    assert [each.key for each in report.unreadable] == sorted(
        key for key, blob in states.items() if blob == BAD
    )
    assert all("/" in key and states[key] == GOOD for key in gone)
    readable: dict[str, list[str]] = {}
    for key, blob in states.items():
        if "/" in key and blob == GOOD:
            readable.setdefault(key[: key.rindex("/") + 1], []).append(key)
    assert {group.name for group in groups} | {*report.unordered} == readable.keys()
    for name, members in readable.items():
        stay = [key for key in members if key in after]
        if name in report.unordered:
            assert stay == members
        else:
            assert len(stay) == min(keep, len(members))
    assert {group.newest for group in groups} <= after


@given(st.lists(st.integers(0, 10**30), unique=True, min_size=2), st.integers(1, 4))
def test_numbers_need_no_zeros(numbers: list[int], keep: int) -> None:
    """The numbers that stay are the largest."""
    store = fill(MemoryStore(), *(f"run/{number}" for number in numbers))
    assert pruned(store, keep).unordered == ()
    assert sorted(int(key[4:]) for key in keys(store)) == sorted(numbers)[-keep:]


def test_reading_may_be_anything() -> None:
    """The function below the repository takes any way to read an entry."""

    def read(entry: Entry) -> None:
        if entry.key == "a/2":
            raise Untagged("no tag")
        if entry.key == "a/1":
            raise UnknownFingerprint("", None, 7)

    report = prune(fill(MemoryStore(), "a/1", "a/2", "a/3"), read, keep=1)
    assert all(isinstance(each.error, InstarError) for each in report.unreadable)
    assert (report.kept, [each.key for each in report.unreadable]) == (1, ["a/1", "a/2"])
