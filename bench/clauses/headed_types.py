"""Clause types outside CUAD: which headings name them, and which words speak for them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from core.extract.clauses.features import ClausePattern
from core.extract.clauses.head_names import BY_HEADINGS


@dataclass(frozen=True, slots=True)
class HeadedType:
    """Regular expressions on lower-cased text.

    headings: a section under such a heading is taken for the clause. neutral: under such a heading nothing
    is known; may be empty. cue: a document without such a heading and without any of these words is taken to
    lack the clause. patterns: weighted features, like those of CUAD's types; never rules.
    """

    headings: str
    neutral: str
    cue: str
    patterns: tuple[str, ...]


TYPES: dict[str, HeadedType] = {
    name: HeadedType(kind["headings"], kind["neutral"], kind["cue"], tuple(kind["patterns"]))
    for name, kind in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")).items()
}


def headed_patterns() -> list[ClausePattern]:
    """The patterns of all these types."""
    return [ClausePattern(BY_HEADINGS[name], each) for name, kind in TYPES.items() for each in kind.patterns]
