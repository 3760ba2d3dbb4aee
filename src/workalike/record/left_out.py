"""What a person has named not to be recorded: since when something of that kind has been in front."""

from __future__ import annotations

from fnmatch import fnmatch

LEFT_OUT = "(left out)"


class LeftOut:
    """Goes by patterns of names (`*` stands for anything). Times are on the recording's clock."""

    def __init__(self, patterns: tuple[str, ...] = ()) -> None:
        self._patterns = tuple(pattern.lower() for pattern in patterns)
        self._log: list[tuple[float, bool]] = []

    def named(self, *names: str) -> bool:
        """Whether something that goes by these names is to be left out.

        >>> LeftOut(("*vault*",)).named("My Vault", "keeper")
        True
        """
        return any(fnmatch(name.lower(), pattern) for pattern in self._patterns for name in names)

    def note(self, since: float, out: bool) -> None:
        """Note whether what is in front since some time is to be left out."""
        self._log.append((since, out))

    def at(self, time: float) -> bool:
        """Whether something that is left out was in front at a time."""
        return next((out for since, out in reversed(self._log) if since <= time), False)
