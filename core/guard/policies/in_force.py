"""Policies in force: the installed files, each replaced by the home's own of its name; decisions."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from threading import Lock

from core import plugins
from core.cache import Cache
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.trust.permission import PolicyDecision, PolicyRequest
from core.errors import PolicyFileError, UsageError
from core.guard.policies.cedar import SCHEMA_FILE, SHIPPED, CedarPolicies, PolicyText, policy_texts
from core.plugins import Plugin

FOLDER = "policies"
CASES = "cases.toml"
KEPT = 4096
_ENDING = ".cedar"
# Roles in the order in which a refusal names them: admin where nothing else helps.
_HELPFUL = ("contract_read", "compliance_officer", "finance_read", "reviewer", "analyst")
_LAST = "admin"
_ALLOWED = PolicyDecision(True, ("the built-in local admin may do everything",))

Signature = tuple[tuple[str, int, int], ...]


class Policies:
    """The policies of one home, read again as soon as a file of them changes. Thread-safe.

    Where a file is broken every decision raises PolicyFileError: what held before does not go on, for nobody
    could tell which policies are in force. The built-in local admin is
    whoever runs the machine: nothing is asked of them, so that there is always somebody who can mend it.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._lock = Lock()  # guards the three below: they belong together
        self._signature: Signature | None = None
        self._read: CedarPolicies | PolicyFileError | None = None
        self._decided: Cache[tuple[object, ...], PolicyDecision] = Cache(KEPT)

    def decide(self, principal: Principal, request: PolicyRequest) -> PolicyDecision:
        """The decision on a deed. Raises PolicyFileError.

        Kept by user, roles, groups and what is asked for, until a file changes.
        """
        if principal == LOCAL_ADMIN:
            return _ALLOWED
        policies, decided = self._current()
        key = (principal.user, principal.roles, principal.groups, request)
        return decided.get_or_make(key, lambda: _decided(policies, principal, request))

    def known_by(self, principal: Principal) -> str:
        """Equal for principals whom the policies in force cannot tell apart; another one once a file changes.

        Of users and groups only where a policy names one, so that those of the same roles share what is kept.
        """
        if principal == LOCAL_ADMIN:
            return principal.user
        try:
            policies = self._current()[0].policies
        except PolicyFileError:
            return "nobody"  # everything is refused
        text = "\n".join(each.text for each in policies)
        user = principal.user if "User::" in text else ""
        groups = sorted(principal.groups) if "Group::" in text else []
        who = [user, sorted(principal.roles), groups, text]
        return hashlib.sha256(json.dumps(who).encode()).hexdigest()

    def in_force(self) -> tuple[PolicyText, ...]:
        """All policies in force, file by file. Raises PolicyFileError."""
        return self._current()[0].policies

    def files(self) -> list[Path]:
        """The files in force by name: the home's own where it has one, else the installed one.

        Raises PolicyFileError where a plug-in's is not in force.
        """
        return [self._files()[name] for name in sorted(self._files())]

    @property
    def cases(self) -> Path:
        """The file of cases that belongs to them: the home's own, or the shipped one."""
        own = self._folder / CASES
        return own if own.is_file() else SHIPPED / CASES

    def is_own(self, file: Path) -> bool:
        """True of a file of the home."""
        return file.parent == self._folder

    def copy(self, *, replace: bool = False) -> list[Path]:
        """Copy the shipped files with their cases and the schema into the home, to be changed there.

        Gives what was written. Raises UsageError where a file is there already, unless it shall be replaced.
        """
        shipped = sorted(each for each in SHIPPED.iterdir() if each.is_file())
        there = [each.name for each in shipped if (self._folder / each.name).exists()]
        if there and not replace:
            raise UsageError(
                f"{self._folder} has {', '.join(there)} already.",
                next_step="Edit them there, or copy with --replace, which overwrites them.",
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copyfile(each, self._folder / each.name)) for each in shipped]

    def _current(self) -> tuple[CedarPolicies, Cache[tuple[object, ...], PolicyDecision]]:
        with self._lock:
            signature = self._stamp()
            if signature != self._signature or self._read is None:
                self._signature, self._decided = signature, Cache(KEPT)
                try:
                    self._read = CedarPolicies([*self._texts()])
                except PolicyFileError as error:
                    self._read = error
            read = self._read
            if isinstance(read, PolicyFileError):  # a new one for each who asks: a traceback belongs to one
                raise PolicyFileError(read.message, file=read.file, line=read.line, next_step=read.next_step)
            return read, self._decided

    def _texts(self) -> Iterator[PolicyText]:
        for file in self.files():
            try:
                text = file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise PolicyFileError(
                    f"The policy file {file.name}, line 1, cannot be read: {error}. "
                    "Until it is mended nobody may do anything here.",
                    file=file.name,
                    line=1,
                    next_step=f"Mend or remove {file}, then run: groundwork policies test",
                ) from error
            yield from policy_texts(file.name, text)

    def _files(self) -> dict[str, Path]:
        found = {f"{plugin.name}{_ENDING}": path for plugin, path in installed_policies()}
        if self._folder.is_dir():
            found |= {each.name: each for each in self._folder.iterdir() if each.suffix == _ENDING}
        return found

    def _stamp(self) -> Signature:
        """Names, sizes and times of the home's own files; the shipped ones do not change while this runs."""
        try:
            with os.scandir(self._folder) as entries:
                found = [(each.name, each.stat()) for each in entries if each.name.endswith(_ENDING)]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise PolicyFileError(
                f"The folder of policies cannot be looked into: {error}. Until it can nobody may do anything "
                "here.",
                file=FOLDER,
                line=0,
                next_step=f"See to the rights on {self._folder}.",
            ) from error
        return tuple(sorted((name, about.st_size, about.st_mtime_ns) for name, about in found))


def installed_policies() -> list[tuple[Plugin, Path]]:
    """Files of the package and of plug-ins. Raises PolicyFileError where one of these cannot be in force.

    It may forbid something: a home that went on without it would allow that to everybody.
    """
    registry = plugins.registry()
    found = []
    for plugin in registry.plugins(plugins.POLICIES).values():
        path = registry.data_file(plugin, _ENDING)
        if path is not None and not plugin.is_shipped:
            try:
                CedarPolicies([*policy_texts(path.name, path.read_text(encoding="utf-8"))])
            except (PolicyFileError, OSError, UnicodeDecodeError) as error:
                registry.leave_out(plugin, str(error).partition(" Until")[0].rstrip("."))
                continue
        if path is not None:
            found.append((plugin, path))
    for each in registry.left_out():
        if each.plugin.group == plugins.POLICIES:
            file = f"{each.plugin.name}{_ENDING}"
            raise PolicyFileError(
                f"The policies {each.plugin.label} are not in force: {each.reason}. Until they are, nobody "
                "may do anything here.",
                file=file,
                line=0,
                next_step=f"Mend or uninstall {each.plugin.distribution!r}, then start again.",
            )
    return found


def _decided(policies: CedarPolicies, principal: Principal, request: PolicyRequest) -> PolicyDecision:
    roles, groups = principal.roles, principal.groups
    is_allowed, names = policies.decide(request, principal.user, roles, groups)
    if is_allowed:
        return PolicyDecision(True, names)
    helpful = [each for each in _HELPFUL if each not in roles]
    tries = [some for size in range(1, len(helpful) + 1) for some in combinations(helpful, size)]
    lacking: tuple[str, ...] = ()
    for some in (*tries, (_LAST,)):
        if policies.decide(request, principal.user, roles | set(some), groups)[0]:
            lacking = some
            break
    return PolicyDecision(False, names, lacking)


__all__ = ["CASES", "FOLDER", "SCHEMA_FILE", "Policies"]
