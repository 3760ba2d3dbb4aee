"""X displays: a virtual desktop of our own (Xvfb, session bus, window manager), and connections to any display."""

from __future__ import annotations

import contextlib
import io
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.core.errors import BadInput, Infrastructure, MissingExtra
from workalike.core.program import Program
from workalike.core.screen import Size
from workalike.env.inherited import inherited
from workalike.env.install import DESKTOP

if TYPE_CHECKING:
    from Xlib.display import Display

WINDOW_MANAGERS = ("openbox", "xfwm4", "metacity", "marco", "icewm", "fluxbox", "twm")
_START_WITHIN = 20.0
_KEPT = (
    *("USER", "LOGNAME", "SHELL", "TZ", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "XKB_*", "XCURSOR_*", "LIBGL_*", "SAL_*"),
    *("GTK_THEME", "GTK_PATH", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX", "GTK_IM_MODULE_FILE", "GDK_PIXBUF_*", "GIO_*"),
    *("GSETTINGS_*", "GI_TYPELIB_PATH", "QT_PLUGIN_PATH", "QT_QPA_PLATFORMTHEME", "QML2_IMPORT_PATH"),
)


def lacking() -> tuple[str, ...]:
    """The programs a virtual desktop is made of that are not on this machine; any window manager will do."""
    managed = any(map(shutil.which, WINDOW_MANAGERS))
    return tuple(name for name in DESKTOP if shutil.which(name) is None and not (managed and name in WINDOW_MANAGERS))


class VirtualDesktop:
    """A screen nobody sees, with a home folder, a session bus and programs of its own. Everything started on it ends
    with it, also when this process is killed."""

    def __init__(self, size: Size = Size(1280, 800), *, window_manager: bool = True, bus: bool = True) -> None:
        self.size = size
        self._home = tempfile.TemporaryDirectory(prefix="workalike-desktop-", ignore_cleanup_errors=True)
        self._keeper = _start_keeper()
        self._programs: list[subprocess.Popen[bytes]] = []
        try:
            self.name = self._start_display()
            self.environ = self._environment()
            if bus and shutil.which("dbus-daemon"):
                self.environ["DBUS_SESSION_BUS_ADDRESS"] = self._start_bus()
            if window_manager:
                self._start_window_manager()
        except BaseException:
            self.close()
            raise

    @property
    def home(self) -> Path:
        return Path(self._home.name)

    @property
    def folder(self) -> Path:
        """Where programs start: not in the home folder, which they fill with settings of theirs."""
        return self.home / "work"

    def launch(self, *command: str, **environ: str) -> subprocess.Popen[bytes]:
        """Start a program on this desktop, in a folder where nothing is but what programs put there."""
        if shutil.which(command[0]) is None:
            raise BadInput(f"there is no program {command[0]!r} on this machine; install it or name another")
        self.folder.mkdir(exist_ok=True)
        return self._spawn(command, environ=self.environ | environ, folder=self.folder)

    def close(self) -> None:
        _end_keeper(self._keeper)
        for program in self._programs:
            program.wait()
        self._home.cleanup()

    def __enter__(self) -> VirtualDesktop:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start_display(self) -> str:
        if shutil.which("Xvfb") is None:
            remedy = "`workalike doctor --fix --only desktop` installs it, or use your own display"
            raise Infrastructure(f"there is no Xvfb on this machine: {remedy}")
        screen = f"{self.size.width}x{self.size.height}x24"
        with _pipe() as (read, write):
            command = ("Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp", "-noreset")
            self._spawn(command, inherited(*_KEPT), pass_fds=(write,))
            return ":" + _first_line(read, "Xvfb")

    def _start_bus(self) -> str:
        with _pipe() as (read, write):
            command = ("dbus-daemon", "--session", "--nofork", f"--print-address={write}")
            self._spawn(command, environ=self.environ, pass_fds=(write,))
            return _first_line(read, "dbus-daemon")

    def _start_window_manager(self) -> None:
        found = next((name for name in WINDOW_MANAGERS if shutil.which(name)), None)
        if found:
            self._spawn((found,), environ=self.environ)
            with contextlib.closing(connect(self.name)) as display:
                wait_for_property(display, "_NET_SUPPORTING_WM_CHECK", _START_WITHIN)
        else:
            self._start_focus()

    def _start_focus(self) -> None:
        """Where there is no window manager, windows have no frames, but they still get the keyboard."""
        with _pipe() as (read, write):
            command = (sys.executable, "-m", "workalike.env.desktop.focus", self.name, str(write))
            self._spawn(command, self.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, pass_fds=(write,))
            _first_line(read, "what gives windows the keyboard")

    def _environment(self) -> dict[str, str]:
        return inherited(*_KEPT) | {
            "DISPLAY": self.name,
            "HOME": self._home.name,
            "XDG_CONFIG_HOME": f"{self._home.name}/.config",
            "XDG_CACHE_HOME": f"{self._home.name}/.cache",
            "XDG_DATA_HOME": f"{self._home.name}/.local/share",
            "XDG_RUNTIME_DIR": self._home.name,
            "XDG_SESSION_TYPE": "x11",
            "GDK_BACKEND": "x11",
            "LANG": "C.UTF-8",
            # Browsers and Qt decide at their start whether they will ever speak of their windows.
            "ACCESSIBILITY_ENABLED": "1",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }

    def _spawn(
        self,
        command: Sequence[str],
        environ: dict[str, str],
        pass_fds: Sequence[int] = (),
        folder: Path | None = None,
    ) -> subprocess.Popen[bytes]:
        program = subprocess.Popen(
            command,
            env=environ,
            pass_fds=pass_fds,
            cwd=folder or self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=self._keeper.pid,
        )
        self._programs.append(program)
        return program


class SessionBus:
    """A session bus for a display that has none. Once it is asked for the accessibility bus, that announces itself on
    the display, so that programs which start from then on find it. It ends with this process, however that ends."""

    def __init__(self, display: str) -> None:
        self._display, self._keeper = display, _start_keeper()
        try:
            with _pipe() as (read, write):
                self._daemon = subprocess.Popen(
                    ("dbus-daemon", "--session", "--nofork", f"--print-address={write}"),
                    env={**os.environ, "DISPLAY": display},
                    pass_fds=(write,),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    process_group=self._keeper.pid,
                )
                self.address = _first_line(read, "dbus-daemon")
        except OSError as error:
            _end_keeper(self._keeper)
            raise Infrastructure(f"there is no session bus, and none can be started: {error}") from error
        except BaseException:
            _end_keeper(self._keeper)
            raise

    def close(self) -> None:
        """End it, and take the announcement back."""
        _end_keeper(self._keeper)
        self._daemon.wait()
        with contextlib.suppress(Infrastructure), contextlib.closing(connect(self._display)) as display:
            display.screen().root.delete_property(display.intern_atom("AT_SPI_BUS"))
            display.sync()


def found(program: Program) -> tuple[str, ...]:
    """A program's command, in which files that were named from its folder are named from anywhere."""
    command, folder = program.command, program.folder
    if folder is None:
        return command
    named = (str(Path(folder, each)) if Path(folder, each).exists() else each for each in command[1:])
    return (*command[:1], *named)


def connect(name: str | None = None) -> Display:
    """A connection to a display; None is the user's own."""
    try:
        from Xlib.display import Display
        from Xlib.error import DisplayError
    except ModuleNotFoundError as error:
        raise MissingExtra("a desktop", "python-xlib", "record") from error
    wanted = name or os.environ.get("DISPLAY")
    if not wanted:
        raise BadInput("there is no display: DISPLAY is not set")
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # python-xlib prints a remark about a missing Xauthority file
            return Display(wanted)
    except (DisplayError, OSError) as error:
        raise Infrastructure(f"the display {wanted} cannot be reached: {error}") from error


def wait_for_property(display: Display, name: str, seconds: float) -> bool:
    """Wait until the root window has a property; False when it hasn't come in time."""
    from Xlib import X

    root, atom = display.screen().root, display.intern_atom(name)
    root.change_attributes(event_mask=X.PropertyChangeMask)
    while root.get_full_property(atom, X.AnyPropertyType) is None:
        if not wait_for_events(display, seconds):
            return False
        while display.pending_events():
            display.next_event()
    return True


def wait_for_events(display: Display, seconds: float) -> bool:
    """Wait until the display has something to say; False when it hadn't in time."""
    if display.pending_events():
        return True
    readable, _, _ = select.select([display.fileno()], [], [], max(0.0, seconds))
    return bool(readable)


def _start_keeper() -> subprocess.Popen[bytes]:
    """A process that leads the desktop's group and ends all of it when our end of its pipe closes."""
    return subprocess.Popen(
        ["sh", "-c", "cat; kill -KILL 0"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, process_group=0
    )


def _end_keeper(keeper: subprocess.Popen[bytes]) -> None:
    assert keeper.stdin
    keeper.stdin.close()
    keeper.wait()


@contextlib.contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    try:
        yield read, write
    finally:
        os.close(read)
        os.close(write)


def _first_line(read: int, program: str) -> str:
    """What a program announces about itself. The newline is waited for: it may come in a write of its own."""
    line, ends = b"", time.monotonic() + _START_WITHIN
    while not line.endswith(b"\n"):
        readable, _, _ = select.select([read], [], [], max(0.0, ends - time.monotonic()))
        more = os.read(read, 4096) if readable else b""
        if not more:
            raise Infrastructure(f"{program} did not start within {_START_WITHIN:.0f} s")
        line += more
    return line.decode().strip()
