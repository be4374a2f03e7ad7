"""Papers that are told by a number on another one: "the purchase order named in invoice 10442".

The number stands on the paper that is named, behind the words for what it numbers, and on the paper that is
meant. It takes the place of the words that describe it, so that the search finds that paper.
"""

from __future__ import annotations

import re

from core.plan.catalogue import DocumentEntry, Texts
from core.plan.language.pieces import DocumentSet, Piece
from core.plan.language.reading.read import ParsedQuestion

_PAPER = r"(?:purchase\s+order|order|invoice|receipt|contract|agreement|certificate|quote|quotation|ticket)"
_TOLD = (
    rf"(?:(?:the|its|a|that|which)\s+)?\b(?P<paper>{_PAPER})\b(?:\s+(?:that|which))?(?:\s+(?:is|was|were))?"
    r"(?:\s+(?:named|given|stated|cited|mentioned|quoted|shown|listed|referenced|referred\s+to))?"
    r"(?P<joint>\s+(?:in|on|by|of|under|behind|for))?\s+(?:the\s+)?(?:(?-i:[A-Z])[\w'’&-]*\s+){0,2}$"
)
_TURNED = re.compile(r"^\s*(?:(?:refers?|relates?)\s+to|names|cites|mentions|quotes)\b", re.IGNORECASE)
_NUMBER = (
    r"\b{paper}(?:\s*(?:number|no\.?|nr\.?|#))?\s*[:#]?\s*"
    r"(?P<number>[A-Z]{{1,6}}[-/]?\d[\w/-]*|\d{{3,}}[\w/-]*)"
)


def linked(reading: ParsedQuestion, texts: Texts) -> tuple[str, str] | None:
    """The question with the number in place of the words that describe it, and a sentence on it; or None."""
    question = reading.question
    for piece in reading.pieces:
        if not isinstance(piece.meaning, DocumentSet) or len(piece.meaning.documents) != 1:
            continue
        start, end = _span(reading, piece)
        told = re.search(_TOLD, question[:start], re.IGNORECASE)
        document = piece.meaning.documents[0]
        number = _number_on(document, told["paper"], texts) if told is not None else ""
        if told is None or not number:
            continue
        turned = _TURNED.match(question[end:])
        if turned is None and told["joint"] is None:
            continue
        end += turned.end() if turned else 0
        said = f"{told['paper'].split()[-1]} {number}"
        whole = f"{question[: told.start()].rstrip()} {said}{question[end:]}".strip()
        return whole, f"“{document.title}” names {told['paper']} {number}"
    return None


def _span(reading: ParsedQuestion, piece: Piece) -> tuple[int, int]:
    return reading.tokens[piece.first].start, reading.tokens[piece.end - 1].end


def _number_on(document: DocumentEntry, paper: str, texts: Texts) -> str:
    """The one number that a document gives behind the name of a kind of paper, not its own; "" for none."""
    words = r"\s+".join(re.escape(word) for word in paper.split())
    pattern = re.compile(_NUMBER.format(paper=words), re.IGNORECASE)
    own = f"{document.title} {document.source}".casefold()
    found = {match["number"] for match in pattern.finditer(texts.of(document.id))}
    others = {each for each in found if each.casefold() not in own}
    return others.pop() if len(others) == 1 else ""
