"""Parts of an object that are made on first use, once, whichever thread asks first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar, overload

Made = TypeVar("Made")


class Closes(Protocol):
    """A part that holds something until it is closed."""

    def close(self) -> None:
        """Let it go."""
        ...


Closing = TypeVar("Closing", bound=Closes)


class MakesParts:
    """Owner of parts that are `made_once`."""

    def __init__(self) -> None:
        self.making = RLock()  # taken again by a part that asks for another
        self._closers = ExitStack()

    def closing(self, made: Closing) -> Closing:
        """The part, which is closed with its owner, before those that were made earlier."""
        self._closers.callback(made.close)
        return made

    def on_close(self, closer: Callable[[], None]) -> None:
        """Call `closer` on close, before what was made earlier is closed."""
        self._closers.callback(closer)

    def close(self) -> None:
        """Close what was made; safe to call twice."""
        self._closers.close()  # without the lock: what is closed may wait for a thread that asks for a part


class made_once(Generic[Made]):  # noqa: N801 - a decorator, named as cached_property is
    """A property that is made once, whoever asks first, and then kept.

    functools.cached_property has a lock for each property up to Python 3.11: two threads that make parts
    which need one another take those locks in different orders, and wait for each other for ever. From 3.12
    it has none, and a part can be made twice. Here all parts of an object share its one lock.
    """

    def __init__(self, make: Callable[[Any], Made]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type[MakesParts]) -> made_once[Made]: ...

    @overload
    def __get__(self, owner: MakesParts, kind: type[MakesParts]) -> Made: ...

    def __get__(self, owner: MakesParts | None, kind: type[MakesParts]) -> made_once[Made] | Made:
        if owner is None:
            return self
        kept = owner.__dict__  # where Python looks first once it is there
        with owner.making:
            if self._name not in kept:
                kept[self._name] = self._make(owner)
            made: Made = kept[self._name]
            return made
