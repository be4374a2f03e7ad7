"""Browsers that are there: the session that a script runs for, and its end when the tab is closed."""

from __future__ import annotations

from dataclasses import dataclass

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One tab, until it is closed or loaded anew; equal ids, equal sessions."""

    id: str

    def is_open(self) -> bool:
        """True while the tab is connected. Thread-safe."""
        return Runtime.exists() and Runtime.instance().is_active_session(self.id)


def current_session() -> BrowserSession | None:
    """The session of the running script; None where none runs."""
    context = get_script_run_ctx(suppress_warning=True)
    return BrowserSession(context.session_id) if context is not None and Runtime.exists() else None
