"""Reading a comparison: which named subjects are compared, and on what."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = r"(?:the\s+|an?\s+)?([^,?;]{1,80}?)"
_VERSUS = r"(?:vs\.?|versus)"
_PAIR = rf"{_NAME}\s+(?:and|{_VERSUS})\s+{_NAME}"
_LINK = rf"(?:and|to|with|against|{_VERSUS})"
_DIFFERENCE = r"(?:differences?|similarit(?:y|ies)|comparison)"
_WHAT = r"(?:what(?:'s| is| are) (?:the )?)?"
_ON = r"(?:\s+(?:in terms of|with regard to|regarding|in|on|by)\s+(?P<topic>[^?]+?))?"
_TOPIC = r"(?P<topic>[^?]+?)"

_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern + r"\s*[?.!]*$", re.IGNORECASE)
    for pattern in (
        rf"^(?:compare|contrast)\s+{_TOPIC}\s+(?:between|of|for)\s+{_NAME}"
        rf"(?:,\s*([^,?;]{{1,80}}?))?,?\s+{_LINK}\s+{_NAME}",
        rf"^{_WHAT}{_DIFFERENCE}\s+(?:in|of)\s+{_TOPIC}\s+between\s+{_PAIR}",
        rf"^{_WHAT}{_DIFFERENCE}\s+between\s+{_PAIR}{_ON}",
        rf"^{_WHAT}{_TOPIC}\s+{_DIFFERENCE}\s+between\s+{_PAIR}",
        rf"^how (?:does|do|did)\s+{_TOPIC}\s+(?:differ|compare)\s+(?:between|across)\s+{_PAIR}",
        rf"^how (?:does|do|did)\s+{_NAME}\s+(?:differ|compare)\s+(?:from|to|with)\s+{_NAME}{_ON}",
        rf"^(?:compare|contrast)\s+{_NAME}\s+{_LINK}\s+{_NAME}{_ON}",
        rf"^{_NAME}\s+{_VERSUS}\s+{_NAME}(?:\s*[:,]\s*{_TOPIC})?",
    )
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared: the subjects by name, and the topic they are compared on ("" for in general)."""

    subjects: tuple[str, ...]
    topic: str


def read_comparison(question: str) -> Comparison | None:
    """The named subjects of a comparison with its topic; None where the question compares nothing."""
    for pattern in _PATTERNS:
        match = pattern.match(question)
        if not match:
            continue
        topic_at = pattern.groupindex.get("topic", 0)
        names = [group.strip() for at, group in enumerate(match.groups(), 1) if group and at != topic_at]
        if len(names) >= 2:
            return Comparison(tuple(names), (match.groupdict().get("topic") or "").strip())
    return None
