"""What is known before anything is asked: the layers of this very work as far as they came, and so what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workalike.annotate.annotator import bare, has_summary
from workalike.annotate.chain import Annotation, is_judged, is_told
from workalike.annotate.demonstrations import AnnotateConfig, Demonstration
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Verdict
from workalike.dataset.sources import expanded
from workalike.models.prompts import Prompts, prompt_names
from workalike.store.layers import ANNOTATIONS, Layer, layer_path, overlay, verdicts_of
from workalike.store.reading import home_of
from workalike.store.recordings import is_recording

NAME = "annotate"


def layer_settings(config: AnnotateConfig, prompts: Prompts) -> dict[str, Any]:
    """What makes this layer another than one by other words, another model or another method."""
    own = {name: prompts.get(name).hash[:16] for name in prompt_names() if name.startswith("annotate/")}
    settings: dict[str, Any] = {"model": config.model, "method": config.method, "prompts": own}
    chosen = {
        "prior": config.prior,
        "no_value": not config.value,
        "sampling": config.sampling,
        "redo": config.redo,
    }
    return {**settings, **{name: value for name, value in chosen.items() if value}}


class AnnotatePlan:
    """What is known before anything is asked: the layers of this very work, as far as they came."""

    def __init__(self, config: AnnotateConfig, prompts: Prompts) -> None:
        self._config, self.settings = config, layer_settings(config, prompts)
        self.paths: dict[Path, Path] = {}
        self._layers: dict[Path, Layer[Annotation] | None] = {}
        self._verdicts: dict[Path, list[Layer[Verdict]]] = {}

    def notes(self, one: Demonstration) -> dict[int | None, Annotation]:
        layer = self._layer(one.home)
        return layer.of(one.trajectory.id) if layer else {}

    def note(self, one: Demonstration, place: int | None) -> Annotation:
        return self.notes(one).get(place, Annotation())

    def now(self, one: Demonstration) -> Trajectory:
        """A trajectory with what counts as said already."""
        return overlay(bare(one.trajectory) if self._config.redo else one.trajectory, self.notes(one))

    def roles(self, now: Trajectory, place: int) -> list[str]:
        """Who is yet to be asked about a step."""
        step = now.steps[place]
        lacking = {
            "generator": not is_told(step),
            "valuer": self._config.value and step.value is None,
            "reflector": not is_judged(step),
        }
        return [role for role, lacks in lacking.items() if lacks]

    def is_whole(self, now: Trajectory, place: int) -> bool:
        return not self.roles(now, place)

    def is_summed(self, one: Demonstration, now: Trajectory) -> bool:
        note = self.note(one, None)
        if note.summary is not None:
            return not note.failed and note.judged == sum(map(is_judged, now.steps))
        return self.is_kept(one)

    def is_kept(self, one: Demonstration) -> bool:
        """Whether a trajectory has a summary that somebody else wrote, and that stays."""
        return not self._config.redo and None not in self.notes(one) and has_summary(one.trajectory)

    def flagged(self, one: Demonstration) -> int:
        return sum(bool(note.flags) for place, note in self.notes(one).items() if place is not None)

    def verdict(self, one: Demonstration) -> Verdict | None:
        if one.home not in self._verdicts:
            self._verdicts[one.home] = verdicts_of(one.home)
        said = (layer.get(one.trajectory.id) for layer in self._verdicts[one.home])
        return next((verdict for verdict in said if verdict is not None), None)

    def spent(self) -> Usage:
        """What was paid for all of it before."""
        total = Usage()
        for path in expanded(self._config.paths):
            if not is_recording(path):
                self._layer(home_of(path))
        for layer in self._layers.values():
            for _, note in layer or ():
                total = total + note.usage
        return total

    def _layer(self, home: Path) -> Layer[Annotation] | None:
        if home not in self._layers:
            path = layer_path(self._config.layers or home, ANNOTATIONS, NAME, self.settings)
            self.paths[home] = path
            self._layers[home] = Layer(path, Annotation) if path.exists() else None
        return self._layers[home]


def spent_before(config: AnnotateConfig, prompts: Prompts) -> Usage:
    """What was paid for this work before it is gone on with; a cap counts it."""
    return AnnotatePlan(config, prompts).spent()


def is_askable(now: Trajectory, place: int) -> bool:
    step = now.steps[place]
    return bool(step.actions) and step.observation.picture is not None
