"""Words that ask for what holds after amendments: "as amended", "once amendments are taken into account".

What amendments changed is what conditions are held against anyway, so these words choose nothing more.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.plan.language.pieces import Filler
from core.plan.language.reading.read import Reading

_SOME = r"(?:(?:any|all|the|its|their|later|subsequent)\s+)*"
_AMENDMENT = r"(?:amendments?|addend(?:um|a))(?:\s+(?:no\.?|number)?\s*\d{1,2})?"
_PHRASES = re.compile(
    rf"\bas\s+(?:they|it|these)\s+(?:now\s+)?stands?(?:\s+(?:now|today))?(?:\s+after\s+{_SOME}{_AMENDMENT})?"
    r"|\bas\s+(?:subsequently\s+|last\s+)?amended(?:\s+to\s+date)?\b"
    rf"|\b(?:after|including|considering|counting|given|with)\s+{_SOME}{_AMENDMENT}(?:\s+(?:included|considered))?"
    rf"|\b(?:once|when|with|taking|if)\s+{_SOME}{_AMENDMENT}\s+(?:(?:are|is|being)\s+)?"
    r"(?:(?:taken\s+)?into\s+account|considered|included|applied|counted)\b",
    re.IGNORECASE,
)


def without_amending(reading: Reading) -> Reading:
    """The reading in which such words say nothing of their own; it keeps them in `amending`."""
    found = _PHRASES.search(reading.question)
    if found is None:
        return reading
    first, last = found.span()
    pieces = tuple(
        replace(piece, meaning=Filler(), reason="what amendments changed holds")
        if reading.tokens[piece.first].start >= first and reading.tokens[piece.end - 1].end <= last
        else piece
        for piece in reading.pieces
    )
    return replace(reading, pieces=pieces, amending=found[0])
