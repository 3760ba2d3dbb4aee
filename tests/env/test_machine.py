"""What doctor sees and repairs, without ever showing a key."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from workalike.cli import main
from workalike.core.errors import BadInput
from workalike.env import machine
from workalike.env.browser import chromium
from workalike.models.server.app import application
from workalike.models.server.misbehaving import scripted
from workalike.runtime.serving import serving_apart

SECRET = "sk-very-secret-123456"


def test_keys_are_named_and_never_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    main(["doctor", "--only", "keys"])
    main(["doctor", "--only", "keys", "--json"])
    shown = capsys.readouterr()
    assert "OPENAI_API_KEY present" in shown.out
    assert SECRET not in shown.out + shown.err


def test_keys_in_a_dot_env_file_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(f"# mine\nexport ANTHROPIC_API_KEY='{SECRET}'\nHF_TOKEN=\n")
    assert machine.keys({}).text == "ANTHROPIC_API_KEY present"


def test_a_browser_is_found_and_starts() -> None:
    finding = machine.browser()
    assert finding.state == "ok"
    assert "Chrom" in finding.text or "Edge" in finding.text


def test_the_users_choice_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = tmp_path / "my-browser"
    chosen.write_text("#!/bin/sh\necho Mine 1.0\n")
    chosen.chmod(0o755)
    monkeypatch.setenv(chromium.VARIABLE, str(chosen))
    assert chromium.find() == chosen
    assert chromium.version(chosen) == "Mine 1.0"


def test_a_wrong_choice_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(chromium.VARIABLE, "/nowhere/chrome")
    with pytest.raises(BadInput, match=r"WORKALIKE_BROWSER names '/nowhere/chrome'"):
        chromium.find()


def test_no_browser_at_all_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    assert main(["doctor", "--only", "browser", "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding["state"] == "missing"
    assert "playwright install chromium" in finding["remedy"]


def test_playwrights_own_download_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shell = tmp_path / "chromium_headless_shell-1254/chrome-headless-shell-linux64/chrome-headless-shell"
    shell.parent.mkdir(parents=True)
    shell.write_text("#!/bin/sh\n")
    shell.chmod(0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    assert chromium.find() == shell
    with pytest.raises(BadInput, match="that can show a window"):
        chromium.find(headed=True)


def test_installing_says_why_each_way_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", "/proc/no")
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", "http://127.0.0.1:9")
    said: list[str] = []
    with pytest.raises(BadInput, match="no browser could be installed"):
        chromium.install(said.append)
    assert any("that failed" in line for line in said)
    assert any("no Debian-like system" in line for line in said)


@pytest.mark.skipif(sys.platform != "linux", reason="virtual desktops are made on Linux only")
def test_what_a_virtual_desktop_lacks_is_shown_and_how_to_mend_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Xvfb", "dbus-daemon", "twm"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.desktop().state == "ok"
    (tmp_path / "twm").unlink()
    finding = machine.desktop()
    assert (finding.state, finding.remedy) == ("optional", "apt-get install openbox")
    assert "no window manager" in finding.text
    (tmp_path / "Xvfb").unlink()
    assert main(["doctor", "--fix", "--only", "desktop"]) == 0
    shown = capsys.readouterr().out
    assert "no X server: agents have no virtual desktop; no window manager" in shown
    assert "no Debian-like system: install xvfb openbox by its own means" in shown


def test_little_disk_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LITTLE_DISK", 10**18)
    assert machine.disk().state == "missing"


def test_a_model_is_tried_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    with serving_apart(application(scripted(["hello"]))) as address:
        assert main(["doctor", "--model", f"any@{address}/v1"]) == 0
    shown = capsys.readouterr().out
    assert "✓ answers" in shown
    assert "· pictures       shown a picture of 58 it said 'hello'" in shown


def test_a_model_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--model", "any@nowhere"]) == 2
    assert "any@nowhere" in capsys.readouterr().err
