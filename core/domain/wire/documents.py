"""The JSON of a document's identity and family, and of citations held against documents as they are now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain.answer import Answer
from core.domain.evidence.change import EvidenceStanding, TextComparison
from core.domain.fields import Family, Identity, IdentityPart, Quote, Relative
from core.domain.span import PageSpan


def identity_json(identity: Identity) -> dict[str, Any]:
    """`{name, kind, parties, day}`, each part with its probability and its words in the document."""
    return {
        "name": identity.name,
        "kind": _part_json(identity.kind),
        "parties": [_part_json(each) for each in identity.parties],
        "day": _part_json(identity.day),
    }


def identity_from_json(stored: Mapping[str, Any]) -> Identity:
    """The identity that `identity_json` made this of."""
    parties = tuple(map(_part, stored["parties"]))
    return Identity(stored["name"], _part(stored["kind"]), parties, _part(stored["day"]))


def _place(quote: Quote) -> list[Any]:
    return [quote.span.page_no, quote.span.start, quote.span.end, quote.quote]


def _part_json(part: IdentityPart) -> dict[str, Any]:
    spans = list(map(_place, part.quotes))
    return {"text": part.text, "confidence": part.confidence, "whole": part.whole, "spans": spans}


def _part(stored: Mapping[str, Any]) -> IdentityPart:
    quotes = tuple(Quote(PageSpan(page, start, end), quote) for page, start, end, quote in stored["spans"])
    return IdentityPart(stored["text"], stored["confidence"], quotes, stored["whole"])


def family_json(family: Family) -> dict[str, Any]:
    """`{parents, children, count}`: documents by id and name, each with how sure it is and by which words."""
    return {
        "parents": [_relative_json(each) for each in family.parents],
        "children": [_relative_json(each) for each in family.children],
        "count": family.count,
    }


def _relative_json(relative: Relative) -> dict[str, Any]:
    return {
        "id": relative.id,
        "name": relative.name,
        "kinship": relative.kinship,
        "fit": relative.fit.value,
        "span": _place(relative.quote),
    }


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


def changes_json(found: TextComparison) -> dict[str, Any]:
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
