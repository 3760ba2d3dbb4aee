"""What the oracle sees: one observation and what went before, with the few questions and moves oracles are written in.

A move returns the next action, or None when there is nothing left to do for it; so an oracle reads as a chain:

    return (
        look.clear()
        or look.enter("marlow")
        or look.fill(("searchbox", "textbox"), "Search", plan["query"])
        or look.click("button", "Add to cart")
    )
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from urllib.parse import urlsplit

import msgspec

from workalike.core.actions import Action, Click, Hotkey, Press, Scroll, SwitchTab, Visit, Wait, Write
from workalike.core.errors import AgentFailed
from workalike.core.observation import Element, Observation
from workalike.town.mess import icon_of
from workalike.town.site import DOMAIN, Skin

Roles = str | tuple[str, ...]
Name = str | re.Pattern[str]
FIELDS = ("textbox", "searchbox", "combobox", "spinbutton", "password")
CLOSERS = re.compile(
    r"^(×|\uf00d|accept all|accept cookies|only necessary|no thanks|close|dismiss|maybe later|not now"
    r"|continue without .*|aceptar todas|solo las necesarias|no, gracias|cerrar"
    r"|alle akzeptieren|nur notwendige|nein, danke|schließen)$",
    re.IGNORECASE,
)
AGAIN = re.compile(r"^(try again|intentar de nuevo|erneut versuchen)$", re.IGNORECASE)
"""What is pressed on a page that failed; like what closes banners, in every language that a site speaks."""
STRIP = "Find out more"
"""The link in a strip that comes in late."""
PATIENT = 15
PATIENCE = 60
PAUSE = 0.2


class Past(msgspec.Struct, frozen=True):
    """One earlier step: what was seen and what was done."""

    observation: Observation
    action: Action


class OracleView:
    """One observation with its past. Everything here is a pure function of the two."""

    def __init__(
        self, observation: Observation, past: Sequence[Past] = (), skins: Mapping[str, str] | None = None
    ) -> None:
        self.observation, self.past, self.skins = observation, tuple(past), skins or {}
        self.elements = observation.elements or ()

    def word(self, site: str, name: str) -> str:
        """What the skin in force calls something: its word for the button that adds to the cart, say."""
        return self.words(site)[name]

    def words(self, site: str) -> dict[str, str]:
        """All words of the skin in force."""
        return self._skin(site).words

    def _skin(self, site: str) -> Skin:
        from workalike.town.sites import site_of

        found = site_of(site)
        return found.skin(self.skins[site]) if site in self.skins else found.skins[0]

    # What is there

    @property
    def url(self) -> str:
        return self.observation.url or ""

    @property
    def site(self) -> str:
        """The name of the site in front, or nothing."""
        host = urlsplit(self.url).hostname or ""
        return host.removesuffix("." + DOMAIN) if host.endswith("." + DOMAIN) else ""

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    def at(self, site: str, path: str = "") -> bool:
        """Whether the page in front is of a site, with a path that matches a regular expression from its start."""
        return self.site == site and re.match(path, self.path) is not None

    def find(self, roles: Roles, name: Name) -> Element | None:
        """The first element of a role whose name is this (whatever its case), or matches the pattern."""
        return next(iter(self.all(roles, name)), None)

    def all(self, roles: Roles, name: Name) -> list[Element]:
        wanted = (roles,) if isinstance(roles, str) else roles
        return [each for each in self.elements if each.role in wanted and _named(each, name) and _in_view(each)]

    @property
    def last(self) -> Action | None:
        return self.past[-1].action if self.past else None

    @property
    def seen(self) -> tuple[Observation, ...]:
        """Everything seen so far, this sight last."""
        return (*(past.observation for past in self.past), self.observation)

    def was_at(self, site: str, pattern: str) -> bool:
        """Whether an address of a site was seen whose path and query match a regular expression from the start."""
        prefix = re.compile(rf"http://{re.escape(site)}\.{re.escape(DOMAIN)}(?::\d+)?{pattern}")
        return any(prefix.match(each.url or "") for each in self.seen)

    def went(self, site: str, first: str, then: str) -> bool:
        """Whether a page of a site was seen after another, by the beginnings of their paths."""
        paths = [view.path for each in self.seen if (view := OracleView(each)).site == site]
        begun = next((at for at, path in enumerate(paths) if re.match(first, path)), None)
        return begun is not None and any(re.match(then, path) for path in paths[begun:])

    def clicked(self, roles: Roles, name: Name, site: str = "", path: str = "") -> bool:
        """Whether an element of that name was clicked before, on a page like that."""
        for past in self.past:
            then = OracleView(past.observation)
            if isinstance(past.action, Click) and past.action.at and (not site or then.at(site, path)):
                at = past.action.at
                if any(each.box and each.box.contains(at) for each in then.all(roles, name)):
                    return True
        return False

    # Moves

    def clear(self) -> Action | None:
        """Close what lies over the page: a dialog (which file to take is a goal's own to say), banners, pop-ups, a page
        that failed."""
        if self.observation.dialog is not None and self.observation.dialog.kind != "file":
            return Press(("escape",))
        again = self.find(("button", "link"), AGAIN)
        closer = self.find(("button", "link"), CLOSERS)
        found = again or closer
        return self.hit(found) if found else None

    def steady(self) -> Action | None:
        """Where a strip comes in late and moves the page, wait for it, as who has been there before would. It stands at
        the top: who is further down is past it. Where nobody knows, pages report it by themselves, and it may have come
        after whoever asks has looked: one sight of it on this very page is enough there, but not the last."""
        if not self.site or "shift" not in self._skin(self.site).mess:
            return None
        here = list(takewhile(lambda each: each.url == self.url, reversed(self.seen)))
        beyond = self.observation.beyond
        told = [each for each in here[1:] if each.time == self.observation.time]
        looked = here[:1] if beyond is not None else told
        moved = any(OracleView(each).find("link", STRIP) for each in looked)
        past = moved or len(here) > PATIENT or (beyond is not None and beyond.above > 0)
        return None if past else Wait(PAUSE)

    def enter(self, site: str, url: str | None = None) -> Action | None:
        """Be at a site: by its tab when one is open, by its address otherwise."""
        if self.site == site:
            return None
        for index, tab in enumerate(self.observation.tabs):
            if not tab.active and (urlsplit(tab.url).hostname or "") == f"{site}.{DOMAIN}":
                return SwitchTab(index)
        return Visit(url or f"http://{site}.{DOMAIN}/")

    def hit(self, element: Element, count: int = 1) -> Action:
        """Click the middle of an element; after a scroll, first look again, since pages go on moving for a moment."""
        assert element.box is not None
        return Wait(PAUSE) if isinstance(self.last, Scroll) else Click(element.box.centre, count=count)

    def click(self, roles: Roles, name: Name, up: bool = False) -> Action:
        """Click an element, scrolling until it is in view; `up` says that it stands at the top of the page."""
        found = self.find(roles, name)
        return self.hit(found) if found else self.seek(f"{roles} {name}", up)

    def fill(self, roles: Roles, name: Name, text: str, up: bool = False) -> Action | None:
        """Have a text stand in a field: click it, select what is there, write over it."""
        field = self.find(roles, name)
        if field is None:
            return self.seek(f"{roles} {name}", up)
        if (field.value or "") == text or (field.role == "password" and "filled" in field.states):
            return None
        if isinstance(self.last, Hotkey) and self._clicked_before(field, 2):
            return Write(text) if text else Press(("backspace",))
        if self._clicked_before(field, 1):
            return Hotkey(("ctrl", "a")) if field.value else Write(text)
        return self.hit(field)

    def tick(self, roles: Roles, name: Name) -> Action | None:
        """Have a box ticked, a radio or tab chosen."""
        found = self.find(roles, name)
        if found and {"checked", "selected", "pressed"} & set(found.states):
            return None
        return self.hit(found) if found else self.seek(f"{roles} {name}")

    def pick(self, name: Name, option: str) -> Action | None:
        """Have an option of a drop-down chosen: open it, click the option; where its list doesn't show, type it."""
        field = self.find(("combobox", "listbox"), name)
        if field is None:
            return self.seek(f"drop-down {name}")
        if (field.value or "") == option:
            return None
        row = self.find("option", option)
        if row is not None:
            return self.hit(row)
        if isinstance(self.last, Write) and self.last.text == option:
            return Press(("enter",))
        return Write(option) if self._clicked_before(field, 1) else self.hit(field)

    def seek(self, what: str, up: bool = False) -> Action:
        """Scroll on for something not in view: to one end of the page, then from the other end back."""
        scrolls = self._run_of((Scroll, Wait))
        if len(scrolls) > PATIENCE:
            raise AgentFailed(f"the oracle cannot find {what} on {self.url}")
        if not scrolls:
            return Wait(0)
        way = -1 if up else 1
        before = [past.observation for past in scrolls if isinstance(past.action, Scroll)]
        if not before or not _same_sight(before[-1], self.observation):
            return Scroll(dy=4 * way)
        return Wait(PAUSE) if isinstance(self.last, Scroll) else Scroll(dy=-100 * way)

    def _run_of(self, kinds: tuple[type, ...]) -> list[Past]:
        """The latest steps that were all of these kinds."""
        run: list[Past] = []
        for past in reversed(self.past):
            if not isinstance(past.action, kinds):
                break
            run.insert(0, past)
        return run

    def _clicked_before(self, field: Element, steps: int) -> bool:
        if len(self.past) < steps or field.box is None:
            return False
        action = self.past[-steps].action
        return isinstance(action, Click) and action.at is not None and field.box.contains(action.at)


def _named(element: Element, name: Name) -> bool:
    """Whether an element is called so, or shows the sign that stands for the name on a messy page."""
    if isinstance(name, str):
        return element.name.strip().casefold() in (name.strip().casefold(), icon_of(name))
    return name.search(element.name) is not None


def _in_view(element: Element) -> bool:
    return element.box is not None and element.box.centre.on_screen and element.box.width > 0


def _same_sight(before: Observation, after: Observation) -> bool:
    return before.url == after.url and before.elements == after.elements
