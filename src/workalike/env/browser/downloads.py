"""Files an attempt downloads: into its own folder, under safe names, and only so many bytes of them. What a text says
is told to the agent, since no page shows it."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from mimetypes import guess_type
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Browser, CDPSession
from playwright.async_api import Error as PlaywrightError

Tell = Callable[[str, str], None]
ARRIVING = ".arriving"
# File systems take 255 bytes; a number and the way a program marks its own copy still fit behind this.
MOST_NAME = 200
MOST_READ = 2_000
"""How much of a text that was downloaded is told, in characters."""
_UNSAFE = re.compile(r"[^\w.()\[\] +,=@~-]", re.UNICODE)


class _Download(msgspec.Struct):
    name: str
    cancelled: bool = False


class Downloads:
    """Watches one context's downloads; without a folder every one is refused. They arrive in a folder of their own,
    and only what arrived whole is moved out of it: a browser may go on writing when it was told to stop."""

    def __init__(self, folder: Path | None, most: int, tell: Tell) -> None:
        self.folder, self.most, self._tell = folder, most, tell
        self.changed = asyncio.Event()
        self._session: CDPSession | None = None
        self._context = ""
        self._running: dict[str, _Download] = {}
        self._kept = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pending(self) -> int:
        return len(self._running)

    async def watch(self, browser: Browser, context: str) -> None:
        """Take charge of a context's downloads."""
        self._context = context
        self._session = await browser.new_browser_cdp_session()
        self._session.on("Browser.downloadWillBegin", self._began)
        self._session.on("Browser.downloadProgress", self._progressed)
        how: dict[str, Any] = {"behavior": "deny", "browserContextId": context, "eventsEnabled": True}
        if self.folder is not None:
            arriving = self.folder / ARRIVING
            arriving.mkdir(parents=True, exist_ok=True)
            how |= {"behavior": "allowAndName", "downloadPath": str(arriving.resolve())}
        await self._session.send("Browser.setDownloadBehavior", how)

    async def wait(self, seconds: float) -> None:
        """Wait for what is being downloaded, with a bound."""
        try:
            async with asyncio.timeout(seconds):
                while self._running:
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            names = ", ".join(one.name for one in self._running.values())
            self._tell("download", f"{names} is still being downloaded")

    async def close(self) -> None:
        """Stop watching and leave no half-written file behind; the context is closed, so that none can follow."""
        session, self._session = self._session, None
        if session is not None:
            with suppress(PlaywrightError):
                await session.detach()
        self._running.clear()
        if self.folder is not None:
            shutil.rmtree(self.folder / ARRIVING, ignore_errors=True)

    def _began(self, event: dict[str, Any]) -> None:
        name = safe_name(event["suggestedFilename"])
        if self.folder is None:
            self._tell("download", f"{name} was not downloaded: this attempt keeps no files")
            return
        self._running[event["guid"]] = _Download(name)

    def _progressed(self, event: dict[str, Any]) -> None:
        guid, state = event["guid"], event["state"]
        running = self._running.get(guid)
        if running is None:
            return
        if state == "inProgress":
            size = max(event["receivedBytes"], event["totalBytes"])
            if self._kept + size > self.most and not running.cancelled:
                running.cancelled = True
                self._cancel(guid)
            return
        del self._running[guid]
        try:
            if running.cancelled:
                why: str | None = f"more than the {self.most:,} bytes allowed"
            else:
                why = self._keep(guid, running.name) if state == "completed" else "it was broken off"
        except OSError as error:
            why = f"it cannot be kept ({error.strerror or error})"
        if why:
            self._drop(guid)
            self._tell("download", f"{running.name} was not downloaded: {why}")
        self.changed.set()

    def _keep(self, guid: str, name: str) -> str | None:
        """Move what has arrived to where it is kept; why it is not, where it is not."""
        assert self.folder is not None
        source = self.folder / ARRIVING / guid
        size = source.stat().st_size
        if self._kept + size > self.most:
            return f"more than the {self.most:,} bytes allowed"
        target = _free(self.folder / name)
        source.rename(target)
        self._kept += size
        self._tell("download", f"{target.name} was downloaded ({size:,} bytes)")
        text = read_text(target)
        if text:
            self._tell("download", f"{target.name} reads: {text}")
        return None

    def _drop(self, guid: str) -> None:
        if self.folder is not None:
            with suppress(OSError):  # what is left goes with the folder
                (self.folder / ARRIVING / guid).unlink(missing_ok=True)

    def _cancel(self, guid: str) -> None:
        task = asyncio.ensure_future(self._send_cancel(guid))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send_cancel(self, guid: str) -> None:
        if self._session is not None:
            with suppress(PlaywrightError):  # it may have ended by itself meanwhile
                await self._session.send("Browser.cancelDownload", {"guid": guid, "browserContextId": self._context})


def safe_name(suggested: str) -> str:
    """A file name without a way out of its folder.

    >>> safe_name("../../etc/passwd"), safe_name("a:b?.pdf"), safe_name("..")
    ('passwd', 'a_b_.pdf', 'download')
    """
    name = _UNSAFE.sub("_", suggested.replace("\\", "/").rpartition("/")[2]).strip(" .")
    stem, dot, ending = name.rpartition(".")
    if dot and len(ending) < 12:
        ending = f".{ending}"
        return _cut(stem, MOST_NAME - len(ending.encode())) + ending
    return _cut(name, MOST_NAME) or "download"


def read_text(path: Path) -> str:
    """How a text file begins; nothing where it is none by its name, or by what is in it."""
    if not (guess_type(path.name)[0] or "").startswith("text/"):
        return ""
    with path.open("rb") as file:
        start = file.read(MOST_READ * 4)
    try:
        text = start.decode()
    except UnicodeDecodeError as error:
        if error.start < len(start) - 4 or len(start) < MOST_READ * 4:  # not just cut within a letter
            return ""
        text = start[: error.start].decode()
    text = text.strip()
    if not all(letter.isprintable() or letter in "\n\r\t" for letter in text):
        return ""
    return text if len(text) <= MOST_READ else f"{text[:MOST_READ]} …"


def _cut(text: str, most: int) -> str:
    """As much of a text as fits into so many bytes, in whole characters."""
    return text.encode()[:most].decode(errors="ignore")


def _free(path: Path) -> Path:
    """The path itself, or with a number when there is such a file already."""
    for number in range(1, 10_000):
        candidate = path if number == 1 else path.with_stem(f"{path.stem} ({number})")
        if not candidate.exists():
            return candidate
    raise OSError(f"{path.parent} holds too many files named {path.name}")
