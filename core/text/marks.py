"""How what is not plain, valid text of a document stands in its stored text, and how it is told there.

Files show deletions struck through, notes in the margin, quoted mail behind a bar, notes below a line. Stored
text is plain, so it says the same in words that people, searches and models read alike:

    [deleted: EUR 1,900 per day]    [comment by Ada: check this]    [footnote 2: net of tax]
    [header: Draft]    [footer: Page 1]    [x] agreed    [ ] declined    > what an older mail said
"""

from __future__ import annotations

import re
from typing import Literal

MarkKind = Literal["deleted", "comment", "header", "footer", "footnote", "endnote", "label", "quoted"]

_MARK = re.compile(r"\[(deleted|comment|header|footer|footnote|endnote)\b([^:\]\n]{0,80}): ([^\[\]]*)\]")
_RAISED = str.maketrans("0123456789+-\N{MINUS SIGN}=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-\N{MINUS SIGN}=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_RAISABLE = re.compile(r"[\d+\-\N{MINUS SIGN}=(),. n]+", re.ASCII)
_BRACKETS = str.maketrans("[]", "()")


def mark(kind: MarkKind, text: str, of: str = "") -> str:
    """`[kind of: text]` in one line; "" for blank text. of: whose comment, which footnote."""
    words = " ".join(text.translate(_BRACKETS).split())
    name = " ".join(of.translate(_BRACKETS).replace(":", " ").split())[:70]
    return f"[{kind}{' ' + name if name else ''}: {words}]" if words else ""


def tick(is_ticked: bool) -> str:
    """A box of a form as text."""
    return "[x]" if is_ticked else "[ ]"


def raised(text: str) -> str:
    """Superscript as Unicode has it, so that no digit is glued to the number before it: `10` + `5` is 10⁵.

    What has no such characters (letters of footnotes, ordinals) comes back as it is.
    """
    return text.translate(_RAISED) if _RAISABLE.fullmatch(text) else text


def lowered(text: str) -> str:
    """Subscript as Unicode has it, where it has: CO₂."""
    return text.translate(_LOWERED) if _RAISABLE.fullmatch(text) else text


def quoted(text: str) -> str:
    """Lines of an older mail, each behind `> `."""
    return "\n".join(f"> {line}" if line.strip() else ">" for line in text.splitlines())


def blanked(text: str) -> str:
    """The text with deletions and comments as spaces: all else stays where it is.

    For whoever reads values or evidence: what is deleted is no statement of the document.
    """
    return _MARK.sub(lambda found: _blank(found) if found[1] in ("deleted", "comment") else found[0], text)


def kind_at(text: str, start: int, end: int) -> MarkKind | None:
    """The mark that characters [start, end) stand in; None for plain text."""
    for found in _MARK.finditer(text, max(0, text.rfind("\n", 0, start) + 1)):
        if found.start() >= end:
            break
        if found.start() <= start and end <= found.end():
            return found[1]  # type: ignore[return-value]
    return "quoted" if text.startswith(">", text.rfind("\n", 0, start) + 1) else None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
