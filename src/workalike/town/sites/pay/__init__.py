"""Harborpay: the payment partner whose frame shops, airlines and hotels put into their checkouts."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from workalike.town.site import PageRoute, Site, Skin
from workalike.town.visit import PageVisit


def frame(visit: PageVisit) -> Response:
    """Fields for a card. Only the last four digits ever leave the frame, as a message to the page around it."""
    return visit.html("frame.html")


SITE = Site(
    name="pay",
    title="Harborpay",
    about="Payments for small companies.",
    folder=Path(__file__).parent,
    skins=(Skin("plain", "train"), Skin("rows", "test"), Skin("tight", "test", mess=("bare",))),
    pages=(PageRoute("/frame", frame),),
    listed=False,
)
