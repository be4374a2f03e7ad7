"""Agreement of reviewers with one another, and the share of flags that were right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.domain.certainty.share import CheckedShare
from core.domain.trust.review import AnswerVerdict, ClaimVerdict, FlagReason, ReviewItem, ReviewState


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """Agreement of two reviewers on what both of them judged. kappa None: chance alone would agree as well.

    agreed: how many of `judged` claims and answers got the same verdict.
    """

    one: str
    other: str
    judged: int
    agreed: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class FlagPrecision:
    """Share of the resolved answers with a flag that were wrong, or partly: the flag was worth the look."""

    reason: FlagReason
    found: CheckedShare
    open: int


def agreements(verdicts: Iterable[ClaimVerdict]) -> list[ReviewerAgreement]:
    """Agreement of each pair of reviewers who judged something in common; most in common first."""
    by_place: dict[tuple[str, int], dict[str, AnswerVerdict]] = defaultdict(dict)
    for each in verdicts:
        by_place[each.item, each.claim][each.reviewer] = each.verdict
    pairs: dict[tuple[str, str], list[tuple[AnswerVerdict, AnswerVerdict]]] = defaultdict(list)
    for judged in by_place.values():
        for one, other in combinations(sorted(judged), 2):
            pairs[one, other].append((judged[one], judged[other]))
    found = [
        ReviewerAgreement(one, other, len(both), sum(a is b for a, b in both), cohen_kappa(both))
        for (one, other), both in pairs.items()
    ]
    return sorted(found, key=lambda each: (-each.judged, each.one, each.other))


def cohen_kappa(pairs: Sequence[tuple[AnswerVerdict, AnswerVerdict]]) -> float | None:
    """Agreement beyond chance of two people, from -1 to 1; None where there is nothing to tell it by.

    Source: Cohen 1960, (p_o - p_e) / (1 - p_e), with the marginal shares of each person.
    """
    if not pairs:
        return None
    count = len(pairs)
    one, other = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    observed = sum(first is second for first, second in pairs) / count
    expected = sum(one[verdict] * other[verdict] for verdict in AnswerVerdict) / (count * count)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def precisions(items: Iterable[ReviewItem]) -> list[FlagPrecision]:
    """Precision by reason, with Wilson's interval in `found.interval`; in the order of the reasons."""
    right, checked, waiting = Counter[FlagReason](), Counter[FlagReason](), Counter[FlagReason]()
    for item in items:
        for flag in item.flags:
            if item.state is ReviewState.OPEN or item.verdict is None:
                waiting[flag.reason] += 1
                continue
            checked[flag.reason] += 1
            right[flag.reason] += item.verdict is not AnswerVerdict.CORRECT
    return [
        FlagPrecision(reason, CheckedShare(right[reason], checked[reason]), waiting[reason])
        for reason in FlagReason
        if checked[reason] or waiting[reason]
    ]
