"""`town-extra`: the county's pages in all looks and languages, what is told by keyboard and to screen readers, and the
tasks, which stand outside `town@1`."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

import pytest

from tests.town.browser import chromium, roam, solve
from tests.town.test_check import one_of_each
from tests.town.test_oracle import solve_all
from workalike.core.actions import Click
from workalike.core.key import RowChange
from workalike.core.outcomes import solved
from workalike.core.task import Task
from workalike.runtime.serving import serving
from workalike.town.benchmark import MOST_ALIKE, Drawn
from workalike.town.caller import Caller
from workalike.town.check import check_tasks, perform
from workalike.town.extra import NAME, draw_extra, extra_town
from workalike.town.kit.goal import read_goals
from workalike.town.kit.input import KeyboardOnly
from workalike.town.kit.lines import right_ways
from workalike.town.render import CANARY
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites import EXTRA, NAMES, site_of
from workalike.town.sites.fernhall.pages import matching
from workalike.town.sites.fernhall.pictures import draw_notice
from workalike.town.sites.fernhall.tasks import COUNTS
from workalike.town.sites.fernhall.tasks.draws import ENGLISH, GERMAN, SPANISH
from workalike.town.sites.fernhall.world import HORIZON, free_days, open_hours
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify.state import judge

SITE = "fernhall"
SKINS = ("register", "plaza", "bulletin", "azulejo", "stube")
SAMPLE = ("county-keys-duty", "county-es-first-free", "county-de-stop", "county-nobody", "county-guided")
PATHS = ("/", "/access", "/doctors?specialty=eyes&from=station", "/services", "/collections?street=Ivy+Lane",
         "/pharmacies", "/appointments?number=FH1&name=x", "/booking/FH40617", "/nowhere")  # fmt: skip


@pytest.fixture(scope="module")
def wider() -> Town:
    return extra_town(World())


@pytest.fixture(scope="module")
def wider_app(wider: Town) -> App:
    return App(wider)


@pytest.fixture(scope="module")
def tasks(wider: Town) -> tuple[Drawn, ...]:
    return draw_extra(wider)


def guest(town: Town, app: App, skin: str = "plaza", *obstacles: str) -> Caller:
    return Caller(app, town.open(Setting({SITE: skin}, obstacles)).token)  # type: ignore[arg-type]


def a_doctor(town: Town) -> str:
    return str(town.facts[SITE].execute("SELECT slug FROM provider WHERE kind = 'doctor' ORDER BY id").fetchone()[0])


def test_the_town_itself_does_not_know_the_county(town: Town) -> None:
    assert set(EXTRA).isdisjoint(NAMES)
    assert SITE not in town.sites
    assert not any(table.name.startswith(SITE) for table in town.tables)


def test_there_are_enough_tasks_of_every_kind_and_level(tasks: tuple[Drawn, ...]) -> None:
    assert Counter(each.task.category for each in tasks) == COUNTS
    assert len(tasks) >= 60
    levels = Counter(each.key.extra["level"] for each in tasks)
    assert min(levels["easy"], levels["medium"], levels["hard"]) >= 12
    assert {each.task.benchmark for each in tasks} == {NAME}
    assert all(each.task.extra["canary"] == CANARY for each in tasks)
    assert max(Counter(each.key.extra["structure"] for each in tasks).values()) <= MOST_ALIKE
    hard = [each for each in tasks if each.key.extra["level"] == "hard"]
    assert all(len(each.key.plan["goals"]) >= 4 for each in hard)


def test_tasks_meet_pages_in_their_own_language(tasks: tuple[Drawn, ...]) -> None:
    skins = {"spanish": SPANISH.skins, "german": GERMAN.skins}
    for each in tasks:
        worn = each.key.setting["skins"][SITE]
        assert worn in skins.get(str(each.task.category), ENGLISH.skins), each.task.id
    worn_by = Counter(each.key.setting["skins"][SITE] for each in tasks)
    assert min(worn_by[name] for name in ("plaza", "bulletin", "azulejo", "stube")) >= 10


def test_a_form_names_its_fields_in_the_words_of_the_instruction(tasks: tuple[Drawn, ...]) -> None:
    def says(task: Task, name: str) -> bool:
        return name.lower() in task.instruction.lower()

    assert [each.task.id for each in tasks for field in each.task.form or () if not says(each.task, field.name)] == []


def test_every_task_is_sound(wider: Town, tasks: tuple[Drawn, ...]) -> None:
    found = list(check_tasks(wider, tasks, judge))
    assert {each.task_id: each.wrong for each in found if each.wrong} == {}
    assert sum(each.chance for each in found) == 0
    assert sum(each.accepted for each in found) >= 800
    assert sum(each.rejected for each in found) >= 2400


def test_idleness_fails_on_every_task(tasks: tuple[Drawn, ...]) -> None:
    for each in tasks:
        for said in ("", *right_ways(each.key.evaluators[0])):
            assert judge(each.key, (), said).outcome == "failure", (each.task.id, said)


def test_drawing_again_gives_the_same(wider: Town, tasks: tuple[Drawn, ...]) -> None:
    assert draw_extra(wider) == tasks


def test_training_has_other_people_and_another_look(wider: Town) -> None:
    train = extra_town(World().of("train"))
    drawn = draw_extra(train)
    assert {each.key.setting["skins"][SITE] for each in drawn} == {"register"}
    names = "SELECT name FROM place WHERE kind != 'office' UNION SELECT name FROM provider WHERE kind = 'doctor'"
    test, other = ({row[0] for row in each.facts[SITE].execute(names)} for each in (wider, train))
    assert test.isdisjoint(other)
    found = list(check_tasks(train, drawn, judge))
    assert {each.task_id: each.wrong for each in found if each.wrong} == {}


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_drawn_in_every_look(wider: Town, wider_app: App, skin: str) -> None:
    caller = guest(wider, wider_app, skin)
    doctor = a_doctor(wider)
    for path in (*PATHS, f"/doctor/{doctor}", "/service/library-town-hall"):
        reply = caller.get(SITE, path)
        assert reply.status in (200, 404), path
        words = site_of(SITE).skin(skin).words
        assert f'<html lang="{words["lang"]}">' in reply.text
        assert "None" not in reply.text


@pytest.mark.parametrize("skin", ["azulejo", "stube"])
def test_nothing_english_is_left_on_pages_in_other_languages(wider: Town, wider_app: App, skin: str) -> None:
    """Words that every English page would have, banners and failures included."""
    caller = guest(wider, wider_app, skin, "cookies", "newsletter", "error-once")
    told = " ".join(caller.get(SITE, path).text for path in (*PATHS, f"/doctor/{a_doctor(wider)}"))
    text = re.sub(r"<[^>]*>", " ", told)
    english = re.findall(r"\b(?:the|and|we|your|with|try again|sign me up|monday|closed)\b", text.lower())
    assert english == []


def test_all_languages_have_the_same_words() -> None:
    skins = {name: set(site_of(SITE).skin(name).words) for name in ("register", "azulejo", "stube")}
    assert skins["azulejo"] == skins["stube"]
    assert skins["register"] <= skins["azulejo"]


def test_a_search_narrows_and_sorts(wider: Town) -> None:
    facts = wider.facts[SITE]
    everybody = matching(facts, {})
    some = matching(facts, {"specialty": "eyes", "tongue": "german", "accepts": "1"})
    assert 0 < len(some) < len(everybody)
    assert all("german" in row["tongues"] and row["accepts"] for row in some)
    near = matching(facts, {"specialty": "eyes", "from": "market"})
    assert [row["slug"] for row in near] != [row["slug"] for row in matching(facts, {"specialty": "eyes"})]


def test_free_times_lie_within_hours_and_the_horizon(wider: Town) -> None:
    today = wider.world.today
    for row in wider.facts[SITE].execute("SELECT * FROM provider").fetchall():
        hours = open_hours(row["hours"])
        for day, times in free_days(wider.world, row, today):
            opened = hours[("mon", "tue", "wed", "thu", "fri", "sat", "sun")[day.weekday()]]
            assert all(opened[0] <= time < opened[1] for time in times)
            assert today < day <= today + timedelta(HORIZON)


def test_a_time_that_is_not_free_is_not_booked(wider: Town, wider_app: App) -> None:
    caller, doctor = guest(wider, wider_app), a_doctor(wider)
    for slot in ("", "2026-05-05T03:00", "nonsense", "2030-01-01T09:00"):
        reply = caller.post(SITE, f"/start/{doctor}", {"slot": slot})
        assert "Please choose a free time." in reply.text
    assert not [change for change in wider.changes(caller.token) if change.table == "fernhall_draft"]


def test_what_is_missing_is_said_in_the_look_s_language(wider: Town, wider_app: App) -> None:
    caller, doctor = guest(wider, wider_app, "stube"), a_doctor(wider)
    row = wider.facts[SITE].execute("SELECT * FROM provider WHERE slug = ?", (doctor,)).fetchone()
    day, times = free_days(wider.world, row, wider.world.today)[0]
    caller.post(SITE, f"/start/{doctor}", {"slot": f"{day.isoformat()}T{times[0]}"})
    assert "Bitte wählen Sie etwas aus." in caller.post(SITE, "/book/reason", {}).text
    caller.post(SITE, "/book/reason", {"reason": "first"})
    assert "Bitte eine Telefonnummer eingeben." in caller.post(SITE, "/book/person", {"name": "A B"}).text


def test_the_notice_is_a_picture_and_nothing_else(wider: Town, wider_app: App) -> None:
    caller, doctor = guest(wider, wider_app), a_doctor(wider)
    page = caller.get(SITE, f"/doctor/{doctor}").text
    picture = re.search(r'<img src="(/notice/[^"]+)"([^>]*)>', page)
    assert picture is not None
    assert "alt=" not in picture[2]
    reply = caller.get(SITE, picture[1])
    assert reply.headers["content-type"] == "image/png"
    assert reply.body.startswith(b"\x89PNG")
    assert any(shown.field == "notice" for shown in wider.shown(caller.token))
    assert draw_notice(["One", "two"]) != draw_notice(["One", "three"])


def test_who_clicks_has_not_used_the_keyboard_alone(wider: Town, wider_app: App, tasks: tuple[Drawn, ...]) -> None:
    """Everything else is right: the rows, what was shown and the answer's line."""
    each = next(each for each in tasks if each.key.extra["template"] == "county-keys-book-first")
    done = perform(wider, wider_app, each.key, read_goals(each.key.plan["goals"]))
    line = str(each.key.plan["line"])
    assert judge(each.key, done.changes, line, done.shown).outcome == "success"
    clicked = (*done.changes, RowChange("fernhall_pointer", after={"id": 1, "path": "/"}))
    assert judge(each.key, clicked, line, done.shown).outcome == "failure"
    plain = next(each for each in tasks if each.key.extra["template"] == "county-book-best")
    done = perform(wider, wider_app, plain.key, read_goals(plain.key.plan["goals"]))
    clicked = (*done.changes, RowChange("fernhall_pointer", after={"id": 1, "path": "/"}))
    assert judge(plain.key, clicked, str(plain.key.plan["line"]), done.shown).outcome == "success"


def test_tasks_by_keyboard_begin_where_clicks_are_noticed(tasks: tuple[Drawn, ...]) -> None:
    for each in tasks:
        goals = read_goals(each.key.plan["goals"])
        if any(isinstance(goal, KeyboardOnly) for goal in goals):
            assert each.task.start_url == f"http://{SITE}.town.localhost/"


async def test_the_oracle_solves_a_sample(wider: Town, wider_app: App, tasks: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(tasks)}
    assert await solve_all(wider, wider_app, [by_template[name] for name in SAMPLE]) == {}


async def test_pages_notice_a_click_and_no_key(wider: Town, wider_app: App, tasks: tuple[Drawn, ...]) -> None:
    """The same errand twice in a real browser: by keyboard, which leaves no trace of a pointer, and by mouse."""
    by_template = {each.key.extra["template"]: each for each in reversed(tasks)}
    async with serving(wider_app) as port, chromium(port) as web:
        keyed, _, past = await solve(wider, web, by_template["county-keys-duty"])
        clicked, _, _ = await solve(wider, web, by_template["county-duty"])
    assert not any(isinstance(step.action, Click) for step in past)
    assert not any(change.table == "fernhall_pointer" for change in keyed.changes)
    assert any(change.table == "fernhall_pointer" for change in clicked.changes)


@pytest.mark.sweep
@pytest.mark.parametrize("split", ["test", "train"])
async def test_the_oracle_solves_every_task(split: str) -> None:
    town = extra_town(World().of(split))  # type: ignore[arg-type]
    assert await solve_all(town, App(town), draw_extra(town)) == {}


@pytest.mark.sweep
async def test_an_agent_at_random_passes_nothing(wider: Town, wider_app: App, tasks: tuple[Drawn, ...]) -> None:
    passed = []
    async with serving(wider_app) as port, chromium(port) as web:
        for each in one_of_each(tasks):
            left, answer = await roam(wider, web, each)
            verdict = judge(each.key, left.changes, answer, left.shown)
            passed += [each.task.id] if solved(verdict.outcome, NAME, each.key.reports) else []
    assert passed == []


def test_dates_of_tasks_lie_ahead(wider: Town, tasks: tuple[Drawn, ...]) -> None:
    told = [str(each.value) for drawn in tasks for way in drawn.key.evaluators for each in way.answers
            if each.kind == "date"]  # fmt: skip
    assert told
    assert all(date.fromisoformat(day) > wider.world.today for day in told)
