"""What an annotator is shown of a step: the screen before with the target marked and again as a true zoom, the screen
after, and where the two differ when that is little.

What is shown before an action is made from that step's own screen and nothing later (`before` never asks for another
picture); the marks are drawn now, on copies: the clean screenshots stay as they are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from threading import Lock
from typing import Generic, Literal, Protocol, TypeVar

import msgspec
from PIL import Image

from workalike.core.actions import Click, Drag, Hotkey, KeyDown, MouseDown, MouseUp, Move, Press, Scroll, Write, points
from workalike.core.observation import Element, ImageRef
from workalike.core.screen import Box, Point, Size
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.models.messages import Picture
from workalike.pictures import codec
from workalike.pictures.actions import draw_action, draw_outline, draw_ring
from workalike.pictures.similar import PictureChange, change_between
from workalike.store.pictures import PictureSource

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Marked = Literal["point", "drag", "field", "nothing"]
POINTED = (Click, Drag, Scroll, Move, MouseDown, MouseUp)
TYPED = (Write, Press, Hotkey, KeyDown)
REACH, ENLARGED, WIDEST = 300, 2, 640
"""How many pixels of the screen a zoom shows across, how many times as large, and how large at most."""
LONGEST, HEAVIEST = 1920, 1_500_000
"""The longest side of a picture that is sent, and the most bytes for which it is sent as it is."""
LITTLE = 0.15
"""Up to which share of the screen a change is shown again, enlarged."""
_UNKNOWN = Size(1366, 768)


class Before(msgspec.Struct, frozen=True):
    """The screen before an action: marked, and enlarged around what was marked."""

    marked: Marked
    picture: Picture
    closer: tuple[Picture, ...] = ()


class After(msgspec.Struct, frozen=True):
    """The screen after it, how much of it changed (None: it is not known), and that part before and after, enlarged."""

    picture: Picture | None = None
    change: PictureChange | None = None
    closer: tuple[Picture, ...] = ()


class Looks(Protocol):
    """Who shows steps."""

    def before(self, trajectory: Trajectory, place: int) -> Before: ...

    def after(self, trajectory: Trajectory, place: int) -> After: ...


class ActionTarget(msgspec.Struct, frozen=True):
    """What is marked for a step: the places of its pointer actions, or the field that is typed into."""

    marked: Marked
    places: tuple[Point, ...] = ()
    box: Box | None = None


class StepLooks:
    """Shows steps from their pictures. A screen is before one step and after another, and a marked one is shown twice,
    so a few stay at hand: never more than that, however many trajectories are under way."""

    def __init__(self, source: PictureSource, at_hand: AtHand | None = None, where: str = "") -> None:
        """`where` the source lies tells its pictures from others of the same name that are at hand."""
        self._source, self._at_hand, self._where = source, at_hand or AtHand(), where

    def before(self, trajectory: Trajectory, place: int) -> Before:
        key = (self._where, trajectory.id, place)
        return self._at_hand.marked.get(key, lambda: self.mark(trajectory, place))

    def mark(self, trajectory: Trajectory, place: int) -> Before:
        """The screen before a step, marked now."""
        step = trajectory.steps[place]
        data, picture = self._open(_need(step.observation.picture))
        target, scale = target_of(trajectory.steps, place), step.observation.scale
        if target.marked == "nothing":
            return Before("nothing", _as_it_is(data, picture, step.observation.picture))
        shown = _small_enough(picture)
        drawn = _drawn(shown, trajectory.steps, place, target, scale * shown.width / picture.width)
        closer = tuple(_encoded(zoomed(picture, at, scale)) for at in target.places[:2])
        return Before(target.marked, _encoded(drawn, step.observation.picture), closer)

    def after(self, trajectory: Trajectory, place: int) -> After:
        ref = after_of(trajectory, place)
        if ref is None:
            return After()
        data, picture = self._open(ref)
        sent, earlier = _as_it_is(data, picture, ref), trajectory.steps[place].observation.picture
        if earlier is None:
            return After(sent)
        first = self._open(earlier)[1]
        change = change_between(first, picture, LITTLE)
        if change.box is None or not _is_local(change.box):
            return After(sent, change)
        box = _around(change.box, picture.size)
        return After(sent, change, tuple(_encoded(_enlarged(codec.crop(each, box))) for each in (first, picture)))

    def _open(self, ref: ImageRef) -> tuple[bytes, Image.Image]:
        def opened() -> tuple[bytes, Image.Image]:
            data = self._source.read(ref)
            return data, codec.decode(data)

        return self._at_hand.decoded.get((self._where, ref.name), opened)


class AtHand:
    """The pictures that were last needed, for all who show steps together."""

    def __init__(self) -> None:
        self.decoded: Recent[tuple[str, str], tuple[bytes, Image.Image]] = Recent(12)
        self.marked: Recent[tuple[str, str, int], Before] = Recent(48)


class Recent(Generic[K, V]):
    """The values that were last asked for, so many of them; several threads may ask."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._held: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        value = make()
        with self._lock:
            self._held[key] = value
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return value


class Outlines:
    """Pictures of the right sizes with nothing in them: enough to say what asking will take."""

    def before(self, trajectory: Trajectory, place: int) -> Before:
        target, size = target_of(trajectory.steps, place), _size(trajectory.steps[place])
        zoom = Picture(b"", _zoom_size(size))
        return Before(target.marked, Picture(b"", size), (zoom,) * len(target.places[:2]))

    def after(self, trajectory: Trajectory, place: int) -> After:
        if after_of(trajectory, place) is None:
            return After()
        size = _size(trajectory.steps[place])
        closer = Picture(b"", _zoom_size(size))
        return After(Picture(b"", size), PictureChange(LITTLE, Box(0, 0, 0.2, 0.2)), (closer, closer))


def after_of(trajectory: Trajectory, place: int) -> ImageRef | None:
    """The screen after a step: the next one's, or for the last step the final one."""
    if place + 1 < len(trajectory.steps):
        return trajectory.steps[place + 1].observation.picture
    return trajectory.final.picture if trajectory.final else None


def target_of(steps: Sequence[Step], place: int) -> ActionTarget:
    """What is to be marked for a step."""
    taken = steps[place].actions
    pointed = [done for done in taken if isinstance(done.action, POINTED)]
    places = _on_screen(point for done in pointed for point in points(done.action))
    drags = [done.action for done in pointed if isinstance(done.action, Drag)]
    if drags and places:
        begins = drags[0].start or pointer_before(steps, place)
        return ActionTarget("drag", tuple(_on_screen([*([begins] if begins else []), drags[0].end])))
    if places:
        return ActionTarget("point", (places[-1],))
    if pointed and (there := pointer_before(steps, place)):
        return ActionTarget("point", (there,))
    typed = next((done for done in taken if isinstance(done.action, TYPED)), None)
    return _field(steps, place, typed) if typed else ActionTarget("nothing")


def pointer_before(steps: Sequence[Step], place: int) -> Point | None:
    """Where the pointer is when a step begins, as far as it is known."""
    if steps[place].observation.pointer is not None:
        return steps[place].observation.pointer
    for step in reversed(steps[:place]):
        for done in reversed(step.actions):
            if found := points(done.action):
                return found[-1] if found[-1].on_screen else None
    return None


def _field(steps: Sequence[Step], place: int, typed: ActionResult) -> ActionTarget:
    """The field that is typed into: what was hit, what says that it has the focus, or where was clicked for it."""
    seen = steps[place].observation
    focused = next((each for each in seen.elements or () if "focused" in each.states and _boxed(each)), None)
    hit = typed.hit if typed.hit is not None and _boxed(typed.hit) else focused
    if hit is not None and hit.box is not None and hit.box.centre.on_screen:
        return ActionTarget("field", (hit.box.centre,), hit.box)
    for step in reversed(steps[:place]):
        for done in reversed(step.actions):
            if isinstance(done.action, Click):
                at = done.action.at
                return ActionTarget("point", (at,)) if at is not None and at.on_screen else ActionTarget("nothing")
            if not isinstance(done.action, TYPED):
                return ActionTarget("nothing")
    return ActionTarget("nothing")


def _boxed(element: Element) -> bool:
    return element.box is not None and element.box.width * element.box.height < 0.5


def _on_screen(places: Iterable[Point]) -> list[Point]:
    return [point for point in places if point.on_screen]


def _drawn(picture: Image.Image, steps: Sequence[Step], place: int, target: ActionTarget, scale: float) -> Image.Image:
    if target.box is not None:
        return draw_outline(picture, target.box, scale)
    pointed = [done.action for done in steps[place].actions if isinstance(done.action, POINTED)]
    if not pointed:
        return draw_ring(picture, target.places[0], 14 * scale)
    pointer = pointer_before(steps, place)
    for action in pointed:
        picture = draw_action(picture, action, pointer, scale)
        pointer = (points(action) or (pointer,))[-1]
    return picture


def zoomed(picture: Image.Image, at: Point, scale: float = 1.0) -> Image.Image:
    """The pixels around a place, each several times as large, with a ring that leaves the target itself visible."""
    reach = round(REACH * scale)
    wide, high = min(reach, picture.width), min(reach, picture.height)
    left = round(min(max(0, at.x * picture.width - wide / 2), picture.width - wide))
    top = round(min(max(0, at.y * picture.height - high / 2), picture.height - high))
    part = _enlarged(picture.crop((left, top, left + wide, top + high)), scale)
    inside = Point((at.x * picture.width - left) / wide, (at.y * picture.height - top) / high)
    return draw_ring(part, inside, 26.0)


def _enlarged(part: Image.Image, scale: float = 1.0) -> Image.Image:
    """Every pixel as a block of pixels: nothing is made up, and it takes next to no time."""
    factor = max(1, round(ENLARGED / scale))
    if factor == 1 or factor * max(part.size) > WIDEST:
        return part
    return part.resize((part.width * factor, part.height * factor), Image.Resampling.NEAREST)


def _is_local(box: Box) -> bool:
    """Whether a change is worth enlarging: one that is spread over the screen is seen on the whole."""
    return box.width * box.height <= 0.25


def _around(box: Box, size: tuple[int, int]) -> Box:
    """A box with what stands around it, so that it can be told what it is."""
    more_x, more_y = 60 / size[0], 60 / size[1]
    x, y = max(0.0, box.x - more_x), max(0.0, box.y - more_y)
    return Box(x, y, min(1.0, box.right + more_x) - x, min(1.0, box.bottom + more_y) - y)


def _small_enough(picture: Image.Image) -> Image.Image:
    factor = LONGEST / max(picture.size)
    size = Size(max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture if factor >= 1 else codec.resize(picture, size)


def _as_it_is(data: bytes, picture: Image.Image, ref: ImageRef | None) -> Picture:
    """A clean screenshot as it is kept, unless that is too much to send."""
    plain = data.startswith((b"\x89PNG", b"\xff\xd8\xff"))
    if plain and len(data) <= HEAVIEST and max(picture.size) <= LONGEST:
        return Picture(data, codec.size_of(picture), ref)
    return _encoded(_small_enough(picture), ref)


def _encoded(picture: Image.Image, ref: ImageRef | None = None) -> Picture:
    return Picture(codec.encode(picture, "jpeg"), codec.size_of(picture), ref)


def _need(ref: ImageRef | None) -> ImageRef:
    assert ref is not None, "only steps with a picture are shown"
    return ref


def _size(step: Step) -> Size:
    seen = step.observation
    size = (seen.picture.size if seen.picture else None) or seen.size or _UNKNOWN
    factor = min(1.0, LONGEST / max(size.width, size.height))
    return Size(max(1, round(size.width * factor)), max(1, round(size.height * factor)))


def _zoom_size(size: Size) -> Size:
    return Size(min(REACH, size.width) * ENLARGED, min(REACH, size.height) * ENLARGED)
