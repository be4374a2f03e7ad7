"""How much of what is generated a test takes: GROUNDWORK_CI=full has all of it, a usual run an eighth."""

from __future__ import annotations

import os

IS_FULL = os.environ.get("GROUNDWORK_CI") == "full"
_LEAST = 10


def examples(many: int) -> int:
    """A number of generated examples; each usual run draws others."""
    return many if IS_FULL else max(min(many, _LEAST), many // 8)
