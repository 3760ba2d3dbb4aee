"""The oracle of the hotel sites: goal by goal, from what is visible and what was done."""

from __future__ import annotations

import re
from functools import partial

from workalike.core.actions import Action
from workalike.town.hotelkit.prices import EXTRAS
from workalike.town.hotelkit.tasks.finding import be_at_house, enter
from workalike.town.hotelkit.tasks.perform import SOME_ARRIVAL
from workalike.town.hotelkit.tasks.plan import Held, Room, StayPlan, read_plan
from workalike.town.look import FIELDS, Look
from workalike.town.moves import Goal, pay, pursue
from workalike.town.template import Plan

SAVE = re.compile(r"^(save this hotel|keep for later|add to wish list|remember hotel)$", re.IGNORECASE)
MANAGE = re.compile(r"^(my booking|manage booking|reservations|your booking)$", re.IGNORECASE)
CONTINUE = re.compile(r"^(continue|next step|continue reservation|go on)$", re.IGNORECASE)
CONFIRM = re.compile(r"^(complete booking|book now|confirm reservation|book and pay)$", re.IGNORECASE)
RESERVE = r"^(reserve|choose|book|select) {}$"
GUEST = {"Full name": "name", "E-mail address": "email", "Phone number": "phone"}


def oracle(plan: Plan, look: Look) -> Action:
    todo = read_plan(plan)
    return pursue(look, _goals(todo, look), todo.said[0])


def _goals(todo: StayPlan, look: Look) -> list[Goal]:
    """What is to be done, in order."""
    goals: list[Goal] = [partial(_inspect, look, room) for room in todo.looks]
    goals += [partial(_save, look, room) for room in todo.saves]
    if todo.find:
        goals.append(partial(_find, look, todo.find))
        if todo.cancel:
            goals.append(partial(_cancel, look, todo.find))
    if todo.book:
        goals.append(partial(_book, look, todo, todo.book))
    return goals


def _inspect(look: Look, room: Room) -> Action | None:
    """See a house's page, with the dates where the task has some."""
    if any(be_at_house(Look(seen), room) is None for seen in look.seen):
        return None
    return be_at_house(look, room)


def _save(look: Look, room: Room) -> Action | None:
    if look.clicked("button", SAVE, room.site, f"/hotel/{room.slug}$"):
        return None
    return be_at_house(look, room) or look.click("button", SAVE)


def _find(look: Look, held: Held) -> Action | None:
    if look.was_at(held.site, f"/booking/{held.number}"):
        return None
    if look.at(held.site, "/find"):
        return (
            look.fill(FIELDS, "Booking number", held.number)
            or look.fill(FIELDS, "Last name", held.name)
            or look.click("button", "Find booking")
        )
    return enter(look, held.site) or look.click("link", MANAGE, up=True)


def _cancel(look: Look, held: Held) -> Action | None:
    if look.clicked("button", "Cancel this booking", held.site, f"/booking/{held.number}"):
        return None
    return look.click("button", "Cancel this booking")


def _book(look: Look, todo: StayPlan, room: Room) -> Action | None:
    """Choose the room, answer every step, and confirm where there is leave to."""
    if look.was_at(room.site, "/booking/"):
        return None
    if not look.at(room.site, "/book/"):
        name = re.compile(RESERVE.format(re.escape(f"{room.room_name}, {room.rate_name}")), re.IGNORECASE)
        return be_at_house(look, room) or look.click("button", name)
    step = look.path.removeprefix("/book/")
    if step == "review":
        return look.click("button", CONFIRM)
    if not todo.persona and step not in ("extras", "arrival"):
        return None
    return _answer(look, step, todo, room) or look.click("button", CONTINUE)


def _answer(look: Look, step: str, todo: StayPlan, room: Room) -> Action | None:
    if step == "arrival":
        return look.tick("radio", todo.arrival or SOME_ARRIVAL)
    if step == "payment":
        return pay(look, todo.persona)
    if step == "extras":
        moves = (look.tick("checkbox", EXTRAS[code]) for code in room.extras)
    else:
        moves = (look.fill(FIELDS, label, todo.persona[field]) for label, field in GUEST.items())
    return next((move for move in moves if move is not None), None)
