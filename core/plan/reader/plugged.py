"""Readers of questions that plug-ins bring: asked before the trained one, followed where they give a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from core import plugins
from core.encode.base import Encoder
from core.errors import PluginError
from core.plan.catalogue import Catalogue
from core.plan.reader.reading import QuestionReader
from core.plan.reading import BUILT_IN, Reading

TRAINED = "trained"
_WITHIN_S = 5.0


class Reader(Protocol):
    """Reads questions over a catalogue, many threads at a time."""

    def read(self, question: str, catalogue: Catalogue) -> Reading | None:
        """The reading of a cleaned question; None for one that it leaves to the next reader."""
        ...


@dataclass(frozen=True, slots=True)
class ReaderSpec:
    """A reader as an entry point of `groundwork.readers` names it.

    open: makes it, with the encoder of questions; None where it cannot be used on this machine.
    """

    open: Callable[[Encoder], Reader | QuestionReader | None]


class PluginReaders:
    """The readers of plug-ins, each opened once. Thread-safe."""

    def __init__(self, encoder: Callable[[], Encoder]) -> None:
        self._encoder = encoder
        self._opened: dict[plugins.Plugin, Reader | None] = {}

    def readings(self, question: str, catalogue: Catalogue) -> Iterator[Reading]:
        """Their readings of a question, by the name of the plug-in.

        A reader that raises, is slow or gives something else is left out.
        """
        registry = plugins.registry()
        for name, plugin in registry.plugins(plugins.READERS).items():
            reader = None if plugin.is_shipped else self._reader(registry, plugin)
            if reader is None:
                continue
            reading = registry.call(plugin, partial(reader.read, question, catalogue), within_s=_WITHIN_S)
            if isinstance(reading, Reading):
                yield reading.model_copy(update={"by": name, "question": question})
            elif reading is not None:
                registry.leave_out(plugin, f"it gave a {type(reading).__name__!r}, not a 'Reading'")

    def _reader(self, registry: plugins.Registry, plugin: plugins.Plugin) -> Reader | None:
        if plugin.name in BUILT_IN:
            registry.leave_out(plugin, "its name is that of a reader of our own")
            return None
        if plugin not in self._opened:
            try:
                spec = registry.load(plugins.READERS, plugin.name, ReaderSpec)
            except PluginError:
                return None  # it is left out by name
            opened = registry.call(plugin, lambda: spec.open(self._encoder()), within_s=_WITHIN_S)
            if opened is not None and not callable(getattr(opened, "read", None)):
                registry.leave_out(plugin, f"its reader is a {type(opened).__name__!r} without 'read'")
                opened = None
            self._opened[plugin] = opened  # type: ignore[assignment]  # of a plug-in: no QuestionReader
        return self._opened[plugin]
