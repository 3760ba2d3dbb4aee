"""Downloads land in the attempt's own folder, under safe names, up to a number of bytes."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.env.web import HOST, Actor, Answer, Handler, Web
from workalike.env.browser.downloads import MOST_READ, read_text, safe_name
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


def attachment(size: int, name: str = "report.pdf") -> Answer:
    def answer(handler: Handler) -> None:
        handler.reply(b"x" * size, "application/octet-stream", Content_Disposition=f'attachment; filename="{name}"')

    return answer


PAGE = "<title>page</title><a href=/small>Small</a> <a href=/large>Large</a> <a href=/evil>Evil</a>"


async def test_a_download_is_kept_and_told(stage: Stage, web: Web, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    actor = Actor(stage.environment(Policy(hosts={HOST: web.place}), folder), web)
    await actor.open(PAGE, small=attachment(1000), evil=attachment(9, "../../outside.txt"))
    told = []
    for name in ("Small", "Small", "Evil"):
        await actor.click(name)
        percept = await actor.look()
        told += [notice.text for notice in percept.notices]
    await actor.environment.close()
    evil, *reports = sorted(path.name for path in folder.iterdir())
    assert evil.endswith("outside.txt")
    assert reports == ["report (2).pdf", "report.pdf"]
    assert (folder / "report.pdf").read_bytes() == b"x" * 1000
    assert len(told) == 4
    assert told[3].endswith("outside.txt reads: xxxxxxxxx")
    assert told[0] == "report.pdf was downloaded (1,000 bytes)"
    assert percept.observation.title == "page"
    assert not (tmp_path / "outside.txt").exists()


async def test_a_download_that_is_too_large_is_broken_off(stage: Stage, web: Web, tmp_path: Path) -> None:
    settings = BrowserSettings(most_download=50_000)
    actor = Actor(stage.environment(Policy(hosts={HOST: web.place}), tmp_path, settings), web)
    await actor.open(PAGE, large=attachment(3_000_000), small=attachment(40_000))
    await actor.click("Large")
    percept = await actor.look()
    assert any("more than the 50,000 bytes allowed" in notice.text for notice in percept.notices)
    await actor.click("Small")
    await actor.click("Small")
    await actor.environment.close()
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]


async def test_without_a_folder_nothing_is_downloaded(actor: Actor) -> None:
    await actor.open(PAGE, small=attachment(1000))
    await actor.click("Small")
    percept = await actor.look()
    assert [notice.kind for notice in percept.notices] == ["download"]
    assert "keeps no files" in percept.notices[0].text


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("a.txt", "a.txt"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("", "download"),
        ("...", "download"),
        ("Grüße 世界.pdf", "Grüße 世界.pdf"),
        ("a\x00b\n.txt", "a_b_.txt"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("資料" * 50 + ".pdf", "資料" * 32 + "資.pdf"),
        ("é" * 300, "é" * 100),
        ("名." + "x" * 300, "名." + "x" * 196),
    ],
)
async def test_names_lead_nowhere_else(given: str, safe: str) -> None:
    assert safe_name(given) == safe


async def test_a_long_name_in_another_script_is_kept(stage: Stage, web: Web, tmp_path: Path) -> None:
    name = "資料" * 50 + ".pdf"

    def answer(handler: Handler) -> None:
        how = f"attachment; filename*=UTF-8''{quote(name)}"
        handler.reply(b"x" * 1000, "application/octet-stream", Content_Disposition=how)

    actor = Actor(stage.environment(Policy(hosts={HOST: web.place}), tmp_path), web)
    await actor.open(PAGE, small=answer)
    await actor.click("Small")
    await actor.click("Small")
    percept = await actor.look()
    await actor.environment.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [safe_name(name), safe_name(name).replace(".pdf", " (2).pdf")]
    )
    assert [notice.text.endswith("was downloaded (1,000 bytes)") for notice in percept.notices] == [True]


async def test_what_cannot_be_kept_is_told(stage: Stage, web: Web, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    actor = Actor(stage.environment(Policy(hosts={HOST: web.place}), folder), web)
    await actor.open(PAGE, small=attachment(1000))
    actor.environment.attempt.downloads.folder = tmp_path / "gone"  # as if somebody had moved it
    await actor.click("Small")
    percept = await actor.look()
    assert actor.environment.attempt.downloads.pending == 0
    await actor.environment.close()
    assert [notice.text.startswith("report.pdf was not downloaded: ") for notice in percept.notices] == [True]


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("note.txt", b"Delivery note\n\nLeave it at the door.\n", "Delivery note\n\nLeave it at the door."),
        ("rows.csv", b"a,b\n1,2\n", "a,b\n1,2"),
        ("long.txt", "ä".encode() * 9_000, "ä" * MOST_READ + " …"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n", ""),
        ("odd.txt", b"a\x00b", ""),
        ("program.bin", b"plain words", ""),
    ],
)
async def test_what_a_text_says_is_told(tmp_path: Path, name: str, data: bytes, text: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert read_text(tmp_path / name) == text
