"""Plug-ins: everything that entry points bring, ours and other people's, and what of it was left out and why.

A distribution names `name = "module:object"`, or the package of a data file, in one of the groups below; the
shipped parts stand in `pyproject.toml` in the same way. What does not import, is of the wrong shape, is slow,
or claims a name that is taken is left out by name, and the rest works.
"""

from __future__ import annotations

import contextvars
import importlib
import importlib.metadata
import importlib.util
import logging
import re
import sys
import threading
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from core.errors import GroundworkError, PluginError

ENGINES = "groundwork.engines"
PARSERS = "groundwork.parsers"
SCHEMAS = "groundwork.schemas"
READERS = "groundwork.readers"
RERANKERS = "groundwork.rerankers"
POLICIES = "groundwork.policies"
PAGE_IMAGES = "groundwork.page_images"
GROUPS = (ENGINES, PARSERS, SCHEMAS, READERS, RERANKERS, POLICIES, PAGE_IMAGES)
OWN = "groundwork"
"""Name of our own distribution; a name that it has is taken by no other."""

_PROJECT = Path(__file__).parents[1] / "pyproject.toml"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_IMPORT_WITHIN_S = 20.0
_WAY_OUT = "Mend it, or uninstall {!r}; what else is installed works without it."
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point. target: `module:object`, or the package that holds a data file of its name."""

    group: str
    name: str
    target: str
    distribution: str

    @property
    def is_shipped(self) -> bool:
        """True of our own."""
        return self.distribution == OWN

    @property
    def label(self) -> str:
        """How messages call it: `'rtf' (groundwork.parsers) of 'acme-rtf'`."""
        return f"{self.name!r} ({self.group}) of {self.distribution!r}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A plug-in that is not used, and why: a sentence."""

    plugin: Plugin
    reason: str

    @property
    def next_step(self) -> str:
        """What to do about it."""
        return _WAY_OUT.format(self.plugin.distribution)


@dataclass
class Registry:
    """Plug-ins of one search path. Thread-safe; an object is imported when it is first asked for."""

    _plugins: dict[str, dict[str, Plugin]]
    _left_out: list[LeftOut]
    _objects: dict[Plugin, object] = field(default_factory=dict)
    _tables: dict[str, Mapping[str, object]] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)  # guards the four above

    def __hash__(self) -> int:
        return id(self)

    def plugins(self, group: str) -> dict[str, Plugin]:
        """Plug-ins of a group that are not left out, by name: ours first, then by distribution."""
        with self._lock:
            return dict(self._plugins.get(group, {}))

    def left_out(self) -> list[LeftOut]:
        """Plug-ins that are not used, in the order in which that came out."""
        with self._lock:
            return list(self._left_out)

    def find(self, group: str, name: str) -> Plugin:
        """The plug-in of that name. Raises PluginError, which says why where it was left out."""
        with self._lock:
            plugin = self._plugins.get(group, {}).get(name)
            if plugin is not None:
                return plugin
            for each in self._left_out:
                if (each.plugin.group, each.plugin.name) == (group, name):
                    raise PluginError(_sentence(each.plugin, each.reason), next_step=each.next_step)
            names = ", ".join(self._plugins.get(group, {})) or "none"
        raise PluginError(
            f"There is no plug-in {name!r} in {group}. There are: {names}.",
            next_step="Install the package that brings it; in a source tree run: pip install -e .",
        )

    def load(self, group: str, name: str, of: type[_T]) -> _T:
        """The object that a plug-in names, imported once.

        Raises PluginError where there is none of that name, and where it does not import or is no `of`; it is
        left out from then on.
        """
        plugin = self.find(group, name)
        with self._lock:
            loaded = self._objects.get(plugin)
        if loaded is None:
            loaded = self._imported(plugin)
        if not isinstance(loaded, of):
            raise self.leave_out(plugin, f"it names a {type(loaded).__name__!r}, not a {of.__name__!r}")
        with self._lock:
            self._objects[plugin] = loaded
        return loaded

    def table(self, group: str, of: type[_T]) -> Mapping[str, _T]:
        """Every object of a group by name, made once; those that cannot be loaded are left out."""
        with self._lock:
            known = self._tables.get(group)
        if known is None:
            loaded = {}
            for name in self.plugins(group):
                try:
                    loaded[name] = self.load(group, name, of)
                except PluginError:
                    continue  # it is left out by name
            with self._lock:
                known = self._tables[group] = loaded
        return known  # type: ignore[return-value]  # of the group's one type

    def data_file(self, plugin: Plugin, suffix: str) -> Path | None:
        """The file `NAME.suffix` in the package that a plug-in names, which is not run; None, left out."""
        try:
            spec = importlib.util.find_spec(plugin.target)
        except Exception as error:  # a package around it may do anything while it is imported
            self.leave_out(plugin, _failure("its package does not import", error))
            return None
        for folder in (spec and spec.submodule_search_locations) or ():
            path = Path(folder) / f"{plugin.name}{suffix}"
            if path.is_file():
                return path
        self.leave_out(plugin, f"the package {plugin.target!r} holds no file {plugin.name + suffix!r}")
        return None

    def call(self, plugin: Plugin, work: Callable[[], _T], *, within_s: float) -> _T | None:
        """The result of code of a plug-in that runs in this process; None where it is left out for it.

        Left out where it raises, or takes longer than `within_s`. Its GroundworkErrors are its answer, and
        raised; ours raise what they raise.
        """
        if plugin.is_shipped:
            return work()
        try:
            return within(work, within_s)
        except GroundworkError:
            raise
        except TimeoutError:
            self.leave_out(plugin, f"it took longer than {within_s:g} s")
        except Exception as error:
            self.leave_out(plugin, _failure("it failed", error))
        return None

    def leave_out(self, plugin: Plugin, reason: str) -> PluginError:
        """Use a plug-in no more in this process; gives the error that says so."""
        with self._lock:
            if self._plugins.get(plugin.group, {}).get(plugin.name) == plugin:
                del self._plugins[plugin.group][plugin.name]
                self._objects.pop(plugin, None)
                known = self._tables.get(plugin.group, {})
                self._tables[plugin.group] = {n: o for n, o in known.items() if n != plugin.name}
                if not known:
                    del self._tables[plugin.group]
                self._left_out.append(LeftOut(plugin, reason))
                _log.warning("%s", _sentence(plugin, reason))
        return PluginError(_sentence(plugin, reason), next_step=_WAY_OUT.format(plugin.distribution))

    def _imported(self, plugin: Plugin) -> object:
        try:
            if plugin.is_shipped:
                return _object(plugin.target)
            return within(lambda: _object(plugin.target), _IMPORT_WITHIN_S)
        except TimeoutError as error:
            reason = f"it took longer than {_IMPORT_WITHIN_S:g} s to import"
            raise self.leave_out(plugin, reason) from error
        except Exception as error:  # code of others, which may raise anything
            raise self.leave_out(plugin, _failure("it does not import", error)) from error


def within(work: Callable[[], _T], seconds: float) -> _T:
    """The result of code of others. Raises TimeoutError where it takes longer, else what it raises.

    It runs in a thread of its own, which cannot be ended: what is late is not waited for, and is not to be
    called again.
    """
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # also SystemExit, which a module may raise
            errors.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0] if isinstance(errors[0], Exception) else RuntimeError(repr(errors[0]))
    if not results:
        raise TimeoutError
    return results[0]


def registry() -> Registry:
    """The plug-ins of this process; a path of modules that changed is looked through anew."""
    return _registry(tuple(sys.path))


@lru_cache(maxsize=4)
def _registry(_path: tuple[str, ...]) -> Registry:
    plugins: dict[str, dict[str, Plugin]] = {group: {} for group in GROUPS}
    left_out: list[LeftOut] = []
    for plugin in (*_own(), *sorted(_of_others(), key=lambda each: (each.distribution.lower(), each.name))):
        of_group = plugins.get(plugin.group)
        if of_group is None:
            reason = f"there is no such group; there are {', '.join(GROUPS)}"
        elif not _NAME.fullmatch(plugin.name):
            reason = "its name is not of lower-case letters, digits, '-' and '_', a letter first"
        elif plugin.name in of_group:
            reason = f"{of_group[plugin.name].distribution!r} has that name already"
        else:
            of_group[plugin.name] = plugin
            continue
        left_out.append(LeftOut(plugin, reason))
        _log.warning("%s", _sentence(plugin, reason))
    return Registry(plugins, left_out)


def _own() -> Iterator[Plugin]:
    """Ours, of the source tree where there is one: its metadata are as old as the last `pip install -e`."""
    try:
        groups = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]
        for group, entries in groups.items():
            yield from (Plugin(group, name, target, OWN) for name, target in entries.items())
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        with suppress(importlib.metadata.PackageNotFoundError):  # `find` says what to do
            yield from _entries(importlib.metadata.distribution(OWN), OWN)


def _of_others() -> Iterator[Plugin]:
    seen = {OWN}
    for distribution in importlib.metadata.distributions():
        try:
            # 217 distributions, of which few have a group of ours: their names are not even read.
            if "[groundwork." not in (distribution.read_text("entry_points.txt") or ""):
                continue
            name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"] or "unnamed").lower()
            if name not in seen:  # of two on the path the first is imported
                seen.add(name)
                yield from _entries(distribution, name)
        except Exception as error:  # metadata of others, which may be damaged in any way
            _log.warning("Entry points cannot be read (%s: %s).", type(error).__name__, error)


def _entries(distribution: importlib.metadata.Distribution, name: str) -> Iterable[Plugin]:
    return [
        Plugin(each.group, each.name, each.value, name)
        for each in distribution.entry_points
        if each.group.startswith("groundwork.")
    ]


def _object(target: str) -> object:
    module, _, path = target.partition(":")
    found: object = importlib.import_module(module)
    for part in filter(None, path.split(".")):
        found = getattr(found, part)
    return found


def _failure(what: str, error: Exception) -> str:
    return f"{what} ({type(error).__name__}: {' '.join(str(error).split())[:200]})"


def _sentence(plugin: Plugin, reason: str) -> str:
    return f"The plug-in {plugin.label} is left out: {reason}."
