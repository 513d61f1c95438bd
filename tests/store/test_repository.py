"""Typed states in a store: who may overwrite what, and what is never written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from instar.errors import (
    ConfigError,
    Conflict,
    CorruptPayload,
    InvalidKey,
    NoSuchKey,
    StoreError,
    ValueMismatch,
)
from instar.store import Entry, MemoryStore, Repository
from instar.store.every_entry import Unreadable


class State(msgspec.Struct):
    n: int
    notes: list[str] = msgspec.field(default_factory=list[str])


class Codec:
    """JSON behind one byte, the version: 2 is written, 1 (with m for n) is read as well."""

    def encode(self, state: State, /) -> bytes:
        if state.n < 0:
            raise ValueMismatch("n is negative", path="state.n")
        return b"2" + msgspec.json.encode(state)

    def decode(self, blob: bytes, /) -> State:
        if blob[:1] == b"1":
            return State(msgspec.json.decode(blob[1:], type=dict[str, int])["m"])
        try:
            return msgspec.json.decode(blob[1:], type=State)
        except msgspec.DecodeError as error:
            raise CorruptPayload(str(error)) from error


class Watched(MemoryStore):
    """Counts writes, and runs what a test hangs on the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0
        self.before: list[Callable[[], None]] = []
        self.after: list[Callable[[], None]] = []

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        self.writes += 1
        if self.before:
            self.before.pop()()
        revision = super().put(key, blob, expected=expected, write_id=write_id)
        if self.after:
            self.after.pop()()
        return revision


@pytest.fixture
def store() -> Watched:
    return Watched()


@pytest.fixture
def repository(store: Watched) -> Repository[State]:
    return Repository(Codec(), store)


def lose_answer() -> None:
    raise StoreError("the answer was lost")


def save_first(store: Watched, key: str = "k") -> Callable[[], None]:
    def save() -> None:
        entry = store.get(key)
        assert entry is not None
        rival = Repository(Codec(), store)
        state = rival.load(key)
        state.n += 100
        rival.save(key, state, expected=entry.revision)

    return save


def test_a_state_is_created_loaded_and_saved(repository: Repository[State]) -> None:
    """A state is created, loaded with its revision, changed, and saved over it."""
    assert repository.create("k", State(1)) == 1
    loaded = repository.load_entry("k")
    assert (loaded.key, loaded.state, loaded.revision) == ("k", State(1), 1)
    assert loaded.blob == Codec().encode(State(1))
    assert repository.save("k", State(2), expected=loaded.revision) == 2
    assert repository.load("k") == State(2)


def test_what_is_not_there(repository: Repository[State]) -> None:
    """A missing key is NoSuchKey from load, edit and update, and None from get."""
    assert repository.get("k") is None
    for call in (repository.load, repository.load_entry):
        with pytest.raises(NoSuchKey):
            call("k")
    with pytest.raises(NoSuchKey), repository.edit("k"):
        pytest.fail("the block ran")
    with pytest.raises(NoSuchKey):
        repository.update("k", lambda state: state)


def test_nobody_overwrites_what_they_did_not_read(repository: Repository[State]) -> None:
    """A create of what is there, and a save over what was replaced, raise Conflict."""
    repository.create("k", State(1))
    with pytest.raises(Conflict):
        repository.create("k", State(2))
    repository.save("k", State(2), expected=1)
    with pytest.raises(Conflict):
        repository.save("k", State(3), expected=1)
    assert repository.load("k") == State(2)


def test_two_loads_share_nothing(repository: Repository[State]) -> None:
    """Each load gives a state of its own."""
    repository.create("k", State(1))
    one, two = repository.load("k"), repository.load("k")
    one.notes.append("mine")
    assert two.notes == []


def test_a_saved_state_is_a_snapshot(repository: Repository[State]) -> None:
    """What happens to a state after its save is not in the store."""
    state = State(1)
    repository.create("k", state)
    state.notes.append("later")
    assert repository.load("k").notes == []


def test_edit_saves_on_exit(repository: Repository[State]) -> None:
    """A block that changes the state saves it."""
    repository.create("k", State(1))
    with repository.edit("k") as state:
        state.n = 2
        assert repository.load("k") == State(1)
    assert repository.load_entry("k").revision == 2
    assert repository.load("k") == State(2)


def test_an_exception_in_the_block_writes_nothing(
    repository: Repository[State], store: Watched
) -> None:
    """A block that fails leaves the stored state, and its exception goes on."""
    repository.create("k", State(1))
    with pytest.raises(ZeroDivisionError), repository.edit("k") as state:
        state.n = 1 // 0
    assert store.writes == 1


def test_an_unchanged_state_is_not_written(repository: Repository[State], store: Watched) -> None:
    """A block, or a function, that changes nothing writes nothing."""
    repository.create("k", State(1))
    with repository.edit("k"):
        pass
    repository.update("k", lambda _: None)
    assert store.writes == 1


def test_reading_never_writes(repository: Repository[State], store: Watched) -> None:
    """A state of an older version is upgraded on read, as often as it is read, and stays."""
    store.put("k", b'1{"m":7}', expected=0, write_id="w")
    assert repository.load("k") == repository.get("k") == State(7)
    assert list(repository.scan()) == [("k", State(7))]
    assert list(repository.keys()) == ["k"]
    repository.census()
    assert store.get("k") == Entry("k", b'1{"m":7}', 1, "w")


def test_an_edit_saves_the_write_version(repository: Repository[State], store: Watched) -> None:
    """An edit of a state of an older version is the moment at which it is upgraded for good."""
    store.put("k", b'1{"m":7}', expected=0, write_id="w")
    with repository.edit("k"):
        pass
    assert repository.load_entry("k").blob == b'2{"n":7,"notes":[]}'


def test_an_edit_that_lost_the_race_conflicts(
    repository: Repository[State], store: Watched
) -> None:
    """A save by somebody else during the block raises Conflict, and theirs stays."""
    repository.create("k", State(1))
    edit = repository.edit("k")
    state = edit.__enter__()
    save_first(store)()
    state.n = 2
    with pytest.raises(Conflict):
        edit.__exit__(None, None, None)
    assert repository.load("k") == State(101)


def test_update_starts_again_after_a_lost_race(
    repository: Repository[State], store: Watched
) -> None:
    """The function runs again on what somebody else saved, so that no change is lost."""
    repository.create("k", State(1))
    store.before = [lambda: None, save_first(store)]

    def double(state: State) -> State:
        return State(state.n * 2)

    assert repository.update("k", double) == State(202)
    assert repository.load("k") == State(202)


def test_update_gives_up_after_its_attempts(repository: Repository[State], store: Watched) -> None:
    """After the last lost race the Conflict goes to the caller."""
    repository.create("k", State(1))
    ran: list[int] = []

    def disturbed(state: State) -> None:
        ran.append(state.n)
        state.n += 1
        save_first(store)()

    with pytest.raises(Conflict):
        repository.update("k", disturbed, attempts=3)
    assert ran == [1, 101, 201]


def test_a_conflict_of_the_function_itself_is_not_retried(repository: Repository[State]) -> None:
    """A Conflict that the function raises over another key goes to the caller at once."""
    repository.create("k", State(1))
    repository.create("other", State(1))
    ran: list[int] = []

    def meddle(state: State) -> None:
        ran.append(state.n)
        repository.create("other", State(2))

    with pytest.raises(Conflict):
        repository.update("k", meddle)
    assert ran == [1]


def test_no_attempts_are_a_mistake(repository: Repository[State]) -> None:
    """An update of no attempts is a ConfigError."""
    with pytest.raises(ConfigError):
        repository.update("k", lambda state: state, attempts=0)


def test_a_lost_answer_is_no_conflict(repository: Repository[State], store: Watched) -> None:
    """A save whose answer was lost is repeated with its write id: one write, no Conflict."""
    store.after = [lose_answer, lose_answer]
    assert repository.create("k", State(1)) == 1
    assert store.writes == 3
    assert repository.load_entry("k").revision == 1


def test_a_store_that_stays_silent_is_an_error(
    repository: Repository[State], store: Watched
) -> None:
    """After three tries the error of the store goes to the caller."""
    store.before = [lose_answer] * 3
    with pytest.raises(StoreError, match="the answer was lost"):
        repository.create("k", State(1))
    assert repository.get("k") is None


def test_a_state_that_does_not_encode_writes_nothing(
    repository: Repository[State], store: Watched
) -> None:
    """A state is encoded whole before the store hears of it."""
    with pytest.raises(ValueMismatch):
        repository.create("k", State(-1))
    assert store.writes == 0


def test_delete_expects_a_revision(repository: Repository[State]) -> None:
    """A deletion of what was saved since it was read raises Conflict."""
    repository.create("k", State(1))
    repository.save("k", State(2), expected=1)
    with pytest.raises(Conflict):
        repository.delete("k", expected=1)
    repository.delete("k", expected=2)
    assert repository.get("k") is None


def test_keys_and_states_by_prefix(repository: Repository[State]) -> None:
    """keys and scan take a prefix, and go in order."""
    for number, key in enumerate(("b/1", "a/2", "a/1")):
        repository.create(key, State(number))
    assert list(repository.keys("a/")) == ["a/1", "a/2"]
    assert list(repository.scan("a/")) == [("a/1", State(2)), ("a/2", State(1))]


def test_a_scan_never_skips_in_silence(repository: Repository[State], store: Watched) -> None:
    """An entry that cannot be decoded raises with its key, or is collected if asked."""
    repository.create("a", State(1))
    store.put("b", b"2{", expected=0, write_id="w")
    repository.create("c", State(3))
    with pytest.raises(CorruptPayload) as caught:
        list(repository.scan())
    assert caught.value.__notes__ == ["while reading the key 'b'"]
    errors: list[Unreadable] = []
    assert list(repository.scan(errors=errors)) == [("a", State(1)), ("c", State(3))]
    assert [(each.key, type(each.error)) for each in errors] == [("b", CorruptPayload)]


def test_a_repository_closes_what_it_opened(tmp_path: Path, store: Watched) -> None:
    """A store that was opened from an address is closed; one that was given stays open."""
    with Repository(Codec(), tmp_path / "s.db") as repository:
        repository.create("k", State(1))
    with pytest.raises(StoreError, match="closed"):
        repository.get("k")
    with Repository(Codec(), store) as repository:
        repository.create("k", State(1))
    assert repository.load("k") == State(1)


@pytest.mark.parametrize("prefix", [5, None, b"a", "a\ud800"])
def test_a_prefix_is_text(repository: Repository[State], prefix: Any) -> None:
    """Keys and states are looked for by text that a key can begin with, or InvalidKey."""
    with pytest.raises(InvalidKey):
        list(repository.keys(prefix))
    with pytest.raises(InvalidKey):
        list(repository.scan(prefix))


@pytest.mark.parametrize("expected", [None, "1", 1.0, True, False, -1])
def test_a_save_expects_a_revision(
    repository: Repository[State], store: Watched, expected: Any
) -> None:
    """What is no revision is a ConfigError, at once, and nothing is written."""
    repository.create("k", State(1))
    with pytest.raises(ConfigError, match="no revision"):
        repository.save("k", State(2), expected=expected)
    with pytest.raises(ConfigError, match="no revision"):
        repository.delete("k", expected=expected)
    assert repository.load("k") == State(1)
    assert store.writes == 2


@pytest.mark.parametrize("store", [5, None, b"a.db", Codec()])
def test_what_is_no_store_is_refused(store: Any) -> None:
    """A repository takes a store or its address; anything else is a ConfigError that says so."""
    with pytest.raises(ConfigError, match=r"address of a store.*sqlite:///agents\.db"):
        Repository(Codec(), store)
