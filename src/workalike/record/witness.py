"""What programs have to say while a recording runs: trees, what presses hit, where passwords go. All of it is asked of
another process and arrives when it arrives; what fails is counted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from itertools import count

import msgspec

from workalike.core.observation import Element
from workalike.core.recording import ButtonChanged, Event, SegmentHeader, Tree, TreeNode, WheelTurned
from workalike.env.desktop.atspi import Rectangle
from workalike.env.desktop.elements import element_of, focused, node_at
from workalike.env.desktop.windows import Window
from workalike.record.accessibility import (
    AccessibilityProcess,
    Answer,
    AskHit,
    AskTree,
    FocusSeen,
    HitSeen,
    Ready,
    TreeSeen,
)
from workalike.record.clock import Clock
from workalike.record.privacy import Secrets
from workalike.record.settings import LONGEST_HOLD

_START_WITHIN = 10.0
_SAME_WHEEL = 0.5
_MOST_HITS = 1000
_MOST_ASKED = 50
_MOST_AHEAD = 4
_SAME_PLACE = 2


class Witness:
    """Asks and remembers. `keep` gets every tree worth keeping; `under_pointer` knows which window that is."""

    def __init__(
        self,
        clock: Clock,
        secrets: Secrets,
        keep: Callable[[Tree], None],
        under_pointer: Callable[[], Window | None] = lambda: None,
    ) -> None:
        self._clock, self._secrets, self._keep, self._under = clock, secrets, keep, under_pointer
        self._lock = threading.RLock()
        self._answered = threading.Condition(self._lock)
        self._ids = count(1)
        self._process: AccessibilityProcess | None = None
        self._ready = threading.Event()
        self._hits: dict[int, TreeNode | None] = {}
        self._asked: dict[int, tuple[float | None, AskHit]] = {}
        self._ahead: AskHit | None = None
        self._sure: set[int] = set()
        self._trees: dict[int, tuple[str, Window]] = {}
        self._last: tuple[Window, TreeNode] | None = None
        self._resumed = 0.0
        self._wheel: tuple[float, float, float, int | None] | None = None
        self.problem: str | None = "it was not asked for"
        self.counts = {"trees": 0, "trees_failed": 0, "trees_cut": 0, "hits": 0, "hits_failed": 0}

    def start(self, environ: Mapping[str, str] | None) -> None:
        """Start the other process and wait until it can be asked."""
        self.problem = "it did not start in time"
        self._process = AccessibilityProcess(self._heard, environ)
        self._ready.wait(_START_WITHIN)
        if self.problem is not None:
            self._process.close()
            self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.close()

    def settle(self, seconds: float) -> None:
        """Wait a moment for answers that are still to come."""
        with self._answered:
            self._answered.wait_for(lambda: not self._trees and not self._asked, seconds)

    def waiting_since(self) -> float | None:
        """The time of the first press whose answer may yet come."""
        with self._lock:
            patience = self._clock.now() - LONGEST_HOLD
            times = (time for time, _ in self._asked.values() if time is not None and time > patience)
            return min(times, default=None)

    def look(self, window: Window | None, why: str) -> None:
        """Ask for a window's tree, unless one is being waited for."""
        with self._lock:
            if self._process is None or window is None or len(self._trees) >= 2:
                return
            question = AskTree(next(self._ids), window.pid, window.title)
            self._trees[question.id] = (why, window)
            if not self._process.ask(question):
                del self._trees[question.id]
                self.counts["trees_failed"] += 1

    def resume(self, window: Window | None) -> None:
        """Go on after a pause: trees seen meanwhile are not kept, so that the next is news whatever it shows."""
        with self._lock:
            self._last, self._resumed = None, self._clock.now()
            self.look(window, "focus")

    def ask(self, event: ButtonChanged | WheelTurned) -> int | None:
        """Ask what lies under the pointer; a wheel that goes on turning at one place asks once."""
        with self._lock:
            if self._process is None or len(self._asked) >= _MOST_ASKED:
                return None  # whoever does not answer is not asked more: a full pipe would hold the input up
            if isinstance(event, WheelTurned) and self._wheel is not None:
                time, x, y, asked = self._wheel
                if (x, y) == (event.x, event.y) and event.time - time < _SAME_WHEEL:
                    self._wheel = (event.time, x, y, asked)
                    return asked
            window = self._under()
            asked = self._known(window, event.x, event.y) or self._question(window, event.x, event.y, event.time)
            self._wheel = (event.time, event.x, event.y, asked) if isinstance(event, WheelTurned) else None
            return asked

    def ask_ahead(self, x: float, y: float) -> None:
        """Ask what lies under a pointer that rests, so that it is known before anything is done there."""
        with self._lock:
            if self._process is not None and len(self._asked) < _MOST_AHEAD:
                self._question(self._under(), x, y, None)

    def _known(self, window: Window | None, x: float, y: float) -> int | None:
        """The last answer to a question that was asked ahead, if it was about this place of this window. A menu may
        have closed by the press that is asked about; had it closed before, the place would have been asked about
        again."""
        ahead = self._ahead
        if ahead is None:
            return None
        was = ahead.window
        if (was and was.id) != (window and window.id) and not (was and was.popup):
            return None
        return ahead.id if abs(ahead.x - x) <= _SAME_PLACE and abs(ahead.y - y) <= _SAME_PLACE else None

    def _question(self, window: Window | None, x: float, y: float, time: float | None) -> int | None:
        """Put the question what lies at a place; `time` is that of the event it is about, None when it is ahead."""
        question = AskHit(next(self._ids), window, int(x), int(y))
        if self._process is None or not self._process.ask(question):
            return None
        self._asked[question.id] = (time, question)
        return question.id

    def hit(self, asked: int | None, screen: SegmentHeader) -> Element | None:
        """What a press hit, if the answer has come."""
        if asked is None:
            return None
        with self._lock:
            node = self._hits.get(asked)
            self.counts["hits" if node is not None else "hits_failed"] += 1
            if node is None:
                return None
            # What it holds may by now be what was typed after the press.
            bare = msgspec.structs.replace(node, value=None, children=())
            element = element_of(shifted(bare, screen.origin), screen.screen)
            return element if asked in self._sure else msgspec.structs.replace(element, unsure=True)

    def _heard(self, answer: Answer) -> None:
        with self._lock:
            match answer:
                case Ready(problem=problem):
                    if self._ready.is_set() and problem is not None:
                        self.counts["accessibility_lost"] = 1
                    self.problem = problem
                    self._ready.set()
                case HitSeen(id=id_, node=node):
                    self._told(id_, node)
                case FocusSeen(focus=focus):
                    self._secrets.focus(self._clock.at(focus.time), focus)
                case TreeSeen():
                    self._seen(answer)
            self._answered.notify_all()

    def _told(self, id_: int, node: TreeNode | None) -> None:
        time, question = self._asked.pop(id_)
        self._hits[id_] = node or (self._remembered(question) if time is not None else None)
        if time is None:
            self._sure.add(id_)
            self._ahead = question if node is not None else None
        if len(self._hits) > _MOST_HITS:
            former = next(iter(self._hits))
            self._hits.pop(former)
            self._sure.discard(former)

    def _remembered(self, question: AskHit) -> TreeNode | None:
        """What the last tree of a program shows at a place: a press may have closed the window that was asked about.
        Of what popped up it would show what lay beneath."""
        window = question.window
        if self._last is None or (window and (window.popup or window.pid not in (None, self._last[0].pid))):
            return None
        return node_at(self._last[1], question.x, question.y)

    def _seen(self, answer: TreeSeen) -> None:
        why, window = self._trees.pop(answer.id)
        if answer.walked is None:
            self.counts["trees_failed"] += 1
            return
        time, walked = self._clock.at(answer.time), answer.walked
        if window.pid is not None:
            self._secrets.tree(time, window.pid, walked.root, window.id)
            self._secrets.focus_in_tree(time, window.pid, focused(walked.root))
        if time < self._resumed:
            return
        known, self._last = self._last, (window, walked.root)
        if known is not None and (known[0].id, known[1]) == (window.id, walked.root):
            return  # nothing new: the tree before still holds
        self.counts["trees"] += 1
        self.counts["trees_cut"] += walked.cut is not None
        self._keep(Tree(time, why, walked.root, window.title, window.program, walked.nodes, walked.cut))


def shifted(node: TreeNode, origin: tuple[int, int]) -> TreeNode:
    """A tree with its places counted from a screen's own corner."""
    if origin == (0, 0):
        return node
    box: Rectangle | None = None
    if node.box is not None:
        x, y, width, height = node.box
        box = (x - origin[0], y - origin[1], width, height)
    children = tuple(shifted(child, origin) for child in node.children)
    return TreeNode(node.role, node.name, box, node.value, node.states, children)


def with_hit(event: Event, hit: Element | None) -> Event:
    """An event with the element it hit."""
    return (
        msgspec.structs.replace(event, hit=hit)
        if hit is not None and isinstance(event, ButtonChanged | WheelTurned)
        else event
    )
