"""Installs an optional part of this program into the environment that runs it, with that one's own installer.

What is installed already is never changed: every package is held at its version, so that a program at work
does not lose what it has loaded. A file in the environment says that an installation is under way; it goes
once the new modules could be imported, so what a kill left half done is never used.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import JobError

PACKAGE = "groundwork"
_LOOK_EVERY_S = 0.2
_EXTRA = re.compile(r"""\s*(?:and\s+)?\(?extra\s*==\s*["']([^"']+)["']\)?""")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MOST_LINES = 2_000
_NETWORK = (
    "Could not fetch URL",
    "Failed to establish",
    "Temporary failure in name resolution",
    "Name or service not known",
    "Connection refused",
    "Connection broken",
    "ReadTimeoutError",
    "ConnectTimeout",
    "Could not connect",
    "dns error",
    "error sending request",
)
_REASONS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("DO NOT MATCH THE HASHES", "Hash mismatch"),
        "What was downloaded is not what the package index announces (its hash differs).",
        "Try again; if it stays so, ask who runs the package index.",
    ),
    (("No space left", "Errno 28"), "The disk is full.", "Free some disk space, then try again."),
    (
        ("externally-managed-environment",),
        "This Python belongs to the operating system, which forbids to install into it.",
        "Install Groundwork into a virtual environment of its own.",
    ),
    (
        ("Permission denied", "Errno 13", "Read-only file system", "Errno 30"),
        "The environment cannot be written.",
        "Start Groundwork as the user who installed it, or let that user install the extra.",
    ),
    (
        _NETWORK,
        "The package index cannot be reached.",
        "Check the network and the settings of pip (PIP_INDEX_URL), then try again.",
    ),
    (
        ("ResolutionImpossible", "conflicting dependencies", "No solution found"),
        "It needs other versions of packages that are installed already; nothing was changed.",
        "Bring Groundwork up to date first.",
    ),
    (
        ("No matching distribution", "Could not find a version"),
        "The package index has no version of it for this Python and system.",
        "Check the settings of pip (PIP_INDEX_URL); the index may be closed or incomplete.",
    ),
)


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part: its name in the project's metadata, and the module by which it is known."""

    name: str
    module: str

    @property
    def is_installed(self) -> bool:
        """True where it can be used; cheap, imports nothing."""
        return self.is_there and not marker_of(self).exists()

    @property
    def is_there(self) -> bool:
        """True where its module stands in the environment, be it half installed."""
        importlib.invalidate_caches()  # it may have come while this process ran
        return importlib.util.find_spec(self.module) is not None

    def requirements(self) -> tuple[str, ...]:
        """Packages and versions that the project's own metadata names for it. Raises JobError."""
        try:
            lines = importlib.metadata.requires(PACKAGE) or []
        except importlib.metadata.PackageNotFoundError:
            lines = []
        found = tuple(text for line in lines if (text := _without_extra(line, self.name)))
        if not found:
            raise JobError(
                f"Nothing is known of the extra {self.name!r} here: {PACKAGE} runs without its metadata.",
                next_step=f"Install it by hand: pip install -e '.[{self.name}]'",
            )
        return found


def marker_of(extra: Extra) -> Path:
    """File in the environment that stands there while an extra is being installed, or was left half done."""
    return Path(sysconfig.get_paths()["purelib"]) / f".{PACKAGE}-{extra.name}.installing"


@dataclass(frozen=True, slots=True)
class Installer:
    """A program that installs packages into this environment."""

    command: tuple[str, ...]
    name: str

    @classmethod
    def find(cls) -> Installer:
        """The interpreter's own pip; `uv pip` where it has none. Raises JobError."""
        if importlib.util.find_spec("pip") is not None:
            options = ("--no-input", "--disable-pip-version-check", "--progress-bar", "off")
            return cls((sys.executable, "-m", "pip", "install", *options), "pip")
        uv = shutil.which("uv")
        if uv is not None:
            return cls((uv, "pip", "install", "--no-progress", "--python", sys.executable), "uv pip")
        raise JobError(
            "This Python has no pip, and there is no uv either.",
            next_step=f"Run: {sys.executable} -m ensurepip. Then try again.",
        )


def install(
    extra: Extra,
    check: Callable[[], None],
    tell: Callable[[str], None],
    log: Path,
    installer: Installer | None = None,
) -> None:
    """Install an extra; blocks. Does nothing where it is installed.

    check: raises to give up; what runs then is ended. tell: told of each step in words. log: gets all that
    the installer says. Raises JobError with the reason where it cannot be; it is then not used.
    """
    if extra.is_installed:
        return
    wanted, chosen, marker = extra.requirements(), installer or Installer.find(), marker_of(extra)
    before = _begin(marker)
    half_done = sorted(_installed().keys() - before.keys())  # left by an attempt that was killed
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as said, _constraints(before) as held:
        try:
            tell("Looking up the packages")
            if half_done:
                again = (*chosen.command, "--force-reinstall", "--no-deps", "-c", str(held), *half_done)
                _run(again, check, tell, said.write)
            _run((*chosen.command, "-c", str(held), *wanted), check, tell, said.write)
            tell("Trying it")
            _run((sys.executable, "-P", "-c", f"import {extra.module}"), check, lambda _: None, said.write)
        except _EndedError as ended:
            if _installed().keys() == before.keys() and not extra.is_there:
                marker.unlink(missing_ok=True)  # nothing of it is there
            raise ended.reason(extra, log) from None
    marker.unlink(missing_ok=True)


def _begin(marker: Path) -> dict[str, str]:
    """Leave the mark, and give what was installed before the first attempt: requirements by name."""
    try:
        if marker.exists() and (kept := marker.read_text(encoding="utf-8").split()):
            return {line.partition("==")[0].lower(): line for line in kept}
        before = _installed()
        marker.write_text("".join(f"{line}\n" for line in before.values()), encoding="utf-8")
    except OSError as error:
        is_full = error.errno == errno.ENOSPC
        raise JobError(
            f"The environment {str(marker.parent)!r} cannot be written: {error.strerror or error}.",
            next_step="Free some disk space, then try again."
            if is_full
            else "Start Groundwork as the user who installed it, or let that user install the extra.",
        ) from error
    return before


def _installed() -> dict[str, str]:
    """Packages of this environment as requirements of the very version, by name."""
    importlib.invalidate_caches()
    found: dict[str, str] = {}
    for each in importlib.metadata.distributions():
        name = each.metadata["Name"]
        if name and _NAME.fullmatch(name) and name.lower() not in (PACKAGE, "pip", "setuptools"):
            found.setdefault(name.lower(), f"{name}=={each.version}")
    return found


class _EndedError(Exception):
    """A command ended without success."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines

    def reason(self, extra: Extra, log: Path) -> JobError:
        said = "\n".join(self._lines)
        for signs, message, next_step in _REASONS:
            if any(sign.casefold() in said.casefold() for sign in signs):
                return JobError(f"The extra {extra.name!r} was not installed. {message}", next_step=next_step)
        last = next((line for line in reversed(self._lines) if line.strip()), "It said nothing.")
        return JobError(
            f"The extra {extra.name!r} was not installed: {last.strip()[:300]}",
            next_step=f"All that the installer said stands in {str(log)!r}.",
        )


def _run(
    command: Sequence[str], check: Callable[[], None], tell: Callable[[str], None], note: Callable[[str], int]
) -> None:
    """Raises _EndedError where the command fails, and what `check` raises once its processes are ended."""
    note(f"$ {' '.join(command)}\n")
    lines: list[str] = []
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise _EndedError([f"{command[0]}: {error.strerror or error}"]) from error
    reading = threading.Thread(target=_read, args=(process, lines, note), name="installer", daemon=True)
    reading.start()
    told = 0
    try:
        while reading.is_alive():
            reading.join(_LOOK_EVERY_S)
            check()
            for line in lines[told:]:
                if step := _step(line):
                    tell(step)
            told = len(lines)
        if process.wait() != 0:
            raise _EndedError(lines)
    finally:
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        reading.join()


def _read(process: subprocess.Popen[str], lines: list[str], note: Callable[[str], int]) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            note(line)
            if len(lines) < _MOST_LINES:
                lines.append(line)


def _step(line: str) -> str:
    """The step that a line of pip or uv tells of, in words; "" for none."""
    words = line.split()
    if words[:1] in (["Downloading"], ["Collecting"], ["Downloaded"]) and len(words) > 1:
        name = words[1].rsplit("/", 1)[-1]
        more = f" {' '.join(words[2:])}" if words[0] == "Downloading" and len(words) > 2 else ""
        return f"{'Looking up' if words[0] == 'Collecting' else words[0]} {name}{more}"
    if line.startswith("Installing collected"):
        return "Installing the packages"
    return ""


@contextlib.contextmanager
def _constraints(installed: Mapping[str, str]) -> Iterator[Path]:
    """A file that holds every package that was installed before at its version."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "held.txt"
        file.write_text("".join(f"{line}\n" for line in sorted(installed.values())), encoding="utf-8")
        yield file


def _without_extra(line: str, extra: str) -> str:
    """A requirement of an extra without the mark that says so; "" where it is none of it."""
    requirement, _, condition = line.partition(";")
    found = _EXTRA.search(condition)
    if found is None or found[1] != extra:
        return ""
    rest = re.sub(r"\s*and\s*$", "", _EXTRA.sub("", condition)).strip()
    return f"{requirement.strip()} ; {rest}" if rest else requirement.strip()
