"""The files of one AgentNetTool recording, read with errors that name the file and the line."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.formats.agentnet_tool_events import EventLine
from workalike.store.lines import Lines, damaged, read_json


class Metadata(msgspec.Struct, frozen=True):
    """What `metadata.json` says that matters here."""

    system: str
    screen_width: int
    screen_height: int
    video_start_timestamp: float
    release: str = ""
    start_time: str = ""
    stop_time: str = ""
    model: str = ""
    scroll_direction: int = 1

    @property
    def screen(self) -> Size:
        return Size(self.screen_width, self.screen_height)


class TaskName(msgspec.Struct, frozen=True):
    """`task_name.json`."""

    task_name: str = ""
    description: str | None = None


class TopWindowLine(msgspec.Struct, frozen=True):
    """One line of `top_window.jsonl`: the program (Windows) or application (macOS) in front."""

    time_stamp: float
    top_window_name: str


class PageLine(msgspec.Struct, frozen=True):
    """One line of `html.jsonl`; its HTML and DOM are left where they are."""

    time_stamp: float
    url: str = ""


class Reduced(msgspec.Struct, frozen=True):
    """One line of `reduced_events_vis.jsonl`: an action the annotator kept, `action` being the label they gave it."""

    start_time: float
    end_time: float | None = None
    action: str = ""
    description: str | None = None


class ToolFiles:
    """A folder of the tool's, read file by file when asked. Only metadata and events must be there."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise BadInput(f"there is no folder {folder}; name the folder of one AgentNetTool recording")
        for name in ("metadata.json", "events.jsonl"):
            if not (folder / name).is_file():
                raise BadInput(f"{folder} is not an AgentNetTool recording: it holds no {name}")
        self.folder = folder

    @cached_property
    def metadata(self) -> Metadata:
        path = self.folder / "metadata.json"
        metadata = read_json(path, Metadata)
        try:
            _ = metadata.screen
        except ValueError as error:
            raise damaged(path, str(error), "write the screen's real size into it") from error
        return metadata

    @cached_property
    def task(self) -> TaskName:
        path = self.folder / "task_name.json"
        return read_json(path, TaskName) if path.is_file() else TaskName()

    @cached_property
    def events(self) -> tuple[EventLine, ...]:
        return tuple(self._lines("events.jsonl", EventLine))

    @cached_property
    def video(self) -> Path | None:
        found = sorted(self.folder.glob("*.mp4"))
        if len(found) > 1:
            raise BadInput(f"{self.folder} holds {len(found)} videos; leave only the one of the screen in it")
        return found[0] if found else None

    def windows(self) -> list[TopWindowLine]:
        return self._lines("top_window.jsonl", TopWindowLine)

    def pages(self) -> list[PageLine]:
        return self._lines("html.jsonl", PageLine)

    def trees(self) -> list[tuple[float, Any]]:
        """The window trees in order of time."""
        return self._stamped("a11y.jsonl", "axtree")

    def elements(self) -> list[tuple[float, Any]]:
        """The element under the pointer at each press, as the tool found it, in order of time."""
        return self._stamped("element.jsonl", "a11y_tree")

    def page_elements(self) -> list[tuple[float, Any]]:
        """The same from the browser's plug-in."""
        return self._stamped("html_element.jsonl", "element")

    def kept(self) -> list[Reduced] | None:
        """The actions an annotator kept; None where nobody has reduced the recording yet."""
        path = self.folder / "reduced_events_vis.jsonl"
        return self._lines(path.name, Reduced) if path.is_file() else None

    def _lines(self, name: str, shape: Any) -> list[Any]:
        path = self.folder / name
        return [value for _, value in Lines[Any](path, shape)] if path.is_file() else []

    def _stamped(self, name: str, key: str) -> list[tuple[float, Any]]:
        found = []
        path = self.folder / name
        for number, line in Lines[dict[str, Any]](path, dict[str, Any]) if path.is_file() else ():
            time = line.get("time_stamp")
            if not isinstance(time, int | float):
                raise damaged(path, "it has no time_stamp", "remove the line or restore it from a copy", number)
            found.append((float(time), line.get(key)))
        return sorted(found, key=lambda pair: pair[0])
