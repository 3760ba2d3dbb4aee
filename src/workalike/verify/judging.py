"""What all verifiers that ask a model have in common: the questions and their books, votes, and *ungraded* when the
judge, not the agent, has failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from workalike import __version__
from workalike.core.contracts import Case, Needs, PictureSource
from workalike.core.errors import BadInput, ModelFailed
from workalike.core.provenance import Provenance, fingerprint
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict, Vote, ungraded
from workalike.models.ask import ask
from workalike.models.interface import Model, ModelProvider
from workalike.models.messages import Part, Request, SampleKey, read_sampling, said
from workalike.models.prompts import Prompts
from workalike.verify.findings import unjudgeable

T = TypeVar("T")
Filling = str | Part | tuple[Part, ...]
"""What a hole of a prompt is filled with."""
TRIES = 3
"""How often a judge is asked for one answer in all before it is said to have failed."""
HEADER = "X-Workalike-Case"
"""By which a model's server can tell cases apart, as attempts are told apart when agents ask: a hash, and no name."""
FORM_TOKENS, ANSWER_TOKENS = 1_500, 1_200


class Asking:
    """One vote's questions to the judge, in order. `calls` counts the replies it took, `reasked` those of no use."""

    def __init__(self, model: Model, prompts: Prompts, vote: int = 0) -> None:
        self._model, self._prompts, self._vote = model, prompts, vote
        self.calls = self.reasked = 0

    async def ask(
        self,
        prompt: str,
        kind: type[T],
        values: Mapping[str, Filling],
        check: Callable[[T], str | None] | None = None,
    ) -> T:
        """The answer to one question. Its system words are those of all judges."""
        system = self._prompts.get("verify/system").fill()
        question = Request((said("system", system), said("user", *self._prompts.get(prompt).parts(**values))))
        draw = SampleKey(step=self.calls, vote=self._vote)
        self.calls += 1
        answer = await ask(
            self._model, question, kind, draw=draw, tries=TRIES, check=check, prompts=self._prompts, whole=True
        )
        self.reasked += answer.reasked
        return answer.value


class ModelVerifier:
    """A verifier with a model behind it. A kind of verifier says its name, its version, which prompts it asks with and
    how one vote is cast; votes, books and provenance are the same for all."""

    name: str
    version: ClassVar[int] = 1
    needs: Needs = Needs(pictures=True, model=True)
    asks: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        models: ModelProvider,
        model: str,
        *,
        votes: int = 1,
        prompts: Prompts | None = None,
        sampling: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(votes, int) or votes < 1 or votes % 2 == 0:
            raise BadInput(f"votes must be an odd number, so that there is a majority, not {votes}")
        self._models, self._model, self._votes = models, model, votes
        self._prompts, self._sampling = prompts or Prompts(), read_sampling(sampling or {})
        hashes = {name: self._prompts.get(name).hash for name in ("verify/system", *self.asks)}
        self.settings: dict[str, Any] = {
            "version": self.version,
            "model": model,
            "votes": votes,
            "sampling": msgspec.to_builtins(self._sampling),
            "prompts": hashes,
        }

    async def judge(self, case: Case, pictures: PictureSource) -> Verdict:
        """Cast the votes and count them."""
        reason = unjudgeable(case.trajectory)
        if reason:
            return replace(ungraded(case.id, self.name, reason), provenance=self._provenance(case))
        headers = {HEADER: case_mark(case.id)}
        model = self._models.open(
            self._model, sampling=self._sampling, headers=headers, topic=f"{self.name}/{case_mark(case.id)}"
        )
        try:
            votes = [
                await self._cast(Asking(model, self._prompts, vote), case, pictures) for vote in range(self._votes)
            ]
            return replace(counted(votes), provenance=self._provenance(case), usage=model.usage)
        finally:
            await model.close()

    def estimate(self, case: Case) -> Usage:
        """The most that judging takes where every reply can be used; a reply that cannot costs once more."""
        one = self.estimate_vote(case)
        return Usage(
            one.requests * self._votes, one.input_tokens * self._votes, one.output_tokens * self._votes, cost=None
        )

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        """One judgement. Raises `ModelFailed` where the judge gives no usable answer."""
        raise NotImplementedError

    def estimate_vote(self, case: Case) -> Usage:
        """The most that one vote may take."""
        raise NotImplementedError

    async def _cast(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        try:
            verdict = await self.vote(asking, case, pictures)
        except ModelFailed as error:
            verdict = ungraded(case.id, self.name, f"the judge failed: {error}")
        except BadInput as error:
            verdict = ungraded(case.id, self.name, f"it cannot be judged: {error}")
        made = {"calls": float(asking.calls), "reasked": float(asking.reasked)}
        return replace(verdict, measures={**verdict.measures, **made})

    def _provenance(self, case: Case) -> Provenance:
        return Provenance(
            f"workalike verify {self.name}",
            version=f"{__version__}/{self.version}",
            model=self._model,
            settings={"votes": self._votes},
            prompts=self.settings["prompts"],
            inputs={"trajectory": fingerprint(case.trajectory)},
        )


def case_mark(trajectory: str) -> str:
    """What a trajectory is called where its name is nobody's business."""
    return fingerprint(trajectory)[:20]


def counted(votes: list[Verdict]) -> Verdict:
    """The verdict of several votes: the majority's outcome and the median score. Whoever could not judge has no vote;
    where those who could are no majority of all, or are divided, nobody has decided."""
    first = votes[0]
    if len(votes) == 1:
        return first
    cast = tuple(Vote(each.outcome, each.process, each.reason) for each in votes)
    totals = {name: sum(each.measures.get(name, 0.0) for each in votes) for name in ("calls", "reasked")}
    graded = [each for each in votes if each.outcome != "ungraded"]
    if 2 * len(graded) <= len(votes):
        reason = f"only {len(graded)} of {len(votes)} votes could be cast: {_why(votes)}"
        return replace(ungraded(first.trajectory, first.verifier, reason), votes=cast, measures=totals)
    ranked = Counter(each.outcome for each in graded).most_common()
    outcome, most = ranked[0]
    if 2 * most <= len(graded):
        reason = f"the votes are divided: {', '.join(f'{number} {name}' for name, number in ranked)}"
        return replace(ungraded(first.trajectory, first.verifier, reason), votes=cast, measures=totals)
    scores = [each.process for each in graded if each.process is not None]
    middle = median(scores) if scores else None
    speaker = min((each for each in graded if each.outcome == outcome), key=lambda each: _off(each.process, middle))
    spread = {"spread": max(scores) - min(scores)} if scores else {}
    return replace(speaker, process=middle, votes=cast, measures={**speaker.measures, **totals, **spread})


def _why(votes: list[Verdict]) -> str:
    return next(each.reason for each in votes if each.outcome == "ungraded")


def _off(score: float | None, middle: float | None) -> float:
    return abs(score - middle) if score is not None and middle is not None else 0.0
