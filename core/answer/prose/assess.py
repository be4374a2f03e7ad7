"""A written sentence made a claim: ids resolved, values filled in, words checked, places narrowed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answer.cite import Verifier
from core.answer.prose.calculation.calculate import CalculatedValue, calculate
from core.answer.prose.calculation.expression import CalculationError
from core.answer.prose.checks import UNSURE, check_cells, check_claim
from core.answer.prose.checks.names import check_names
from core.answer.prose.checks.numbers import check_numbers
from core.answer.prose.checks.quantities import quantities
from core.answer.prose.claim_lines import WrittenCalculation, WrittenClaim
from core.answer.prose.table_heads import is_row, table_heads
from core.answer.prose.units import EvidenceUnit, PackedEvidence, ValueUnit, units_of
from core.domain.answer import Check, StruckClaim, Verdict
from core.guard.injection import find_injections
from core.guard.links import find_addresses
from core.search.evidence.base import Span
from core.text.analyse import text_terms
from core.text.language import foreign_language
from core.text.sentences import split_sentences
from core.text.words import word_list

DOUBTFUL = 0.2
"""Support from which on a sentence may be said in words of its own, if a checking model agrees."""
LONGEST_CHARS = 2_000  # of one sentence
MOST_SPANS = 3  # of one unit that a claim cites
_PLACEHOLDER = re.compile(r"\{\{?\s*([vc]\d+)\s*\}?\}")
_ADDRESS = re.compile(
    r"(?i)\b(?:https?|ftp|mailto|javascript|data):\S+|\bwww\.\S+|<[a-z/!][^>]*>|!?\[[^\]]*\]\([^)]*\)"
)
_PART = re.compile(r"[,;:()\u2013\u2014]\s*|\s-\s")
_FOREIGN_WORDS = 4  # of a part, below which its language is not told
_CELLS = 3  # bars in a line that is a row of a table
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")


def _checks_of(
    text: str, spans: Sequence[str], values: Sequence[ValueUnit], threshold: float | None = None
) -> Sequence[Check]:
    """Checks by code against spans and values; the label of a value supports a claim as a span's words do."""
    said = [f"{value.label} {value.shown}".strip() for value in values]
    return check_claim(text, [*spans, *said], threshold=threshold).checks


@dataclass(frozen=True, slots=True)
class AssessedClaim:
    """A sentence that passed, with the places that it cites and the computed values that it rests on.

    units: the evidence that it names, whole. doubt: what it is struck for unless the checking model finds it
    supported: its words are so much its own, or a place so much another, that code cannot tell.
    """

    index: int
    text: str
    spans: tuple[Span, ...]
    values: tuple[ValueUnit, ...]
    checks: tuple[Check, ...]
    units: tuple[EvidenceUnit, ...] = ()
    doubt: StruckClaim | None = None

    @property
    def verdict(self) -> Verdict:
        """Computed where a computed value is in it, else supported."""
        return Verdict.COMPUTED if self.values else Verdict.SUPPORTED


class Assessor:
    """Assesses the sentences of one answer. Not shared between answers."""

    def __init__(self, packed: PackedEvidence, question: str, verifier: Verifier) -> None:
        self._packed = packed
        self._values = {value.id: value for value in packed.values}
        self._calculated: dict[str, CalculatedValue] = {}
        self.calculations: list[CalculatedValue] = []
        self._question = question
        self._is_foreign = bool(foreign_language(question))
        self._verifier = verifier

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that a sentence may name: evidence, computed values, and what was calculated so far."""
        return (*self._packed.ids, *self._calculated)

    def calculate(self, written: WrittenCalculation) -> StruckClaim | None:
        """Make a calculation, which later sentences may name; why it is none, where it is not to be made."""
        try:
            made = calculate(written, self._packed, self._verifier.page_text, self._calculated)
        except CalculationError as error:
            said = f"{written.id} = {written.expression}"[:LONGEST_CHARS]
            return struck(said, "calculation", error.explanation)
        self.calculations.append(made)
        self._calculated[written.id] = made  # one that is written again takes the place of the first
        self._values[written.id] = made.unit
        return None

    def assess(self, written: WrittenClaim) -> AssessedClaim | StruckClaim:
        """The claim, or why it is struck; a sentence is struck by the first check that fails."""
        text = written.text
        if len(text) > LONGEST_CHARS:
            return struck(text[:LONGEST_CHARS], "form", "It is too long for one sentence.")
        placed = _PLACEHOLDER.findall(text)
        unknown = [id for id in (*written.ids, *placed) if id not in self.ids]
        if unknown:
            return struck(text, "ids", f"It names evidence that there is none of: {', '.join(unknown[:3])}.")
        values = tuple(
            self._values[id] for id in dict.fromkeys((*written.ids, *placed)) if id in self._values
        )
        units = units_of(written.ids, self._packed)
        if not units and not values:
            return struck(text, "ids", "It names no evidence.")
        text = _PLACEHOLDER.sub(lambda match: self._values[match[1]].shown, text)
        wrong = self._form(text, units)
        if wrong is not None:
            return wrong
        cited, checks = self._narrowed(text, units, values)
        rests = [span for each in self.calculations if each.unit in values for span in each.rows]
        cited = tuple(dict.fromkeys((*cited, *rests)))
        quotes = self._verifier.check_quotes(cited) if cited else Check(name="quote", ok=True)
        whole = [span.quote for span in self._whole(units)]
        checks = (*checks, check_cells(text, whole), quotes)
        failed = [check for check in checks if not check.ok]
        doubt = struck(text, failed[0].name, failed[0].detail) if failed else None
        if doubt is not None and not self._may_be_said_so(text, cited, values, failed):
            return doubt
        return AssessedClaim(written.index, text, cited, values, checks, tuple(units), doubt)

    def lack(self, text: str) -> StruckClaim | None:
        """Why words are not shown that name what the evidence lacks: they bring in what stands nowhere."""
        units = self._packed.units
        said = [self._question, *(each for unit in units for each in (unit.place.quote, unit.name))]
        failed = [check for check in check_claim(text, said).failed if check.name not in UNSURE]
        wrong = self._form(text, units)
        return struck(text, failed[0].name, failed[0].detail) if failed and wrong is None else wrong

    def _may_be_said_so(
        self, text: str, cited: Sequence[Span], values: Sequence[ValueUnit], failed: Sequence[Check]
    ) -> bool:
        """True where only checks failed that may be wrong, and support not by far.

        A name of the question that no evidence has may be another word for what is there ("COGS"), and its
        numbers say what is asked ("the three year average").
        """
        said = [*(span.quote for span in cited), *(span.title for span in cited)]
        with_question = [*said, self._question]
        again = (check_names(text, with_question), check_numbers(text, with_question)[0])
        may_fail = UNSURE | {check.name for check in again if check.ok}
        if any(check.name not in may_fail for check in failed):
            return False
        is_of_figures = bool(values or quantities(text))  # that are there: they say enough by themselves
        least = 0.0 if is_of_figures else DOUBTFUL
        checks = _checks_of(text, said, values, least)
        return all(check.ok or check.name in may_fail - {"support"} for check in checks)

    def _form(self, text: str, units: Sequence[EvidenceUnit]) -> StruckClaim | None:
        if not self._is_foreign and foreign_language(text):
            return struck(text, "language", f"It is in {foreign_language(text)}, and the question is not.")
        said = " ".join(unit.place.quote for unit in units)
        if not self._is_foreign and (language := _foreign_part(text, said)):
            return struck(text, "language", f"A part of it is in {language}, and the question is not.")
        if text.count("|") >= _CELLS:
            return struck(text, "form", "It is a row of a table, and no sentence.")
        if _breaks_off(text, said):
            return struck(text, "form", "It breaks off in the middle of a sentence.")
        if text.endswith("?") and text not in said:
            return struck(text, "form", "It asks, and says nothing.")
        addresses = (*_ADDRESS.findall(text), *find_addresses(text))
        added = [found for found in addresses if found.rstrip(".,;)") not in said]
        if added:
            return struck(
                text, "address", "It holds a link, an image or markup that the evidence does not have."
            )
        return None

    def _narrowed(
        self, text: str, units: Sequence[EvidenceUnit], values: Sequence[ValueUnit]
    ) -> tuple[tuple[Span, ...], Sequence[Check]]:
        """The sentences that the claim rests on; the whole units where those alone do not bear it."""
        titles = [unit.name for unit in units if not find_injections(unit.name)]
        narrow = tuple(span for unit in units for span in sentences_for(text, unit))
        checks = _checks_of(text, [*(span.quote for span in narrow), *titles], values)
        if not units or all(check.ok for check in checks):
            return self._with_heads([each for each in narrow if is_row(each.quote)], narrow), checks
        headed = self._with_heads(narrow, narrow)
        checks_of_headed = _checks_of(text, [*(span.quote for span in headed), *titles], values)
        if all(check.ok for check in checks_of_headed):
            return headed, checks_of_headed
        whole = self._whole(units)
        return whole, _checks_of(text, [*(span.quote for span in whole), *titles], values)

    def _whole(self, units: Sequence[EvidenceUnit]) -> tuple[Span, ...]:
        """All of the units that says something, with the heads above."""
        whole = tuple(_span(unit, *piece) for unit in units for piece in telling(unit.place.quote))
        return self._with_heads(whole, whole)

    def _with_heads(self, rows: Sequence[Span], spans: Sequence[Span]) -> tuple[Span, ...]:
        """Spans with the heads of the tables that some are rows of: periods, currency and scale."""
        found = list(spans)
        for span in rows:
            text = self._verifier.page_text(span) or ""
            for start, end in table_heads(text, span.start):
                head = span.part(text, start, end)
                is_new = not any(
                    each.start <= start and end <= each.end
                    for each in found
                    if each.page_key == head.page_key
                )
                found += [head] if is_new and not find_injections(head.quote) else []
        return tuple(sorted(found, key=lambda each: (each.document, each.page, each.start)))


def _foreign_part(text: str, said: str) -> str:
    """Language of a part of a sentence that is plainly foreign and that no evidence has so; "" for none."""
    words = text.split()
    parts = [part.strip() for part in _PART.split(text)]
    if len(words) >= 2 * _FOREIGN_WORDS:
        half = len(words) // 2
        parts += [" ".join(words[:half]), " ".join(words[half:])]
    foreign = (part for part in parts if len(part.split()) >= _FOREIGN_WORDS and part not in said)
    return next((found for part in foreign if (found := foreign_language(part))), "")


def _breaks_off(text: str, said: str) -> bool:
    """True for a sentence that ends in a word after which more has to come, or amid words of the evidence."""
    bare = text.rstrip(" .\u2026\"'\u201d")
    last = bare.rpartition(" ")[2].casefold()
    if last in word_list("claims", "unfinished"):
        return not said.casefold().rstrip().endswith(text.casefold())
    at = said.find(bare)
    return (
        at >= 0
        and not text.rstrip().endswith((".", "!", "?", ":", ";"))
        and bool(re.match(r" [a-z0-9$\u20ac\u00a3]", said[at + len(bare) : at + len(bare) + 2]))
    )


def sentences_for(text: str, unit: EvidenceUnit) -> tuple[Span, ...]:
    """The fewest sentences that say what a unit says of the claim's words, at most three, in order."""
    quote = unit.place.quote
    wanted = _terms(text)
    sentences = [
        (start, end, _terms(quote[start:end]) & wanted)
        for piece, until in telling(quote)
        for start, end in _sentences(quote, piece, until)
    ]
    chosen: list[tuple[int, int]] = []
    covered: set[str] = set()
    while len(chosen) < MOST_SPANS:
        best = max(sentences, key=lambda each: (len(each[2] - covered), -each[0]), default=None)
        if best is None or not best[2] - covered:
            break
        covered |= best[2]
        chosen.append(best[:2])
    return tuple(_span(unit, start, end) for start, end in sorted(chosen))


def telling(quote: str) -> list[tuple[int, int]]:
    """Stretches of a quote that say something: all of it but sentences that give orders to a model.

    A model that obeys such a sentence would else find in it what bears its words.
    """
    orders = find_injections(quote)
    if not orders:
        return [(0, len(quote))]
    kept: list[tuple[int, int]] = []
    for start, end in split_sentences(quote):
        if any(order.start < end and start < order.end for order in orders):
            kept.append((end, end))
        elif kept and kept[-1][0] < kept[-1][1]:
            kept[-1] = (kept[-1][0], end)
        else:
            kept.append((start, end))
    return [(start, end) for start, end in kept if start < end]


def _sentences(quote: str, start: int, end: int) -> list[tuple[int, int]]:
    return [(start + first, start + last) for first, last in split_sentences(quote[start:end])]


def struck(text: str, check: str, reason: str) -> StruckClaim:
    """A sentence that is not shown, and why."""
    return StruckClaim(text=text, reason=reason, check=check)


def _terms(text: str) -> set[str]:
    return {*text_terms(text), *_NUMBER.findall(text)}


def _span(unit: EvidenceUnit, start: int, end: int) -> Span:
    at, quote = unit.place.start, unit.place.quote[start:end]
    return replace(Span.of(unit.place), start=at + start, end=at + end, quote=quote)
