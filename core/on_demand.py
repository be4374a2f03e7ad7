"""Attributes whose classes are imported by who asks for them first."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _OnDemand:
    def __init__(self, module: str, needs: tuple[str, ...], is_kept: bool) -> None:
        self._module, self._needs, self._is_kept = module, needs, is_kept

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: object, kind: type) -> Any:
        if owner is None:
            return self
        made = getattr(import_module(self._module), kind.__annotations__[self._name])
        value = made(*(getattr(owner, each) for each in self._needs))
        # Threads that come at once make several, and share one.
        return vars(owner).setdefault(self._name, value) if self._is_kept else value


def on_demand(module: str, needs: tuple[str, ...], *, is_kept: bool = False) -> Any:
    """An attribute of the class in `module` that it is annotated with, made of what the owner calls `needs`.

    Made anew for each access, unless it is kept.
    """
    return _OnDemand(module, needs, is_kept)
