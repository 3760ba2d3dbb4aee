"""One report, in every form: what each says, how it fits, and that words of pages and models stay words."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import async_playwright

from tests.programs import needs
from tests.report.made_runs import make_run
from workalike.core.errors import BadInput
from workalike.env.browser import chromium
from workalike.report.build import Report, report
from workalike.report.plots import COLOURS, figures, svg

HOSTILE = (
    "<script>alert(1)</script>\"'><img src=http://evil.example/x onerror=alert(2)> </style></title> {{ 7*7 }} ${7*7}"
    " \\input{/etc/passwd} \\end{tabular} % & # _ ^ ~ $ | `x` ![p](http://evil.example/p) \x1b[2J \u202e 中文 €"
)
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{booktabs}
\usepackage{graphicx}
\begin{document}
"""


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("runs")
    first = make_run(folder / "som", 0.6, seed=1, price=0.02, pictures=True)
    return report([first, make_run(folder / "fara", 0.3, seed=2, pictures=True)])


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two runs whose agents, notes, thoughts, answers and verdicts are full of what is not theirs to say."""
    folder = tmp_path_factory.mktemp("hostile")
    more: dict[str, Any] = {"count": 8, "repeats": 2, "words": HOSTILE, "agent": HOSTILE, "notes": [HOSTILE]}
    return report([make_run(folder / name, 0.4, seed=n, pictures=True, **more) for n, name in enumerate("ab")])


def test_every_table_there_are_data_for(two: Report) -> None:
    names = [table.name for section in two.sections for table in section.tables]
    wanted = ["accuracy", "cost", "intervals", "repeats", "compared", "stops", "outcomes"]
    wanted += ["levels", "lengths", "demands"]
    assert names == [*wanted, "failures", "first-failure", "refusals", "answers", "process", "agreement", "times"]


def test_a_folder_of_runs_stands_for_all_of_them(tmp_path: Path) -> None:
    first = make_run(tmp_path / "runs" / "som", 0.6, seed=1, count=2, repeats=1)
    make_run(tmp_path / "runs" / "more" / "fara", 0.3, seed=2, count=2, repeats=1)
    make_run(tmp_path / "runs" / ".kept" / "fara", 0.3, seed=2, count=2, repeats=1)
    assert [each.name for each in report([tmp_path / "runs", first]).runs] == ["fara", "som"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"empty is no run and holds none \(there is no run.json in it\)"):
        report([tmp_path / "empty"])
    with pytest.raises(BadInput, match=r"there is no .*nowhere"):
        report([tmp_path / "nowhere"])


def test_a_table_without_data_is_not_made(tmp_path: Path) -> None:
    alone = report([make_run(tmp_path / "som", 0.97, count=2, repeats=1, second=False)])
    names = {table.name for section in alone.sections for table in section.tables}
    assert not names & {"compared", "repeats", "failures", "first-failure", "refusals", "agreement", "answers"}


@pytest.mark.parametrize("width", [80, 100, 200])
def test_tables_fit_the_terminal(two: Report, width: int) -> None:
    shown = two.text(width)
    assert max(map(len, shown.splitlines())) <= width
    assert not any(line.startswith("…") for line in shown.splitlines())
    for table in (table for section in two.sections for table in section.tables if not table.detail):
        for row in table.rows:
            assert all(part in shown for cell in row.cells for part in re.split(r" (?=[(±])", cell))


def test_colours_are_for_terminals_alone(two: Report) -> None:
    assert "\x1b" not in two.text(100)
    assert "\x1b[" in two.text(100, colour=True)


def test_json_says_all_that_the_tables_say(two: Report) -> None:
    first, second = json.loads(msgspec.json.encode(two.json()))
    assert (first["title"], second["title"]) == ("som m", "fara m")
    micro = first["accuracy"][-1]
    assert micro["interval"]["low"] < micro["score"]["mean"] < micro["interval"]["high"]
    assert sum(first["stops"].values()) == sum(first["outcomes"].values()) == first["attempts"] == 72
    (pair,) = first["compared"]
    difference = first["accuracy"][-1]["score"]["mean"] - second["accuracy"][-1]["score"]["mean"]
    assert pair["comparison"]["difference"] == pytest.approx(difference)
    assert pair["comparison"]["low"] <= difference <= pair["comparison"]["high"]
    assert set(first["repeats"]["at_least_one"]) == {"2", "3"}
    assert first["times"]["model"] == pytest.approx(0.5)


def test_what_differs_is_said(two: Report, tmp_path: Path) -> None:
    assert "the agents were asked in different words: a/b differ between the runs" in two.remarks
    other = make_run(tmp_path / "judged", 0.5, count=8, limits={"steps": 50}, user="persona")
    plain = make_run(tmp_path / "plain", 0.5, count=8, second=False)
    told = report([other, plain]).remarks
    assert "the runs were not set up alike: limits.steps is 50 for judged m, as usual for plain m" in told
    assert "the runs were not set up alike: user is persona for judged m, nobody for plain m" in told


def test_other_judges_are_said_not_to_compare(tmp_path: Path) -> None:
    first, second = make_run(tmp_path / "a", 0.5, count=8), make_run(tmp_path / "b", 0.5, count=8, second=False)
    (truth,) = (first / "layers" / "verdicts").glob("state-*")
    truth.unlink()
    (told,) = (line for line in report([first, second]).remarks if "judged" in line)
    judges = "a m by rubric (model=judge); b m by state"
    assert told == f"the runs were judged differently, so that their scores do not compare: {judges}"


def test_nothing_is_no_report() -> None:
    with pytest.raises(BadInput, match="at least one run"):
        report([])


def test_a_terminal_is_never_steered(hostile: Report) -> None:
    for shown in (hostile.text(80), hostile.markdown(), hostile.latex()):
        odd = {c for c in shown if unicodedata.category(c).startswith("C") and c != "\n"}
        assert odd == set()


def test_markdown_has_no_link_picture_or_tag(hostile: Report) -> None:
    shown = hostile.markdown()
    assert "<script>" not in re.sub(r"\\<", "", shown)
    assert not re.search(r"(?<!\\)\]\(", shown)
    tables = [line for line in shown.splitlines() if line.startswith("|")]
    heads = {len(re.findall(r"(?<!\\)\|", line)) for line in tables[:4]}
    assert len(heads) == 1


def _check_latex(text: str) -> None:
    """A strict small reader: braces and environments close in order, every row has its table's cells, and no command is
    used that the report does not use itself."""
    assert text.isascii()
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", body):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    bare = re.sub(r"\\[\\{}$&%#_]", "", body)
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    for columns, inside in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", body, re.S):
        for line in (line for line in inside.splitlines() if line.endswith(r"\\")):
            assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1
    known = (
        "begin end centering caption label toprule midrule bottomrule resizebox par smallskip footnotesize pm geq leq"
    )
    known += " times cdot ldots ifdim width linewidth else fi textbf textit textbackslash textasciitilde"
    known += " textasciicircum textless textgreater textbar textquotedbl textasciigrave"
    assert set(re.findall(r"\\([a-zA-Z]+)", re.sub(r"\\\\", "", body))) <= set(known.split())


def test_latex_reads_strictly(two: Report, hostile: Report) -> None:
    _check_latex(two.latex())
    _check_latex(hostile.latex())
    assert r"som m & 0." in two.latex()


@pytest.mark.sweep
def test_latex_compiles(two: Report, hostile: Report, tmp_path: Path) -> None:
    needs("pdflatex", "/usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty")
    for name, made in (("two", two), ("hostile", hostile)):
        (tmp_path / f"{name}.tex").write_text(f"{PREAMBLE}{made.latex()}\\end{{document}}\n", encoding="utf-8")
        words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        assert "Missing character" not in (tmp_path / f"{name}.log").read_text(errors="replace")


async def _opened(path: Path, scheme: Any = "light") -> dict[str, Any]:
    """A page in a real browser: what it asked for and complained of, and what stands in it."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=str(chromium.find()))
        try:
            page = await browser.new_page(color_scheme=scheme)
            asked: list[str] = []
            said: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.on("console", lambda message: said.append(message.text))
            page.on("dialog", lambda dialog: said.append(dialog.message))
            page.on("pageerror", lambda error: said.append(str(error)))
            await page.goto(path.as_uri())
            found = await page.evaluate(
                """() => ({
                    tags: [...new Set([...document.querySelectorAll('*')].map(e => e.localName))],
                    handlers: [...document.querySelectorAll('*')].flatMap(e => [...e.attributes])
                        .filter(a => /^(on|style$)/.test(a.name) || /javascript:/.test(a.value)).length,
                    links: document.querySelectorAll('[href], a, link, iframe, form').length,
                    pictures: [...document.images].map(i => i.naturalWidth),
                    figures: document.querySelectorAll('figure.plot svg').length,
                    tables: document.querySelectorAll('figure.table').length,
                    ground: getComputedStyle(document.body).backgroundColor,
                    label: getComputedStyle(document.querySelector('svg text[fill="#1d2330"]')).fill,
                    wide: document.documentElement.scrollWidth - innerWidth,
                    text: document.body.textContent,
                })"""
            )
            outside = [url for url in asked if not url.startswith(("file:", "data:"))]
            return {**found, "outside": outside, "said": said}
        finally:
            await browser.close()


async def test_the_page_needs_nothing_and_shows_everything(two: Report, tmp_path: Path) -> None:
    page = two.html(tmp_path / "report.html")
    light, dark = await _opened(page), await _opened(page, "dark")
    assert (light["outside"], light["said"]) == ([], [])
    assert light["tables"] == sum(len(section.tables) for section in two.sections)
    assert light["figures"] == len(figures(two.runs)) == 7
    assert len(light["pictures"]) > 10
    assert set(light["pictures"]) == {400}
    assert light["wide"] <= 0
    assert light["ground"] != dark["ground"]
    assert light["label"] != dark["label"]
    assert "What it looked like" in light["text"]


async def _printed(path: Path) -> tuple[bytes, list[bool]]:
    """A page as Chromium prints it on A4, and of each of its pictures whether it is seen on paper."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=str(chromium.find()))
        try:
            page = await browser.new_page(color_scheme="dark")
            await page.goto(path.as_uri())
            paper = await page.pdf(format="A4")
            await page.emulate_media(media="print")
            seen: list[bool] = await page.evaluate("[...document.images].map(each => each.checkVisibility())")
            return paper, seen
        finally:
            await browser.close()


def _pages(paper: bytes) -> int:
    return len(re.findall(rb"/Type ?/Page\b", paper))


async def test_it_prints_on_pages_with_its_samples_open(two: Report, tmp_path: Path) -> None:
    whole, seen = await _printed(two.html(tmp_path / "report.html"))
    bare, _ = await _printed(two.html(tmp_path / "none.html", samples=0))
    assert seen == [True] * len(seen)
    assert len(seen) > 10
    assert 2 < _pages(bare) < _pages(whole) < 30
    assert b"/Subtype /Image" in whole
    assert b"/Subtype /Image" not in bare


async def test_hostile_words_stay_words_in_the_page(hostile: Report, tmp_path: Path) -> None:
    found = await _opened(hostile.html(tmp_path / "report.html"))
    assert (found["outside"], found["said"], found["handlers"], found["links"]) == ([], [], 0, 0)
    assert not {"script", "iframe", "object", "foreignobject", "base", "input"} & set(found["tags"])
    assert set(found["pictures"]) == {400}
    assert "<script>alert(1)</script>" in found["text"]
    assert "{{ 7*7 }} ${7*7}" in found["text"]
    assert "\x1b" not in found["text"]
    assert "\u202e" not in found["text"]


async def test_samples_can_be_left_out(two: Report, tmp_path: Path) -> None:
    found = await _opened(two.html(tmp_path / "none.html", samples=0))
    assert found["pictures"] == []
    assert "What it looked like" not in found["text"]


def test_a_picture_that_is_gone_leaves_the_rest(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "som", 0.5, count=8, pictures=True)
    for picture in (folder / "pictures").rglob("*.png"):
        picture.write_bytes(b"no picture")
    assert "no picture" in report([folder]).html(tmp_path / "report.html").read_text(encoding="utf-8")


def test_figures_as_files(two: Report, tmp_path: Path) -> None:
    written = two.plots(tmp_path / "figures")
    assert {path.name for path in written} == {
        f"{name}.{form}"
        for name in ("accuracy", "frontier", "categories", "outcomes", "lengths", "failures", "times")
        for form in ("svg", "png")
    }
    for path in written:
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG" if path.suffix == ".png" else b"<svg")
    assert COLOURS[0] in (tmp_path / "figures" / "accuracy.svg").read_text(encoding="utf-8")


def test_hostile_names_are_escaped_in_figures(hostile: Report) -> None:
    from xml.etree import ElementTree

    for figure in figures(hostile.runs):
        tree = ElementTree.fromstring(svg(figure))
        names = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert names <= {"svg", "g", "path", "text", "line", "rect", "circle", "defs", "clipPath", "title", "tspan"}
