"""Tests of the language model: each on a thread of its own, what it found kept for who looks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.domain.llm.report import KindTest
from core.domain.principal import Principal
from core.errors import GroundworkError

if TYPE_CHECKING:
    from core.workbench import Workbench

KINDS = 3


@dataclass
class RunningTest:
    """A test of this process. `tests` only grows, so it may be read while it runs.

    said: why it could not begin or broke off, and what to do; None where it did not. is_cancelled: by the
    person: it counts as ended at once, whatever its thread still has to close.
    """

    tests: list[KindTest] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    said: tuple[str, str] | None = None
    is_cancelled: bool = False
    _break_off: Callable[[], None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)  # guards: is_cancelled, _break_off

    @property
    def done(self) -> bool:
        """True where it has ended, one way or another."""
        return self.ended.is_set()

    def cancel(self) -> None:
        """Break it off; returns at once. One that has ended stays as it is."""
        with self._lock:
            if self.done:
                return
            self.is_cancelled, break_off = True, self._break_off
        self.ended.set()
        if break_off is not None:
            break_off()

    def begin(self, break_off: Callable[[], None]) -> None:
        """Take what breaks it off, and do so where it was cancelled before it began."""
        with self._lock:
            self._break_off = break_off
            is_cancelled = self.is_cancelled
        if is_cancelled:
            break_off()


class ModelTests:
    """Starts tests and remembers the last one of each person; one at a time each. Thread-safe."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._lock = threading.Lock()  # guards: _tests
        self._tests: dict[Principal, RunningTest] = {}

    def start(self, principal: Principal) -> RunningTest:
        """Begin a test, or give the one that runs; returns at once."""
        with self._lock:
            known = self._tests.get(principal)
            if known is not None and not known.done:
                return known
            test = self._tests[principal] = RunningTest()
        threading.Thread(target=self._run, args=(test, principal), name="model-test", daemon=True).start()
        return test

    def cancel(self, principal: Principal) -> None:
        """Break off the test that runs, if one does."""
        test = self.last(principal)
        if test is not None:
            test.cancel()

    def last(self, principal: Principal) -> RunningTest | None:
        """The test that runs, or ran last."""
        with self._lock:
            return self._tests.get(principal)

    def forget(self, principal: Principal) -> None:
        """Its findings are of settings that hold no more."""
        with self._lock:
            self._tests.pop(principal, None)

    def close(self) -> None:
        """Break off all that runs."""
        with self._lock:
            tests = list(self._tests.values())
        for test in tests:
            test.cancel()

    def _run(self, test: RunningTest, principal: Principal) -> None:
        try:
            self._bench.for_principal(principal).settings.test_model(test.tests.append, test.begin)
        except GroundworkError as error:
            test.said = error.message, error.next_step
        except Exception as error:  # the thread's edge: the test must end, and say so, whatever happened
            test.said = f"The test failed: {error}", "Try again; if it stays, run `groundwork doctor`."
        finally:
            test.ended.set()
