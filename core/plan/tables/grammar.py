"""Mentions that any table has: days, amounts, and the words of the grammar, made once for a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from core.plan.language.pieces import (
    Ask,
    Aspect,
    ClauseNoun,
    Currency,
    DayRange,
    Filler,
    Quantity,
    Statistic,
    Token,
    Top,
)
from core.plan.language.reading.dates import find_periods
from core.plan.language.reading.read import MeaningProposal, of_grammar
from core.plan.tables.mentions import MentionProposal
from core.values.dates import month_number

_ASKING = frozenset(["name", "list", "show", "give", "count", "tell"])
_OF_SUM = frozenset(["of", "number", "amount", "sum", "value", "cost", "quantity"])
_MONTH = r"[A-Za-z]{3,9}"
_DAY = re.compile(
    r"\b(?:(?P<bound>after|before|since|until|till|by|from|on)\s+)?(?:the\s+)?"
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})"
    rf"|(?P<first>{_MONTH})\s+(?:the\s+)?(?P<late>\d{{1,2}})(?:st|nd|rd|th)?)\b(?!,?\s+\d{{4}})",
    re.IGNORECASE,
)
_ROUNDED = re.compile(
    r"\bat\s+all\b|\byes\s+or\s+no\b|\b(?:(?:rounded\s+)?(?:to|with|at|in)\s+)?(?:the\s+)?(?:\w+\s+decimals?(?:\s+(?:place|digit)s?)?"
    r"|(?:nearest|full|whole)\s+(?:cent|unit|number|integer|euro|pound|dollar)s?)\b",
    re.IGNORECASE,
)


def grammar_of(question: str, tokens: Sequence[Token], today: date) -> tuple[MentionProposal, ...]:
    """What the words may be whatever the table, made once for a question."""
    found = [
        *_months(question, tokens, today),
        *_days(question, tokens, today),
        *_roundings(question, tokens),
    ]
    for each in of_grammar(question, tokens, today):
        score = _of_grammar(each, tokens)
        if score:
            found.append(MentionProposal(each.first, each.end, each.meaning, score))
    return tuple(found)


def _months(question: str, tokens: Sequence[Token], today: date) -> Iterator[MentionProposal]:
    """Months that stand alone: "July or August"."""
    for at, token in enumerate(tokens):
        is_month = len(token.word) > 2 and month_number(token.word)
        if is_month and (token.is_capital or len(token.word) > 5 or token.word in ("june", "july")):
            found = find_periods(f"in {token.word.title()}", today)
            if len(found) == 1:
                yield MentionProposal(at, at + 1, found[0][2], 1.5)


def _days(question: str, tokens: Sequence[Token], today: date) -> Iterator[MentionProposal]:
    """Days without a year: "after the 15th of March"."""
    for match in _DAY.finditer(question):
        number, month = match["day"] or match["late"], match["month"] or match["first"]
        wanted = f"{match['bound'] or 'on'} {number} {month} {today.year}"
        found = find_periods(wanted, today) if month_number(month) else []
        inside = [at for at, t in enumerate(tokens) if match.start() <= t.start and t.end <= match.end()]
        if len(found) == 1 and inside:
            yield MentionProposal(inside[0], inside[-1] + 1, found[0][2], 2.4 * len(inside))


def _roundings(question: str, tokens: Sequence[Token]) -> Iterator[MentionProposal]:
    """ "To two decimals": how a number is to be written, and nothing of what it is."""
    for match in _ROUNDED.finditer(question):
        inside = [at for at, t in enumerate(tokens) if match.start() <= t.start and t.end <= match.end()]
        if inside:
            yield MentionProposal(inside[0], inside[-1] + 1, Filler(), 2.5 * len(inside))


def _of_grammar(proposal: MeaningProposal, tokens: Sequence[Token]) -> float:
    size, meaning = proposal.end - proposal.first, proposal.meaning
    if isinstance(meaning, Filler):
        return 0.6 * size
    if isinstance(meaning, ClauseNoun):
        return 0.0
    if isinstance(meaning, Top) and not meaning.count and meaning.descending is None:
        return 0.0  # "ordered" says what was done, and "ordered by" is an order
    if isinstance(meaning, Quantity | DayRange):
        return 1.9 * size + (0.4 if isinstance(meaning, DayRange) else 0.0)
    if isinstance(meaning, Currency):
        return 1.7 * size
    first, after = tokens[proposal.first], tokens[proposal.end :]
    is_asking = isinstance(meaning, Ask) and proposal.first == 0 and first.word in _ASKING and bool(after)
    is_sum = isinstance(meaning, Statistic) and bool(after) and after[0].word in _OF_SUM
    weight = 1.5 if isinstance(meaning, Aspect) else 1.6
    return (1.8 if size > 1 else weight) * size + (1.0 if is_asking or is_sum else 0.0)
