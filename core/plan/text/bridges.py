"""Questions that look like bridges: what is asked about is told by its relation to something else."""

from __future__ import annotations

import re

_NAME = r"(?:[\"\u201c]?[A-Z0-9][\w'\u2019&.-]*[\"\u201d]?(?:\s+(?:(?:of|the|and|for|in|de|von|van)\s+)?)?)+"
_ROLE = r"(?:the|an?|its|this|that|which|what|one)\s+(?:[\w'\u2019-]+\s+){0,4}?[\w'\u2019-]+"
_RELATION = r"(?:of|by|behind|from|for|in|on|at|to|with)"
_BRIDGES = tuple(
    re.compile(pattern)
    for pattern in (
        # "the country where X is registered", "a singer who wrote Y": told by a clause about another thing.
        rf"(?i:\b{_ROLE},?\s+(?:{_RELATION}\s+)?(?:that|which|who|whom|whose|where))\s+\S",
        # "the director of X born", "the supplier in X based": a further thing is asked of the one so named.
        rf"(?i:\b{_ROLE})\s+{_RELATION}\s+(?:the\s+|an?\s+)?{_NAME}\s*"
        r"(?:[a-z]*(?:ed|born|made|held|known|come|go))\b",
        # "X's director's": possessives in a row.
        r"\w['\u2019]s\s+(?:\w+\s+){0,2}\w+['\u2019]s\b",
        # "made by a firm seated in which town": the question word comes late, behind what is only described.
        rf"(?i:^(?!what|which|who|when|where|how)(?:\S+\s+){{4,}}{_RELATION}\s+(?:what|which|who|whom)\b)",
        # "directed by the man behind": who did it is only described.
        rf"(?i:\b\w+(?:ed|en|wn)\s+(?:by|in|on|at|for|from|with))\s+(?:an?|the)\s+(?:[\w-]+\s+){{1,4}}?"
        rf"{_RELATION}\b",
    )
)


def looks_like_a_bridge(question: str) -> bool:
    """Whether a question may need two passages: one that tells what is meant, and one about that.

    A guess by its form: where it is wrong, the second search finds nothing that changes the first.
    """
    return any(pattern.search(question) for pattern in _BRIDGES)
