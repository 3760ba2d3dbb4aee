"""The oracle as a model's server: it answers, in the words of whoever asks, with what it would do next.

It has no eyes: the town's pages report to it what they show. Attempts are told apart by a header, or by their name
given as the API key; where there is only one, neither is needed. So other people's harnesses can be tested with it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action, Back, Hotkey, Press, SwitchTab, Terminate, Visit, Wait, Write
from workalike.core.errors import Inexpressible, WorkalikeError
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.core.screen import Size
from workalike.dialects.reply import ParsedReply
from workalike.families.speech import speak, speech_of
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Text, by_reference
from workalike.town.eyes import Eyes
from workalike.town.look import Past
from workalike.town.oracle import next_action
from workalike.town.server import HEADER
from workalike.town.site import DOMAIN

SCREEN = Size(1440, 900)


class OracleAnswers:
    """An answering function over open attempts. `keys` are theirs, by token; `names` are other names of tokens."""

    def __init__(self, eyes: Eyes, keys: Mapping[str, Key], names: Mapping[str, str] | None = None) -> None:
        self._eyes, self._keys, self._names = eyes, keys, {} if names is None else names
        self._past: dict[str, list[Past]] = {}
        self._queue: dict[str, list[Action]] = {}
        self._last: dict[str, tuple[bytes, Reply]] = {}

    async def __call__(self, asked: Asked) -> Reply:
        token, speech = self._which(asked), speech_of(asked)
        key = self._keys.get(token) if token else None
        if token is None or key is None:
            return _words(f"Which attempt is this? Send its name in the header {HEADER}, or as the API key.")
        if speech is None:
            return _words("I cannot tell which family of agents is asking; name one of them as the model.")
        mark, (known, last) = _mark(asked), self._last.get(token, (None, None))
        if last is not None and mark is not None and mark == known:
            return last
        try:
            reply = self._answer(asked, speech, token, key)
        except WorkalikeError as error:
            reply = self._give_up(asked, speech, f"The oracle is at a loss: {error}")
        self._last[token] = (mark or b"", reply)
        return reply

    def _answer(self, asked: Asked, speech: str, token: str, key: Key) -> Reply:
        seen = self._eyes.see(token)
        if seen is None:
            return self._say(asked, speech, tuple(self._sayable(asked, speech, Wait(1.0), None)), None)
        queue = self._queue.setdefault(token, [])
        if not queue:
            past = self._past.setdefault(token, [])
            action = _with_port(_in_this_tab(next_action(key, seen, past), seen), seen)
            past.append(Past(seen, action))
            queue.extend(self._sayable(asked, speech, action, seen))
        return self._say(asked, speech, (queue.pop(0),), seen)

    def _give_up(self, asked: Asked, speech: str, why: str) -> Reply:
        """An end as a failure, or, where a family knows no such end, in words."""
        try:
            return self._say(asked, speech, (Terminate("failure", why),), None)
        except Inexpressible:
            return self._say(asked, speech, (Terminate("success", why),), None)

    def _sayable(self, asked: Asked, speech: str, action: Action, seen: Observation | None) -> list[Action]:
        """The action, or what a person would do instead where the family has no word for it."""
        for instead in ([action], *_instead(action)):
            try:
                for each in instead:
                    self._say(asked, speech, (each,), seen)
                return instead
            except Inexpressible:
                continue
        raise Inexpressible(speech, type(action).__name__)

    def _say(self, asked: Asked, speech: str, actions: tuple[Action, ...], seen: Observation | None) -> Reply:
        screen = seen.size if seen and seen.size else SCREEN
        thought = f"Next: {type(actions[0]).__name__.lower()}."
        elements = (seen.elements or ()) if seen else ()
        return speak(ParsedReply(actions, thought=thought, action_text=thought), speech, screen, elements, asked)

    def _which(self, asked: Asked) -> str | None:
        """The attempt's token. An API key may be anything, and then says nothing; a header is meant."""
        if HEADER in asked.headers:
            return self._token(asked.headers[HEADER])
        given = asked.headers.get("authorization", "").removeprefix("Bearer ") or asked.headers.get("x-api-key", "")
        tokens = tuple(self._keys)
        return self._token(given) or (tokens[0] if len(tokens) == 1 else None)

    def _token(self, name: str) -> str | None:
        token = self._names.get(name, name)
        return token if token in self._keys else None

    def forget(self, token: str) -> None:
        """An attempt is over."""
        self._eyes.forget(token)
        self._past.pop(token, None)
        self._queue.pop(token, None)
        self._last.pop(token, None)


def _instead(action: Action) -> list[list[Action]]:
    """Other ways to the same end, for families that lack a word."""
    match action:
        case Wait(seconds=seconds) if seconds is not None:
            return [[Wait()]]
        case Visit(url=url):
            return [[Hotkey(("ctrl", "l")), Write(url), Press(("enter",))]]
        case Back():
            return [[Hotkey(("alt", "left"))]]
        case Press(keys=keys) if len(keys) > 1:
            return [[Press((key,)) for key in keys]]
        case Press(keys=keys):
            return [[Hotkey(keys)]]
        case _ if hasattr(action, "modifiers") and action.modifiers:
            return [[replace(action, modifiers=())]]
        case _:
            return []


def _mark(asked: Asked) -> bytes | None:
    """What a request is known by when it comes again because its reply was lost. A conversation never repeats itself
    otherwise; a lone question may."""
    messages = asked.request.messages
    if not any(message.role == "assistant" for message in messages):
        return None
    said = msgspec.json.encode([by_reference(message) for message in messages])
    return hashlib.blake2b(said, digest_size=16).digest()


def _in_this_tab(action: Action, seen: Observation) -> Action:
    """No page hears that its tab was brought to the front, so the eyes would not know: its address is visited here."""
    match action:
        case SwitchTab(index=index) if index < len(seen.tabs):
            return Visit(seen.tabs[index].url)
        case _:
            return action


def _with_port(action: Action, seen: Observation) -> Action:
    """An address of the town as a browser reaches it that came without our proxy, by the town's own port."""
    port = urlsplit(seen.url or "").port
    if port is None or not isinstance(action, Visit):
        return action
    parts = urlsplit(action.url)
    ours = (parts.hostname or "").endswith(f".{DOMAIN}") and parts.port is None
    return Visit(parts._replace(netloc=f"{parts.hostname}:{port}").geturl()) if ours else action


def _words(text: str) -> Reply:
    return Reply((Text(text),))
