"""Eyes: what pages report is seen as the environment would see it, tab by tab, attempt by attempt."""

from __future__ import annotations

import msgspec
from starlette.responses import HTMLResponse, JSONResponse, Response

from workalike.core.observation import Dialog, Element
from workalike.core.screen import Box, Size
from workalike.town.eyes import MOST_BYTES, SCRIPT, Eyes, Gone, PageReport, open_eyes, script


def report(tab: str, url: str = "http://a.town/", page: float = 1.0, *elements: Element) -> bytes:
    return msgspec.json.encode(PageReport(tab, page, url, url.upper(), Size(800, 600), 2.0, elements))


def test_the_tab_that_reported_last_is_in_front_and_tabs_keep_their_order() -> None:
    eyes = Eyes()
    for tab in ("one", "two", "one"):
        assert eyes.take("t", report(tab, f"http://{tab}.town/"))
    seen = eyes.see("t")
    assert seen is not None
    assert [(tab.url, tab.active) for tab in seen.tabs] == [("http://one.town/", True), ("http://two.town/", False)]
    assert (seen.url, seen.size, seen.scale) == ("http://one.town/", Size(800, 600), 2.0)


def test_elements_are_numbered_from_one() -> None:
    eyes = Eyes()
    box = Box(0.1, 0.1, 0.2, 0.2)
    eyes.take("t", report("one", "http://a.town/", 1.0, Element("button", "Go", box), Element("link", "Back", box)))
    seen = eyes.see("t")
    assert seen is not None
    assert [(each.mark, each.name) for each in seen.elements or ()] == [(1, "Go"), (2, "Back")]


def test_a_tab_that_closes_is_gone_and_one_that_goes_on_to_another_page_is_not() -> None:
    eyes = Eyes()
    eyes.take("t", report("one", page=1.0))
    eyes.take("t", report("two", "http://b.town/", page=5.0))
    assert eyes.take("t", msgspec.json.encode(Gone("two", 5.0)))
    seen = eyes.see("t")
    assert seen is not None
    assert [tab.url for tab in seen.tabs] == ["http://a.town/"]
    assert eyes.take("t", report("two", "http://b.town/", page=5.0)), "its last report comes late"
    assert eyes.see("t") == seen
    eyes.take("t", report("one", "http://next.town/", page=2.0))
    assert eyes.take("t", msgspec.json.encode(Gone("one", 1.0))), "the old page's farewell comes late"
    seen = eyes.see("t")
    assert seen is not None
    assert seen.url == "http://next.town/"


def test_attempts_are_kept_apart_and_forgotten() -> None:
    eyes = Eyes()
    eyes.take("a", report("one"))
    assert eyes.see("b") is None
    eyes.forget("a")
    assert eyes.see("a") is None


def test_a_chooser_for_files_is_seen_until_the_page_reports_without_it() -> None:
    eyes = Eyes()
    said = msgspec.json.decode(report("one"))
    assert eyes.take("t", msgspec.json.encode({**said, "dialog": {"kind": "file"}}))
    seen = eyes.see("t")
    assert seen is not None
    assert seen.dialog == Dialog("file")
    assert eyes.take("t", report("one"))
    seen = eyes.see("t")
    assert seen is not None
    assert seen.dialog is None


def test_what_is_no_report_is_refused() -> None:
    eyes = Eyes()
    assert not eyes.take("t", b"{")
    assert not eyes.take("t", b'{"tab": 3}')
    assert not eyes.take("t", b" " * (MOST_BYTES + 1))
    assert eyes.see("t") is None


def test_pages_get_the_script_once_and_other_answers_stay() -> None:
    page = open_eyes(HTMLResponse("<head></head><body></head></body>", headers={"x-kept": "yes"}))
    assert bytes(page.body).count(SCRIPT.encode()) == 1
    assert page.headers["x-kept"] == "yes"
    assert int(page.headers["content-length"]) == len(page.body)
    for other in (JSONResponse({}), Response(b"<head></head>", media_type="image/png"), HTMLResponse("no head")):
        assert open_eyes(other) is other


def test_the_script_looks_as_the_environment_does() -> None:
    assert b"workalike.look(true)" in script()
