"""Where a person is while they act: which changes of page or window take them somewhere else, and which only say
something new about the same place."""

from __future__ import annotations

from urllib.parse import urlsplit

from workalike.core.recording import Event, PageChanged, WindowChanged


class Whereabouts:
    """Follows pages and windows.

    A title changes while one types (`*Untitled`), and so does what an address asks for (`?q=`): that is still the same
    place. Another program or another address without its question is another; the event file of a browser that begins
    with typing was somewhere before its first page is told."""

    def __init__(self) -> None:
        self._place: tuple[str, ...] | None = None
        self._program: str | None = None

    def left(self, event: Event) -> bool:
        """Whether an event takes the person somewhere else.

        >>> where = Whereabouts()
        >>> [where.left(PageChanged(0, url)) for url in ("https://x.org/a", "https://x.org/a?q=b", "https://x.org/b")]
        [True, False, True]
        """
        if isinstance(event, PageChanged):
            before, self._place = self._place, place(event.url)
            return self._place != before
        if isinstance(event, WindowChanged) and (event.title or event.program):  # with neither, no window is active
            program, self._program = self._program, event.program
            return program is not None and program != event.program
        return False


def place(url: str) -> tuple[str, ...]:
    """An address without what is asked there. What follows # counts where it names a page, as in `#/inbox`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return (url,)
    route = parts.fragment.split("?")[0] if parts.fragment.startswith(("/", "!/")) else ""
    return (parts.scheme, parts.netloc, parts.path, route)
