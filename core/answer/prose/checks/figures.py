"""Check of figures in their place: a number that the source has of another thing than the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.answer.prose.checks.align import TokenSentence, token_sentences
from core.answer.prose.checks.numbers import is_rounded
from core.answer.prose.checks.quantities import StatedQuantity, is_unit, quantities
from core.domain.answer import Check

_BEHIND = 2  # telling words behind a number that say what it counts
_MORE = 2  # telling words that another sentence must have more
_ROW = 3  # numbers of a sentence that is a row of a table
_SAID = 0.5  # share of the claim's words that it must have


class _Counted(NamedTuple):
    """A number with the words that stand behind it: what it counts."""

    number: StatedQuantity
    things: tuple[str, ...]


def check_figures(text: str, sources: Sequence[str]) -> Check:
    """Numbers of a claim that the sources have of another thing.

    Either the sources count the same thing otherwise ("250 named users" against "8 named users"), or a
    sentence without the number says more of the claim's words, and has a number of the same unit for them.
    """
    faults = [*_miscounted(text, sources), *_misplaced(text, sources)]
    return Check(name="figures", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _miscounted(text: str, sources: Sequence[str]) -> list[str]:
    theirs = [each for source in sources for each in _counted(_without_rows(source))]
    faults = []
    for ours in _counted(text):
        same = [each.number for each in theirs if each.things == ours.things]
        if (
            same
            and not _is_left_open(ours.number, sources)
            and not any(_is_equal(text, ours.number, other) for other in same)
        ):
            others = ", ".join(sorted({other.written for other in same}))
            faults.append(f"counts {ours.number.written!r} where the source counts {others}")
    return faults


def _without_rows(source: str) -> str:
    """A text without its lines that are rows of figures, which count nothing that stands behind them."""
    lines = source.splitlines(keepends=True)
    return "".join(line for line in lines if len(quantities(line)) < _ROW) if len(lines) > 1 else source


def _is_left_open(number: StatedQuantity, sources: Sequence[str]) -> bool:
    """True where a source has the number and leaves out of what: "four clamps; in snow regions six."."""
    return any(
        other.value == number.value
        and not other.unit
        and source[other.end : other.end + 1] in (".", ";", ",", "")
        for source in sources
        for other in quantities(source)
    )


def _is_equal(text: str, number: StatedQuantity, other: StatedQuantity) -> bool:
    return number.value == other.value or is_rounded(text, number, other)


@lru_cache(maxsize=512)
def _counted(text: str) -> tuple[_Counted, ...]:
    """Numbers without a unit that stand before two telling words or before one and the end of a sentence."""
    found = []
    for number in quantities(text):
        if number.unit or number.is_year or number.value is None:
            continue
        things = tuple(_things(text[number.end : number.end + 60]))
        if things:
            found.append(_Counted(number, things))
    return tuple(found)


def _things(after: str) -> Iterator[str]:
    """Telling words right behind a number, at most two: what they count ends at a mark or a stop word."""
    if not after.startswith((" ", "-")):
        return
    sentence = next(iter(token_sentences(after)), None)
    end = 1
    for count, token in enumerate(sentence.tokens if sentence else ()):
        is_next = not after[end : token.start].strip() if count else token.start <= 1
        if (
            not is_next
            or not token.term
            or not token.word.isalpha()
            or is_unit(token.word)
            or count == _BEHIND
        ):
            return
        end = token.start + len(token.written)
        yield token.term


def _misplaced(text: str, sources: Sequence[str]) -> list[str]:
    pool = [sentence for source in sources for sentence in token_sentences(source)]
    faults = []
    for claim in token_sentences(text):
        terms = _telling(claim)
        if not terms:
            continue
        for number in quantities(claim.text):
            if not number.unit or number.value is None:
                continue
            having = [len(terms & _telling(each)) for each in pool if _has(each, number)]
            others = [len(terms & _telling(each)) for each in pool if _has_other(each, number)]
            if having and others and max(others) >= max(max(having) + _MORE, _SAID * len(terms)):
                faults.append(f"{number.written!r} is said of something else in the source")
    return faults


def _telling(sentence: TokenSentence) -> set[str]:
    return {token.term for token in sentence.tokens if token.term and not token.written[0].isdigit()}


def _has(sentence: TokenSentence, number: StatedQuantity) -> bool:
    return any(each.value == number.value for each in quantities(sentence.text))


def _has_other(sentence: TokenSentence, number: StatedQuantity) -> bool:
    """True where a sentence, no row of figures, has a number of the same unit, and not this one."""
    if len(quantities(sentence.text)) >= _ROW:
        return False
    return not _has(sentence, number) and any(each.unit == number.unit for each in quantities(sentence.text))
