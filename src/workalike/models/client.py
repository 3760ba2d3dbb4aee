"""A line to one service: the SDK as carrier, its own retries off, and what went wrong sorted into what may be tried
again and what may have been paid for."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from workalike.core.errors import MissingExtra
from workalike.models.keys import Keys
from workalike.models.names import Endpoint, key_of

Blame = Literal["request", "service", "everything"]
_AGAIN = {408, 409, 425, 429}
_TURNED_AWAY = {401, 402, 403}
_PORTS = {"http": 80, "https": 443}
_BY_NAME = {"rate_limit": 429, "overloaded": 529, "server_error": 500, "api_error": 500, "invalid_": 400}
_NO_MODEL = re.compile(
    r"\b(?:unknown|invalid|no such|unsupported|not a valid) model\b"
    r"|\bmodel\b[^.]{0,80}\b(?:does(?: not|n't) exist|not found|identifier is invalid)",
    re.IGNORECASE,
)
_PART = re.compile(r"\bwith id\b|\bno such \w+ object\b", re.IGNORECASE)
_CARRIERS = ("httpx", "httpx2", "httpcore", "httpcore2", "anyio", "ssl")


class ServiceLimits(msgspec.Struct, frozen=True, omit_defaults=True):
    """How patient and how hungry we are with one service. `patience` is the longest wait that a service may ask for;
    waits of our own start at `first_wait` and double up to `longest_wait`. `startup` is how long a server on this
    machine may take until it can be reached at all."""

    concurrency: int = 8
    timeout: float = 180.0
    retries: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0
    patience: float = 300.0
    startup: float = 3.0
    most_bytes: int = 64 * 1024 * 1024


class _Named(msgspec.Struct):
    id: str


class _Listed(msgspec.Struct):
    """A service's list of its models, as far as it is of interest."""

    data: list[_Named]


class _Errored(msgspec.Struct):
    error: Any = None


class _Errors(_Errored):
    """A body as far as it tells of an error: its own, or that of the one answer in it."""

    choices: list[_Errored] | None = None


class ServiceError(Exception):
    """Why one request brought no reply. `again`: trying once more may help; `wait`: how long the service asked us to;
    `paid`: the service may have charged for it all the same; `blame`: whether it lies with what was asked, with a
    service that has its troubles, or with one that would answer nobody; `silent`: why it could not be reached at all.
    """

    def __init__(
        self,
        sentence: str,
        *,
        again: bool,
        wait: float | None = None,
        paid: bool = False,
        status: int | None = None,
        blame: Blame = "request",
        silent: str = "",
    ) -> None:
        super().__init__(sentence)
        self.sentence, self.again, self.wait, self.paid, self.status = sentence, again, wait, paid, status
        self.blame, self.silent = blame, silent


class Gate:
    """How many requests a service is sent at once, and until when it wants none."""

    def __init__(self, concurrency: int) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._closed_until = 0.0

    def close_for(self, seconds: float) -> None:
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        async with self._places:
            while (left := self._closed_until - time.monotonic()) > 0:
                await asyncio.sleep(left)
            yield


class ServiceClient:
    """Carries bodies to one service and brings back what it answers."""

    def __init__(self, endpoint: Endpoint, keys: Keys, limits: ServiceLimits) -> None:
        self.gate = Gate(limits.concurrency)
        self._endpoint, self._keys, self._limits = endpoint, keys, limits
        self.thoughtless: set[str] = set()  # models that were found to refuse a summary of their thoughts
        self.silent = False  # whether it could not be reached when it was last tried, which is told once
        self._sdk: ModuleType | None = None
        self._client: Any = None

    async def post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
        """One request and the whole of its answer, or `ServiceError`."""
        client, sdk = self._open()
        try:
            async with asyncio.timeout(self._limits.timeout):
                return await self._carry(client, sdk, path, body, headers)
        except TimeoutError as error:
            late = f"no reply within {self._limits.timeout:g} s"
            raise ServiceError(late, again=True, paid=True, blame="service") from error
        except ServiceError:
            raise
        except Exception as error:
            raise _sorted(error, sdk) from error

    async def is_listened_to(self) -> bool:
        """Whether anybody takes connections where the service should be. Only a refusal says that nobody does."""
        parts = urlsplit(self._endpoint.url)
        place = (parts.hostname or "", parts.port or _PORTS[parts.scheme])
        try:
            (await asyncio.to_thread(socket.create_connection, place, self._limits.startup)).close()
        except ConnectionRefusedError:
            return False
        except OSError:  # slow, or strange: who asks it finds out more
            return True
        return True

    async def names(self) -> tuple[str, ...]:
        """The models that the service says it has; `ServiceError` when it does not say."""
        client, sdk = self._open()
        path = "/v1/models" if self._endpoint.api == "messages" else "/models"
        try:
            async with asyncio.timeout(self._limits.timeout):
                listed = msgspec.convert(await client.get(path, cast_to=object), _Listed, strict=False)
        except (TimeoutError, msgspec.ValidationError) as error:
            raise ServiceError("it does not say which models it has", again=False) from error
        except Exception as error:
            raise _sorted(error, sdk) from error
        return tuple(each.id for each in listed.data)

    async def _carry(
        self, client: Any, sdk: ModuleType, path: str, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> bytes:
        # A stream, though the service is not asked for one: so the reply can be read as far as we are willing to.
        stream = await client.post(
            path,
            cast_to=object,
            body=dict(body),
            options={"headers": dict(headers), "timeout": self._limits.timeout, "max_retries": 0},
            stream=True,
            stream_cls=sdk.AsyncStream[object],
        )
        try:
            return await self._whole(stream.response)
        finally:
            await stream.response.aclose()

    async def _whole(self, response: Any) -> bytes:
        got = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                got += chunk
                if len(got) > self._limits.most_bytes:
                    most = self._limits.most_bytes // 1024
                    raise ServiceError(f"the reply is longer than {most:,} KB", again=False, paid=True)
        except Exception as error:
            if _carrier(error):
                cut = f"the reply was cut off ({type(error).__name__})"
                raise ServiceError(cut, again=True, paid=True, blame="service") from error
            raise
        return bytes(got)

    def _open(self) -> tuple[Any, ModuleType]:
        if self._sdk is None:
            self._sdk = sdk = sdk_of(self._endpoint)
            make = sdk.AsyncAnthropic if self._endpoint.api == "messages" else sdk.AsyncOpenAI
            own = {"http_client": _local_client(sdk, self._endpoint.url)} if self._endpoint.local else {}
            key = key_of(self._endpoint, self._keys)
            self._client = make(api_key=key, base_url=self._endpoint.url, max_retries=0, **own)
        return self._client, self._sdk

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = self._sdk = None


def sdk_of(endpoint: Endpoint) -> ModuleType:
    """The SDK that speaks an endpoint's API, imported only now: either takes seconds."""
    try:
        if endpoint.api == "messages":
            import anthropic

            return anthropic
        import openai

        return openai
    except ImportError as error:
        name = "anthropic" if endpoint.api == "messages" else "openai"
        raise MissingExtra(endpoint.spec, f"the {name} package", name) from error


def _local_client(sdk: ModuleType, url: str) -> Any:
    """For a service on this machine a proxy set for the outer world would only get in the way, and where nothing is
    encrypted no certificates need loading."""
    return sdk.DefaultAsyncHttpxClient(trust_env=False, verify=url.startswith("https:"))


def _sorted(error: Exception, sdk: ModuleType) -> Exception:
    """An SDK's error as trouble; what is no trouble of the service's is handed back as it is."""
    if isinstance(error, sdk.APITimeoutError):
        return ServiceError("the service took too long", again=True, paid=True, blame="service")
    if isinstance(error, sdk.APIConnectionError):
        cause = error.__cause__ or error
        met = type(cause).__name__
        paid = met in ("ReadError", "RemoteProtocolError")
        if paid:
            return ServiceError(f"the connection broke ({met}: {cause})", again=True, paid=True, blame="service")
        why = _why_silent(cause)
        return ServiceError(f"no connection ({why})", again=True, blame="everything", silent=why)
    if isinstance(error, sdk.APIStatusError):
        return _refused(error)
    if _carrier(error):
        broke = f"the connection broke ({type(error).__name__}: {error})"
        return ServiceError(broke, again=True, paid=True, blame="service")
    return error


def _why_silent(error: BaseException) -> str:
    """Why there is no connection, in the system's words: what carriers say of it is that there is none.

    >>> _why_silent(ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)"))
    'connection refused'
    """
    deepest: BaseException | None = error
    while deepest is not None:
        if isinstance(deepest, ConnectionRefusedError):
            return "connection refused"
        if isinstance(deepest, OSError) and deepest.strerror:
            return deepest.strerror[:1].lower() + deepest.strerror[1:]
        several = deepest.exceptions if isinstance(deepest, BaseExceptionGroup) else ()
        deepest = several[0] if several else deepest.__cause__ or deepest.__context__
    return f"{type(error).__name__}: {error}"


def _refused(error: Any) -> ServiceError:
    status, headers = int(error.status_code), error.response.headers
    body = error.body if isinstance(error.body, dict) else {}
    inner = body["error"] if isinstance(body.get("error"), dict) else body
    told = {**inner, "message": inner.get("message") or error.message}
    return _turned_down(told, status, asked_wait(headers), never=headers.get("x-should-retry") == "false")


def _turned_down(
    told: Mapping[str, Any], status: int | None, wait: float | None = None, never: bool = False
) -> ServiceError:
    """The trouble that a service tells of in so many words."""
    said = str(told.get("message") or "").strip()[:500]
    quota = "insufficient_quota" in (told.get("code"), told.get("type"))
    again = (status is None or status in _AGAIN or status >= 500) and not quota and not never
    nobody = quota or status in _TURNED_AWAY or _absent(told.get("code"), said, status)
    blame: Blame = "everything" if nobody else "service" if again else "request"
    return ServiceError(f"{status or ''} {said}".strip(), again=again, wait=wait, status=status, blame=blame)


def _absent(code: object, said: str, status: int | None) -> bool:
    """Whether it is the model or the address that is not there, rather than some part of the request (whose own name
    is said then)."""
    if status == 404:
        return not _PART.search(said)
    return status == 400 and (code == "model_not_found" or bool(_NO_MODEL.search(said)))


def reported(data: bytes) -> ServiceError | None:
    """The error that some services send with a status of 200, or None where there is none. It is not charged.

    >>> reported(b'{"error": {"message": "slow down", "code": 429}}').sentence
    '429 slow down'
    """
    try:
        body = msgspec.json.decode(data, type=_Errors)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    told = body.error or next((choice.error for choice in body.choices or () if choice.error), None)
    if not told:
        return None
    inner = told if isinstance(told, dict) else {"message": told}
    return _turned_down({**inner, "message": inner.get("message") or inner}, _status_of(inner))


def _status_of(told: Mapping[str, Any]) -> int | None:
    """The status that an error would have had, by its code or by its name."""
    for given in (told.get("code"), told.get("status"), told.get("type")):
        if str(given).isdecimal() and 400 <= int(str(given)) <= 599:
            return int(str(given))
        named = next((status for name, status in _BY_NAME.items() if name in str(given)), None)
        if named is not None:
            return named
    return None


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """How many seconds a service asked us to wait, if it did: milliseconds, seconds or a date.

    >>> asked_wait({"retry-after": "2.5"}), asked_wait({})
    (2.5, None)
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            return max(0.0, float(value) * scale)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except (TypeError, ValueError):
            continue
    return None


def remedy_for(trouble: ServiceError, endpoint: Endpoint) -> str:
    """What a user may do about it, where that can be guessed."""
    if trouble.status in (401, 403):
        return f"is {endpoint.key} set, and may it use this model?"
    if trouble.status == 404 and endpoint.api != "messages" and not re.search(r"/v\d", urlsplit(endpoint.url).path):
        return f"most services want /v1 at the end of the address: {endpoint.name}@{endpoint.url}/v1"
    if trouble.status == 404 or (trouble.status == 400 and trouble.blame == "everything"):
        return "`workalike doctor --model` lists the models it has"
    if trouble.silent:
        return f"is a server running at {endpoint.url}?"
    return ""


def _carrier(error: BaseException) -> bool:
    return type(error).__module__.split(".")[0] in _CARRIERS or isinstance(error, ConnectionError)
