"""Files, folders and runs → an export: what somebody asks for, on a command line or from Python, is read and handed to
who writes its form."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from workalike.dataset.delivery import Mode
from workalike.dataset.examples import GROUNDING, Recipe
from workalike.dataset.export import ExportConfig, Format, export, export_rows, export_step_tasks
from workalike.dataset.manifest import Manifest, origin
from workalike.dataset.sources import SourceChoice, input_files, trajectories
from workalike.dataset.writers.chat import Loss
from workalike.families import family
from workalike.models.prompts import Prompts
from workalike.store.pictures import open_pictures


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be exported, in which form, and into which new folder. `images` are where the pictures are, and
    `packed` says how lines are."""

    paths: tuple[str | Path, ...]
    out: Path
    format: Format | Literal["agentnet", "agentnetbench"] = "chat"
    recipe: Recipe = Recipe()
    pictures: Mode = "names"
    prefix: str = ""
    loss: Loss = "mask"
    packed: Literal["gz", "zst"] | None = None
    images: tuple[Path, ...] = ()
    metadata: tuple[Path, ...] = ()
    verdict: str | None = None
    verifier: str | None = None
    prompts: Path | None = None
    licence: tuple[str, ...] = ()
    citation: tuple[str, ...] = ()

    @property
    def made(self) -> str:
        """What the manifest counts of it."""
        return {"agentnet": "trajectories", "agentnetbench": "tasks"}.get(self.format, "examples")


def export_paths(asked: ExportRequest, told: list[str]) -> Manifest:
    """Export what is asked for; `told` fills with what could not be read, or said in this form."""
    source = open_pictures(*asked.images) if asked.images else None
    hosted = (
        asked.made == "examples" and asked.recipe.family != GROUNDING and family(asked.recipe.family).api is not None
    )
    choice = SourceChoice(asked.verdict, asked.verifier, replies=hosted)
    found = trajectories(asked.paths, asked.metadata, choice, told.append)
    made_of = origin(input_files(asked.paths, asked.metadata), asked.licence, asked.citation)
    ending = f".{asked.packed}" if asked.packed and asked.format != "parquet" else ""
    if asked.format == "agentnet":
        return export_rows(found, asked.out, *made_of, told, {"verdict": asked.verdict}, ending)
    if asked.format == "agentnetbench":
        return export_step_tasks(found, asked.out, source, *made_of, told)
    config = ExportConfig(asked.format, asked.recipe, asked.pictures, asked.prefix, asked.loss, ending)
    return export(found, asked.out, config, source, Prompts(asked.prompts), *made_of, told)
