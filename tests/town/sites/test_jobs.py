"""The jobs board: its world, searching by facets and distance, applying with a document, and its tasks."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from tests.town.test_oracle import solve_all
from workalike.core.key import Scalar
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.caller import Caller
from workalike.town.check import check_task
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites.fairlead.goals import FILES, RESUME, task_files
from workalike.town.sites.fairlead.listing import JobQuery, every_hit
from workalike.town.sites.fairlead.tables import member
from workalike.town.sites.fairlead.tasks import TEMPLATES
from workalike.town.sites.fairlead.world import pay_text
from workalike.town.town import Town
from workalike.verify.state import judge

SITE = "fairlead"
SKINS = ("pine", "signal", "corkboard")
SAMPLE = ("jobs-apply-for-me", "jobs-nearest", "jobs-switch", "jobs-wall")


def visitor(town: Town, app: App, skin: str = "signal") -> Caller:
    return Caller(app, town.open(Setting({SITE: skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def job(town: Town, where: str = "closed = 0") -> dict[str, Scalar]:
    found = town.facts[SITE].execute(f"SELECT * FROM job WHERE {where} ORDER BY id").fetchone()
    return dict(found)


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_there(town: Town, app: App, skin: str) -> None:
    caller, some = visitor(town, app, skin), job(town)
    number = town.begin_rows("fairlead_application")[0]["number"]
    paths = (
        "/", "/jobs", "/jobs?q=nurse&sort=pay", "/employers", f"/employer/{some['employer']}", f"/job/{some['id']}",
        "/saved", "/applications", f"/application/{number}", "/profile", "/help",
    )  # fmt: skip
    for path in paths:
        page = caller.get(SITE, path)
        assert page.status == 200, path
        assert "built-in method" not in page.text
    text = caller.get(SITE, f"/job/{some['id']}").text
    assert pay_text(some) in text  # type: ignore[arg-type]
    assert str(some["req"]) in text
    for path in ("/job/1", "/employer/nobody", "/application/FL0", "/jobs?page=99"):
        assert caller.get(SITE, path).status == 404


def test_filters_narrow_and_orders_hold(town: Town) -> None:
    def found(**asked: object) -> list[dict[str, Scalar]]:
        hits = every_hit(town.world, town.facts[SITE], JobQuery(**asked))  # type: ignore[arg-type]
        return [dict(hit.job) for hit in hits]

    every = found()
    assert len(every) == town.facts[SITE].execute("SELECT count(*) FROM job WHERE closed = 0").fetchone()[0]
    assert [row["posted"] for row in every] == sorted((row["posted"] for row in every), reverse=True)  # type: ignore[type-var]
    paid = [row["yearly"] for row in found(sort="pay")]
    assert paid == sorted(paid, reverse=True)  # type: ignore[type-var]
    few = found(chosen={"field": ("Finance",), "mode": ("Remote",)}, pay="60")
    assert 0 < len(few) < len(every)
    assert {(row["field"], row["mode"]) for row in few} == {("Finance", "Remote")}
    assert all(int(str(row["yearly"])) >= 6_000_000 for row in few)


def test_hourly_pay_becomes_yearly_by_the_postings_own_hours(town: Town) -> None:
    for row in town.facts[SITE].execute("SELECT * FROM job WHERE unit = 'hour'"):
        assert row["yearly"] == round(row["low"] * row["hours"] * 52)


def test_distance_is_told_from_the_zip_code(town: Town) -> None:
    some = job(town)
    near = every_hit(town.world, town.facts[SITE], JobQuery(zip=str(some["zip"]), sort="near"))
    away = [hit.away for hit in near]
    assert away[0] == 0
    assert away == sorted(away, key=lambda miles: miles or 0)
    assert max(miles or 0 for miles in away) <= 25
    assert {hit.job["metro"] for hit in near} == {some["metro"]}


@pytest.mark.parametrize("skin", SKINS)
def test_an_application_goes_through_every_step_with_its_document(town: Town, app: App, skin: str) -> None:
    caller, some, who = visitor(town, app, skin), job(town), member(town.world)
    steps = town.sites[SITE].skin(skin).steps
    assert caller.post(SITE, f"/apply/start/{some['id']}").url.endswith(f"/apply/{steps[0]}")
    person = {name: who[name] for name in ("name", "email", "phone", "years", "licence", "latest", "starts")}
    for step in steps[:-1]:
        (draft,) = rows(town, caller, "fairlead_draft")
        assert draft["stage"] == step
        caller.post(SITE, "/apply/submit")
        assert not rows(town, caller, "fairlead_application")
        if step == "documents":
            assert "Upload your résumé" in caller.post(SITE, "/apply/documents").text
            caller.send(SITE, f"/apply/upload?name=../{RESUME}", (FILES / RESUME).read_bytes())
        caller.post(SITE, f"/apply/{step}", {"eligible": "Yes"} if step == "fit" else person)
    done = caller.post(SITE, "/apply/submit")
    (sent,) = rows(town, caller, "fairlead_application")
    assert (sent["name"], sent["job"], sent["resume"]) == (who["name"], some["id"], RESUME)
    assert sent["digest"] == sha256((FILES / RESUME).read_bytes()).hexdigest()
    assert done.url.endswith(f"/application/{sent['number']}")


def test_handing_a_document_over_is_personal(town: Town, app: App) -> None:
    caller = visitor(town, app)
    caller.post(SITE, f"/apply/start/{job(town)['id']}")
    caller.post(SITE, "/apply/fit", {"eligible": "Yes"})
    assert rows(town, caller, "fairlead_draft")[0]["touched"] == 0
    caller.send(SITE, "/apply/upload?name=a.pdf", b"%PDF")
    assert rows(town, caller, "fairlead_draft")[0]["touched"] == 1


def test_a_closed_posting_takes_nobody(town: Town, app: App) -> None:
    caller, shut = visitor(town, app), job(town, "closed = 1")
    assert caller.post(SITE, f"/apply/start/{shut['id']}").url.endswith(f"/job/{shut['id']}")
    assert rows(town, caller, "fairlead_draft") == []
    assert "has closed" in caller.get(SITE, f"/job/{shut['id']}").text
    assert f'/job/{shut["id"]}"' not in caller.get(SITE, f"/employer/{shut['employer']}").text


def test_what_is_kept_can_be_let_go(town: Town, app: App) -> None:
    caller, some = visitor(town, app), job(town)
    for kept in (1, 0):
        caller.post(SITE, "/saved", {"job": some["id"]})
        assert len(rows(town, caller, "fairlead_saved")) == kept
    caller.post(SITE, "/alerts", {"q": "nurse", "metro": "Boston", "often": "Never"})
    assert rows(town, caller, "fairlead_alert") == []


def test_the_tasks_documents_are_there() -> None:
    assert RESUME in {file.name for file in task_files()}
    assert len(task_files()) == 3
    assert all(file.path.startswith("sites/fairlead/") for file in task_files()), "nothing of this machine's folders"


def test_every_template_makes_sound_tasks(town: Town, app: App) -> None:
    """One task of each template; `workalike tasks town --check` goes through all of them."""
    for split, least in (("test", 14), ("train", 4)):
        names = {each.name for each in TEMPLATES if each.split == split}
        assert len(names) >= least
        drawn = draw_tasks(town, split, {"jobs": len(names)})  # type: ignore[arg-type]
        assert {each.key.extra["template"] for each in drawn} == names
        for each in drawn:
            assert check_task(town, app, each.key, judge).wrong == (), each.task.instruction


def test_tasks_demand_much_and_differ_in_structure(town: Town) -> None:
    drawn = draw_tasks(town, "test", {"jobs": 50})
    demands = {demand for each in drawn for demand in each.key.extra["demands"]}
    assert len(demands) >= 6
    structures = [each.key.extra["structure"] for each in drawn]
    assert max(structures.count(each) for each in structures) <= 6
    hard = [each for each in drawn if each.task.extra["level"] == "hard"]
    assert len(hard) >= 16
    assert all(len(each.key.plan["goals"]) >= 4 for each in hard)
    for each in drawn:
        assert not re.search(r"[{}]|  | ,", each.task.instruction), each.task.instruction


async def test_the_oracle_solves_a_sample(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(drawn)}
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE]) == {}
