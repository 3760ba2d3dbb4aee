"""Parquet as Hugging Face's `datasets` writes it, with the pictures inside: the TRL columns plus `id`.

Rows are written in groups of bounded size, so that memory stays flat however many there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workalike.core.errors import MissingExtra
from workalike.dataset.delivery import PictureDelivery
from workalike.dataset.examples import Example
from workalike.dataset.writers import trl
from workalike.models.fences import Fence
from workalike.store.files import replacing

GROUP_ROWS, GROUP_BYTES = 256, 48 << 20
_MESSAGES = [{"role": _V, "content": [{"type": _V, "text": _V}]} for _V in [{"dtype": "string", "_type": "Value"}]]


@contextmanager
def writing_parquet(path: Path, delivery: PictureDelivery, fence: Fence) -> Iterator[Callable[[Example], None]]:
    """A function that adds examples to a parquet file, which takes its place when the block ends well."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("parquet", "pyarrow", "hub") from None
    schema = _schema(pa)
    rows: list[dict[str, Any]] = []
    held = 0

    with replacing(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:

        def flush() -> None:
            nonlocal held
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema), row_group_size=len(rows))
            rows.clear()
            held = 0

        def add(example: Example) -> None:
            nonlocal held
            images = [{"bytes": delivery.picture(shot).data, "path": shot.source.name} for shot in example.pictures]
            rows.append({"id": f"{example.trajectory}#{example.step}", **trl.record(example, images, fence)})
            held += sum(len(image["bytes"]) for image in images)
            if len(rows) >= GROUP_ROWS or held >= GROUP_BYTES:
                flush()

        yield add
        flush()


def _schema(pa: Any) -> Any:
    part = pa.struct([("type", pa.string()), ("text", pa.string())])
    message = pa.list_(pa.struct([("role", pa.string()), ("content", pa.list_(part))]))
    image = pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    fields = [("id", pa.string()), ("prompt", message), ("completion", message), ("images", image)]
    fields.append(("canary", pa.string()))
    return pa.schema(fields, metadata={"huggingface": json.dumps({"info": {"features": _features()}})})


def _features() -> dict[str, Any]:
    """The same schema in the words of `datasets`, which then hands out pictures rather than bytes."""
    return {
        "id": {"dtype": "string", "_type": "Value"},
        "prompt": _MESSAGES,
        "completion": _MESSAGES,
        "images": [{"_type": "Image"}],
        "canary": {"dtype": "string", "_type": "Value"},
    }
