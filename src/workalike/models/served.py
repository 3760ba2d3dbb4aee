"""Models behind a service. `Models` holds what a run's models share (keys, prices, budget, lines, cache), a
`ServedModel` is one of them with its settings and its transcript."""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from types import ModuleType

import msgspec

from workalike.core.contracts import Money, Reservation
from workalike.core.errors import BadInput, Infrastructure, ModelFailed, ServiceDown, WorkalikeError
from workalike.core.trajectory import Usage
from workalike.models.budget import Budget, estimate
from workalike.models.cache import Cache, cache_key
from workalike.models.client import Blame, ServiceClient, ServiceError, ServiceLimits, remedy_for, reported, sdk_of
from workalike.models.fences import Fence
from workalike.models.keys import Keys
from workalike.models.messages import Message, Reply, Request, SampleKey, Sampling, Tokens, by_reference
from workalike.models.names import Api, Endpoint, key_of, resolve
from workalike.models.prices import Prices
from workalike.models.striking import Striker
from workalike.models.transcript import Got, Transcript
from workalike.models.wire import Unusable, anthropic, chat, responses

_FAILURES: dict[Blame, type[WorkalikeError]] = {
    "request": ModelFailed,
    "service": Infrastructure,
    "everything": ServiceDown,
}
WIRES: dict[Api, ModuleType] = {"chat": chat, "responses": responses, "messages": anthropic}


class Models:
    """What the models of a run share. Everything opened here is closed with it:

    async with Models(budget=Budget(Cap(dollars=5))) as models:
        model = models.open("openai/gpt-5")

    `tell` hears of every wait for a service that did not answer as it should. `kept` is waited for when something was
    written to a transcript, before a request is sent and when its end is known: where the file that counts is another
    machine's, it says when that has it.
    """

    def __init__(
        self,
        *,
        keys: Keys | None = None,
        prices: Prices | None = None,
        budget: Money | None = None,
        limits: ServiceLimits = ServiceLimits(),
        cache: Path | None = None,
        tell: Callable[[str], None] | None = None,
        kept: Callable[[Path], Awaitable[None]] | None = None,
    ) -> None:
        self.tell, self.kept = tell or (lambda sentence: None), kept
        self.keys, self.prices = keys or Keys.load(), prices or Prices()
        self.budget: Money = budget or Budget()
        self.limits, self.usage, self.fence = limits, Usage(), Fence()
        self.cache = Cache(cache) if cache else None
        self._lines: dict[tuple[str, str], ServiceClient] = {}
        self._played: dict[str, str] = {}

    def open(
        self,
        spec: str,
        *,
        api: Api | None = None,
        sampling: Sampling = Sampling(),
        transcript: Path | None = None,
        headers: Mapping[str, str] | None = None,
        topic: str = "",
    ) -> ServedModel:
        """A model by its name. `sampling` is the user's word and goes before what a caller asks for; `headers` go
        along with every request (to tell attempts apart, say); no service needs the `topic`."""
        endpoint = self.endpoint(spec, api)
        if self.budget.in_dollars and not self.prices.known(endpoint):
            raise BadInput(
                f"a cap in dollars needs a price, and none is known for {spec}: name one in a file, --prices FILE"
            )
        key_of(endpoint, self.keys)  # said now, not with the first question
        written = Transcript(transcript, self.keys) if transcript else None
        return ServedModel(self, endpoint, sampling, written, dict(headers or {}))

    def play(self, name: str, server: str) -> None:
        """Have a server of ours (`NAME@http://…`) answer under a plain name; it costs nothing but what the user's own
        prices say."""
        self._played[name] = server
        self.prices = self.prices.with_free(name)

    def endpoint(self, spec: str, api: Api | None = None) -> Endpoint:
        """Where a model of this name is asked; the name of one that is played stays what it is."""
        return msgspec.structs.replace(resolve(self._played.get(spec, spec), self.keys, api), spec=spec)

    async def need_model(self, spec: str | None) -> None:
        """Refuse a model that cannot be asked, before anything is begun for it: one without its key, its SDK, or a
        server on this machine, which is waited for a moment, as it may be starting. What a cache may answer needs
        none of these."""
        if spec is None or self.cache:
            return
        endpoint = self.open(spec).endpoint
        sdk_of(endpoint)
        if not endpoint.local:
            return
        line, patience = self.line(endpoint), time.monotonic() + self.limits.startup
        while not await line.is_listened_to():
            self.tell_silence(line, endpoint, "connection refused", self.limits.startup)
            if time.monotonic() > patience:
                raise BadInput(
                    f"no model server answers at {endpoint.url} (connection refused): start it, or mend the address "
                    f"in the model's name, {spec}"
                )
            await asyncio.sleep(self.limits.startup / 10)
        line.silent = False

    def tell_silence(self, line: ServiceClient, endpoint: Endpoint, why: str, seconds: float) -> None:
        """Say at once that a service cannot be reached and how long it will be tried: once, whoever waits for it."""
        if not line.silent:
            line.silent = True
            where = f"model server at {endpoint.url} does not answer ({why})"
            self.tell(self.keys.redact(f"{where}; trying again for {max(1, round(seconds))} s"))

    def line(self, endpoint: Endpoint) -> ServiceClient:
        """The line to a service, shared by all models behind it."""
        where = (endpoint.url, endpoint.api)
        if where not in self._lines:
            self._lines[where] = ServiceClient(endpoint, self.keys, self.limits)
        return self._lines[where]

    async def close(self) -> None:
        for line in self._lines.values():
            await line.close()
        self._lines.clear()
        if self.cache:
            self.cache.close()

    async def __aenter__(self) -> Models:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class ServedModel:
    """One model behind a service: retries, books, budget, cache and transcript."""

    def __init__(
        self,
        models: Models,
        endpoint: Endpoint,
        sampling: Sampling,
        transcript: Transcript | None,
        headers: dict[str, str],
    ) -> None:
        self.name, self.endpoint, self.usage = endpoint.spec, endpoint, Usage()
        self._models, self._sampling, self._transcript, self._headers = models, sampling, transcript, headers
        self._wire = WIRES[endpoint.api]
        self._words: dict[str, str] = {}
        self._hidden, self._cached = Striker({}), list[str]()

    async def reply(self, request: Request, draw: SampleKey = SampleKey()) -> Reply:
        """One answer, out of the cache or from the service, with what it took."""
        sampling = _drawn(self._sampling.over(request.sampling), draw)
        request = msgspec.structs.replace(request, sampling=sampling)
        said = tuple(map(by_reference, request.messages)) if self._transcript or self._models.cache else ()
        exchange = self._transcript.open_exchange() if self._transcript else 0
        asking = _Asking(self._bounded(request), draw, said, exchange)
        cache = self._models.cache
        key = cache_key(self.endpoint, request, said, draw) if cache else ""
        held = cache.get(key) if cache else None
        if held is not None:
            return self._from_cache(asking, held)
        reply = await self._tried(asking)
        if cache and self._hidden.value(reply) == reply:
            cache.put(key, reply)
            self._cached.append(key)
        return reply

    async def offered(self) -> tuple[str, ...]:
        """What the service calls the models it has, as far as it says."""
        try:
            return await self._models.line(self.endpoint).names()
        except ServiceError:
            return ()

    def hide(self, words: Mapping[str, str]) -> None:
        """Keep words out of what is written down of this conversation, each with what stands in its place: also where
        they are written already, and out of the cache, which would give them away to the next."""
        self._words |= words
        self._hidden = Striker(self._words)
        if self._transcript:
            self._transcript.hide(self._words)
        cache = self._models.cache
        for key in self._cached if cache else ():
            assert cache is not None
            held = cache.get(key)
            if held is not None and self._hidden.value(held) != held:
                cache.drop(key)

    async def close(self) -> None:
        if self._transcript:
            self._transcript.close()
            self._transcript = None

    def _bounded(self, request: Request) -> Request:
        """The request as it is sent: under a cap no reply may be longer than what is set aside for it."""
        if not self._models.budget.binds(self._cost(Tokens(1, 1))):
            return request
        longest = request.sampling.max_tokens or self._wire.LONGEST
        sampling = msgspec.structs.replace(request.sampling, max_tokens=longest)
        return msgspec.structs.replace(request, sampling=sampling)

    async def _tried(self, asking: _Asking) -> Reply:
        """Send until there is a reply, or no hope of one. Every try may be charged, so every try is set aside for."""
        limits, line = self._models.limits, self._models.line(self.endpoint)
        failed = 0
        for number in count(1):
            asking.request = self._without_declined(asking.request, line)
            expected = estimate(asking.request, asking.request.sampling.max_tokens or self._wire.LONGEST)
            try:
                async with (
                    self._models.budget.reserve(self._most(expected)) as reservation,
                    line.gate.passing(),
                ):
                    reply = await self._once(asking, number, line, reservation, expected)
                return msgspec.structs.replace(reply, usage=asking.usage)
            except ServiceError as trouble:
                if self._declined(asking.request, trouble, line):
                    continue
                failed += 1
                wait = _wait(trouble, failed, limits)
                if wait is None:
                    raise _FAILURES[trouble.blame](self._sentence(trouble, number)) from trouble
                if trouble.status == 429 and trouble.wait is not None:
                    line.gate.close_for(wait)
                self._tell_wait(trouble, failed, wait, line)
                await asyncio.sleep(wait)
        raise AssertionError("the last try either replies or raises")

    def _tell_wait(self, trouble: ServiceError, failed: int, wait: float, line: ServiceClient) -> None:
        models = self._models
        if not trouble.silent:
            models.tell(models.keys.redact(f"{trouble.sentence}; trying again in {wait:.0f} s"))
            return
        left = range(failed + 1, models.limits.retries + 1)
        models.tell_silence(
            line, self.endpoint, trouble.silent, wait + sum(_longest(each, models.limits) for each in left)
        )

    def _declined(self, request: Request, trouble: ServiceError, line: ServiceClient) -> bool:
        """Whether all that the service has against a request is that it asks for thoughts; it is not asked again."""
        refused = trouble.status in (400, 422) and request.thoughts and self._wire.NO_THOUGHTS.search(trouble.sentence)
        if refused:
            line.thoughtless.add(self.endpoint.name)
        return bool(refused)

    def _without_declined(self, request: Request, line: ServiceClient) -> Request:
        if not request.thoughts or self.endpoint.name not in line.thoughtless:
            return request
        sampling = msgspec.structs.replace(request.sampling, thoughts=False)
        return msgspec.structs.replace(request, sampling=sampling)

    async def _once(
        self, asking: _Asking, number: int, line: ServiceClient, reservation: Reservation, expected: Tokens
    ) -> Reply:
        """One request on the line, written down before and after. One whose end we do not see may have been charged,
        and so counts against the cap with all that was set aside for it."""
        request_id = uuid.uuid4().hex
        self._write_sent(asking, request_id, number)
        await self._kept()
        started = time.monotonic()
        try:
            reply = await self._exchange(asking.request, request_id, line)
        except ServiceError as trouble:
            usage = Usage(unaccounted=1) if trouble.paid else Usage()
            if trouble.paid:
                reservation.spend(self._most(expected))
            sentence = self._models.keys.redact(trouble.sentence)
            self._book(asking, usage, Got(request_id, asking.exchange, _since(started), None, sentence, trouble.status))
            raise
        except asyncio.CancelledError:
            reservation.spend(self._most(expected))
            given_up = Got(request_id, asking.exchange, _since(started), None, "given up before a reply came")
            self._book(asking, Usage(unaccounted=1), given_up)
            raise
        usage = self._usage(reply)
        if reply.tokens is None:
            reservation.spend(self._most(expected))
        else:
            reservation.spend(_amount(self._cost(reply.tokens), reply.tokens))
        self._book(asking, usage, Got(request_id, asking.exchange, _since(started), reply))
        await self._kept()
        return reply

    async def _kept(self) -> None:
        if self._models.kept and self._transcript:
            await self._models.kept(self._transcript.path)

    async def _exchange(self, request: Request, request_id: str, line: ServiceClient) -> Reply:
        try:
            body = self._wire.body(request, self.endpoint, self._models.fence)
        except Unusable as error:
            raise BadInput(f"{self.name}: {error}") from error
        headers = {**self._headers, **self._wire.headers(request), "X-Client-Request-Id": request_id}
        data = await line.post(self._wire.PATH, body, headers)
        line.silent = False
        try:
            reply: Reply = self._models.keys.strike(self._wire.read(data))
            return reply
        except Unusable as error:
            raise reported(data) or ServiceError(str(error), again=True, paid=True) from error
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            strange = f"the reply is none of this API's ({type(error).__name__}: {error})"
            raise ServiceError(strange, again=True, paid=True) from error

    def _from_cache(self, asking: _Asking, held: Reply) -> Reply:
        reply = msgspec.structs.replace(held, usage=Usage(), cached=True)
        self._write_sent(asking, "cache", 1)
        if self._transcript:
            self._transcript.got(Got("cache", asking.exchange, 0.0, reply))
        return reply

    def _write_sent(self, asking: _Asking, request_id: str, number: int) -> None:
        if self._transcript is None:
            return
        if number == 1:
            self._transcript.first(request_id, asking.exchange, self.endpoint, asking.request, asking.said, asking.draw)
        else:
            self._transcript.again(request_id, asking.exchange, number)

    def _book(self, asking: _Asking, usage: Usage, line: Got) -> None:
        asking.usage = asking.usage + usage
        self.usage = self.usage + usage
        self._models.usage = self._models.usage + usage
        if self._transcript:
            self._transcript.got(msgspec.structs.replace(line, usage=usage))

    def _usage(self, reply: Reply) -> Usage:
        tokens = reply.tokens
        if tokens is None:
            return Usage(requests=1, cost=0.0 if self._cost(Tokens(1, 1)) == 0 else None, unaccounted=1)
        return Usage(1, tokens.input, tokens.output, tokens.cached, self._cost(tokens))

    def _cost(self, tokens: Tokens) -> float | None:
        return self._models.prices.cost(self.endpoint, tokens)

    def _most(self, tokens: Tokens) -> Usage:
        """The most that tokens may cost: a service that puts the whole prompt into its cache may charge more for it."""
        stored = msgspec.structs.replace(tokens, written=tokens.input)
        return _amount(max(self._cost(tokens) or 0.0, self._cost(stored) or 0.0), tokens)

    def _sentence(self, trouble: ServiceError, number: int) -> str:
        tries = "" if number == 1 else f" after {number} tries"
        remedy = f"; {hint}" if (hint := remedy_for(trouble, self.endpoint)) else ""
        if trouble.wait is not None and trouble.wait > self._models.limits.patience:
            remedy = f"; it asks to be left alone for {trouble.wait:,.0f} s{remedy}"
        return self._models.keys.redact(f"{self.name} gave no usable answer{tries}: {trouble.sentence}{remedy}")


class _Asking(msgspec.Struct):
    """A question under way: as it is sent, as it is kept, where it stands in the transcript, what it took so far."""

    request: Request
    draw: SampleKey
    said: tuple[Message, ...]
    exchange: int
    usage: Usage = Usage()


def _wait(trouble: ServiceError, number: int, limits: ServiceLimits) -> float | None:
    """How long to wait before the next try; None when there should be none. What a service asks for is kept to, with
    a little on top so that many who were told the same do not come back together."""
    if not trouble.again or number > limits.retries:
        return None
    if trouble.wait is not None:
        return None if trouble.wait > limits.patience else trouble.wait * (1 + 0.1 * random.random())
    return _longest(number, limits) * (0.5 + 0.5 * random.random())


def _longest(number: int, limits: ServiceLimits) -> float:
    """How long we wait at most before another try, where nobody asked us to."""
    return min(limits.longest_wait, limits.first_wait * float(2 ** (number - 1)))


def _drawn(sampling: Sampling, draw: SampleKey) -> Sampling:
    """A seed of its own for every draw: with one seed for all of them repeats and votes would be copies."""
    if sampling.seed is None or draw == SampleKey():
        return sampling
    mixed = hashlib.blake2b(msgspec.json.encode((sampling.seed, draw)), digest_size=4).digest()
    return msgspec.structs.replace(sampling, seed=int.from_bytes(mixed) & 0x7FFFFFFF)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 4)


def _amount(dollars: float | None, tokens: Tokens) -> Usage:
    return Usage(input_tokens=tokens.input, output_tokens=tokens.output, cost=dollars or 0.0)
