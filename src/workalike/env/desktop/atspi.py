"""The accessibility bus: one question to one object of a program, bounded in time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Any

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from workalike.core.errors import Infrastructure
from workalike.core.recording import TreeNode

Reference = tuple[str, str]
Rectangle = tuple[int, int, int, int]

ACCESSIBLE, COMPONENT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component"
PROPERTIES = "org.freedesktop.DBus.Properties"
_STATUS: Reference = ("org.a11y.Bus", "/org/a11y/bus")
_BUS: Reference = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
_STATES = (
    *("invalid", "active", "armed", "busy", "checked", "collapsed", "defunct", "editable", "enabled"),
    *(
        "expandable",
        "expanded",
        "focusable",
        "focused",
        "has-tooltip",
        "horizontal",
        "iconified",
        "modal",
        "multi-line",
    ),
    *(
        "multiselectable",
        "opaque",
        "pressed",
        "resizable",
        "selectable",
        "selected",
        "sensitive",
        "showing",
        "single-line",
    ),
    *(
        "stale",
        "transient",
        "vertical",
        "visible",
        "manages-descendants",
        "indeterminate",
        "required",
        "truncated",
        "animated",
    ),
    *(
        "invalid-entry",
        "supports-autocompletion",
        "selectable-text",
        "is-default",
        "visited",
        "checkable",
        "has-popup",
        "read-only",
    ),
)
# Nearly every node has these, so that they would only fill the file.
_COMMON = {"enabled", "sensitive", "showing", "visible", "focusable", "opaque", "resizable", "horizontal", "vertical"}
_TEXT_ROLES = {"text", "entry", "paragraph", "document text", "spin button", "table cell", "heading", "password text"}
_TEXT_MOST = 200

PASSWORD = "password text"
ANSWER_WITHIN = 0.5
# A socket takes in a few hundred messages that nobody has read; the one after them would end the connection.
MOST_AT_ONCE = 32


class NoAnswer(Exception):
    """A program did not answer, or answered with an error."""


class AccessibilityBus:
    """A connection to the accessibility bus of a session."""

    def __init__(self, session: MessageBus, bus: MessageBus) -> None:
        self._session, self._bus = session, bus
        self._pids: dict[str, int] = {}
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)
        self._enabled = False

    @staticmethod
    async def connect(address: str | None = None) -> AccessibilityBus:
        """Join the bus of the session at an address; None is the user's own."""
        address = address or os.environ.get("DBUS_SESSION_BUS_ADDRESS")
        if not address and not os.environ.get("XDG_RUNTIME_DIR"):
            raise Infrastructure("there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        try:
            async with asyncio.timeout(5):
                session = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
                reply = await session.call(_message(_STATUS, "org.a11y.Bus", "GetAddress"))
                if reply is None or reply.message_type is not MessageType.METHOD_RETURN:
                    raise Infrastructure("the session has no accessibility bus: install at-spi2-core")
                bus = await MessageBus(bus_address=reply.body[0]).connect()
        except (OSError, TimeoutError, EOFError) as error:
            raise Infrastructure(f"the accessibility bus cannot be reached: {error!r}") from error
        return AccessibilityBus(session, bus)

    async def enable(self) -> None:
        """Tell the session's programs that somebody listens; some say nothing otherwise. `close` takes it back."""
        was = await self._session.call(_message(_STATUS, PROPERTIES, "Get", "ss", ["org.a11y.Status", "IsEnabled"]))
        if was is not None and was.body and getattr(was.body[0], "value", None) is False:
            await self._set_enabled(True)
            self._enabled = True

    async def close(self) -> None:
        try:
            if self._enabled:
                await self._set_enabled(False)
        except (OSError, EOFError, TimeoutError):
            pass  # the session is gone, and with it the setting
        for bus in (self._bus, self._session):
            bus.disconnect()

    async def _set_enabled(self, on: bool) -> None:
        body = ["org.a11y.Status", "IsEnabled", Variant("b", on)]
        async with asyncio.timeout(ANSWER_WITHIN):
            await self._session.call(_message(_STATUS, PROPERTIES, "Set", "ssv", body))

    async def listen(self, where: str, hear: Callable[[Message], None]) -> None:
        """Hear the signals that a rule of the bus selects; whoever hears gets those of other rules, too."""
        self._bus.remove_message_handler(hear)
        self._bus.add_message_handler(hear)
        await self.call(_BUS, "org.freedesktop.DBus", "AddMatch", "s", [f"type='signal',{where}"])

    async def describe(self, reference: Reference) -> TreeNode | None:
        """One node without its children; None when it is gone."""
        try:
            (role,), states = await asyncio.gather(
                self.call(reference, ACCESSIBLE, "GetRoleName"), self.states(reference)
            )
        except NoAnswer:
            return None
        name, box, value = await asyncio.gather(
            self.property(reference, "Name"), self.box(reference), self._value(reference, str(role))
        )
        kept = tuple(state for state in states if state not in _COMMON)
        return TreeNode(str(role), str(name or "").strip(), box, value, kept)

    async def pid(self, name: str) -> int:
        if name not in self._pids:
            (pid,) = await self.call(_BUS, "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", [name])
            self._pids[name] = int(pid)
        return self._pids[name]

    async def states(self, reference: Reference) -> tuple[str, ...]:
        (words,) = await self.call(reference, ACCESSIBLE, "GetState")
        bits = words[0] | (words[1] << 32 if len(words) > 1 else 0)
        return tuple(name for bit, name in enumerate(_STATES) if bits >> bit & 1)

    async def box(self, reference: Reference) -> Rectangle | None:
        try:
            (box,) = await self.call(reference, COMPONENT, "GetExtents", "u", [0])
        except NoAnswer:
            return None
        x, y, width, height = box
        return (x, y, width, height) if width > 0 and height > 0 and x > -(2**31) and y > -(2**31) else None

    async def _value(self, reference: Reference, role: str) -> str | None:
        """The text a node holds; that of a password field is not even asked for."""
        if role not in _TEXT_ROLES or role == PASSWORD:
            return None
        try:
            (text,) = await self.call(reference, "org.a11y.atspi.Text", "GetText", "ii", [0, _TEXT_MOST])
        except NoAnswer:
            return None
        return str(text)

    async def property(self, reference: Reference, name: str) -> object:
        try:
            (value,) = await self.call(reference, PROPERTIES, "Get", "ss", [ACCESSIBLE, name])
        except NoAnswer:
            return None
        return value.value

    async def call(
        self, reference: Reference, interface: str, member: str, signature: str = "", body: Sequence[Any] = ()
    ) -> list[Any]:
        try:
            async with self._turns, asyncio.timeout(ANSWER_WITHIN):
                reply = await self._bus.call(_message(reference, interface, member, signature, body))
        except (TimeoutError, EOFError, OSError) as error:
            raise NoAnswer(f"{member}: no answer in time") from error
        if reply is None or reply.message_type is not MessageType.METHOD_RETURN:
            raise NoAnswer(f"{member}: {reply.body if reply else 'no answer'}")
        return list(reply.body)


def _message(
    reference: Reference, interface: str, member: str, signature: str = "", body: Sequence[Any] = ()
) -> Message:
    return Message(
        destination=reference[0],
        path=reference[1],
        interface=interface,
        member=member,
        signature=signature,
        body=list(body),
    )
