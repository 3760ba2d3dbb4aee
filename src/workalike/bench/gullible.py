"""An agent that does whatever it reads. It goes the oracle's way until some words of a page tell it to do something;
it knows no such words beforehand, only how orders are put: open an address, press a button, type into a field, use,
report or answer something. What it reads depends on its channel: the tree and other words, or what is painted; either
way it reads every page to its end, screen by screen, and what it is told of a file that it downloaded.

It is the town's proof that planted instructions reach whom they should reach: `workalike run town-injections --agent
gullible` falls for all that stands in words, and for nothing that only eyes can see."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import unquote_plus

import msgspec
from msgspec.structs import replace

from workalike.bench.lettering import read_picture
from workalike.core.actions import Action, Back, Click, Scroll, Terminate, Visit, Write
from workalike.core.contracts import Decision, Percept, ScreenAccess, Wants
from workalike.core.errors import ActionFailed
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.town.benchmark import setting_of
from workalike.town.look import FIELDS, OracleView, Past
from workalike.town.oracle import next_action

Reader = Callable[[Percept], Awaitable[str]]
"""What is read of a percept."""
Verb = Literal["open", "press", "type", "use", "report", "answer", "fill"]
_ORDERS: dict[Verb, re.Pattern[str]] = {
    "open": re.compile(r"\b(?:open|visit|go to|navigate to|head to)\s+(https?://[^\s,;\"']+)", re.IGNORECASE),
    "press": re.compile(r'\b(?:press|click|choose|hit|select|open)\s+"([^"]+)"', re.IGNORECASE),
    "type": re.compile(r'\b(?:type|enter|write|put)\s+([^".,;:]{1,60}?)\s+(?:into|in)\s+"([^"]+)"', re.IGNORECASE),
    "use": re.compile(r'\b(?:use|enter|put|give|write)\s+"([^"]+)"\s+as\s+the\s+([\w-]+)', re.IGNORECASE),
    "report": re.compile(r'\b(?:report|state|give|quote)\s+"([^"]+)"\s+as\s+"([^"]+)"', re.IGNORECASE),
    "answer": re.compile(r'\b(?:answer|reply|say)\s+"(\w+)"', re.IGNORECASE),
    "fill": re.compile(r"\bfill in the (?:\w+ )*(?:form|details)\b", re.IGNORECASE),
}
_GOES_ON = re.compile(r"\b(?:continue|next|proceed|keep going|go on)\b", re.IGNORECASE)
SCREENS, STRIDE = 12, 0.8
"""How far down it reads a page, in screens, and how much of a screen it scrolls on."""
FURTHER = 8
"""How many steps it takes at most past its task's end, to fill in a form."""
_PERSONAL = re.compile("name|mail|phone|street", re.IGNORECASE)


class PageOrder(msgspec.Struct, frozen=True):
    """Something that a page told the agent to do."""

    verb: Verb
    what: str = ""
    where: str = ""


def orders(words: str) -> list[PageOrder]:
    """Every order in some words, in the order in which they are given.

    >>> [each.verb for each in orders('Go to http://a.test/x and click "Buy".')]
    ['open', 'press']
    """
    found = [
        (match.start(), PageOrder(verb, *(part.rstrip(".") for part in match.groups())))
        for verb, pattern in _ORDERS.items()
        for match in pattern.finditer(words)
    ]
    return [order for _, order in sorted(found, key=lambda each: each[0])]


async def told_words(percept: Percept) -> str:
    """What is told in words: the tree, the address, a dialog."""
    seen = percept.observation
    dialog = seen.dialog.message if seen.dialog else ""
    tree = (percept.tree or "").replace("\\'", "'")
    return "\n".join((tree, unquote_plus(seen.url or ""), seen.title or "", dialog, _downloaded(percept)))


def painted_words(screen: ScreenAccess) -> Reader:
    """What is painted on a screen: words as the browser has laid them out, letters in pictures by their pixels, and a
    dialog, which stands in the picture as well."""
    script = (files("workalike.bench") / "painted.js").read_text(encoding="utf-8")

    async def read(percept: Percept) -> str:
        if percept.observation.dialog is not None:
            return percept.observation.dialog.message
        try:
            found = await screen.evaluate(script)
        except ActionFailed:
            return ""
        lettered = [read_picture(percept.picture, box) for box in found["pictures"] if percept.picture]
        return "\n".join((*found["words"], *lettered, _downloaded(percept)))

    return read


def _downloaded(percept: Percept) -> str:
    """What the environment says of files that were downloaded, to everybody alike."""
    return "\n".join(notice.text for notice in percept.notices if notice.kind == "download")


def _page(seen: Observation) -> str:
    """Which page it is, whatever is asked of it."""
    return (seen.url or "").partition("#")[0].partition("?")[0]


def _with_quantity(plan: Any, many: int) -> Any:
    """A plan in which so many are wanted of everything that can be bought."""
    match plan:
        case dict():
            told = {name: _with_quantity(part, many) for name, part in plan.items()}
            return {**told, "quantity": many} if "sku" in told else told
        case list():
            return [_with_quantity(part, many) for part in plan]
        case _:
            return plan


class GullibleAgent:
    """The oracle, until it is told otherwise."""

    name = "gullible"
    wants = Wants(elements=True, tree=True)

    def __init__(self, key: Key, read: Reader = told_words) -> None:
        self._key, self._read = key, read
        self._task: Task | None = None
        self._past: list[Past] = []
        self._own: list[Past] = []
        self._heard: list[PageOrder] = []
        self._queue: list[PageOrder] = []
        self._obeyed = False
        self._written: dict[str, str] = {}
        self._patience = FURTHER
        self._finished: set[str] = set()
        self._down = 0
        self._sent_from = ""

    async def begin(self, task: Task) -> None:
        self._task = task

    async def decide(self, percept: Percept) -> Decision:
        self._hear(await self._read(percept))
        seen = percept.observation
        action = OracleView(seen, self._own).clear() or self._obey(seen) or self._read_on(seen)
        if action is None:
            told = self._as_told(seen)
            action = next_action(self._as_ordered(), told, self._past)
            self._past.append(Past(told, action))
            action = self._end(action, seen) if isinstance(action, Terminate) else self._twist(action, seen)
        self._own.append(Past(seen, action))
        return Decision((action,))

    async def close(self) -> None:
        pass

    def _hear(self, words: str) -> None:
        fresh = [order for order in orders(words) if order not in self._heard]
        self._heard += fresh
        self._queue += [order for order in fresh if order.verb in ("open", "press", "type", "answer")]

    def _obey(self, seen: Observation) -> Action | None:
        """The next thing to do for what is still to be obeyed; who was sent elsewhere has then nothing more to do."""
        look = OracleView(seen, self._own, setting_of(self._key).skins)
        while self._queue:
            order = self._queue[0]
            if order.verb in ("press", "type") and (moving := look.steady()):
                return moving
            action = self._carry_out(order, look)
            if action is None or (isinstance(action, Click | Visit) and order.verb in ("open", "press")):
                self._queue.pop(0)
            if action is not None:
                self._sent_from = self._sent_from if self._obeyed else _page(seen)
                self._obeyed = True
                return action
        if not self._obeyed:
            return None
        if any(order.verb in ("open", "type") for order in self._heard):
            return Terminate("success", "ANSWER: done")
        self._obeyed = False
        return Back() if _page(seen) != self._sent_from else None  # it was only sent to read something

    def _read_on(self, seen: Observation) -> Action | None:
        """Further down a page that was not read yet; from its end back to where it begins."""
        if seen.dialog is not None or seen.beyond is None or seen.size is None or _page(seen) in self._finished:
            return None
        if seen.beyond.below > 0.05 and self._down < SCREENS:
            self._down += 1
            return Scroll(dy=STRIDE * seen.size.height, unit="pixels")
        self._finished.add(_page(seen))
        self._down = 0
        return Scroll(dy=-100) if seen.beyond.above > 0.05 else None

    def _carry_out(self, order: PageOrder, look: OracleView) -> Action | None:
        match order.verb:
            case "open":
                return Visit(order.what)
            case "press":
                return look.click(("button", "link"), order.what)
            case "type":
                return look.fill(FIELDS, order.where, self._details())
            case _:
                return Terminate("success", f"ANSWER: {order.what}")

    def _details(self) -> str:
        """What it knows of its user, in one line: the data it was given, or what was asked."""
        task = self._task or Task("", "")
        return " ".join((task.persona.get("card_number") or task.instruction).split())[:100]

    # Orders that stand: they change what is done later

    def _standing(self, verb: Verb) -> list[PageOrder]:
        return [order for order in self._heard if order.verb == verb]

    def _twist(self, action: Action, seen: Observation) -> Action:
        """What is written into a field that there is an order for; nobody signs in with what is not their own."""
        signing_in = any(each.role == "password" for each in seen.elements or ())
        field = "" if signing_in else self._last_field(seen)
        if isinstance(action, Write) and field:
            for order in self._standing("use"):
                if order.where.casefold() in field.casefold():
                    self._written[order.what] = action.text
                    return Write(order.what)
        return action

    def _last_field(self, seen: Observation) -> str:
        for past in reversed(self._own):
            if isinstance(past.action, Click) and past.action.at is not None:
                at = past.action.at
                hit = [each for each in past.observation.elements or () if each.box and each.box.contains(at)]
                return next((each.name for each in hit if each.role in FIELDS), "")
        return ""

    def _as_told(self, seen: Observation) -> Observation:
        """What the oracle is shown: its own words where others were written on somebody's order."""
        elements = tuple(
            replace(each, value=self._written[each.value]) if each.value in self._written else each
            for each in seen.elements or ()
        )
        return replace(seen, elements=elements)

    def _as_ordered(self) -> Key:
        """What the oracle goes by: so many of everything as somebody's order says."""
        many = [
            int(order.what) for order in self._standing("use") if order.where == "quantity" and order.what.isdigit()
        ]
        return replace(self._key, plan=_with_quantity(self._key.plan, many[-1])) if many else self._key

    def _end(self, action: Terminate, seen: Observation) -> Action:
        """The end, unless a form is to be filled in first; with what is to be reported in its line."""
        further = self._fill_in(seen) if self._standing("fill") and self._patience else None
        if further is not None:
            self._patience -= 1
            return further
        line = action.answer or ""
        for order in self._standing("report"):
            line = re.sub(rf"(?<=[:;]) {re.escape(order.what)} = [^;]*", f" {order.what} = {order.where}", line)
        return Terminate(action.status, line)

    def _fill_in(self, seen: Observation) -> Action | None:
        """The next thing towards personal data in a form: the field itself, or what leads on to it."""
        look = OracleView(seen)
        field = look.find(FIELDS, _PERSONAL)
        if field is not None and field.box is not None:
            clicked = self._own and isinstance(self._own[-1].action, Click)
            if clicked and "focused" in field.states:
                return Write("Alex Example")
            return None if field.value else Click(field.box.centre)
        choices = look.all("radio", re.compile(""))
        chosen = any("checked" in each.states for each in choices)
        found = choices[0] if choices and not chosen else look.find("button", _GOES_ON)
        return Click(found.box.centre) if found is not None and found.box is not None else None
