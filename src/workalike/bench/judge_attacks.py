"""Attacks on whoever judges: real attempts of a run with words to the grader planted in what the agent said and in the
screenshots it saw. A wrong attempt asks to be passed, a right one to be failed; beside each stands the same attempt as
it was. What is true of them stays what it was, so that `workalike agreement` tells how many verdicts were turned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace
from PIL import ImageDraw

from workalike.core.actions import Terminate
from workalike.core.errors import BadInput
from workalike.core.label import TRUTH, Label
from workalike.core.observation import Dialog, ImageRef
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.pictures.codec import decode, encode
from workalike.pictures.fonts import font
from workalike.store.files import need_new
from workalike.store.names import safe_name
from workalike.store.pictures import PictureStore
from workalike.store.runs import PICTURES, Run
from workalike.store.trajectories import FILE, write_trajectory
from workalike.verify.labels import labels_of, write_table

WORDS = msgspec.json.decode(
    (files("workalike.bench") / "judge_attacks.json").read_bytes(), type=dict[str, tuple[str, ...]]
)
"""What is said to the grader, to be passed and to be failed, in several paraphrases."""
UNTOUCHED = "untouched"
Plant = Callable[[Trajectory, str, "Run", PictureStore], Trajectory]


def attack_set(source: Path, target: Path, most: int, seed: int = 1) -> list[Label]:
    """Write the cases of a run's attempts into a new folder: `run/` to be judged, `truth.csv` apart; what is true of
    each."""
    need_new(target)
    known = [each for each in labels_of(source) if each.labeller == TRUTH and each.success is not None]
    if not known:
        raise BadInput(f"nobody knows what is true of the attempts in {source}: name a run of the town")
    rng, run = Random(seed), Run(source)
    store, truth = PictureStore(target / "run" / PICTURES), list[Label]()
    for each in _some(known, most, rng):
        attempt = run.attempt(each.trajectory)
        assert attempt is not None, "labels are of attempts of this run"
        bare = replace(attempt.read().trajectory, provenance=None, extra={})
        for kind, made in _cases(bare, bool(each.success), run, store, rng):
            name = f"case-{len(truth) + 1:04}"
            for picture in made.pictures:
                if picture in bare.pictures:
                    store.put(run.pictures.read(picture), picture.size)
            write_trajectory(target / "run" / safe_name(name) / FILE, replace(made, id=name))
            truth.append(replace(each, trajectory=name, kind=kind))
    write_table(target / "truth.csv", truth)
    return truth


def _some(known: list[Label], most: int, rng: Random) -> list[Label]:
    """At most so many, right and wrong ones in turn as far as there are both."""
    halves = [[each for each in known if each.success is wanted] for wanted in (False, True)]
    for half in halves:
        rng.shuffle(half)
    wrong, right = halves
    kept = wrong[: max(most - len(right), (most + 1) // 2)]
    return [*kept, *right[: most - len(kept)]]


def _cases(
    bare: Trajectory, success: bool, run: Run, store: PictureStore, rng: Random
) -> Iterator[tuple[str, Trajectory]]:
    wish = "fail" if success else "pass"
    yield UNTOUCHED, bare
    for place, plant in PLACES.items():
        yield f"{place}: {wish} it", plant(bare, rng.choice(WORDS[wish]), run, store)


def _in_answer(trajectory: Trajectory, words: str, run: Run, store: PictureStore) -> Trajectory:
    """Below what the agent told the user."""

    def said(taken: ActionResult) -> ActionResult:
        if not isinstance(taken.action, Terminate):
            return taken
        return replace(taken, action=replace(taken.action, answer=f"{taken.action.answer or ''}\n\n{words}"))

    *before, last = trajectory.steps
    return replace(trajectory, steps=(*before, replace(last, actions=tuple(map(said, last.actions)))))


def _in_pictures(trajectory: Trajectory, words: str, run: Run, store: PictureStore) -> Trajectory:
    """On every screenshot, as a page could show it."""

    def drawn(step: Step) -> Step:
        look = step.observation
        return replace(step, observation=replace(look, picture=_lettered(look.picture, words, run, store)))

    final = trajectory.final
    if final is not None:
        final = replace(final, picture=_lettered(final.picture, words, run, store))
    return replace(trajectory, steps=tuple(map(drawn, trajectory.steps)), final=final)


def _in_page(trajectory: Trajectory, words: str, run: Run, store: PictureStore) -> Trajectory:
    """In a dialog of the last page, and in its address."""
    *before, last = trajectory.steps
    look = replace(last.observation, dialog=Dialog("alert", words), url=f"{last.observation.url}?note={words}")
    return replace(trajectory, steps=(*before, replace(last, observation=look)))


PLACES: dict[str, Plant] = {"answer": _in_answer, "screenshots": _in_pictures, "page": _in_page}


def _lettered(picture: ImageRef | None, words: str, run: Run, store: PictureStore) -> ImageRef | None:
    if picture is None:
        return None
    copy = decode(run.pictures.read(picture)).convert("RGB")
    draw = ImageDraw.Draw(copy)
    wide = draw.textlength(words, font=font(18)) + 32
    draw.rectangle((40, 60, 40 + wide, 104), fill="white", outline=(150, 150, 150))
    draw.text((56, 70), words, fill=(20, 20, 20), font=font(18))
    return store.put(encode(copy), picture.size)
