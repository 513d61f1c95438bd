"""The file store: names, modes, links, leftovers, and folders that are not its own."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from instar.errors import InvalidKey, StoreError, StoreLayoutError
from instar.store import Entry, FileStore
from instar.store.durable import replace_file
from instar.store.every_entry import Unreadable, every_entry
from instar.store.file_names import in_key_order, names, spelled_key, stem_of
from instar.store.store import check_key

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes and few links")
texts = st.text(min_size=1, max_size=90)


def is_key(text: str) -> bool:
    try:
        check_key(text)
    except InvalidKey:
        return False
    return True


keys = texts.filter(is_key)


def file_of(store: FileStore, key: str) -> Path:
    return store.folder / f"{stem_of(key)}.blob"


@given(keys)
def test_a_file_name_is_safe_everywhere(key: str) -> None:
    """A file name uses [a-z0-9_%~-] only, fits every file system, and spells its key out."""
    stem = stem_of(key)
    assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789_%~-")
    assert len(stem) <= 128
    assert spelled_key(stem) in (key, None)


@given(keys, keys)
def test_file_names_tell_keys_apart(one: str, two: str) -> None:
    """Two keys have one file name only if they are one key."""
    assert (stem_of(one) == stem_of(two)) == (one == two)


@pytest.mark.parametrize("key", ["con", "nul", "com1", "lpt9", "aux", "prn"])
def test_a_device_of_windows_is_no_file_name(key: str) -> None:
    """A key that Windows takes for a device gets another name, and is read back from it."""
    assert stem_of(key) != key
    assert spelled_key(stem_of(key)) == key


def test_long_keys_get_names_of_their_own() -> None:
    """Keys that differ only at their end stay apart although their names are cut."""
    assert stem_of("x" * 200 + "a") != stem_of("x" * 200 + "b")


@posix_only
def test_a_new_file_is_private(tmp_path: Path) -> None:
    """A new file can be read by its owner alone."""
    store = FileStore(tmp_path)
    store.put("k", b"one", expected=0, write_id="w1")
    assert stat.S_IMODE(file_of(store, "k").stat().st_mode) == 0o600


@posix_only
def test_a_mode_is_kept(tmp_path: Path) -> None:
    """A save keeps the mode that somebody gave to the file."""
    store = FileStore(tmp_path)
    store.put("k", b"one", expected=0, write_id="w1")
    file_of(store, "k").chmod(0o640)
    store.put("k", b"two", expected=1, write_id="w2")
    assert stat.S_IMODE(file_of(store, "k").stat().st_mode) == 0o640


@posix_only
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """A save through a symbolic link replaces its target, beside which it writes."""
    store = FileStore(tmp_path / "store")
    store.put("k", b"one", expected=0, write_id="w1")
    link, target = file_of(store, "k"), tmp_path / "elsewhere"
    link.rename(target)
    link.symlink_to(target)
    store.put("k", b"two", expected=1, write_id="w2")
    assert link.is_symlink()
    assert target.read_bytes().endswith(b"\ntwo")


def test_a_replace_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replace that Windows refuses while somebody reads is tried again."""
    refusals = [PermissionError(errno.EACCES, "in use")] * 3
    replace = Path.replace

    def busy(self: Path, target: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return replace(self, target)

    store = FileStore(tmp_path)
    monkeypatch.setattr(Path, "replace", busy)
    assert store.put("k", b"one", expected=0, write_id="w1") == 1
    assert refusals == []


@pytest.mark.parametrize(
    ("owner", "name"), [(Path, "replace"), (os, "fsync"), (Path, "chmod"), (os, "fdopen")]
)
def test_a_failed_save_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    """A system that refuses any step is a StoreError; the old blob stays, no temp does."""

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "refused by the test")

    store = FileStore(tmp_path)
    store.put("k", b"one", expected=0, write_id="w1")
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, refuse)
        with pytest.raises(StoreError, match="refused by the test"):
            store.put("k", b"two", expected=1, write_id="w2")
    assert list(tmp_path.glob("*.temp")) == []
    assert [entry.blob for entry in store.scan()] == [b"one"]


def test_a_held_lock_is_waited_for_and_named(tmp_path: Path) -> None:
    """A writer that waits longer than the timeout gets a StoreError that says so."""
    store = FileStore(tmp_path, timeout=0.05)
    store.put("k", b"one", expected=0, write_id="w1")
    (lock,) = (path for path in (tmp_path / "locks").iterdir() if path.name != "marker")
    with FileLock(lock), pytest.raises(StoreError, match=r"held the lock for 0\.05 s"):
        store.put("k", b"two", expected=1, write_id="w2")
    assert store.put("k", b"two", expected=1, write_id="w2") == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\nblob",
        b'{"layout":2,"key":"k","revision":1,"write_id":"w","live":true}\nblob',
        b'{"layout":1,"key":"other","revision":1,"write_id":"w","live":true}\nblob',
        b'{"layout":1,"key":"k","revision":"1","write_id":"w","live":true}\nblob',
        b'{"layout":1,"key":"k","revision":0,"write_id":"w","live":true}\nblob',
        b'{"layout":1,"key":"k","revision":-1,"write_id":"w","live":true}\nblob',
        b'{"x":' + b"[" * 100_000,
        b"\xff\xfe\nblob",
    ],
)
def test_a_foreign_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    """A file that no store wrote, of another layout or another key is a StoreLayoutError,
    for whoever reads it or writes to it, and is left as it is."""
    store = FileStore(tmp_path)
    file_of(store, "k").write_bytes(content)
    with pytest.raises(StoreLayoutError, match=r"k\.blob"):
        store.get("k")
    with pytest.raises(StoreLayoutError):
        list(store.scan())
    with pytest.raises(StoreLayoutError):
        store.put("k", b"one", expected=0, write_id="w1")
    assert file_of(store, "k").read_bytes() == content


STRAYS = {
    "A": "A",
    "a.b": "a.b",
    "%41%": "A%",
    "%ff": "\ufffd",
    "%4A": "J",
    "x~y": "x~y",
    "": ".blob",
    "k%00": "k\0",
    "k (copy)": "k (copy)",
    "z%2F1": "z/1",
    "%00": "\0",
    "\udcff": "?",
    "y" * 130: "y" * 130,
    f"{'y' * 60}~{'0' * 64}": f"{'y' * 60}~{'0' * 64}",
}


@pytest.mark.parametrize(("name", "key"), STRAYS.items())
def test_a_name_of_no_key_is_an_error(tmp_path: Path, name: str, key: str) -> None:
    """A scan does not pass over a file whose name no key has, and keeps no other from it."""
    store = FileStore(tmp_path)
    for good in ("0", "k", "zz"):
        store.put(good, b"one", expected=0, write_id="w1")
    (tmp_path / f"{name}.blob").write_bytes(file_of(store, "k").read_bytes())
    with pytest.raises(StoreLayoutError, match="file name") as caught:
        list(store.scan())
    assert caught.value.key == key
    assert [each.key for each in every_entry(store)] == sorted(["0", "k", "zz", key])
    assert key in [each.key for each in every_entry(store, key[0])]
    assert store.get("k") is not None


def test_a_deleted_key_in_a_stray_file_is_told_too(tmp_path: Path) -> None:
    """A file with the name of no key is an error, though its line is that of a deleted one."""
    store = FileStore(tmp_path)
    store.put("k", b"one", expected=0, write_id="w1")
    store.delete("k", expected=1, write_id="w2")
    file_of(store, "k").rename(tmp_path / "K.blob")
    (found,) = every_entry(store)
    assert (found.key, type(found)) == ("K", Unreadable)


def test_a_stray_takes_the_place_of_no_key(tmp_path: Path) -> None:
    """Files that spell one key are told apart, and the key that is there is still read."""
    store = FileStore(tmp_path)
    store.put("J/1", b"one", expected=0, write_id="w1")
    store.put("J/2", b"two", expected=0, write_id="w1")
    for name in ("J%2f1", "%4A%2f1", "%4a%2F1"):
        shutil.copy(file_of(store, "J/1"), tmp_path / f"{name}.blob")
    found = list(every_entry(store))
    assert [each.key for each in found] == ["J/1", "J/1\0", "J/1\0\0", "J/1\0\0\0", "J/2"]
    assert [each.key for each in found if isinstance(each, Entry)] == ["J/1", "J/2"]


@pytest.mark.parametrize("prefix", ["", "ü/", "ü/" + "x" * 20, "ü/" + "x" * 80])
def test_a_cut_name_may_be_of_any_prefix_that_it_begins(tmp_path: Path, prefix: str) -> None:
    """A damaged file of a long key is told wherever it may belong, and keeps no other from it."""
    store = FileStore(tmp_path)
    long = "ü/" + "x" * 150
    for key in (long, "ü/", "ü/" + "x" * 90, "ü/x", "ü/y", "v"):
        store.put(key, b"one", expected=0, write_id="w1")
    others = [entry.key for entry in store.scan(prefix) if entry.key != long]
    file_of(store, long).write_bytes(b"\xff")
    found = list(every_entry(store, prefix))
    assert [each.key for each in found if isinstance(each, Entry)] == others
    (bad,) = (each for each in found if isinstance(each, Unreadable))
    assert str(file_of(store, long)) in str(bad.error)
    assert bad.key.startswith(prefix)
    assert list(every_entry(store, "w")) == []


def test_a_name_that_was_cut_within_a_character(tmp_path: Path) -> None:
    """A damaged file of a long key is told under any prefix, though half an escape is cut off."""
    store = FileStore(tmp_path)
    for shift in range(8):
        key = "a" * shift + "\U0001f600" * 50
        store.put(key, b"one", expected=0, write_id="w1")
        file_of(store, key).write_bytes(b"\xff")
        for length in range(shift + 1, len(key)):
            assert [type(each) for each in every_entry(store, key[:length])] == [Unreadable]


@given(st.lists(st.text("aA%~0f4\udcff.", max_size=6)), st.lists(keys), st.text("aA%", max_size=2))
def test_whatever_the_names_are_each_has_a_place(
    strays: list[str], known: list[str], prefix: str
) -> None:
    """Each file has a place of its own, in the order of text, and keys have that of their own."""
    stems = {stem_of(key): key for key in known}
    pairs = in_key_order({*strays, *stems}, stems.get, prefix)
    assert pairs == sorted(pairs)
    assert len(dict(pairs)) == len(pairs) == len({*strays, *stems})
    assert all(key.encode() for key, _ in pairs)
    assert {stem: key for key, stem in pairs if names(stem, key)} == {
        **stems,
        **{stem: spelled_key(stem) for stem in strays if names(stem, spelled_key(stem) or "")},
    }


@posix_only
def test_a_leftover_of_any_name_is_no_obstacle(tmp_path: Path) -> None:
    """What looks like a leftover, under a name that is no text, keeps no store from opening."""
    FileStore(tmp_path).close()
    (tmp_path / "\udcff.blob.temp").write_bytes(b"")
    assert list(FileStore(tmp_path).scan()) == []


def test_the_key_at_fault_is_named(tmp_path: Path) -> None:
    """Whoever reads or writes a key whose file is damaged is told which key it is."""
    store = FileStore(tmp_path)
    file_of(store, "k").write_bytes(b"")
    file_of(store, "d").mkdir()
    for key in ("k", "d"):
        for call in (
            lambda key=key: store.get(key),
            lambda key=key: store.put(key, b"", expected=0, write_id="w"),
            lambda key=key: store.delete(key, expected=1, write_id="w"),
        ):
            with pytest.raises(StoreError) as caught:
                call()
            assert caught.value.key == key


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    """A folder that holds anything else is no store, and stays as it is."""
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StoreLayoutError, match="holds other files"):
        FileStore(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_store_that_appears_meanwhile_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that another process makes and fills during the check is no foreign folder."""
    iterdir = Path.iterdir

    def late(self: Path) -> Iterator[Path]:
        monkeypatch.setattr(Path, "iterdir", iterdir)
        FileStore(tmp_path).put("k", b"one", expected=0, write_id="w1")
        return iterdir(self)

    monkeypatch.setattr(Path, "iterdir", late)
    assert [entry.blob for entry in FileStore(tmp_path).scan()] == [b"one"]


@pytest.mark.parametrize("text", ["instar file store, layout 2.0\n", "something else\n", ""])
def test_another_layout_is_refused(tmp_path: Path, text: str) -> None:
    """A store of another major layout, or with a marker nobody wrote, is a StoreLayoutError."""
    FileStore(tmp_path).close()
    (tmp_path / "instar-store.txt").write_text(text)
    with pytest.raises(StoreLayoutError):
        FileStore(tmp_path)


def test_a_minor_layout_is_read(tmp_path: Path) -> None:
    """A store that a later minor layout added to is still read."""
    FileStore(tmp_path).close()
    (tmp_path / "instar-store.txt").write_text("instar file store, layout 1.7\n")
    assert FileStore(tmp_path).get("k") is None


def test_a_missing_folder_is_made_only_if_asked(tmp_path: Path) -> None:
    """Without create, a folder that is not there is a StoreError, and is not made."""
    with pytest.raises(StoreError, match="no store here"):
        FileStore(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()


def test_a_place_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    """A path that cannot be a folder is a StoreError that names it."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        FileStore(tmp_path / "file" / "store")


def test_a_deleted_folder_takes_no_save(tmp_path: Path) -> None:
    """Once the folder is deleted, saves and reads raise StoreError, and nothing is made."""
    store = FileStore(tmp_path / "s")
    store.put("k", b"one", expected=0, write_id="w1")
    shutil.rmtree(store.folder)
    with pytest.raises(StoreError, match=r"the store is gone.*open it again"):
        store.put("k", b"two", expected=1, write_id="w2")
    with pytest.raises(StoreError, match="the store is gone"):
        store.get("k")
    with pytest.raises(StoreError, match="the store is gone"):
        list(store.scan())
    assert not store.folder.exists()


def test_a_replaced_folder_is_met_by_name(tmp_path: Path) -> None:
    """A folder that another store took the place of is that store from then on."""
    store, other = FileStore(tmp_path / "s"), FileStore(tmp_path / "t")
    other.put("k", b"other", expected=0, write_id="w1")
    store.folder.rename(tmp_path / "old")
    other.folder.rename(store.folder)
    assert [entry.blob for entry in store.scan()] == [b"other"]
    assert store.put("k", b"two", expected=1, write_id="w2") == 2


def test_an_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system refuses without a name gets that of the file."""
    store = FileStore(tmp_path)

    def broken(_path: Path) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "read_bytes", broken)
    with pytest.raises(StoreError, match=r"k\.blob: the system refused: Input/output error"):
        store.get("k")


def test_a_refused_save_names_the_real_file(tmp_path: Path) -> None:
    """A file that cannot be written is named by its own name, not by that of its temp."""
    path = tmp_path / "none" / "x"
    with pytest.raises(FileNotFoundError) as caught:
        replace_file(path, [b"one"])
    assert caught.value.filename == str(path)
    long = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match="x" * 300) as caught_long:
        replace_file(long, [b"one"])
    assert caught_long.value.filename == str(long)
