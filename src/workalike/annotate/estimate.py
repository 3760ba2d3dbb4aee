"""What annotating will take, before anything is sent: calls, tokens and dollars."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from workalike.annotate.annotator import ROLES
from workalike.annotate.asking import StepQuestions
from workalike.annotate.chain import Generated, Reflected, Summarized, Valued, is_told
from workalike.annotate.demonstrations import ANSWERS, AnnotateConfig, demonstrations
from workalike.annotate.looks import Looks, Outlines
from workalike.annotate.plan import AnnotatePlan, is_askable
from workalike.core.trajectory import Trajectory
from workalike.models.ask import answer_schema
from workalike.models.budget import estimate
from workalike.models.by_hand import BY_HAND
from workalike.models.keys import Keys
from workalike.models.messages import Request, Tokens, said
from workalike.models.names import SCRIPTED, resolve
from workalike.models.prices import Prices
from workalike.models.prompts import Prompts

REPLIES = {"generator": 450, "valuer": 80, "reflector": 180, "summarizer": 350}
"""How many tokens a reply of each role takes, about; for what is said before anything is sent."""
_KINDS: dict[str, type] = {
    "generator": Generated,
    "valuer": Valued,
    "reflector": Reflected,
    "summarizer": Summarized,
}
_STAND_IN = "so that words that are not written yet take their room, " * 8


class AnnotateEstimate(msgspec.Struct, frozen=True):
    """What asking will take: calls by role, and tokens, about. `again` is how many more calls a second pass may take at
    most."""

    trajectories: int = 0
    steps: int = 0
    calls: dict[str, int] = {}
    again: int = 0
    tokens: Tokens = Tokens()
    dollars: float | None = None

    @property
    def total(self) -> int:
        return sum(self.calls.values())

    def told(self) -> str:
        """The estimate in three lines."""
        calls = ", ".join(f"{count:,} {role}" for role, count in self.calls.items())
        again = f", and at most {self.again:,} for steps after a wrong one" if self.again else ""
        money = "at an unknown price (--prices FILE)" if self.dollars is None else f"about ${self.dollars:,.2f}"
        return (
            f"{self.trajectories:,} trajectories, {self.steps:,} steps\n"
            f"{self.total:,} calls ({calls}){again}\n"
            f"about {self.tokens.input:,} tokens in and {self.tokens.output:,} out, {money}; nothing was sent"
        )


def estimate_of(
    config: AnnotateConfig, prompts: Prompts, tell: Callable[[str], object] = lambda text: None
) -> AnnotateEstimate:
    """What asking for all that is missing will take, without asking anything or opening a picture."""
    plan = AnnotatePlan(config, prompts)
    calls: dict[str, int] = {role: 0 for role in ROLES if role != "valuer" or config.value}
    found, steps, again, tokens = 0, 0, 0, Tokens()
    outlines = Outlines()
    for one in demonstrations(config, tell):
        now = plan.now(one)
        missing = [
            place for place, step in enumerate(now.steps) if is_askable(now, place) and not plan.is_whole(now, place)
        ]
        found, steps = found + 1, steps + len(now.steps)
        again += (2 + config.value) * len(missing) if config.method == "parallel" else 0
        for place in missing:
            told = is_told(now.steps[place])
            for role in plan.roles(now, place):
                calls[role] += 1
                tokens = _sum(tokens, _tokens(role, _stand_in(now, place, told), place, prompts, outlines))
        if not plan.is_kept(one) and (missing or not plan.is_summed(one, now)):
            calls["summarizer"] += 1
            tokens = _sum(tokens, _tokens("summarizer", now, len(now.steps), prompts, outlines))
    return AnnotateEstimate(found, steps, calls, again, tokens)


def priced_estimate(
    config: AnnotateConfig, prompts: Prompts, prices: Prices, tell: Callable[[str], object] = lambda text: None
) -> AnnotateEstimate:
    """The same in dollars, too, by the prices of the model's service; a name that is none is said before all else."""
    asks_service = config.model not in (BY_HAND, ANSWERS, SCRIPTED)
    endpoint = resolve(config.model, Keys.load()) if asks_service else None
    found = estimate_of(config, prompts, tell)
    return replace(found, dollars=prices.cost(endpoint, found.tokens) if endpoint else 0.0)


def _stand_in(now: Trajectory, place: int, told: bool) -> Trajectory:
    """A trajectory in which words that are yet to be written take the room that they will."""
    past = tuple(
        step if is_told(step) else replace(step, thought=_STAND_IN, action_text=_STAND_IN[:120], reflection=_STAND_IN)
        for step in now.steps[max(0, place - 1) : place + (0 if told else 1)]
    )
    first = max(0, place - 1)
    return replace(now, steps=(*now.steps[:first], *past, *now.steps[first + len(past) :]))


def _tokens(role: str, now: Trajectory, place: int, prompts: Prompts, looks: Looks) -> Tokens:
    questions = StepQuestions(prompts)
    if role == "summarizer":
        request = questions.summarizer(now)
    elif role == "generator":
        request = questions.generator(now, place, looks.before(now, place))
    elif role == "valuer":
        request = questions.valuer(now, place, looks.before(now, place))
    else:
        request = questions.reflector(now, place, looks.before(now, place), looks.after(now, place))
    form = said("user", msgspec.json.encode(answer_schema(_KINDS[role])).decode())
    return estimate(Request((*request.messages, form)), REPLIES[role])


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.input + other.input, one.output + other.output)
