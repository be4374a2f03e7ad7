"""The JSON of a document's family, as commands give it."""

from __future__ import annotations

from typing import Any

from core.domain.fields import Family, Relative


def family_json(family: Family) -> dict[str, Any]:
    """`{parents, children, count}`: documents by id and name, each with how sure it is and by which words."""
    return {
        "parents": [_relative_json(each) for each in family.parents],
        "children": [_relative_json(each) for each in family.children],
        "count": family.count,
    }


def _relative_json(relative: Relative) -> dict[str, Any]:
    span = relative.quote.span
    return {
        "id": relative.id,
        "name": relative.name,
        "kinship": relative.kinship,
        "fit": relative.fit.value,
        "span": [span.page_no, span.start, span.end, relative.quote.quote],
    }
