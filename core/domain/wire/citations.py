"""JSON of citations that are held against their documents as they are now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain.answer import Answer
from core.domain.evidence_change import EvidenceStanding, TextComparison


def standing_json(found: EvidenceStanding) -> dict[str, Any]:
    """How a cited place stands now."""
    place = found.place
    return {
        "state": found.state.value,
        "newest": found.newest or None,
        "at": None if found.at is None else found.at.isoformat(timespec="seconds"),
        "stands": found.stands,
        "place": None if place is None else {"page": place.page_no, "start": place.start, "end": place.end},
        "note": found.note,
    }


def answer_with_standings(answer: Answer, standings: Mapping[int, EvidenceStanding]) -> dict[str, Any]:
    """The answer's JSON, each citation with its `standing`; a citation without one has none."""
    data = answer.model_dump(mode="json", by_alias=True)
    for claim in data["claims"]:
        for citation in claim["citations"]:
            if (found := standings.get(citation["n"])) is not None:
                citation["standing"] = standing_json(found)
    return data


def comparison_json(found: TextComparison) -> dict[str, Any]:
    """Old and new text of the paragraphs that changed since a version."""
    return {
        "version": found.before_version,
        "newest": found.version,
        "paragraphs": [
            {
                "before": each.before or None,
                "now": each.now or None,
                "before_page": each.before_page,
                "page": each.after_page,
                "parts": [[part.side, part.text] for part in each.parts],
            }
            for each in found.changes
        ],
        "left_out": found.left_out,
    }
