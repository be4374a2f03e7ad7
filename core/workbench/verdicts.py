"""Values of a cell that people choose or write: only those that its field takes, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from core.config.fields import FieldDefinition, Schema
from core.domain.certainty.guess import guesses_of, tied
from core.domain.document import DocumentVersion, Page
from core.domain.facts import DocumentParty
from core.domain.fields import (
    MONEY_SCALE,
    NAMES,
    NUMBER_SCALE,
    Cell,
    CellStatus,
    FieldType,
    Finding,
    PartyRow,
    Quote,
    ReviewAction,
    Special,
    TypedValue,
)
from core.domain.matrix import MatrixColumn
from core.domain.span import PageSpan
from core.domain.value_text import shown, shown_all
from core.errors import ConflictError, NotFoundError, UsageError

Given = TypedValue | Sequence[TypedValue] | str | None

_LARGEST: Final = 2**63 - 1  # of an amount that a database keeps
_LONGEST: Final = 2_000
_MOST_VALUES: Final = 200
_SHOWN: Final = 60
_SCALES = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE}
_TRUTHS = {"true": 1, "false": 0}
MOST_WRITTEN: Final = 50  # by a person at once
_AROUND: Final = 300
_SENTENCE_END = re.compile(r"[.;!?]\s+|\n\s*\n|\n(?=\s*[-*#\u2022(\d])")
_CHOSEN = (FieldType.BOOLEAN, FieldType.ENUM)  # not quoted from anywhere
_REVIEWER = "reviewer"
_HOW = "Write it as a document would: 2024-03-01, $1,250.00, 30 days."


def action_of(action: ReviewAction | str) -> ReviewAction:
    """The action of that name. Raises UsageError."""
    try:
        return ReviewAction(action)
    except ValueError:
        known = ", ".join(each.value for each in ReviewAction)
        raise UsageError(
            f"Unknown action {_short(str(action))}. Expected one of: {known}.",
            next_step="Choose one of them.",
        ) from None


def definition_of(field: str, schemas: Sequence[Schema], kind: str) -> FieldDefinition:
    """The field that a document is asked for. kind: its schema; "" where it was not read yet: any has it.

    Raises UsageError where there is none.
    """
    asked = [each for each in schemas if each.name == kind] or list(schemas)
    found = next((own for each in asked if (own := each.field(field)) is not None), None)
    if found is None:
        whom = f"{asked[0].title!r}" if len(asked) == 1 else "any kind of document"
        raise UsageError(
            f"There is no field {_short(field)} for {whom}.",
            next_step="See the fields of the schema; a renamed field has its new name.",
        )
    return found


def accepted(
    definition: FieldDefinition, action: ReviewAction, given: Given, quotes: Sequence[Quote], cell: Cell
) -> tuple[TypedValue, ...]:
    """The values of a verdict, read where they are text; () where the action needs none.

    Spans alone say what their characters say; of a clause, that it is there. cell: as it is now, for a
    verdict that takes what it says. Raises UsageError for what the field does not take.
    """
    if action in (ReviewAction.ABSENT, ReviewAction.UNDO):
        return ()
    if isinstance(given, str):
        values: tuple[TypedValue, ...] = (read_value(given, definition.name, definition),)
    elif isinstance(given, TypedValue):
        values = (given,)
    else:
        values = tuple(given or ())
    if not values and quotes and definition.type is not FieldType.BOOLEAN:
        read = [read_value(each.quote, definition.name, definition) for each in quotes]
        values = tuple({(each.text, each.unit): each for each in read}.values())
    _require_all(definition, values)
    if not values and not quotes and action is ReviewAction.CONFIRM:
        _require_one_best(definition, cell.finding)
        _require_all(definition, _confirmed(definition, cell.finding))
    return values


def _require_one_best(definition: FieldDefinition, finding: Finding) -> None:
    """Raises UsageError where several values are as likely as the best one: no one is the best guess."""
    level = () if definition.many else tied(guesses_of(finding))
    if level and definition.type is not FieldType.BOOLEAN:
        said = ", ".join(repr(shown(each.value)) for each in level)
        raise UsageError(
            f"{len(level)} readings of the field {definition.name!r} are equally likely: {said}.",
            next_step="Choose one of them instead of confirming.",
        )


def require_same(cell: Cell, candidates: Sequence[int], saw: str, now: datetime) -> None:
    """Raises ConflictError where the candidates do not say what a person saw when deciding.

    saw: their values as they were shown, in one line; "" for places without values.
    """
    known = (cell.extracted or cell.finding).candidates
    values = [known[each].value for each in candidates if 0 <= each < len(known)]
    said = shown_all([each for each in values if each is not None])
    if said and said != saw:
        raise ConflictError(
            f"The document was read anew since this cell was shown: it says {said!r} now, not {saw!r}.",
            user="extraction",
            at=now,
            next_step="Look at the cell as it is now, then decide again.",
        )


def said_by(cell: Cell, candidates: Sequence[int]) -> tuple[list[TypedValue] | None, list[Quote]]:
    """The values, each once, and the places of the candidates of those numbers, from 0.

    None: they have no value. Also of a cell that was decided since. Raises NotFoundError.
    """
    known = (cell.extracted or cell.finding).candidates
    if not all(0 <= each < len(known) for each in candidates):
        raise NotFoundError("This cell has no such candidate.", next_step="Open the cell again.")
    chosen = [known[number] for number in dict.fromkeys(candidates)]
    named = {(each.value.text, each.value.unit): each.value for each in chosen if each.value is not None}
    return list(named.values()) or None, [quote for each in chosen for quote in each.spans]


def _confirmed(definition: FieldDefinition, finding: Finding) -> tuple[TypedValue, ...]:
    """Values of a cell, of an uncertain one its best candidate; that has a value unless it is a clause."""
    if finding.values or not finding.candidates:
        return finding.values
    best = finding.candidates[0].value
    if best is None and definition.type is not FieldType.BOOLEAN:
        raise UsageError(
            f"What was found for the field {definition.name!r} has no {definition.type.value} to confirm.",
            next_step="Type the value or mark it on the page, or mark the field as absent.",
        )
    return () if best is None else (best,)


def _require_all(definition: FieldDefinition, values: Sequence[TypedValue]) -> None:
    most = _MOST_VALUES if definition.many else 1
    if len(values) > most:
        raise UsageError(
            f"The field {definition.name!r} takes {f'at most {most} values' if most > 1 else 'one value'},"
            f" not {len(values)}.",
            next_step="Choose one of them." if most == 1 else "Leave some of them out.",
        )
    for value in values:
        why = _wrong(definition, value)
        if why:
            raise UsageError(
                f"{_short(value.original or value.text)} is no {definition.type.value} as the field"
                f" {definition.name!r} needs it: {why}.",
                next_step=_HOW,
            )


def read_value(text: str, field: str, definition: FieldDefinition | None) -> TypedValue:
    """A person's text as a value of a field. definition: None where no schema has the field.

    Raises UsageError for what the field does not take.
    """
    from core.fields.typed import value_of

    found = None if definition is None or not _is_storable(text) else value_of(text.strip(), definition)
    if found is None:
        kind = "value" if definition is None else definition.type.value
        raise UsageError(f"{_short(text)} is no {kind} as the field {field!r} needs it.", next_step=_HOW)
    return found.value


def _wrong(definition: FieldDefinition, value: TypedValue) -> str:
    """Reason why a field does not take a value; "" where it does."""
    kind = definition.type
    words = (value.text, value.unit, value.original, value.normal)
    if value.type is not kind:
        return f"it is a {value.type.value}"
    if not all(_is_storable(each) for each in words) or max(map(len, words)) > _LONGEST:
        return f"it is longer than {_LONGEST:,} characters or holds some that cannot be kept"
    if value.special is Special.AMBIGUOUS:
        return f"it can be read as {' or '.join(value.text.split('/'))}"
    if value.special:
        return "" if value.amount is None else "what has no value has no amount"
    if kind is FieldType.ENUM:
        return "" if value.text in definition.options else f"expected {', '.join(definition.options)}"
    if kind in NAMES:
        return "" if value.text.strip() else "it is empty"
    if value.amount is None or abs(value.amount) > _LARGEST:
        return "its amount is missing or too large"
    return "" if _says_its_amount(value) else "its text and its amount differ"


def _says_its_amount(value: TypedValue) -> bool:
    """True where an amount is what the canonical text says."""
    if value.type is FieldType.BOOLEAN:
        return _TRUTHS.get(value.text) == value.amount
    try:
        if value.type is FieldType.DATE:
            return date.fromisoformat(value.text).toordinal() == value.amount
        if value.type in _SCALES:
            return Decimal(value.text).scaleb(_SCALES[value.type]) == value.amount
    except (ValueError, InvalidOperation):
        return False
    return value.text.startswith("P")


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= each <= "\udfff" for each in text)


def _short(text: str) -> str:
    """The text as a message shows it: quoted, on one line, and not all of a long one."""
    return (
        ascii(text[:_SHOWN]) if not _is_storable(text) else repr(text[:_SHOWN]) + "..." * (len(text) > _SHOWN)
    )


@dataclass(frozen=True, slots=True)
class Written:
    """A value that a person wrote. quotes: where it stands in the document; () where it was not found."""

    value: TypedValue
    quotes: tuple[Quote, ...] = ()

    @property
    def is_found(self) -> bool:
        """True where the document says so, as far as words tell; one of a list of words needs no place."""
        return bool(self.quotes) or self.value.type in _CHOSEN or self.value.special is not Special.NONE


def sentences_with(pages: Iterable[Page], words: str, limit: int) -> list[Quote]:
    """Sentences in which the words stand, in reading order; case and line breaks are ignored."""
    places = (sentence_around(page, quote) for page in pages for quote in _standing_in(page, words, r""))
    return [quote for quote, _ in zip(dict.fromkeys(places), range(limit), strict=False)]


def values_written(
    texts: Sequence[str], field: str, definition: FieldDefinition | None, document: DocumentVersion
) -> list[Written]:
    """Texts that a person wrote as values of a field, each with its place in the document.

    definition: None where no schema has the field. Raises UsageError where a text is no value of the type.
    """
    from core.fields.typed import order_for

    if len(texts) > MOST_WRITTEN:
        raise UsageError(f"A cell takes at most {MOST_WRITTEN} values.", next_step="Leave some out.")
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
    """Places of the words on a page as words of their own; end: what must follow them."""
    parts = words.split()
    if not parts:
        return
    bare = r"\s+".join(re.escape(part) for part in parts)
    for match in re.finditer(rf"(?<!\w){bare}{end}", page.text, re.IGNORECASE):
        yield Quote(PageSpan(page.page_no, match.start(), match.end()), match[0])


def sentence_around(page: Page, quote: Quote) -> Quote:
    """The sentence, line of a list or paragraph around the words, at most some hundred characters of it."""
    text, first, last = page.text, quote.span.start, quote.span.end
    before, after = text[max(0, first - _AROUND) : first], text[last : last + _AROUND]
    start = first - len(before)
    if ends := list(_SENTENCE_END.finditer(before)):
        start += ends[-1].end()
    elif start:
        start += len(before) - len(before.split(None, 1)[-1]) if " " in before else 0
    found = _SENTENCE_END.search(after)
    end = last + (len(found[0].rstrip()) + found.start() if found else len(after))
    start += len(text[start:first]) - len(text[start:first].lstrip())
    end = max(last, len(text[:end].rstrip()))
    return Quote(PageSpan(page.page_no, start, end), text[start:end])


def quotes_of(cell: Cell, index: int) -> tuple[Quote, ...]:
    """Spans of one value of a cell, among those of all its values."""
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
