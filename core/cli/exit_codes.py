"""Exit codes of commands that do not end well (0), for the shell."""

from __future__ import annotations

FAILED = 1
WRONG_USAGE = 2  # or wrong configuration
SOME_FAILED = 3  # finished, but some inputs failed; they are listed
REFUSED = 4  # by a guardrail or a policy
