"""What a person writes into a cell: read as values of the field, looked up in the document's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.config.fields import FieldDefinition
from core.domain.document import DocumentVersion, Page
from core.domain.facts import DocumentParty
from core.domain.fields import NAMES, Cell, CellStatus, FieldType, PartyRow, Quote, Special, TypedValue
from core.domain.matrix import MatrixColumn
from core.domain.span import PageSpan
from core.errors import UsageError
from core.workbench.verdicts import read_value

MOST_VALUES = 50
_AROUND = 300
_END = re.compile(r"[.;!?]\s+|\n\s*\n|\n(?=\s*[-*#\u2022(\d])")
_CHOSEN = (FieldType.BOOLEAN, FieldType.ENUM)  # not quoted from anywhere
_REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class Written:
    """A value that a person wrote. quotes: where it stands in the document; () where it was not found."""

    value: TypedValue
    quotes: tuple[Quote, ...] = ()

    @property
    def is_found(self) -> bool:
        """Whether the document says so, as far as words can tell; one of a list of words needs no place."""
        return bool(self.quotes) or self.value.type in _CHOSEN or self.value.special is not Special.NONE


def sentences_with(pages: Iterable[Page], words: str, limit: int) -> list[Quote]:
    """Sentences in which the words stand, in reading order; case and line breaks are ignored."""
    places = (_sentence(page, quote) for page in pages for quote in _standing_in(page, words, r""))
    return [quote for quote, _ in zip(dict.fromkeys(places), range(limit), strict=False)]


def values_written(
    texts: Sequence[str], field: str, definition: FieldDefinition | None, document: DocumentVersion
) -> list[Written]:
    """Texts that a person wrote as values of a field, each with its place in the document.

    definition: None where no schema has the field. Raises UsageError where a text is no value of the type.
    """
    from core.fields.typed import order_for

    if len(texts) > MOST_VALUES:
        raise UsageError(f"A cell takes at most {MOST_VALUES} values.", next_step="Leave some out.")
    values = [read_value(text, field, definition) for text in texts]
    order = ""
    if definition is not None and definition.type is FieldType.DATE:
        whole = "\n".join(page.text for page in document.pages)
        order = order_for(definition, whole, document.summary.language)
    return [
        Written(value, _place_of(text, value, definition, document.pages, order))
        for text, value in zip(texts, values, strict=True)
    ]


def _place_of(
    text: str, value: TypedValue, definition: FieldDefinition | None, pages: Sequence[Page], order: str
) -> tuple[Quote, ...]:
    """The first place of the words as written; of dates, amounts and the like also of the same value."""
    from core.fields.typed import same, values_in

    if definition is None or definition.type in _CHOSEN:
        return ()
    for page in pages:
        for quote in _standing_in(page, text):
            return (quote,)
    if definition.type in NAMES:
        return ()
    for page in pages:
        for each in values_in(page.text, definition, order):  # type: ignore[arg-type]
            if same(each.value, value):
                span = PageSpan(page.page_no, each.start, each.end)
                return (Quote(span, page.text[each.start : each.end]),)
    return ()


def _standing_in(page: Page, words: str, end: str = r"(?!\w)") -> Iterator[Quote]:
    """Where the words stand on a page as words of their own; end: what must follow them."""
    parts = words.split()
    if not parts:
        return
    bare = r"\s+".join(re.escape(part) for part in parts)
    for match in re.finditer(rf"(?<!\w){bare}{end}", page.text, re.IGNORECASE):
        yield Quote(PageSpan(page.page_no, match.start(), match.end()), match[0])


def _sentence(page: Page, quote: Quote) -> Quote:
    """The sentence, line of a list or paragraph around the words, at most some hundred characters of it."""
    text, first, last = page.text, quote.span.start, quote.span.end
    before, after = text[max(0, first - _AROUND) : first], text[last : last + _AROUND]
    start = first - len(before)
    if ends := list(_END.finditer(before)):
        start += ends[-1].end()
    elif start:
        start += len(before) - len(before.split(None, 1)[-1]) if " " in before else 0
    found = _END.search(after)
    end = last + (len(found[0].rstrip()) + found.start() if found else len(after))
    start += len(text[start:first]) - len(text[start:first].lstrip())
    end = max(last, len(text[:end].rstrip()))
    return Quote(PageSpan(page.page_no, start, end), text[start:end])


def quotes_of(cell: Cell, index: int) -> tuple[Quote, ...]:
    """Where one value of a cell stands, among the spans of all its values."""
    values, spans = cell.finding.values, cell.finding.spans
    own = tuple(quote for quote in spans if _holds(quote, values[index]))
    if own or len(spans) != len(values):
        return own if own or len(values) > 1 else spans
    return (spans[index],)


def unfound(cell: Cell) -> tuple[TypedValue, ...]:
    """Values that a reviewer wrote and that nothing in the document was found for."""
    finding = cell.finding
    if cell.review is None or finding.method != _REVIEWER or finding.status is not CellStatus.PRESENT:
        return ()
    known: list[TypedValue] = []
    if cell.extracted is not None:
        maybe = (each.value for each in cell.extracted.candidates)
        known = [*cell.extracted.values, *(value for value in maybe if value is not None)]
    return tuple(
        value
        for index, value in enumerate(finding.values)
        if not Written(value, quotes_of(cell, index)).is_found and value not in known
    )


def _holds(quote: Quote, value: TypedValue) -> bool:
    from core.fields.typed import inferred, same

    said = _squeezed(quote.quote)
    if any(part and part in said for part in (_squeezed(value.original), _squeezed(value.text))):
        return True
    read = inferred(quote.quote) if value.type not in NAMES else None
    return read is not None and same(read, value)


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()


def parties_of(
    found: Iterable[PartyRow], cells: Sequence[Cell], columns: Sequence[MatrixColumn]
) -> Iterator[DocumentParty]:
    """The parties of a document as its cells say now: what a reviewer decided counts, not what was found."""
    kinds = {column.name: column for column in columns if column.type is FieldType.PARTY}
    rows = [DocumentParty.of(row) for row in found]
    for cell in cells:
        column = kinds.get(cell.field)
        if column is None or cell.review is None or cell.review.check_again:
            continue
        if column.many:
            rows = [_party(cell, index, rows) for index in range(len(_present(cell)))]
        else:
            rows = _with_role(cell, rows)
    return iter(rows)


def _present(cell: Cell) -> tuple[TypedValue, ...]:
    return cell.finding.values if cell.finding.status is CellStatus.PRESENT else ()


def _party(cell: Cell, index: int, rows: Sequence[DocumentParty]) -> DocumentParty:
    value, user = cell.finding.values[index], cell.review.user if cell.review is not None else ""
    normal = value.normal or value.text.casefold()
    known = next((row for row in rows if row.normal == normal), None)
    if known is not None:
        return known.decided_by(user)
    place = next(iter(quotes_of(cell, index)), None)
    return DocumentParty(value.text, normal, place, reviewed_by=user)


def _with_role(cell: Cell, rows: Sequence[DocumentParty]) -> list[DocumentParty]:
    """The rows where the party of this cell, and no other, has the role that the field is named by."""
    others = [row.as_role("") if row.role == cell.field else row for row in rows]
    for index in range(len(_present(cell))):
        party = _party(cell, index, others).as_role(cell.field)
        at = next((at for at, row in enumerate(others) if row.normal == party.normal), len(others))
        others[at : at + 1] = [party]
    return others
