"""Summaries of documents: of one its own sentences and fields, of a set what its fields come to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import median

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.inventory import kinds_said
from core.answer.computed.lists import ledger_of
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import counted, listed
from core.domain.answer import Column, Table
from core.domain.fields import (
    ORDERED,
    Cell,
    CellStatus,
    FieldType,
    Quote,
    Summary,
    SummaryKind,
    TypedValue,
)
from core.domain.ids import DocumentId
from core.domain.results import Documents
from core.domain.value_text import shown
from core.extract.summaries import RISKS, interest
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.search.evidence.base import Span
from core.store.cells.facts import DocumentFact
from core.store.cells.field_rows import key_of

MOST_FIELDS = 24
"""Fields of one kind of documents that a summary counts: those that its reader cares for most."""

MOST_LINES, _LEAST_LINES = 14, 3
"""Fields that are told in sentences, and of each kind at least; the others stand in the table alone."""

_MOST_NAMED, _MOST_VALUES, _MOST_SPANS = 4, 4, 3
_LEAST_FOR_UNUSUAL = 4  # documents that are decided: of fewer nothing is usual
_FEW = 10  # one in so many, or one alone, is unusual
_FAR = 10  # times the middle value, above which an amount is far from the others
_MOST_LISTED = 8
_MOST_CHARS = 100
_COLUMNS = ("Field", "State it", "Do not", "Unclear", "Least, or most frequent", "Greatest")

Read = Callable[[Sequence[str], Sequence[str], str], AnswerFacts]
"""Reads the cells of documents in fields of a schema."""
Summaries = Callable[[str], Sequence[DocumentFact[Summary]]]
"""Reads the stored summaries of a document."""


@dataclass
class _Tally:
    """Values of one field over documents. values: by document; unclear: not decided, or not read."""

    entry: FieldEntry
    facts: AnswerFacts
    values: dict[str, tuple[TypedValue, ...]] = field(default_factory=dict)
    lacking: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    @property
    def decided(self) -> int:
        return len(self.values) + len(self.lacking)

    @property
    def is_clause(self) -> bool:
        return self.entry.type is FieldType.BOOLEAN

    @property
    def is_telling(self) -> bool:
        """False of texts that each document has another of: numbers, titles, descriptions."""
        if self.entry.type in ORDERED or self.is_clause or len(self.values) == 1:
            return True
        counts = Counter(key for values in self.values.values() for key in {key_of(each) for each in values})
        return max(counts.values()) > 1

    def add(self, document: str) -> None:
        cell: Cell | None = self.facts.cells.get((document, self.entry.name))
        values = self.facts.values(document, self.entry.name)
        is_no = self.is_clause and all(value.text == "false" for value in values)
        if values and not is_no:
            self.values[document] = values
        elif cell is not None and ((is_no and values) or cell.finding.status is CellStatus.ABSENT):
            self.lacking.append(document)
        else:
            self.unclear.append(document)

    def span(self, document: str) -> tuple[Span, ...]:
        return self.facts.spans(document, self.entry.name)[:1]


@dataclass(frozen=True)
class _Spread:
    """The ordered values of a field in one unit, each with its document, the least first."""

    unit: str
    ordered: Sequence[tuple[Decimal, TypedValue, str]]

    @property
    def middle(self) -> Decimal:
        return median(amount for amount, _, _ in self.ordered)


def fields_for(kind: SummaryKind, schema: SchemaEntry, *, stated: bool = True) -> tuple[FieldEntry, ...]:
    """The fields of a schema that a reader cares for: the weightiest of each group, then the second of each.

    stated: by some document.
    """
    worth = {each: interest(kind, each.name, each.group, each.type) for each in schema.fields}
    chosen = [each for each in schema.fields if worth[each] and (each.documents or not stated)]
    chosen.sort(key=lambda each: -worth[each])
    before = Counter[str]()
    turns = {each: before.update([each.group]) or before[each.group] for each in chosen}
    return tuple(sorted(chosen, key=lambda each: (turns[each], -worth[each]))[:MOST_FIELDS])


def compose_digest(
    found: Documents, kind: SummaryKind, catalogue: Catalogue, read: Read, summaries: Summaries
) -> ComputedDraft:
    """The summary of the documents of a set that fulfil what was asked; of one alone, of its text."""
    ledger = ledger_of(found, "documents")
    known = (catalogue.document(id) or DocumentEntry(id, id, "", "") for id in found.present)
    entries = sorted(known, key=lambda each: (each.name.casefold(), each.id))
    if not entries:
        none = "There are no documents here to summarise." if not found.scope else _unread(found, catalogue)
        return ComputedDraft(lead=DraftLine(none), ledger=ledger, confidence=0.3)
    if len(entries) == 1:
        draft = _of_one(entries[0], kind, catalogue, read, summaries)
    else:
        draft = _of_set(entries, kind, catalogue, read)
    lead = draft.lead.text
    for some, said in ((found.unreadable, "could not be read"), (found.uncertain, "may be meant, too")):
        if some:
            more = f"{len(some):,} more document{'s' if len(some) > 1 else ''}"
            lead += f" {more} {said}, and nothing here counts {'them' if len(some) > 1 else 'it'}."
    draft = replace(draft, lead=DraftLine(lead))
    return replace(draft, ledger=ledger)


def _unread(found: Documents, catalogue: Catalogue) -> str:
    if not found.unreadable:
        return "No document is known for certain to be meant, so there is nothing to summarise."
    names = _titles(sorted(found.unreadable), catalogue)
    return f"Nothing could be read of {names}: there is nothing to summarise."


def _of_one(
    entry: DocumentEntry, kind: SummaryKind, catalogue: Catalogue, read: Read, summaries: Summaries
) -> ComputedDraft:
    """Its own sentences for the reader, what its fields state, risks, and what it does not state."""
    made = next((each for each in summaries(entry.id) if each.fact.kind is kind), None)
    own, schema = made.fact if made is not None else None, catalogue.schema(entry.schema)
    tallies = list(_tallies(schema, [entry], kind, read))
    stated = [each for each in tallies if each.values]
    clauses = [each for each in stated if each.is_clause]

    def quoted(quote: Quote, label: str = "") -> DraftLine:
        version = made.version if made is not None else 0
        span = Span.of_quote(DocumentId(entry.id), version, quote, entry.name, entry.source)
        return DraftLine(" ".join(quote.quote.split()), (span,), label, is_quote=True)

    def risk(quote: Quote) -> DraftLine:
        line = quoted(quote)
        within = (each for each in clauses for span in each.span(entry.id) if line.spans[0].holds(span))
        called = next((each.entry.title.lower() for each in within), "")
        return replace(line, label=f"Risk, {called}" if called else "Risk")

    sentences = own.sentences if own is not None else ()
    told = {each.quote for each in sentences}
    lines = [quoted(each) for each in sentences]
    for each in stated:
        if not each.is_clause:
            text = _named([_cut(shown(value)) for value in each.values[entry.id]], _MOST_LISTED)
            lines.append(DraftLine(text, each.facts.spans(entry.id, each.entry.name), each.entry.title))
    lines += [risk(each) for each in (own.risks if own is not None else ()) if each.quote not in told]
    if clauses:
        spans = tuple(span for each in clauses[:_MOST_LISTED] for span in each.span(entry.id))
        lines.append(
            DraftLine(_named([each.entry.title for each in clauses], _MOST_LISTED), spans, "Clauses")
        )
    for table in catalogue.tables:
        if table.documents == (entry.id,):
            columns = _named([each.name for each in table.columns], _MOST_LISTED)
            lines.append(DraftLine(f"{counted(table.rows, 'rows')} with {columns}", label="Table"))
    missing = [each.entry.title for each in tallies if each.lacking]
    lines += [DraftLine(_named(missing, _MOST_LISTED), label="Not stated")] if missing else []
    lead = f"{kind.value.capitalize()} summary of {entry.name}"
    if own is not None:
        lead += ", in its own words and by its fields."
    elif lines:
        lead += ": it has no sentences that could be shown for this reader. This is what was read of it."
    else:
        lead += ": it has no sentences that could be shown, and its fields state nothing for this reader."
    return ComputedDraft(lead=DraftLine(lead), lines=tuple(lines))


def _of_set(
    entries: Sequence[DocumentEntry], kind: SummaryKind, catalogue: Catalogue, read: Read
) -> ComputedDraft:
    lead = f"{kind.value.capitalize()} summary of {counted(len(entries), 'documents')}: "
    lead += f"{kinds_said(entries, catalogue)}."
    lines: list[DraftLine] = []
    unusual: list[DraftLine] = []
    rows: list[tuple[str | int | None, ...]] = []
    members: list[tuple[str, ...]] = []
    by_schema: dict[str, list[DocumentEntry]] = defaultdict(list)
    for each in entries:
        by_schema[each.schema].append(each)
    several, left_out = len(by_schema) > 1, 0
    most = max(_LEAST_LINES, MOST_LINES // len(by_schema))
    for name, of_kind in sorted(by_schema.items(), key=lambda each: (-len(each[1]), each[0])):
        schema, left = catalogue.schema(name), most
        for tally in _tallies(schema, of_kind, kind, read):
            if not tally.values or schema is None:
                continue
            own = tally.entry.title
            title = f"{schema.title}, {own.lower()}" if several else own
            text, spans, low, high = _told(tally, catalogue)
            if left and tally.is_telling:
                lines.append(DraftLine(text, spans, title, row=len(rows)))
                left -= 1
            else:
                left_out += 1
            rows.append((title, len(tally.values), len(tally.lacking), len(tally.unclear), low, high))
            members.append(tuple(tally.values))
            unusual += _unusual(tally, title, catalogue)
    table = Table(
        columns=tuple(Column(name=name, type="text") for name in _COLUMNS),
        rows=tuple(rows),
        members=tuple(members),
    )
    gaps = () if rows else ("No field of these documents is stated that this summary could count.",)
    draft = ComputedDraft(DraftLine(lead), (*lines, *unusual), table=table if rows else None, gaps=gaps)
    return replace(draft, left_out=left_out)


def _tallies(
    schema: SchemaEntry | None, entries: Sequence[DocumentEntry], kind: SummaryKind, read: Read
) -> Iterator[_Tally]:
    """The fields one by one: the cells of all in many documents would not fit into memory."""
    ids = [each.id for each in entries]
    stated = len(ids) > 1
    for entry in fields_for(kind, schema, stated=stated) if schema is not None else ():
        tally = _Tally(entry, read(ids, (entry.name,), entry.schema))
        for id in ids:
            tally.add(id)
        yield tally


def _told(tally: _Tally, catalogue: Catalogue) -> tuple[str, tuple[Span, ...], str | None, str | None]:
    """Sum of a field in words, what that rests on, and its least and greatest, or most frequent."""
    of = tally.decided + len(tally.unclear)
    count = f"{len(tally.values):,} of {of:,} {'states' if len(tally.values) == 1 else 'state'} it"
    rest = [
        (len(tally.lacking), "do not" if len(tally.lacking) > 1 else "does not"),
        (len(tally.unclear), "unclear"),
    ]
    less = "".join(f", {number:,} {said}" for number, said in rest if number)
    if tally.is_clause:
        having = sorted(tally.values)
        spans = tuple(span for id in having[:_MOST_SPANS] for span in tally.span(id))
        return f"{count}{less}", spans, None, None
    spreads = _spreads(tally)
    if spreads:
        parts: list[str] = []
        ends: list[Span] = []
        for spread in spreads:
            (_, low, first), (_, high, last) = spread.ordered[0], spread.ordered[-1]
            ends += [*tally.span(first), *tally.span(last)]
            if first == last or key_of(low) == key_of(high):
                whose = f"({_titles([first], catalogue)})" if len(spread.ordered) == 1 else "each"
                parts.append(f"{shown(low)} {whose}")
                continue
            least, most = _titles([first], catalogue), _titles([last], catalogue)
            parts.append(f"from {shown(low)} ({least}) to {shown(high)} ({most})")
        text = f"{count}{less}: {'; '.join(parts)}"
        best = spreads[0].ordered
        return text, tuple(dict.fromkeys(ends)), shown(best[0][1]), shown(best[-1][1])
    by_value: dict[str, list[tuple[str, TypedValue]]] = defaultdict(list)
    for id, values in tally.values.items():
        for value in {key_of(each): each for each in values}.values():
            by_value[key_of(value)].append((id, value))
    ranked = sorted(by_value.values(), key=lambda each: (-len(each), shown(each[0][1]).casefold()))
    named = [f"{_cut(shown(each[0][1]))} ({len(each):,})" for each in ranked[:_MOST_VALUES]]
    more = [f"{len(ranked) - _MOST_VALUES:,} other values"] if len(ranked) > _MOST_VALUES else []
    spans = tuple(span for each in ranked[:_MOST_SPANS] for span in tally.span(each[0][0]))
    return f"{count}{less}: {listed([*named, *more])}", spans, named[0] if named else None, None


def _spreads(tally: _Tally) -> list[_Spread]:
    """Amounts, dates and lengths in order, by unit, the unit of most documents first; [] for texts."""
    if tally.entry.type not in ORDERED:
        return []
    by_unit: dict[str, list[tuple[Decimal, TypedValue, str]]] = defaultdict(list)
    for id, values in tally.values.items():
        for value in values:
            if value.amount is not None and not value.special and value.decimal is not None:
                by_unit[value.unit].append((value.decimal, value, id))
    most = sorted(by_unit.items(), key=lambda each: (-len(each[1]), each[0]))
    return [_Spread(unit, sorted(some, key=lambda each: (each[0], each[2]))) for unit, some in most]


def _unusual(tally: _Tally, title: str, catalogue: Catalogue) -> Iterator[DraftLine]:
    """Fields that few of many lack, or alone have, and amounts far above the others."""
    of, having = tally.decided, sorted(tally.values)
    if of < _LEAST_FOR_UNUSUAL:
        return
    few = max(1, of // _FEW)
    if 0 < len(tally.lacking) <= few:
        lack = "does not state it" if len(tally.lacking) == 1 else "do not state it"
        told = f"{_titles(tally.lacking, catalogue)} {lack}; the other {len(having):,} do"
        yield DraftLine(told, label=f"Unusual, {title.lower()}")
    if tally.is_clause and 0 < len(having) <= few and tally.entry.name in RISKS:
        spans = tuple(span for id in having[:_MOST_SPANS] for span in tally.span(id))
        alone = (
            f"alone {'states' if len(having) == 1 else 'state'} it; the other {len(tally.lacking):,} do not"
        )
        yield DraftLine(f"{_titles(having, catalogue)} {alone}", spans, f"Unusual, {title.lower()}")
    for spread in _spreads(tally) if tally.entry.type is not FieldType.DATE else ():
        amount, value, id = spread.ordered[-1]
        if len(spread.ordered) >= _LEAST_FOR_UNUSUAL and spread.middle > 0 and amount > _FAR * spread.middle:
            times = f"{amount / spread.middle:,.0f} times the middle value"
            told = f"{shown(value)} in {_titles([id], catalogue)} is {times}"
            yield DraftLine(told, tally.span(id), f"Unusual, {title.lower()}")


def _titles(ids: Iterable[str], catalogue: Catalogue) -> str:
    known = ((catalogue.document(id), id) for id in ids)
    return _named([f"“{_cut(entry.name if entry is not None else id)}”" for entry, id in known])


def _named(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    """The names, each once; of many the first, and how many more."""
    counts = Counter(names)
    each = [f"{name} ({count:,} times)" if count > 1 else name for name, count in counts.items()]
    more = [f"{len(each) - most:,} more"] if len(each) > most else []
    return listed([*each[:most], *more])


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1].rstrip()}…"
