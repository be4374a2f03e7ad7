"""An answer's Markdown, written from its checked claims."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answer.cite import Draft, Layout
from core.answer.value import show_value
from core.domain.answer import Claim, Value
from core.text.markdown import escape

_OWN_NUMBER = re.compile(r"(?:step\s+)?(?P<number>\d{1,2})[.):]\s+(?=\S)", re.IGNORECASE)


def render_text(layout: Layout, drafts: Sequence[Draft], claims: Sequence[Claim], value: Value | None) -> str:
    """Lead, value, claims with their citation marks, closing; drafts[i] is what claims[i] was made from."""
    blocks: list[str] = [layout.lead] if layout.lead else []
    if value is not None:
        blocks.append(f"**{escape(show_value(value))}**")
    lines: list[str] = []
    is_aside = False
    for at, (draft, claim) in enumerate(zip(drafts, claims, strict=True)):
        if at and not draft.is_led_in and not is_aside and layout.aside:
            blocks.append("\n".join(lines))
            lines = []
            blocks.append(layout.aside)
            is_aside = True
        lines.append(_line(draft, claim))
    blocks += ["\n".join(lines), layout.closing]
    return "\n\n".join(block for block in blocks if block)


def _line(draft: Draft, claim: Claim) -> str:
    marks = "".join(f"[{citation.n}]" for citation in claim.citations)
    label = f"**{escape(draft.label)}**: " if draft.label else ""
    prefix = f"{draft.marker} " if draft.marker else ""
    own_number = _OWN_NUMBER.match(draft.quote) if draft.marker == "1." else None
    if own_number:
        return f"{own_number['number']}. {escape(draft.quote[own_number.end() :])} {marks}"
    return f"{prefix}{label}{escape(draft.quote)} {marks}"
