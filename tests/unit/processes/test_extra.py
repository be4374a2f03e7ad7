"""Installing an extra: what it is, what goes wrong in plain words, and nothing half done is used."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import JobError
from core.jobs.base import JobInterrupted
from core.processes import extra as module
from core.processes.extra import Extra, Installer, install, marker_of

NAME = "module_that_a_test_installs"
# A program in place of pip: it says what it is told to, and does it.
WRITES = "import pathlib; pathlib.Path({place!r}).write_text({text!r})"
CLOSED = "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr/lib'"
AWAY = "WARNING: Retrying: NewConnectionError: Failed to establish a new connection: [Errno 111]"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An environment of its own, which this process and its children import from."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.setattr(module.sysconfig, "get_paths", lambda: {"purelib": str(place)})
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.setattr(Extra, "requirements", lambda self: ("a-package>=1",))
    yield place
    sys.modules.pop(NAME, None)
    importlib.invalidate_caches()


@pytest.fixture
def extra(site: Path) -> Extra:
    return Extra("reading", NAME)


def _pip(code: str) -> Installer:
    """What runs in place of pip; the requirements come after it as its arguments."""
    return Installer((sys.executable, "-c", code), "pip")


def _writing(site: Path, text: str = "") -> Installer:
    return _pip(WRITES.format(place=str(site / f"{NAME}.py"), text=text))


def _go_on() -> None:
    return None


def _failed(extra: Extra, log: Path, code: str) -> JobError:
    with pytest.raises(JobError) as caught:
        install(extra, _go_on, lambda step: None, log, _pip(code))
    return caught.value


def test_what_was_installed_is_used_at_once(extra: Extra, site: Path, tmp_path: Path) -> None:
    steps: list[str] = []
    assert not extra.is_installed

    install(extra, _go_on, steps.append, tmp_path / "logs" / "one.log", _writing(site))

    assert extra.is_installed
    assert not marker_of(extra).exists()
    assert steps == ["Looking up the packages", "Trying it"]
    assert "a-package>=1" in (tmp_path / "logs" / "one.log").read_text()


def test_nothing_runs_where_it_is_installed(extra: Extra, site: Path, tmp_path: Path) -> None:
    (site / f"{NAME}.py").write_text("")

    install(extra, _go_on, lambda step: None, tmp_path / "log", _pip("raise SystemExit(1)"))

    assert not (tmp_path / "log").exists()


def test_what_is_installed_is_held_at_its_version(extra: Extra, tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    code = f"import shutil, sys; shutil.copy(sys.argv[2], {str(kept)!r}); sys.exit('no more')"

    _failed(extra, tmp_path / "log", code)

    lines = kept.read_text().splitlines()
    assert f"pytest=={pytest.__version__}" in lines
    assert not [line for line in lines if line.startswith(("groundwork==", "pip=="))]


def test_the_steps_of_pip_are_told_in_words(extra: Extra, site: Path, tmp_path: Path) -> None:
    lines = (
        "Collecting six>=1",
        "  Downloading http://a/six-1.17.whl (11 kB)",
        "Installing collected packages",
    )
    said = "\\n".join(lines)
    made = WRITES.format(place=str(site / f"{NAME}.py"), text="")
    steps: list[str] = []

    install(extra, _go_on, steps.append, tmp_path / "log", _pip(f"print('{said}', flush=True); {made}"))

    told = ["Looking up six>=1", "Downloading six-1.17.whl (11 kB)", "Installing the packages"]
    assert [step for step in steps if step in told] == told


@pytest.mark.parametrize(
    ("said", "message", "next_step"),
    [
        (AWAY, "package index cannot be reached", "network"),
        (CLOSED, "environment cannot be written", "user who installed it"),
        ("error: [Errno 30] Read-only file system: '/venv/lib'", "cannot be written", "user who installed"),
        ("error: externally-managed-environment", "belongs to the operating system", "virtual environment"),
        ("ERROR: [Errno 28] No space left on device", "disk is full", "disk space"),
        ("ERROR: ResolutionImpossible: for help", "other versions of packages", "up to date"),
        ("ERROR: No matching distribution found for a-package", "no version of it", "PIP_INDEX_URL"),
        ("ERROR: something else broke", "something else broke", "installer said"),
    ],
)
def test_the_reason_of_a_failure_is_said_with_the_next_step(
    extra: Extra, tmp_path: Path, said: str, message: str, next_step: str
) -> None:
    error = _failed(extra, tmp_path / "log", f"print({said!r}); raise SystemExit(1)")

    assert message in str(error)
    assert next_step in error.next_step
    assert not extra.is_installed
    assert not marker_of(extra).exists()
    assert said in (tmp_path / "log").read_text()


def test_an_environment_that_cannot_be_written_is_told_before_anything_runs(
    extra: Extra, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    monkeypatch.setattr(module.sysconfig, "get_paths", lambda: {"purelib": str(gone)})

    error = _failed(extra, tmp_path / "log", "raise SystemExit(0)")

    assert str(gone) in str(error)
    assert "cannot be written" in str(error)
    assert not (tmp_path / "log").exists()


def test_what_cannot_be_imported_fails(extra: Extra, site: Path, tmp_path: Path) -> None:
    broken = _writing(site, "raise ImportError('libGL.so.1: cannot open shared object file')")

    with pytest.raises(JobError, match=r"libGL\.so\.1"):
        install(extra, _go_on, lambda step: None, tmp_path / "log", broken)
    assert not extra.is_installed


def test_a_cancelled_one_is_ended_and_not_used_until_done(extra: Extra, site: Path, tmp_path: Path) -> None:
    made = WRITES.format(place=str(site / f"{NAME}.py"), text="")
    written = site / f"{NAME}.py"

    def cancel_once_written() -> None:
        if written.exists():
            raise JobInterrupted

    begun = time.monotonic()
    with pytest.raises(JobInterrupted):
        install(
            extra,
            cancel_once_written,
            lambda step: None,
            tmp_path / "log",
            _pip(f"{made}; import time; time.sleep(60)"),
        )
    assert time.monotonic() - begun < 30
    assert written.exists()
    assert not extra.is_installed

    install(extra, _go_on, lambda step: None, tmp_path / "log", _writing(site))

    assert extra.is_installed


def test_packages_that_an_ended_attempt_left_are_installed_anew(
    extra: Extra, site: Path, tmp_path: Path
) -> None:
    marker_of(extra).write_text("".join(f"{line}\n" for line in module._installed().values()))
    info = site / "half_done-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: half_done\nVersion: 1.0\n")

    install(extra, _go_on, lambda step: None, tmp_path / "log", _writing(site))

    first, second = [line for line in (tmp_path / "log").read_text().splitlines() if "held.txt" in line]
    assert "--force-reinstall --no-deps" in first
    assert first.endswith(" half_done")
    assert second.endswith(" a-package>=1")


def test_the_packages_are_those_of_the_projects_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "click>=8",
        "rapid>=1.4 ; extra == 'ocr'",
        "pytest ; extra == 'dev'",
        "wheel ; python_version < '4' and extra == \"ocr\"",
    ]
    monkeypatch.setattr(module.importlib.metadata, "requires", lambda name: lines)

    assert Extra("ocr", "any").requirements() == ("rapid>=1.4", "wheel ; python_version < '4'")
    with pytest.raises(JobError, match="Nothing is known of the extra 'other'"):
        Extra("other", "any").requirements()


def test_without_pip_and_uv_the_next_step_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(module.shutil, "which", lambda name: None)

    with pytest.raises(JobError) as caught:
        Installer.find()
    assert "ensurepip" in caught.value.next_step
