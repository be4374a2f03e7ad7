"""From a computed draft to checked claims and the Markdown around them."""

from __future__ import annotations

from dataclasses import dataclass

from core.answer.cite import Numbering
from core.answer.computed.draft import ComputedDraft, Line
from core.answer.markdown import escape
from core.answer.value import show_value
from core.answer.verify import Verifier
from core.domain.answer import Check, Claim, Ledger, Verdict


@dataclass(frozen=True, slots=True)
class Concluded:
    """Claims whose checks hold, and the text that refers to them. struck: why others were left out."""

    claims: tuple[Claim, ...]
    text: str
    struck: tuple[str, ...] = ()


def conclude(draft: ComputedDraft, verifier: Verifier) -> Concluded:
    """Check every line against the stored pages and the ledger against its sum; number what is cited."""
    numbering = Numbering()
    claims: list[Claim] = []
    shown: list[str] = []
    struck: list[str] = []
    for at, line in enumerate((draft.lead, *draft.lines)):
        checks = _checks(line, draft.ledger, verifier)
        failed = next((check for check in checks if not check.ok), None)
        if failed is not None:
            struck.append(f"A statement was left out because its check failed. {failed.detail}")
            continue
        citations = tuple(dict.fromkeys(numbering.cite(span) for span in line.spans))
        text = f"{line.label}: {line.text}" if line.label and line.text else line.label or line.text
        claims.append(Claim(text=text, verdict=Verdict.COMPUTED, checks=checks, citations=citations))
        marks = "".join(f"[{citation.n}]" for citation in citations)
        shown.append(_markdown(line, marks, is_lead=at == 0))
    return Concluded(tuple(claims), _text(draft, shown), tuple(struck))


def _checks(line: Line, ledger: Ledger | None, verifier: Verifier) -> tuple[Check, ...]:
    checks = [verifier.check_quotes(line.spans)] if line.spans else []
    if ledger is not None and not line.spans:
        checks.append(_adds_up(ledger))
    return tuple(checks)


def _adds_up(ledger: Ledger) -> Check:
    lists = ledger.documents
    every = [*lists.present, *lists.absent, *lists.unreadable, *lists.uncertain]
    parts = ledger.present + ledger.absent + ledger.unreadable + ledger.uncertain
    is_right = parts == ledger.scope == len(every) == len(set(every))
    return Check(name="ledger", ok=is_right, detail="" if is_right else "The ledger does not add up.")


def _markdown(line: Line, marks: str, *, is_lead: bool) -> str:
    label = f"**{escape(line.label)}**" if line.label else ""
    parts = [part for part in (label, escape(line.text)) if part]
    body = f"{': '.join(parts)} {marks}".strip()
    return body if is_lead else f"- {body}"


def _text(draft: ComputedDraft, shown: list[str]) -> str:
    blocks = [f"**{escape(show_value(draft.value))}**"] if draft.value is not None else []
    blocks += shown[:1]
    if shown[1:]:
        blocks.append("\n".join(shown[1:]))
    if draft.left_out:
        blocks.append(f"{draft.left_out:,} more are in the table.")
    return "\n\n".join(blocks)
