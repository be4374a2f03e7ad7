"""Measures of one answer and one search: what stands where it says, and what was found of what was due."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any

from core.answer.prose.checks.claim import UNSURE, check_claim
from core.domain.answer import Answer, Claim, Ledger, QuotedPlace, Table, Verdict
from core.evaluate.scoring import file_name
from core.evaluate.suite import Case, is_decimal
from core.review.flags import claims_in, documents_behind
from core.values.money import currency_of

PageText = Callable[[str, int, int], str | None]
"""Stored text of a page: document, version, page. None where there is none."""

FIRST, DEEP = 10, 50
"""Passages that precision looks at, and recall."""

FEW = 6
"""Rows of a table of which any two may be compared in a sentence."""

_CODE = 3  # letters of a currency
_NUMBER = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A page of a file; page None: any of it."""

    file: str
    page: int | None = None

    def __str__(self) -> str:
        return self.file if self.page is None else f"{self.file}, page {self.page}"

    def holds(self, other: FilePlace) -> bool:
        """True where the other place is within this one."""
        return self.file == other.file and self.page in (None, other.page)


def due_places(case: Case) -> tuple[FilePlace, ...]:
    """The places that a case expects; () where it names none."""
    if case.expect.pages is not None:
        return tuple(FilePlace(*each) for each in case.expect.pages)
    return tuple(FilePlace(each) for each in case.expect.documents or ())


@dataclass(frozen=True, slots=True)
class RetrievalMeasures:
    """Precision of the first ten, recall of all, fifty at most, and one divided by the first right rank."""

    precision: float
    recall: float
    reciprocal_rank: float


def retrieval(due: Sequence[FilePlace], places: Sequence[FilePlace]) -> RetrievalMeasures | None:
    """Measures of a search by the places that it gave, best first; None where nothing is due."""
    if not due:
        return None
    right = [any(each.holds(place) for each in due) for place in places[:DEEP]]
    reached = sum(any(each.holds(place) for place in places[:DEEP]) for each in due)
    rank = next((n for n, is_right in enumerate(right, start=1) if is_right), 0)
    return RetrievalMeasures(sum(right[:FIRST]) / FIRST, reached / len(due), 1 / rank if rank else 0.0)


def context_precision(right: Sequence[bool]) -> float | None:
    """Mean over the right places of the share that is right up to there; None without a place.

    Source: RAGAS, "Context Precision"; 0 where no place is right.
    """
    if not right:
        return None
    shares = [sum(right[:n]) / n for n, is_right in enumerate(right, start=1) if is_right]
    return sum(shares) / len(shares) if shares else 0.0


def context(
    due: Sequence[FilePlace], answer: Answer, names: Mapping[str, str]
) -> tuple[float | None, float | None]:
    """Context precision and recall of the places that an answer was made from; None where nothing is due."""
    if not due:
        return None, None
    places = [_place(each, names) for one in (answer, *answer.parts) for each in one.evidence]
    right = [any(each.holds(place) for each in due) for place in places]
    cited = [_place(each, names) for claim in claims_in(answer) for each in claim.citations]
    behind = {file_name(each, names) for each in documents_behind(answer)}
    seen = [*places, *cited]
    reached = sum(
        any(each.holds(place) for place in seen) or (each.page is None and each.file in behind)
        for each in due
    )
    return context_precision(right), reached / len(due)


def broken_citations(answer: Answer, page_text: PageText) -> tuple[int, tuple[str, ...]]:
    """Number of citations, and those that are wrong, each in words.

    Wrong: the quote is not the stored page from start to end, or its number stands nowhere in the text; a
    number of the text that no citation has counts as one more.
    """
    total, broken = 0, []
    for one in (answer, *answer.parts):
        numbers = {int(each) for each in _NUMBER.findall(_own_text(one))}
        for each in one.citations:
            total += 1
            text = page_text(each.document, each.version, each.page)
            if text is None or text[each.start : each.end] != each.quote:
                broken.append(f"[{each.n}] is not the stored text of page {each.page}")
        missing = numbers - {each.n for each in one.citations}
        broken += [f"[{number}] stands in the text and is no citation" for number in sorted(missing)]
        total += len(missing)
    return total, tuple(broken)


def _own_text(answer: Answer) -> str:
    """The text without what it quotes, where a document may have numbers in brackets of its own."""
    text = answer.text
    for quote in {each.quote for each in answer.citations if "[" in each.quote}:
        text = text.replace(quote, "")
    return "" if any(_NUMBER.search(each.text) for each in answer.claims) else text


def unfounded_claims(answer: Answer, names: Mapping[str, str], page_text: PageText) -> tuple[str, ...]:
    """Claims whose words or figures do not stand in what they rest on, each with the first reason.

    So is a value that is shown above them and stands in none.
    """
    every = (answer, *answer.parts)
    faults = (
        f"{claim.text[:200]}: {reason}"
        for one in every
        for claim in one.claims
        if (reason := _fault(claim, one, names, page_text))
    )
    return (*faults, *(said for one in every for said in _lone_value(one)))


def _lone_value(answer: Answer) -> list[str]:
    value = answer.value
    if value is None or value.type == "boolean" or not answer.claims:
        return []
    told = f"{value.value} {value.unit or ''}".strip()
    sources = [each.text for each in answer.claims]
    quotes = [place.quote for each in answer.claims for place in each.citations]
    report = check_claim(told, [*map(_plain, sources), *map(_plain, quotes)])
    is_missing = any(each.name not in UNSURE for each in report.failed)
    return [f"{told}: it stands in no claim"] if is_missing else []


def _fault(claim: Claim, answer: Answer, names: Mapping[str, str], page_text: PageText) -> str:
    """Reason why a claim does not stand; "" where it does."""
    cited = [_plain(_cited(each, page_text)) for each in claim.citations]
    if _plain(claim.text) in " ".join(cited):
        return ""
    is_computed = claim.verdict is Verdict.COMPUTED
    if not is_computed and not any(cited):
        return "it rests on no stored words"
    beside = [names[each.document] for each in claim.citations if each.document in names]
    if is_computed:
        beside += [*computed_grounds(answer, names), *_rows_around(claim, page_text)]
        beside.append(f"{len(cited)}")
    elif not answer.written_by:  # a quote may be headed by the part of the question that it is for
        beside.append(answer.question)
    report = check_claim(_plain(claim.text), [*cited, *map(_plain, beside)])
    passed_over = UNSURE if is_computed else UNSURE - {"support"}
    return next((each.detail or each.name for each in report.failed if each.name not in passed_over), "")


def _cited(place: QuotedPlace, page_text: PageText) -> str:
    return (page_text(place.document, place.version, place.page) or "")[place.start : place.end]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _rows_around(claim: Claim, page_text: PageText) -> Iterator[str]:
    """The stored lines in which cited cells stand: a computed sentence may name the row of its figure."""
    for each in claim.citations:
        text = page_text(each.document, each.version, each.page) or ""
        line = text[text.rfind("\n", 0, each.start) + 1 :].split("\n", 1)[0]
        yield line
        for cell in line.split(" | "):
            head, _, value = cell.partition(": ")
            yield from _in_currency(head, value)


def _in_currency(head: str, value: str) -> Iterator[str]:
    """A cell with the currency that the head of its column names."""
    codes = (word.upper() for word in re.split(r"[^A-Za-z]+", head) if len(word) == _CODE)
    yield from (f"{code} {value}" for code in codes if currency_of(code))


def computed_grounds(answer: Answer, names: Mapping[str, str]) -> Iterator[str]:
    """What a computed sentence may rest on beside its places: names of documents, the question and how it
    was read, ledger, value and table, and differences of two of its figures."""
    yield answer.question
    yield from (names[each] for each in documents_behind(answer) if each in names)
    yield from (each.text for each in answer.reading)
    yield from _plan_words(answer.plan or {})
    if answer.ledger is not None:
        yield from _ledger_words(answer.ledger)
    if answer.value is not None:
        yield f"{answer.value.value} {answer.value.unit or ''}"
    if answer.table is not None:
        yield from _table_words(answer.table)


def _plan_words(plan: Mapping[str, Any]) -> Iterator[str]:
    """Values of the conditions of a plan, as in "from 2024-01-01", and what its nodes counted."""
    for node in plan.get("nodes", ()):
        yield f"{(node.get('ran') or {}).get('hits', '')}"
        for condition in node.get("conditions", ()):
            value = condition.get("value")
            yield from map(str, value if isinstance(value, list | tuple) else (value,))


def _table_words(table: Table) -> Iterator[str]:
    yield " ".join(each.name for each in table.columns)
    counts = Counter(str(row[0]) for row in table.rows if row)
    sizes = {len(table.rows), *map(len, table.members), *counts.values(), *_column_sums(table)}
    yield from (f"{each}" for each in sorted(sizes))
    figures: set[tuple[Decimal, str]] = set()
    for row in table.rows:
        yield " ".join(str(cell) for cell in row if cell is not None)
        unit = next((str(cell) for cell in reversed(row) if isinstance(cell, str) and cell.isalpha()), "")
        for column, cell in zip(table.columns, row, strict=False):
            yield f"{unit} {cell}"
            yield f"{cell} {unit}"
            yield f"{cell} {column.name.rpartition(' ')[2]}"  # a unit that stands in the head
            yield from _in_currency(column.name, str(cell))
            if is_decimal(str(cell)) and len(table.rows) <= FEW:
                figures.add((Decimal(str(cell)), unit))
    yield from (
        f"{unit} {abs(one - other)}"
        for (one, unit), (other, same) in combinations(figures, 2)
        if unit == same
    )


def _column_sums(table: Table) -> Iterator[int]:
    """Sums of columns of counts: of the rows or documents of each group."""
    for cells in zip(*table.rows, strict=False):
        if all(isinstance(cell, int) for cell in cells):
            yield sum(cells)


def _ledger_words(ledger: Ledger) -> Iterator[str]:
    yield f"{ledger.about} {ledger.field} {ledger.scope_said} {ledger.copies_said}"
    counts = (ledger.scope, ledger.present, ledger.absent, ledger.unreadable, ledger.uncertain)
    yield from (f"{each}" for each in (*counts, ledger.pending, ledger.total, ledger.unknown_kind))


def _place(place: QuotedPlace, names: Mapping[str, str]) -> FilePlace:
    return FilePlace(file_name(place.document, names), place.page)
