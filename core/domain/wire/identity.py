"""The JSON of a document's identity: as records keep it, and as commands and the API give it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain.fields import Identity, IdentityPart, Quote
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
    return Identity(
        stored["name"],
        _part(stored["kind"]),
        tuple(_part(each) for each in stored["parties"]),
        _part(stored["day"]),
    )


def _part_json(part: IdentityPart) -> dict[str, Any]:
    spans = [[each.span.page_no, each.span.start, each.span.end, each.quote] for each in part.quotes]
    return {"text": part.text, "confidence": part.confidence, "whole": part.whole, "spans": spans}


def _part(stored: Mapping[str, Any]) -> IdentityPart:
    quotes = tuple(Quote(PageSpan(page, start, end), quote) for page, start, end, quote in stored["spans"])
    return IdentityPart(stored["text"], stored["confidence"], quotes, stored["whole"])
