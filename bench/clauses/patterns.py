"""The weighted patterns that the heads see, from research notes, in the form that RE2 takes."""

from __future__ import annotations

import json
from pathlib import Path

from core.extract.clauses.features import ClausePattern

_UNLESS = "^(?!.*("


def read_patterns(path: Path) -> list[ClausePattern]:
    """Every pattern of a JSON object {type: [pattern, ...]}, for lower-cased text.

    A leading `^(?!.*(words)).*` becomes `unless`, since RE2 never looks ahead.
    """
    found = []
    for kind, patterns in json.loads(path.read_text(encoding="utf-8")).items():
        for pattern in patterns:
            lowered = pattern.replace("CPI", "cpi").replace("USD", "usd").replace("[A-Z]", "[a-z]")
            unless = ""
            if lowered.startswith(_UNLESS):
                unless, _, lowered = lowered.removeprefix(_UNLESS).partition(")).*")
            found.append(ClausePattern(kind, lowered, unless))
    return found
