"""A dialog that stands open, and how it is answered: with the keyboard, or by a click on what is drawn of it."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from playwright.async_api import Dialog as PageDialog
from playwright.async_api import FileChooser, FilePayload

from workalike.core.actions import Action, Click, Hotkey, Press, Wait, Write
from workalike.core.errors import ActionFailed
from workalike.core.keyboard import canonical
from workalike.core.observation import Dialog, DialogKind, Element
from workalike.core.screen import Point, Size
from workalike.core.task import TaskFile
from workalike.pictures.dialogs import DialogPart, Layout, layout


class OpenDialog:
    """One open dialog with what has been typed into it so far."""

    def __init__(self, source: PageDialog | FileChooser, files: tuple[TaskFile, ...], screen: Size) -> None:
        self.source, self.files = source, files
        self.seen = _seen(source, files)
        self.draft = self.seen.default
        self.answered = False
        self._untouched = True
        self.layout: Layout = layout(self.seen, screen)

    @property
    def elements(self) -> tuple[Element, ...]:
        """The dialog's parts, numbered: nothing else can be acted on while it stands."""
        return tuple(
            Element(part.role, part.name, part.box, mark, self.draft if part.role == "textbox" else None)
            for mark, part in enumerate(self.layout.parts, 1)
        )

    def hint(self) -> str:
        """What an agent is told that tries something else."""
        named = self.seen.message or {"file": "choose a file"}.get(self.seen.kind, self.seen.kind)
        return f"a dialog stands open ({named[:80]!r}): press enter to accept it, esc to dismiss it"

    async def answer(self, action: Action, pointer: Point) -> Element | None:
        """Carry an action out on the dialog; returns the part of it that was hit."""
        match action:
            case Write(text=text):
                await self._write(text)
            case Press(keys=names):
                for name in names:
                    await self._press(canonical(name) or name)
            case Hotkey(keys=(name,)):
                await self._press(canonical(name) or name)
            case Click(at=at, count=count):
                return await self._click(at or pointer, count)
            case Wait():
                return None
            case _:
                raise ActionFailed(self.hint())
        return None

    async def _write(self, text: str) -> None:
        if self.seen.kind not in ("prompt", "file"):
            raise ActionFailed(self.hint())
        words = text.rstrip("\n")
        self.draft = words if self._untouched else self.draft + words
        self._untouched = False
        if text.endswith("\n"):
            await self.accept()

    async def _press(self, key: str) -> None:
        if self.answered:
            return
        match key:
            case "enter":
                await self.accept()
            case "space" if self.seen.kind not in ("prompt", "file"):
                await self.accept()
            case "esc":
                await self.dismiss()
            case "backspace":
                self.draft = "" if self._untouched else self.draft[:-1]
                self._untouched = False
            case _ if len(key) == 1:
                await self._write(key)
            case "space":
                await self._write(" ")
            case "tab" | "end" | "home" | "delete":
                pass
            case _:
                raise ActionFailed(self.hint())

    async def _click(self, at: Point, count: int) -> Element | None:
        part = self.layout.part_at(at)
        if part is None:
            raise ActionFailed(self.hint())
        match part.role:
            case "button" if part == next(one for one in self.layout.parts if one.role == "button"):
                await self.accept()
            case "button":
                await self.dismiss()
            case "option":
                self._choose(part)
                if count > 1:
                    await self.accept()
        return Element(part.role, part.name, part.box)

    def _choose(self, part: DialogPart) -> None:
        several = isinstance(self.source, FileChooser) and self.source.is_multiple()
        chosen = self.draft.split("\n") if several and self.draft else []
        self.draft = "\n".join(
            [name for name in chosen if name != part.name] if part.name in chosen else [*chosen, part.name]
        )
        self._untouched = False

    async def accept(self) -> None:
        if isinstance(self.source, FileChooser):
            await self.source.set_files(self._chosen(self.source))
        elif self.seen.kind == "prompt":
            await self.source.accept(self.draft)
        else:
            await self.source.accept()
        self.answered = True

    async def dismiss(self) -> None:
        if not isinstance(self.source, FileChooser):
            await self.source.dismiss()
        self.answered = True

    def _chosen(self, chooser: FileChooser) -> list[FilePayload]:
        """The task's own files by name; a path is taken by its last part, and nothing else is on offer."""
        names = [name.strip().strip('"') for name in self.draft.replace('" "', "\n").splitlines() if name.strip()]
        offered = {file.name: file.path for file in self.files}
        if not names:
            raise ActionFailed(
                f"no file is chosen: write one of {', '.join(offered) or 'none (the task has no files)'}"
            )
        for name in names:
            if name not in offered and Path(name).name not in offered:
                raise ActionFailed(f"there is no file {name!r}: there are {', '.join(offered) or 'none'}")
        if len(names) > 1 and not chooser.is_multiple():
            raise ActionFailed("only one file can be chosen here")
        return [_payload(name if name in offered else Path(name).name, offered) for name in names]


def _payload(name: str, offered: dict[str, str]) -> FilePayload:
    """A file under the name the agent knows it by, wherever it lies."""
    path = Path(offered[name])
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ActionFailed(f"the file {name!r} of the task cannot be read: {error}") from error
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return {"name": name, "mimeType": kind, "buffer": content}


def _seen(source: PageDialog | FileChooser, files: tuple[TaskFile, ...]) -> Dialog:
    if isinstance(source, FileChooser):
        several = "several files" if source.is_multiple() else "a file"
        return Dialog(
            "file", f"Choose {several}" if files else "The task has no files", "", tuple(f.name for f in files)
        )
    kind: DialogKind = source.type  # type: ignore[assignment]
    return Dialog(kind, source.message[:2000], source.default_value[:500])
