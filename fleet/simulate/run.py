"""Takes a fleet through a rollout and its rollback, one operation after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeGuard

from ...codec.codec import Codec
from ...codec.verify.lab import Lab, Refused
from ...codec.verify.walk import bare
from ...errors import InstarError
from ...store.store import Store
from .edits import Edit, apply, choose
from .expect import UnjudgedError
from .findings import Counts, Loss
from .judge import Judge, Kept, Wrong
from .process import Process
from .samples import samples
from .stages import Stage
from .wire import Create, Delete, Done, Failed, Load, Rewrite, Rewritten, Save, Seen

_MOST_KEYS: Final = 8
_TRIES: Final = 5
_CONFLICTS: Final = frozenset({"Conflict", "NoSuchKey"})


@dataclass(frozen=True, slots=True)
class Held:
    """A state that a process has loaded and may save: the revision, and what it is there."""

    revision: int
    state: Any


@dataclass(slots=True)
class Member:
    """A process of the fleet, with the states that it has at hand."""

    process: Process
    held: dict[str, Held] = field(default_factory=dict[str, Held])


class Run:
    """One rollout: the same for the same seed.

    ``codecs`` has one for each version that takes part, and ``launch`` starts a process for a
    place in the fleet, a version and the version that it writes.
    """

    def __init__(
        self,
        seed: int,
        codecs: dict[int, Codec[Any]],
        lab: Lab,
        store: Store,
        launch: Callable[[str, int, int], Process],
    ) -> None:
        self._seed = seed
        self._random = Random(seed)  # noqa: S311 - to be repeated, not to be secret
        self._codecs = codecs
        self._samples = {version: samples(codec, seed) for version, codec in codecs.items()}
        self._judge = Judge(codecs[max(codecs)], lab, store)
        self._launch = launch
        self._members: list[Member] = []
        self._made = self._operation = 0
        self._stage = ""
        self._counts = Counts()
        self._losses: list[Loss] = []

    def stages(
        self, stages: Sequence[Stage], operations: int
    ) -> Iterator[tuple[Stage, Counts, list[Loss]]]:
        """Go through ``stages``, with so many operations in all; what came of each.

        Raises InstarError where a process ends.
        """
        with ExitStack() as stack:
            stack.callback(self._close)
            for index, stage in enumerate(stages):
                share = _share(operations, len(stages), index)
                yield self._go_through(stage, share)

    def _go_through(self, stage: Stage, operations: int) -> tuple[Stage, Counts, list[Loss]]:
        self._counts, self._losses, self._stage = Counts(), [], stage.name
        self._enter(stage)
        for _ in range(operations):
            self._operation += 1
            self._counts.operations += 1
            self._operate()
        self._look_at_all()
        return stage, self._counts, self._losses

    def _close(self) -> None:
        for member in self._members:
            member.process.close()

    # --- the fleet ---

    def _enter(self, stage: Stage) -> None:
        """Replace the processes that are of another version, or write another one."""
        for place, version in enumerate(stage.versions):
            written = min(version, stage.written)
            if place < len(self._members):
                process = self._members[place].process
                if (process.version, process.written) == (version, written):
                    continue
                process.close()
            self._start(place, version, written)
        if stage.rewrites:
            self._rewrite(self._members[0].process)

    def _start(self, place: int, version: int, written: int) -> None:
        member = Member(self._launch(f"process {place + 1}", version, written))
        self._members[place : place + 1] = [member]

    def _restart(self, member: Member) -> None:
        place, process = self._members.index(member), member.process
        process.kill()
        self._start(place, process.version, process.written)

    def _rewrite(self, process: Process) -> None:
        answer = process.ask(Rewrite())
        if not isinstance(answer, Rewritten):
            raise _unexpected(process, answer)
        for key, error in answer.unreadable.items():
            if key in self._judge.given_up:
                continue  # it has been told
            self._counts.refusals[error] += 1
            self._note(process, key, self._judge.unsaved(self._state(key), process, error))
        for key in list(self._judge.kept):
            self._note(process, key, self._judge.stored(key))

    # --- operations ---

    def _operate(self) -> None:
        member, chance = self._random.choice(self._members), self._random.random()
        keys = sorted(self._judge.kept)
        if not keys or (chance < 0.12 and len(keys) < _MOST_KEYS):  # noqa: PLR2004 - of all
            self._create(member)
        elif chance < 0.135:  # noqa: PLR2004 - of all
            self._restart(member)
        elif member.held and chance < 0.5:  # noqa: PLR2004 - of all
            self._save(member, self._random.choice(sorted(member.held)))
        else:
            self._use(member, self._random.choice(keys))

    def _use(self, member: Member, key: str) -> None:
        """Load, and then delete, save at once, save later, or not at all."""
        if not self._load(member, key):
            return
        chance = self._random.random()
        if chance < 0.06:  # noqa: PLR2004 - of all that are loaded
            self._delete(member, key)
        elif chance < 0.6:  # noqa: PLR2004 - of all that are loaded
            self._save(member, key)

    def _create(self, member: Member) -> None:
        process = member.process
        state = self._random.choice(self._samples[process.version])
        newest = self._judge.as_newest(state, process.version)
        self._made += 1
        key = f"state-{self._made}"
        answer = process.ask(Create(key, self._codecs[process.version].encode(state)))
        if isinstance(newest, Refused):
            self._judge.given_up.add(key)
            self._note(process, key, Wrong(f"it cannot be upgraded: {newest}"))
        elif isinstance(answer, Done):
            self._keep(process, key, newest, state, answer)
            self._note(process, key, self._judge.stored(key))
        else:
            self._not_saved(process, key, newest, answer)

    def _load(self, member: Member, key: str) -> bool:
        process = member.process
        member.held.pop(key, None)
        answer = process.ask(Load(key))
        if isinstance(answer, Seen):
            state = self._codecs[process.version].decode(answer.state)
            member.held[key] = Held(answer.revision, state)
            self._note(process, key, self._judge.seen(process.version, key, state))
            return True
        if self._is_refusal(answer, process, key):
            self._note(process, key, self._judge.refused(process, key, answer.message))
        return False

    def _save(self, member: Member, key: str) -> None:
        process, held = member.process, member.held.pop(key)
        kept = self._judge.kept.get(key)
        is_late = kept is None or kept.revision != held.revision
        edit, donor, wanted = self._edit(process.version, key, held, is_late)
        blob = b"" if edit is None else self._codecs[process.version].encode(donor)
        answer = process.ask(Save(key, edit, blob))
        if isinstance(answer, Failed) and answer.error in _CONFLICTS:
            self._counts.conflicts += 1
            if not is_late:
                self._note(
                    process, key, Wrong(f"a save is in conflict with none: {answer.message}")
                )
        elif kept is None or is_late:
            self._saved_late(process, key, answer)
        elif isinstance(answer, Done):
            self._keep(process, key, wanted, _edited(held.state, edit, donor), answer)
            self._note(process, key, self._judge.stored(key))
        else:
            self._not_saved(process, key, wanted, answer)

    def _saved_late(self, process: Process, key: str, answer: Any) -> None:
        """A save of what others have changed since may be refused before the store is asked."""
        if isinstance(answer, Done):
            self._note(process, key, Wrong("it saved over what it had not read"))
        else:
            self._is_refusal(answer, process, key)

    def _edit(
        self, version: int, key: str, held: Held, is_late: bool
    ) -> tuple[Edit | None, Any, Any]:
        """An edit, the donor, and what it comes to; none now and then, or where none is judged."""
        if is_late:
            return None, None, None
        for _ in range(self._random.randrange(_TRIES)):
            donor = self._random.choice(self._samples[version])
            edit = choose(held.state, donor, self._random.randrange)
            if edit is None:
                continue
            try:
                return edit, donor, self._judge.after(version, key, held.state, edit, donor)
            except UnjudgedError:
                continue
        return None, None, self._state(key)

    def _delete(self, member: Member, key: str) -> None:
        member.held.pop(key)
        answer = member.process.ask(Delete(key))
        if not isinstance(answer, Done):
            raise _unexpected(member.process, answer)
        del self._judge.kept[key]

    # --- what came of them ---

    def _keep(self, process: Process, key: str, newest: Any, saved: Any, answer: Done) -> None:
        older = None if process.version == self._judge.newest else saved
        self._judge.kept[key] = Kept(newest, answer.revision, older)

    def _look_at_all(self) -> None:
        """Every process loads every state, and the store holds no more and no less."""
        for member in self._members:
            for key in sorted(self._judge.kept):
                self._load(member, key)
        for key in self._judge.strays():
            self._note(self._members[0].process, key, Wrong("the state is gone, or came back"))

    def _state(self, key: str) -> Any:
        return self._judge.kept[key].state

    def _is_refusal(self, answer: Any, process: Process, key: str) -> TypeGuard[Failed]:
        """Count a typed error; anything else is a finding."""
        if not isinstance(answer, Failed):
            raise _unexpected(process, answer)
        if answer.is_typed:
            self._counts.refusals[answer.error] += 1
            return True
        self._note(process, key, Wrong(f"a crash: {answer.error}: {answer.message}"))
        return False

    def _not_saved(self, process: Process, key: str, state: Any, answer: Any) -> None:
        if self._is_refusal(answer, process, key):
            self._note(process, key, self._judge.unsaved(state, process, answer.message))

    def _note(self, process: Process, key: str, wrong: Wrong | None) -> None:
        if wrong is None:
            return
        self._counts.losses += 1
        who = f"{process.name} (version {process.version}, writes {process.written})"
        self._losses.append(
            Loss(
                self._seed,
                self._operation,
                self._stage,
                who,
                key,
                wrong.what,
                wrong.path,
                wrong.expected,
                wrong.found,
            )
        )


def _edited(state: Any, edit: Edit | None, donor: Any) -> Any:
    made = bare(state)
    if edit is not None:
        apply(edit, made, donor)
    return made


def _share(operations: int, stages: int, index: int) -> int:
    return operations // stages + (index < operations % stages)


def _unexpected(process: Process, answer: Any) -> InstarError:
    what = answer.message if isinstance(answer, Failed) else type(answer).__name__
    return InstarError(f"it answered what it was not asked: {what}", where=process.name)
