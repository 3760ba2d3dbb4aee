"""The separate pass over pictures: which are missing, which cannot be decoded. Each name is looked at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef
from workalike.core.progress import Progress, Watch, ignore
from workalike.dataset.choosing import Chosen, rows
from workalike.dataset.defects import Defect
from workalike.dataset.files import RowFiles
from workalike.pictures import codec
from workalike.store.pictures import PictureSource

BATCH = 256


class PictureSurvey(msgspec.Struct):
    """How many pictures were looked at, what was wrong, and the names of those that cannot be used."""

    pictures: int = 0
    defects: dict[str, int] = msgspec.field(default_factory=Counter)
    unusable: set[str] = msgspec.field(default_factory=set)


def check_pictures(
    found: RowFiles,
    source: PictureSource,
    decode: bool = True,
    jobs: int = 2,
    sink: Callable[[Defect], None] = lambda defect: None,
    watch: Watch = ignore,
) -> PictureSurvey:
    """Look at every picture that rows name. Without `decode` only whether it is there."""
    survey = PictureSurvey()
    work = _named(found)
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        while batch := list(islice(work, BATCH)):
            for place, wrong in zip(batch, pool.map(lambda place: _wrong(place, source, decode), batch), strict=True):
                survey.pictures += 1
                if wrong is not None:
                    defect = msgspec.structs.replace(place, kind=wrong[0], text=wrong[1])
                    survey.unusable.add(place.text)
                    survey.defects[defect.kind] = survey.defects.get(defect.kind, 0) + 1
                    sink(defect)
            watch(Progress(survey.pictures, 0, survey.pictures, note="pictures"))
    return survey


def _named(found: RowFiles) -> Iterator[Defect]:
    """Every picture that is named, once, as the defect it might be."""
    seen: set[int] = set()
    for row in rows(found, Chosen()):
        for place, name in named_pictures(row.document):
            if hash(name) not in seen:
                seen.add(hash(name))
                yield Defect("", name, place, row.task_id, row.number, str(row.file))


def named_pictures(document: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The pictures that a row names, each with the place of its step."""
    steps = document.get("traj")
    for place, step in enumerate(steps if isinstance(steps, list) else ()):
        name = step.get("image") if isinstance(step, dict) else None
        if isinstance(name, str) and name:
            yield place, name


def _wrong(place: Defect, source: PictureSource, decode: bool) -> tuple[str, str] | None:
    ref = ImageRef(place.text)
    try:
        if not decode:
            return None if source.has(ref) else ("missing picture", place.text)
        data = source.read(ref)
    except BadInput as error:
        return "missing picture", str(error)
    try:
        codec.decode(data)
    except BadInput as error:
        return "unreadable picture", f"{place.text}: {error}"[:200]
    return None
