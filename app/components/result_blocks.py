"""Blocks of what came out, as our sheet in the browser draws them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app import links, state
from app.components import mounts
from app.presenting.plan_words import PART, SIGN
from core.domain.answer import LEDGER_PARTS, EvidenceItem

Block = dict[str, Any]


def draw_sheet(
    key: str,
    blocks: Sequence[Block | None],
    on_part: Callable[[str], None] | None = None,
    on_place: Callable[[int], None] | None = None,
) -> None:
    """Mount them. on_part: runs where the count of a ledger is clicked, with its part.

    on_place: runs where an item of evidence without an address is clicked, with its number.
    """
    found = [each for each in blocks if each is not None]
    if not found:
        return

    actions: dict[str, Callable[[Any], None]] = {}
    if on_part is not None:
        actions["part"] = lambda sent: on_part(str(sent["part"]))
    if on_place is not None:
        actions["place"] = lambda sent: on_place(int(sent["number"]))
    mounts.sheet(key=key, data={"blocks": found}, **state.on_sent(key, actions))


def heading(text: str) -> Block:
    """A small title."""
    return {"kind": "heading", "text": text}


def line(text: str, tone: str = "") -> Block:
    """A sentence. tone: "wrong" or "faint"."""
    return {"kind": "line", "text": text, "tone": tone}


def value(after: str | None, *, label: str = "", before: str | None = "") -> Block:
    """A value, large; with what it was, where `before` is given ("" is not)."""
    found: Block = {"kind": "value", "after": after, "label": label}
    return found if before == "" else {**found, "before": before}


def ledger(
    label: str,
    counts: Mapping[str, int],
    *,
    before: Mapping[str, int] | None = None,
    opens: bool = False,
    words: Mapping[str, str] = PART,
) -> Block:
    """Four counts that add up to the scope, with what they were. words: what the parts are called."""
    parts = [
        {
            "part": part,
            "sign": SIGN[part],
            "word": words[part],
            "count": counts.get(part, 0),
            **({"before": before.get(part, 0)} if before is not None else {}),
        }
        for part in LEDGER_PARTS
    ]
    return {"kind": "ledger", "label": label, "scope": sum(counts.values()), "parts": parts, "opens": opens}


def chips(label: str, items: Sequence[tuple[str, str]]) -> Block | None:
    """Words with a tone each; nothing where there are none."""
    if not items:
        return None
    return {"kind": "chips", "label": label, "items": [{"text": text, "tone": tone} for text, tone in items]}


def evidence(label: str, items: Sequence[EvidenceItem], note: str = "", *, opens_here: bool = False) -> Block:
    """Places by document, with score, way, and what became of each.

    opens_here: they are opened by `on_place`; else each is a link to its place, in a tab of its own.
    """
    listed = [
        {
            **each.model_dump(mode="json"),
            "href": None if opens_here else links.cited(each),
        }
        for each in items
    ]
    return {"kind": "evidence", "label": label, "items": listed, "note": note}


def table(
    label: str,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    *,
    total: int | None = None,
    note: str = "",
    right: Sequence[str] = (),
    wide: Sequence[str] = (),
) -> Block:
    """Rows of `{cells, href?, tone?}`; a cell may be a list of `{text, href}`. right, wide: columns."""
    heads = [{"name": name, "right": name in right, "wide": name in wide} for name in columns]
    return {
        "kind": "table",
        "label": label,
        "columns": heads,
        "rows": list(rows),
        "total": len(rows) if total is None else total,
        "note": note,
    }
