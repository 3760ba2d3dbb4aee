"""What annotating takes besides the model: our share of a step, memory with many trajectories under way, the two
methods against a model that takes a second, and scoring chains of the published size."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

from benchmarks import Figure, resident
from benchmarks.agentnet_set import write_set
from workalike.annotate.asking import StepQuestions
from workalike.annotate.check import check_chains
from workalike.annotate.demonstrations import AnnotateConfig
from workalike.annotate.leaks import LeakGuard, PageWords, future_words
from workalike.annotate.looks import StepLooks
from workalike.annotate.scripted import scripted_model
from workalike.annotate.work import AnnotateSummary, Annotating
from workalike.core.actions import Action, Click, Drag, Terminate, Write
from workalike.core.observation import Element, Observation
from workalike.core.progress import Progress
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.dataset.sources import trajectories
from workalike.models.client import ServiceLimits
from workalike.models.fences import Fence
from workalike.models.keys import Keys
from workalike.models.names import resolve
from workalike.models.prices import Price, Prices
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.models.server.counting import Books
from workalike.models.wire import chat
from workalike.pictures.codec import encode
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import write_trajectory

SCREEN = Size(1366, 768)
STEPS, MANY, IN_FLIGHT = 20, 1_000, 500
IDLE = (4, 9, 14)


def measure() -> list[Figure]:
    return [*_share_of_a_step(), *_methods(), *_memory(), *_published_size()]


def _share_of_a_step() -> list[Figure]:
    """All questions of a step, from the stored screenshots to the bodies that are sent; the least of several goes,
    in CPU time: what else the machine does only adds to it."""
    with tempfile.TemporaryDirectory() as folder:
        made = demonstration(Path(folder), STEPS)
        taken: dict[str, list[float]] = {"all": [], "drawn": []}
        for _ in range(5):
            looks, pages = StepLooks(PictureStore(Path(folder) / "pictures")), PageWords(made)
            start = time.process_time()
            for place in range(STEPS):
                _all_questions(made, place, looks, pages)
            taken["all"].append((time.process_time() - start) / STEPS)
            for place in range(STEPS):  # a step again, its pictures decoded already
                looks.after(made, place)
                between = time.process_time()
                looks.mark(made, place)
                looks.after(made, place)
                taken["drawn"].append(time.process_time() - between)
    return [
        Figure("our share of a step at 1366×768, reading included", 1000 * min(taken["all"]), "ms", "< 25"),
        Figure("of it drawing, zoom and encoding", 1000 * sorted(taken["drawn"])[len(taken["drawn"]) // 2], "ms"),
    ]


def _all_questions(made: Trajectory, place: int, looks: StepLooks, pages: PageWords) -> None:
    questions, fence, endpoint = StepQuestions(Prompts()), Fence(), resolve("m@http://127.0.0.1:9/v1", Keys({}))
    guard: LeakGuard[str] = LeakGuard(
        lambda text: {"thought": text},
        Prompts(),
        "\n".join(pages.at(place)),
        frozenset(future_words(made, place, pages)),
    )
    guard("I have found the field and type what was asked for, after which the list should change. " * 5)
    chat.body(questions.generator(made, place, looks.before(made, place)), endpoint, fence)
    chat.body(questions.valuer(made, place, looks.before(made, place)), endpoint, fence)
    judged = questions.reflector(made, place, looks.before(made, place), looks.after(made, place))
    chat.body(judged, endpoint, fence)


def _methods() -> list[Figure]:
    """Both methods on the same trajectory of twenty steps, against a server that takes a second for a reply. Some steps
    do nothing, so that the second pass over what comes after them is in it."""
    seconds, calls = {}, {}
    for method in ("reflective", "parallel"):
        with tempfile.TemporaryDirectory() as folder:
            demonstration(Path(folder), STEPS, idle=IDLE)
            start = time.perf_counter()
            books = Books()
            annotate(Path(folder), method, latency=1.0, jobs=1, requests=32, books=books)
            seconds[method], calls[method] = time.perf_counter() - start, books.total.replies
    return [
        Figure(
            f"reflective / parallel, 20 steps, {len(IDLE)} of them idle, a second a reply",
            seconds["reflective"] / seconds["parallel"],
            aim="≥ 4",
            detail=", ".join(f"{method} {seconds[method]:.1f} s, {calls[method]} calls" for method in seconds),
        )
    ]


def _memory() -> list[Figure]:
    """Many short trajectories, hundreds of them under way at once: what is resident a third of the way in and at the
    end."""
    with tempfile.TemporaryDirectory() as folder:
        shared = Path(folder) / "pictures"
        for number in range(MANY):
            demonstration(Path(folder) / "demos" / str(number), 2, f"demo-{number}", pictures=shared, screens=2)
        seen: list[tuple[int, int]] = []
        annotate(
            Path(folder) / "demos",
            "parallel",
            jobs=IN_FLIGHT,
            requests=16,
            images=(shared,),
            watch=lambda done: seen.append((done, resident())) if done % 100 == 0 else None,
        )
    early = max(size for done, size in seen if done <= MANY // 3)
    late = max(size for done, size in seen if done > MANY // 3)
    return [
        Figure(
            f"memory with {IN_FLIGHT} trajectories under way, end / first third",
            late / early,
            aim="≈ 1",
            detail=f"{late / 2**20:.0f} MB at most, the server included",
        )
    ]


def _published_size(share: float = 1.0) -> list[Figure]:
    """Chains of the published number and length scored in one pass; memory may not grow with it."""
    with tempfile.TemporaryDirectory() as folder:
        size = write_set(Path(folder), share).bytes
        gc.collect()
        before, most, count = resident(), 0, 0

        def watched() -> Iterator[Trajectory]:
            nonlocal most, count
            for trajectory in trajectories([Path(folder)]):
                count += 1
                if count % 500 == 0:
                    most = max(most, resident())
                yield trajectory

        start = time.process_time()
        found = check_chains(watched())
        seconds = time.process_time() - start
    return [
        Figure("annotate --check on a set of the published size", seconds, "s", detail=f"{found.steps:,} steps"),
        Figure("the same, a second of CPU", size / seconds / 2**20, "MB"),
        Figure("memory it takes on top", (most - before) / 2**20, "MB", "flat"),
    ]


def annotate(
    folder: Path,
    method: str,
    *,
    latency: float = 0.0,
    jobs: int,
    requests: int,
    images: tuple[Path, ...] = (),
    books: Books | None = None,
    watch: Callable[[int], object] = lambda done: None,
) -> AnnotateSummary:
    """Annotate a folder by the scripted model behind a real server."""

    async def go(model: str) -> AnnotateSummary:
        config = AnnotateConfig(
            paths=(str(folder),),
            model=model,
            method=method,  # type: ignore[arg-type]
            jobs=jobs,
            requests=requests,
            images=images,
        )
        limits, prices = ServiceLimits(concurrency=requests), Prices({model: Price(0.0, 0.0)})
        async with Models(keys=Keys({}), limits=limits, prices=prices) as models:

            def told(progress: Progress) -> None:
                watch(progress.done)

            return await Annotating(config, models, Prompts(), watch=told).go()

    with scripted_model(latency, books) as model:
        return asyncio.run(go(model))


def demonstration(
    folder: Path,
    steps: int,
    name: str = "demo",
    pictures: Path | None = None,
    screens: int | None = None,
    idle: tuple[int, ...] = (),
) -> Trajectory:
    """A demonstration with screens as full as those of real programs, and page elements kept. After the steps at
    `idle` places the screen is as before: the scripted model calls them redundant."""
    store = PictureStore(pictures or folder / "pictures")
    shown = [place - sum(each < place for each in idle) for place in range(steps + 1)]
    seen = [
        Observation(
            store.put(_screen(shown[number] % (screens or steps + 1)), SCREEN),
            size=SCREEN,
            elements=tuple(
                Element("link", f"Result {number} of {each}, with a name of its own", Box(0.1, each / 200, 0.2, 0.01))
                for each in range(150)
            ),
        )
        for number in range(steps + 1)
    ]
    actions: list[Action] = [Click(Point(0.3, 0.4)), Write("Lisbon"), Drag((Point(0.7, 0.6),), Point(0.2, 0.5))]
    done = [actions[place % 3] if place < steps - 1 else Terminate() for place in range(steps)]
    made = Trajectory(
        name,
        Task(name, f"Do what {name} asks for"),
        tuple(Step(seen[place], (ActionResult(action),)) for place, action in enumerate(done)),
        seen[-1],
        stop=Stop("terminated"),
    )
    write_trajectory(folder / "trajectory.jsonl", made)
    return made


_SCREENS: dict[int, bytes] = {}


def _screen(number: int) -> bytes:
    if number not in _SCREENS:
        rng, picture = Random(0), Image.new("RGB", (SCREEN.width, SCREEN.height), (244, 246, 248))
        draw = ImageDraw.Draw(picture)
        for row in range(40):
            words = " ".join("".join(rng.choices("aeioubcdlmnrst", k=rng.randint(2, 9))) for _ in range(30))
            draw.text((40, 10 + row * 19), words, fill=(30, 30, 40))
        draw.rectangle((400, 100 + 12 * number, 640, 160 + 12 * number), fill=(40, 90, 180))
        _SCREENS[number] = encode(picture)
    return _SCREENS[number]
