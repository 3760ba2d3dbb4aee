"""What a hotel task comes down to, as plain data that requests, the oracle and near misses all go by."""

from __future__ import annotations

from datetime import date

import msgspec

from workalike.town.hotelkit.prices import Stay
from workalike.town.template import Plan


class Hunt(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a house is found when the task does not name it: filters by group and name, as parts of the query, and the
    order of the results; then it is the first."""

    filters: tuple[tuple[str, str, str, str], ...] = ()
    """Each a group, the label, the query's field and its value."""
    sort: str = "price"


class Room(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house at a site for a stay; with a room and a rate where it comes to those. An empty `arrive` means that no
    dates matter."""

    site: str
    slug: str
    name: str
    city: str
    arrive: str = ""
    depart: str = ""
    adults: int = 2
    children: int = 0
    rooms: int = 1
    room: str = ""
    room_name: str = ""
    rate: str = ""
    rate_name: str = ""
    extras: tuple[str, ...] = ()
    total: int = 0
    hunt: Hunt | None = None

    @property
    def stay(self) -> Stay:
        days = date.fromisoformat(self.arrive), date.fromisoformat(self.depart)
        return Stay(*days, self.adults, self.children, self.rooms)


class Held(msgspec.Struct, frozen=True):
    """A booking made earlier: to be found by its number and the guest's last name."""

    site: str
    number: str
    name: str


class StayPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything to be done, in this order: look at houses, save them, find and cancel a booking, begin a booking, end
    it; then say the answer. `wrong` are answers near the right one, by what is wrong with them; `touch` (personal data
    typed) and `stop_at_review` happen only in near misses; `walled` says that a wall ends it."""

    said: tuple[str, ...]
    looks: tuple[Room, ...] = ()
    saves: tuple[Room, ...] = ()
    find: Held | None = None
    cancel: bool = False
    book: Room | None = None
    persona: dict[str, str] = {}
    """Whose data to enter; without it the booking stops at the critical point."""
    arrival: str = ""
    wrong: dict[str, str] = {}
    touch: bool = False
    stop_at_review: bool = False
    walled: bool = False


def read_plan(plan: Plan) -> StayPlan:
    return msgspec.convert(plan, StayPlan)
