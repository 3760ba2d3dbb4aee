"""People of the world that articles, stories and postings tell about: another world has others, and those of the other
split share no name with them."""

from __future__ import annotations

from typing import Literal

from workalike.town.world import Chance

_FIRST = (
    "Adela", "Bastian", "Corinne", "Dmitri", "Elowen", "Fabian", "Gwendolyn", "Hollis", "Isolde", "Jareth", "Katya",
    "Leopold", "Mirela", "Niels", "Odette", "Percival", "Quentin", "Rosalind", "Sander", "Tamsin", "Ulrich", "Viola",
    "Wendell", "Xenia", "Yusuf", "Zelda", "Anselm", "Brigid", "Caspian", "Delphine", "Agatha", "Boris", "Cecily",
    "Dorian", "Edith", "Florian", "Gideon", "Henrike", "Ivo", "Josefa", "Kasimir", "Lavinia", "Magnus", "Nadia",
    "Orson", "Petra", "Roland", "Sidonie", "Tobias", "Ursula", "Valentin", "Winifred", "Ximena", "Yvette", "Zoltan",
    "Alban", "Beatrix", "Cosmo", "Dagmar", "Evander",
)  # fmt: skip
_LAST = (
    "Abernathy", "Brightmore", "Castellan", "Drummond", "Eastlake", "Farrow", "Goodwin", "Hollander", "Ibsen",
    "Jarvis", "Kettering", "Lovelace", "Merriweather", "Nightingale", "Ormond", "Peverell", "Quarles", "Ravenel",
    "Sorensen", "Thackeray", "Underhill", "Vandermeer", "Wetherby", "Yardley", "Zimmer", "Ashdown", "Blackwood",
    "Crane", "Dashwood", "Ellery", "Fitzroy", "Garrick", "Hathaway", "Inglewood", "Jellicoe", "Kingsley", "Lockhart",
    "Montrose", "Norwood", "Oakley", "Prescott", "Quigley", "Rutherford", "Sinclair", "Tremaine", "Upton", "Valence",
    "Wolcott", "Yates", "Zeller", "Armitage", "Bellamy", "Carmody", "Davenport", "Easterly", "Fairfax", "Gresham",
    "Holloway", "Ivory", "Jessop",
)  # fmt: skip
Circle = Literal["makers", "employers", "press"]
_CIRCLES: tuple[Circle, ...] = ("makers", "employers", "press")


def draw_names(rng: Chance, count: int, circle: Circle) -> list[str]:
    """So many people, no two of one name, and none that also occurs in another circle."""
    lasts = rng.share(_LAST)[_CIRCLES.index(circle) :: len(_CIRCLES)]
    pairs = [(first, last) for first in rng.share(_FIRST) for last in lasts]
    return [f"{first} {last}" for first, last in rng.sample(pairs, count)]
