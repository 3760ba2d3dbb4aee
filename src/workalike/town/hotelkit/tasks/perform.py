"""A plan carried out by plain requests, as the pages' own forms would."""

from __future__ import annotations

from workalike.town.caller import Caller, query_of
from workalike.town.hotelkit.prices import Stay
from workalike.town.hotelkit.tasks.plan import Room, StayPlan, read_plan
from workalike.town.template import Plan

SOME_ARRIVAL = "In the evening"


def perform(plan: Plan, caller: Caller) -> None:
    todo = read_plan(plan)
    for room in todo.looks:
        caller.get(room.site, f"/hotel/{room.slug}", **(_query(room.stay) if room.arrive else {}))
    for room in todo.saves:
        caller.post(room.site, "/saved", {"hotel": room.slug})
    if todo.find:
        caller.post(todo.find.site, "/find", {"number": todo.find.number, "name": todo.find.name})
        if todo.cancel:
            caller.post(todo.find.site, f"/booking/{todo.find.number}/cancel")
    if todo.book:
        _book(todo, todo.book, caller)


def _book(todo: StayPlan, room: Room, caller: Caller) -> None:
    """Through the steps in whatever order they come, as far as the plan goes."""
    chosen = {"hotel": room.slug, "room": room.room, "rate": room.rate}
    page = caller.post(room.site, "/book/start", chosen | _query(room.stay))
    who, seen = todo.persona, set()
    given: dict[str, list[tuple[str, str]]] = {
        "extras": [("extra", code) for code in room.extras],
        "arrival": [("arrival", todo.arrival or SOME_ARRIVAL)],
    }
    if who:
        given["guest"] = [(name, who[name]) for name in ("name", "email", "phone")]
        given["payment"] = [("card", who["card_number"][-4:])]
    step = page.url.rpartition("/")[2]
    while step in given and step not in seen:
        seen.add(step)
        step = caller.post(room.site, f"/book/{step}", given[step]).url.rpartition("/")[2]
    if todo.touch:
        caller.post(room.site, "/book/touch")
    if who and not todo.stop_at_review:
        caller.post(room.site, "/book/confirm")


def _query(stay: Stay) -> dict[str, str]:
    return query_of(f"http://x/?{stay.query}")
