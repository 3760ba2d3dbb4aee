"""Tasks of the train split: other templates than those of the test split, on other skins."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer
from workalike.town.hotelkit.houses import CITIES
from workalike.town.hotelkit.listing import HotelQuery
from workalike.town.hotelkit.tasks.draws import draw_market, draw_room, slots, template
from workalike.town.hotelkit.tasks.goals import BookRoom, SaveHouse, SeeHouse
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import HotelHunt, Room, about, total_of
from workalike.town.persona import draw_persona
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def _asked(town: Town, house: Room, answer: ExpectedAnswer, field: str, near: dict[str, object]) -> TaskDraft:
    """A question about one thing that a house's page says."""
    return TaskDraft(
        (SeeHouse(house),),
        slots(house, town.world.today),
        (answer,),
        shown=((about(house, field),),),
        near={label: {answer.field: value} for label, value in near.items()},
    )


def check_in(town: Town, rng: Random) -> TaskDraft | None:
    """From when one can have the room."""
    market = draw_market(town, rng)
    row = market.house(rng)
    answer = ExpectedAnswer("check-in time", "time", row["check_in"])
    return _asked(town, room_of(market.site, row), answer, "check-in", {"the time of leaving": row["check_out"]})


def pets(town: Town, rng: Random) -> TaskDraft | None:
    market = draw_market(town, rng)
    row = market.house(rng)
    return _asked(
        town, room_of(market.site, row), ExpectedAnswer("pets", "yes_no", "not" not in row["pets"]), "pets", {}
    )


def parking(town: Town, rng: Random) -> TaskDraft | None:
    """What a space costs a night."""
    market = draw_market(town, rng)
    row = market.house(rng, "parking > 0 AND parking != breakfast")
    answer = ExpectedAnswer("price", "money", row["parking"])
    return _asked(town, room_of(market.site, row), answer, "parking", {"the breakfast's price": row["breakfast"]})


def saver_total(town: Town, rng: Random) -> TaskDraft | None:
    room = draw_room(town, rng, rates=("saver",))
    if room is None:
        return None
    return TaskDraft(
        (SeeHouse(room),),
        slots(room, town.world.today),
        (ExpectedAnswer("total", "money", room.total),),
        shown=((total_of(room),),),
        near={"off by some": {"total": room.total + 1200}},
    )


def save(town: Town, rng: Random) -> TaskDraft | None:
    market = draw_market(town, rng)
    house = room_of(market.site, market.house(rng))
    return TaskDraft((SaveHouse(house),), slots(house, town.world.today))


def best_rated(town: Town, rng: Random) -> TaskDraft | None:
    """The house of a city with so many stars that guests like best."""
    market, city, stars = Market(town, "stayward"), rng.choice(CITIES).name, rng.choice(("3", "4", "5"))
    stay = market.stay(rng)
    hits = [hit for hit in market.results(HotelQuery(city, stars=(stars,), sort="rating"), stay) if hit.offer]
    if len(hits) < 2 or hits[0].hotel["rating"] == hits[1].hotel["rating"]:
        return None
    hunt = HotelHunt((("Stars", f"{stars} stars", "stars", stars),), "rating")
    house = replace(room_of("stayward", hits[0].hotel, stay), hunt=hunt)
    answer = ExpectedAnswer("hotel", "name", house.name)
    draft = _asked(town, house, answer, "rating", {"the second": hits[1].hotel["name"]})
    return replace(draft, slots=draft.slots | {"stars": stars})


def book_any_rate(town: Town, rng: Random) -> TaskDraft | None:
    room = draw_room(town, rng, rates=("saver", "flex"))
    return TaskDraft((BookRoom(room),), slots(room, town.world.today)) if room else None


def book_own(town: Town, rng: Random) -> TaskDraft | None:
    """With leave."""
    room, who = draw_room(town, rng, rates=("saver", "flex", "breakfast")), draw_persona(rng)
    return TaskDraft((BookRoom(room, who),), slots(room, town.world.today), persona=who) if room else None


TEMPLATES = (
    template("train-check-in", "hotels", "easy", check_in, "train"),
    template("train-pets", "hotels", "easy", pets, "train"),
    template("train-parking", "hotels", "easy", parking, "train"),
    template("train-saver", "hotels", "easy", saver_total, "train"),
    template("train-save", "hotels", "easy", save, "train"),
    template("train-best-rated", "hotels", "medium", best_rated, "train"),
    template("train-book", "hotels", "medium", book_any_rate, "train"),
    template("train-book-own", "hotels", "hard", book_own, "train"),
)
