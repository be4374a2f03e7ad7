"""Actions of the page Evaluate: runs begun and stopped, cases muted and promoted, suites brought in."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app import services, state
from app.components.shell import guarded

_OF_CASES = ("case", "show", "shape", "find", "by", "down", "part")


def open_suite(name: str) -> None:
    """Show a suite with its runs."""
    state.to_address(suite=name, picked=None)


def open_run(run: str) -> None:
    """Show a run."""
    state.to_address(run=run, before=None, after=None, **dict.fromkeys(_OF_CASES))


def close() -> None:
    """Go back to the suites and runs."""
    state.to_address(run=None, before=None, after=None, **dict.fromkeys(_OF_CASES))


def compare(before: str, after: str) -> None:
    """Show two runs beside each other."""
    state.to_address(run=None, before=before, after=after, **dict.fromkeys(_OF_CASES))


def pick(runs: Sequence[str]) -> None:
    """Tick runs, of which the last two are compared."""
    state.to_address(picked=",".join(list(runs)[-2:]) or None)


def open_case(case: str) -> None:
    """Show one case."""
    state.to_address(case=case)


def sort(key: str, descending: bool) -> None:
    """Put the cases in another order."""
    state.to_address(by=key, down=int(descending), part=None)


@guarded
def start(suite: str, with_model: bool) -> None:
    """Begin a run and show it."""
    open_run(services.session().evaluations.start(suite, with_model=with_model))


@guarded
def cancel(run: str) -> None:
    """Stop a run; what is measured stays."""
    services.session().evaluations.cancel(run)
    state.flash("The run stops. What is measured stays.")


@guarded
def resume(run: str) -> None:
    """Go on with a run that was stopped."""
    services.session().evaluations.resume(run)
    state.flash("The run goes on: what is measured is not asked again.")


@guarded
def remove(run: str) -> None:
    """Forget a run."""
    services.session().evaluations.remove(run)
    close()
    state.flash("The run is gone.")


@guarded
def remove_suite(name: str) -> None:
    """Forget an own suite."""
    services.session().evaluations.remove_suite(name)
    open_suite("")
    state.flash("The suite is gone. Its runs stay.")


@guarded
def mute(suite: str, case: str, key: str) -> None:
    """Let a case not count, for the reason that was typed."""
    services.session().evaluations.mute(suite, case, str(state.widget(key) or ""))
    state.flash("The case does not count any more.")


@guarded
def unmute(suite: str, case: str) -> None:
    """Let a case count again."""
    services.session().evaluations.unmute(suite, case)
    state.flash("The case counts again.")


@guarded
def promote(item: str, key: str) -> None:
    """Make a case of a live answer, in the suite whose name was typed."""
    name = str(state.widget(key) or "").strip()
    services.session().evaluations.promote(item, name)
    state.flash(f"It is a case of the suite “{name}” now, and asked in its next run.")


@guarded
def bring_in(key: str) -> None:
    """Keep the suite of the file that was given."""
    given: Any = state.widget(key)
    if given is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / Path(given.name).name
        file.write_bytes(given.getbuffer())
        found = services.session().evaluations.import_suite(file)
    open_suite(found.name)
    state.flash(f"The suite “{found.title}” is here, with {found.cases:,} cases.")
