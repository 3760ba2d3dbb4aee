"""One trajectory annotated: every step put into words, judged, and the whole summed up.

`reflective` goes step by step as the published pipeline does: generator, reflector, next step, each knowing what was
found of the one before. `parallel` asks for all steps at once, each generator knowing what was *done* before it, and
then once more for the steps after one that was judged wrong or not needed; its time does not grow with the length.

A bad step costs that step: what fails is noted with its reason and the rest goes on. Every reply is kept as soon as it
is there, so that whoever goes on after a crash asks only for what is missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Generic, Literal, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from workalike.annotate.asking import StepQuestions
from workalike.annotate.chain import (
    JUDGED,
    TEXTS,
    Annotation,
    Generated,
    Reflected,
    Summarized,
    Valued,
    is_judged,
    is_told,
    went_wrong,
)
from workalike.annotate.leaks import LeakGuard, PageWords, future_words
from workalike.annotate.looks import After, Before, Looks
from workalike.core.errors import BadInput, ModelFailed
from workalike.core.trajectory import Step, TaskSummary, Trajectory, Usage
from workalike.formats.agentnet_trajectories import THEIRS
from workalike.models.answers import Unanswered
from workalike.models.ask import ask
from workalike.models.interface import Model
from workalike.models.messages import Reply, Request, SampleKey
from workalike.models.prompts import Prompts
from workalike.store.layers import SUMMARY, laid_over, overlay

A = TypeVar("A")
Method = Literal["reflective", "parallel"]
METHODS: tuple[str, ...] = get_args(Method)
Role = Literal["generator", "valuer", "reflector", "summarizer"]
ROLES: tuple[Role, ...] = get_args(Role)
Keep = Callable[[int | None, Annotation], None]
"""What is said of a step (by its number), or of the whole, is handed over to be kept before anything else is asked."""
TRIES = 4
NO_ACTION, NO_PICTURE = "nothing was done in it", "it has no picture"


class Annotated(msgspec.Struct, frozen=True):
    """What became of a trajectory: how many of its steps have words and a judgement now, how many lack something and
    why, how many questions wait for an answer, and what it took this time."""

    steps: int
    whole: int
    flagged: int
    failed: dict[int, str] = {}
    waiting: int = 0
    usage: Usage = Usage()


class Outcome(msgspec.Struct, Generic[A], frozen=True):
    """An answer or why there is none, and what it took."""

    value: A | None
    usage: Usage
    failed: str = ""


class Asker:
    """Asks the models of one trajectory. `slots` bounds how many questions are under way over all trajectories: a
    question's pictures are made when its turn comes, so that memory does not grow with what is waiting."""

    def __init__(
        self, models: Mapping[Role, Model], looks: Looks, prompts: Prompts, slots: asyncio.Semaphore, repeat: int = 0
    ) -> None:
        self.models, self.looks, self.prompts, self._slots, self._repeat = models, looks, prompts, slots, repeat

    async def ask(
        self,
        role: Role,
        place: int,
        make: Callable[[], Request],
        kind: type[A],
        guard: LeakGuard[A],
        second: bool = False,
    ) -> Outcome[A]:
        """What came of a question; a `second` one about a step is another than the first. An answer that leaks to the
        end is an answer all the same, and flagged."""
        draw = SampleKey(repeat=self._repeat, step=place, vote=int(second))
        async with self._slots:
            request = await asyncio.to_thread(make)
            model = _Counting(self.models[role])
            try:
                found = await ask(model, request, kind, draw=draw, tries=TRIES, check=guard, prompts=self.prompts)
                return Outcome(found.value, model.usage)
            except Unanswered:
                raise
            except ModelFailed as error:
                return Outcome(guard.kept, model.usage, "" if guard.kept is not None else str(error))


class _Counting:
    """A model with books of its own for one question, so that what a failed one took is known too."""

    def __init__(self, model: Model) -> None:
        self.name, self.usage, self._model = model.name, Usage(), model

    async def reply(self, request: Request, draw: SampleKey = SampleKey()) -> Reply:
        reply = await self._model.reply(request, draw)
        self.usage = self.usage + reply.usage
        return reply

    def hide(self, words: Mapping[str, str]) -> None:
        self._model.hide(words)

    async def close(self) -> None:
        pass


class Annotator:
    """Annotates one trajectory. `known` is what this layer says of it already; `redo` takes nothing else for granted;
    a step's `value` is asked for in a question of its own, which does not show what came of it.

    keep = lambda step, annotation: layer.put(trajectory.id, annotation, step)
    await Annotator(trajectory, known, asker, StepQuestions(prompts), keep).annotate("reflective")
    """

    def __init__(
        self,
        trajectory: Trajectory,
        known: Mapping[int | None, Annotation],
        asker: Asker,
        questions: StepQuestions,
        keep: Keep,
        redo: bool = False,
        value: bool = True,
    ) -> None:
        self._valued = value
        self._known, self._asker, self._questions, self._keep = dict(known), asker, questions, keep
        self._now = overlay(bare(trajectory) if redo else trajectory, self._known)
        self._summed = not redo and None not in known and has_summary(trajectory)
        self._pages = PageWords(trajectory)
        self._failed: dict[int, str] = {}
        self._waiting, self._usage = 0, Usage()

    async def annotate(self, method: Method) -> Annotated:
        """Ask for everything that is missing."""
        if method == "reflective":
            for place in range(len(self._now.steps)):
                await self._step(place)
                if self._waiting:  # what comes next rests on the answer
                    break
        else:
            await self._together(range(len(self._now.steps)), know_past=False)
            again = (
                [] if self._waiting else [place for place in range(1, len(self._now.steps)) if self._is_second(place)]
            )
            await self._together(again, know_past=True, anew=True)
        await self._sum_up()
        return self._result()

    async def _together(self, places: range | list[int], know_past: bool, anew: bool = False) -> None:
        """Some steps at once, each by what is known as they begin. One that fails for all of them leaves the others
        time to be kept: they are paid for."""
        known = self._now
        steps = [self._step(place, know_past, anew, known) for place in places]
        outcomes = await asyncio.gather(*steps, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    def _is_second(self, place: int) -> bool:
        """Whether a step was told without knowing that the one before had gone wrong."""
        note = self._known.get(place)
        told_here = note is not None and note.thought is not None and not note.after_error
        return told_here and went_wrong(self._now.steps[place - 1])

    async def _step(
        self, place: int, know_past: bool = True, anew: bool = False, known: Trajectory | None = None
    ) -> None:
        """One step: its words, then its judgement, each only where it is missing."""
        step = self._now.steps[place]
        if is_told(step) and is_judged(step) and not anew and not self._lacks_value(place):
            return
        reason = NO_ACTION if not step.actions else NO_PICTURE if step.observation.picture is None else ""
        if reason:
            self._failed[place] = reason
            return
        try:
            told = is_told(step) and not anew
            asked = known or self._now
            if told or await self._generate(asked, place, know_past, anew):
                await self._judge(place)
        except Unanswered:
            self._waiting += 1
        except BadInput as error:
            self._fail(place, str(error), Usage())

    async def _generate(self, known: Trajectory, place: int, know_past: bool, anew: bool) -> bool:
        """A step in words, by what is known of those before; whether there are any."""
        step = known.steps[place]
        shown = "\n".join(self._pages.at(place))
        future = frozenset(future_words(known, place, self._pages))
        guard: LeakGuard[Generated] = LeakGuard(msgspec.structs.asdict, self._asker.prompts, shown, future)

        def question() -> Request:
            look = self._asker.looks.before(known, place)
            return self._questions.generator(known, place, look, know_past=know_past)

        found = await self._asker.ask("generator", place, question, Generated, guard, anew)
        if found.value is None:
            self._fail(place, found.failed, found.usage)
            return False
        texts, before = found.value.texts(), self._known.get(place, Annotation())
        wanted = [name for name in TEXTS if anew or not getattr(step, name)]
        note = Annotation(
            **{name: getattr(texts, name) for name in wanted},
            flags=guard.flags,
            after_error=know_past and place > 0 and went_wrong(known.steps[place - 1]),
            usage=self._spent(before, found.usage),
        )
        if anew:  # what was judged of other words does not stand
            self._put_step(place, replace(step, **dict.fromkeys((*JUDGED, "value"))))
        self._note(place, note)
        return True

    async def _judge(self, place: int) -> None:
        """The judgement of a step and its value, both at once: who values it does not know what is judged."""
        parts = [] if is_judged(self._now.steps[place]) else [self._reflect(place)]
        parts += [self._value(place)] if self._lacks_value(place) else []
        for outcome in await asyncio.gather(*parts, return_exceptions=True):
            if isinstance(outcome, Unanswered):
                self._waiting += 1
            elif isinstance(outcome, BaseException):
                raise outcome

    def _is_late(self, place: int) -> bool:
        """Whether what is judged of a step are the words of a second pass."""
        note = self._known.get(place)
        return note is not None and note.after_error

    def _lacks_value(self, place: int) -> bool:
        return self._valued and self._now.steps[place].value is None

    async def _value(self, place: int) -> None:
        guard: LeakGuard[Valued] = LeakGuard(lambda answer: {}, self._asker.prompts)

        def question() -> Request:
            return self._questions.valuer(self._now, place, self._before(place))

        found = await self._asker.ask("valuer", place, question, Valued, guard, self._is_late(place))
        if found.value is None:
            self._fail(place, found.failed, found.usage)
            return
        before = self._known.get(place, Annotation())
        self._note(place, replace(before, value=found.value.value, usage=self._spent(before, found.usage)))

    async def _reflect(self, place: int) -> None:
        guard: LeakGuard[Reflected] = LeakGuard(
            lambda answer: {"reflection": answer.reflection}, self._asker.prompts, self._page_around(place)
        )

        def question() -> Request:
            return self._questions.reflector(self._now, place, self._before(place), self._after(place))

        found = await self._asker.ask("reflector", place, question, Reflected, guard, self._is_late(place))
        if found.value is None:
            self._fail(place, found.failed, found.usage)
            return
        before = self._known.get(place, Annotation())
        texts = found.value.texts()
        said = {name: getattr(texts, name) for name in JUDGED}
        usage = self._spent(before, found.usage)
        self._note(place, replace(before, **said, flags=(*before.flags, *guard.flags), failed="", usage=usage))

    def _before(self, place: int) -> Before:
        return self._asker.looks.before(self._now, place)

    def _after(self, place: int) -> After:
        """A screen after that is lost is not known; the judgement rests on what there is."""
        try:
            return self._asker.looks.after(self._now, place)
        except BadInput:
            return After()

    def _page_around(self, place: int) -> str:
        return "\n".join(self._pages.at(place) | self._pages.at(place + 1))

    async def _sum_up(self) -> None:
        """A summary of what there is; one that rests on fewer judged steps than there are now is made anew."""
        judged = sum(map(is_judged, self._now.steps))
        note = self._known.get(None, Annotation())
        if self._summed or self._waiting or (note.summary and not note.failed and note.judged == judged):
            return
        guard: LeakGuard[Summarized] = LeakGuard(lambda answer: {}, self._asker.prompts)
        try:
            found = await self._asker.ask(
                "summarizer", len(self._now.steps), lambda: self._questions.summarizer(self._now), Summarized, guard
            )
        except Unanswered:
            self._waiting += 1
            return
        summary = found.value.summary() if found.value else _without_answer(self._now, found.failed)
        usage = self._spent(note, found.usage)
        self._note(None, Annotation(summary=summary, judged=judged, failed=found.failed, usage=usage))

    def _spent(self, before: Annotation, usage: Usage) -> Usage:
        """What was paid for a place in all; what is paid now counts for this time as well."""
        self._usage = self._usage + usage
        return before.usage + usage

    def _fail(self, place: int, reason: str, usage: Usage) -> None:
        before = self._known.get(place, Annotation())
        self._failed[place] = reason
        self._note(place, replace(before, failed=reason, usage=self._spent(before, usage)))

    def _note(self, place: int | None, annotation: Annotation) -> None:
        self._keep(place, annotation)
        self._known[place] = annotation
        if place is None:
            self._now = overlay(self._now, {None: annotation})
        else:
            self._put_step(place, laid_over(self._now.steps[place], annotation))

    def _put_step(self, place: int, step: Step) -> None:
        steps = (*self._now.steps[:place], step, *self._now.steps[place + 1 :])
        self._now = replace(self._now, steps=steps)

    def _result(self) -> Annotated:
        steps = self._now.steps
        whole = sum(is_told(step) and is_judged(step) for step in steps)
        flagged = sum(bool(note.flags) for place, note in self._known.items() if place is not None)
        return Annotated(len(steps), whole, flagged, dict(self._failed), self._waiting, self._usage)


def bare(trajectory: Trajectory) -> Trajectory:
    """A trajectory without any words or judgements about it."""
    blank = dict.fromkeys((*TEXTS, *JUDGED, "value"))
    steps = tuple(replace(step, **blank) for step in trajectory.steps)
    extra = {name: value for name, value in trajectory.extra.items() if name != SUMMARY}
    return replace(trajectory, steps=steps, extra=extra)


def has_summary(trajectory: Trajectory) -> bool:
    """Whether a trajectory came with a summary, laid over it or published in its row."""
    published = trajectory.extra.get(THEIRS)
    theirs = isinstance(published, dict) and bool(published.get("actual_task"))
    return theirs or SUMMARY in trajectory.extra


def _without_answer(trajectory: Trajectory, reason: str) -> TaskSummary:
    """What can be said where the summarizer gave nothing: the task as it was put, and that the rest is not known."""
    return TaskSummary(trajectory.task.instruction, reason=f"no summary could be had: {reason}")
