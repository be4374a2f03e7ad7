"""Parts of an answer: the documents of a part of its ledger or of its table, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app import services
from app.presenting.wording import counted
from core.domain.answer import CLEARED, LEDGER_PARTS, REUSED, Answer, Citation, ConversationSet, Kind, Status
from core.domain.conversation import Turn, find_turn, part_of_turn
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import Cell, CellStatus, PromiseLevel, Quote
from core.domain.ids import ConversationId, DocumentId
from core.domain.matrix import MatrixColumn
from core.domain.value_text import shown, shown_all
from core.domain.wire.fields import shown_spans
from core.errors import NotFoundError
from core.spreadsheet import Linked
from core.workbench.exports.exported_cell import best_guess, cell_values, place_address, titles, value_heads

PART = re.compile(r"present|absent|uncertain|unreadable|pending|row|item|plan|set|group-\d{1,6}")
PENDING = "pending"
_HEADS = ("Document", "File", "Bucket", "List", "Note")
_LAST_HEADS = ("Page", "Start", "End", "Quote", "Link", "Document id")
_PLACE = {"document", "title", "source", "version", "page", "start", "end", "quote"}
_NOT_FOUND = {
    CellStatus.ABSENT: "not found",
    CellStatus.UNCERTAIN: "not sure",
    CellStatus.UNREADABLE: "unreadable",
}


@dataclass(frozen=True, slots=True)
class FieldStatement:
    """Statement of a document in one field, in words; quote: its place, None where it has none.

    cell: what it says it by, None where it was not read.
    """

    field: str
    title: str
    status: str
    text: str
    quote: Quote | None
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A document behind an answer. note: why it is in its part, "" where what it states says so."""

    document: DocumentId
    title: str
    source: str
    bucket: str
    version: int
    pages: int
    is_readable: bool
    stated: tuple[FieldStatement, ...]
    note: str
    copies: int = 0  # how many files have its words, its own among them; 0 where no other has

    @property
    def place(self) -> Quote | None:
        """First place to look at; None where no words of it decide."""
        return next((each.quote for each in self.stated if each.quote is not None), None)


def promise_of(answer: Answer) -> PromiseLevel | None:
    """The promise level that the question of an answer had; None where each bucket's own decided."""
    level = (answer.plan or {}).get("promise")
    return PromiseLevel(level) if level else None


def fields_of(answer: Answer) -> tuple[str, ...]:
    """The names of the fields that an answer is about: of its ledger, then of the nodes of its plan."""
    named_fields = asked_of(answer)
    for node in (answer.plan or {}).get("nodes", ()):
        named_fields += [node.get("field") or "", node.get("order_by") or "", *node.get("fields", ())]
        named_fields += [name.partition(".")[0] for name in node.get("group_by", ())]
    return tuple(dict.fromkeys(name for name in named_fields if name))


def asked_of(answer: Answer) -> list[str]:
    """The names of the fields that the ledger of an answer is about."""
    return [name for name in answer.ledger.field.split(", ") if name] if answer.ledger else []


def documents_of(answer: Answer, part: str) -> tuple[str, ...]:
    """The ids behind a part: `absent`, `row` (the table's rows), `group-3` (of its fourth row), `set`.

    What is only still being read is `pending`, and not `uncertain`.
    """
    if part in (PENDING, "uncertain") and answer.ledger:
        lists = answer.ledger.documents
        pending = frozenset(lists.pending)
        return lists.pending if part == PENDING else tuple(id for id in lists.uncertain if id not in pending)
    if part in LEDGER_PARTS:
        return tuple(getattr(answer.ledger.documents, part)) if answer.ledger else ()
    if part == "set":
        return answer.conversation.documents if answer.conversation is not None else ()
    table = answer.table
    if table is None:
        return ()
    if part == "row":
        return table.documents
    number = int(part.removeprefix("group-")) if part.removeprefix("group-").isdecimal() else -1
    return table.members[number] if 0 <= number < len(table.members) else ()


def rows_of(answer: Answer, part: str) -> list[Row]:
    """The documents of a part with what they state now, by title; those of the table in its order."""
    session = services.session()
    ids = [DocumentId(id) for id in documents_of(answer, part)]
    found = session.documents.by_id(ids)
    called = {column.name: column.title for column in session.matrix.columns(None, None)}
    fields = [name for name in fields_of(answer) if name in called]
    cells: dict[tuple[str, str], Cell] = {
        (cell.document, cell.field): cell
        for cell in session.matrix.cells(list(found), fields, promise=promise_of(answer))
    }
    reasons = answer.ledger.reasons if answer.ledger else {}
    asked = asked_of(answer) if part != "row" else fields
    rows, doubts = [], part == "uncertain"
    for id in ids if part == "row" else dict.fromkeys(ids):
        if id in found:
            stated = (_stated(cells.get((id, name)), name, called[name], doubts) for name in fields)
            kept = tuple(each for each in stated if each.field in asked or each.status == "present")
            alike = len(answer.copies.get(id, ()))
            rows.append(_row(found[id], kept, reasons.get(id, ""), part, alike and alike + 1))
    return rows if part == "row" else sorted(rows, key=lambda row: (row.title.casefold(), row.document))


def _stated(cell: Cell | None, name: str, title: str, doubts: bool) -> FieldStatement:
    """doubts: also where an uncertain value may stand; elsewhere only words that decide are pointed at."""
    if cell is None:
        return FieldStatement(name, title, "", "not read", None)
    finding = cell.finding
    quote = next(iter(shown_spans(finding)), None)
    if finding.status is CellStatus.PRESENT:
        return FieldStatement(name, title, "present", shown_all(finding.values), quote, cell)
    text = _NOT_FOUND.get(finding.status, finding.status.value)
    best = finding.candidates[0] if finding.candidates else None
    if finding.status is CellStatus.UNCERTAIN and best is not None:
        what = "there" if best.value is None or best.value.text == "true" else shown(best.value)
        text = f"perhaps {what} ({best.confidence:.0%} sure)".replace("%", " %")
        quote = quote or next(iter(best.spans), None)
    return FieldStatement(name, title, finding.status.value, text, quote if doubts else None, cell)


def _row(
    document: DocumentSummary, stated: tuple[FieldStatement, ...], reason: str, part: str, copies: int
) -> Row:
    is_readable = document.status is DocumentStatus.READY
    note = "" if part in ("present", "row") else reason
    if part == "unreadable" or not is_readable:
        note = document.note or reason
    return Row(
        document.id,
        document.name,
        document.source,
        document.bucket,
        document.version,
        document.pages,
        is_readable,
        () if part == "unreadable" else stated,
        note,
        copies,
    )


def citations_of(answer: Answer, part: str) -> dict[int, Citation]:
    """A place for each row of a part, by its number: the words that decide, or the top of the document."""
    if part == "item":
        return {
            at: Citation(n=at, **each.model_dump(include=_PLACE)) for at, each in enumerate(answer.evidence)
        }
    rows = rows_of(answer, part)
    if part != "row" or answer.table is None:
        return {number: _citation(number, row) for number, row in enumerate(rows)}
    by_document, cited = {row.document: row for row in rows}, {each.n: each for each in answer.citations}
    found = {}
    for at, id in enumerate(answer.table.documents):  # rows of documents that are gone keep their number
        numbers = answer.table.citations[at] if answer.table.citations else ()
        own = next((cited[n] for n in numbers if n in cited), None)
        row = by_document.get(DocumentId(id))
        if row is not None:
            found[at] = _citation(at, row) if own is None else own.model_copy(update={"n": at})
    return found


def _citation(number: int, row: Row) -> Citation:
    place = row.place
    return Citation(
        n=number,
        document=row.document,
        title=row.title,
        source=row.source,
        version=row.version,
        page=place.span.page_no if place else 1,
        start=place.span.start if place else 0,
        end=place.span.end if place else 0,
        quote=place.quote if place else "",
    )


def row_json(number: int, row: Row) -> dict[str, Any]:
    """A row as the list in the browser takes it."""
    place = row.place
    return {
        "number": number,
        "document": row.document,
        "title": row.title,
        "source": row.source,
        "bucket": row.bucket,
        "note": row.note,
        "stated": [[each.title, each.text, each.status] for each in row.stated],
        "quote": place.quote if place else "",
        "page": place.span.page_no if place else None,
        "where": _where(row),
        "copies": row.copies,
    }


def _where(row: Row) -> str:
    if not row.is_readable:
        return "Nothing could be read"
    return f"Page {row.place.span.page_no}" if row.place else f"Read in full, {counted(row.pages, 'page')}"


def sheet_of(answer: Answer, part: str, address: str) -> tuple[list[str], Iterator[list[Any]]]:
    """Heads and lines of a part as a file has them. address: of this home, to which links lead."""
    rows = rows_of(answer, part)
    names = dict.fromkeys(each.field for row in rows for each in row.stated)
    known = {each.name: each for each in services.session().matrix.columns(None, None)}
    columns = [known[name] for name in names]
    titled = titles(columns)
    heads = [
        f"{titled[each.name]}{of}"
        for each in columns
        for of in (*value_heads(each), " status", " best guess", " probability")
    ]
    listed = part if part in (*LEDGER_PARTS, PENDING) else ""
    return [*_HEADS, *heads, *_LAST_HEADS], (_line(row, columns, listed, address) for row in rows)


def _line(row: Row, columns: Sequence[MatrixColumn], listed: str, address: str) -> list[Any]:
    stated = {each.field: each for each in row.stated}
    span = row.place.span if row.place else None
    where = [span.page_no, span.start, span.end] if span else ["", "", ""]
    link = place_address(address, row.document, row.version if span else None, row.place)
    said: list[Any] = []
    for column in columns:
        each = stated.get(column.name)
        cell = each.cell if each is not None else None
        value, *units = cell_values(cell, column)
        quote = next(iter(shown_spans(cell.finding)), None) if cell is not None else None
        target = place_address(address, row.document, row.version if quote else None, quote)
        status = "" if each is None else each.status or each.text
        guess = best_guess(cell.finding) if cell is not None else ("", "")
        said += [Linked(value, target), *units, Linked(status, "" if value else target), *guess]
    quoted = row.place.quote if row.place else ""
    about = [Linked(row.title, link), row.source, row.bucket, listed, row.note]
    return [*about, *said, *where, quoted, Linked(link, link), row.document]


def waiting(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Documents and fields of `conversation.turn.part`, as links to the work list name them.

    ((), ()) where there is no such answer.
    """
    conversation, _, rest = token.partition(".")
    turn, _, part = rest.rpartition(".")
    try:
        answer = answer_of(conversation, turn)
    except NotFoundError:
        return (), ()
    return documents_of(answer, part), tuple(asked_of(answer))


def says_reused(turn: Turn) -> bool:
    """True where an answer was read by an earlier change of its wording, as it says."""
    gaps = turn.answer.gaps if turn.answer is not None else ()
    return turn.first is None and any(gap.endswith(REUSED) for gap in gaps)


def in_hand_after(turns: Sequence[Turn], cleared: int) -> tuple[str, ConversationSet] | None:
    """The set in hand after these turns, behind the id of the turn, or part of one, that holds it.

    None for none. Questions back, remarks and what failed leave it as it was. cleared: see `Conversation`.
    """
    for turn in reversed([each for each in turns if each.ordinal > cleared and each.answer is not None]):
        assert turn.answer is not None
        parts = range(len(turn.answer.parts))
        for found in [part_of_turn(turn, number) for number in reversed(parts)] or [turn]:
            answer = found.answer if found is not None else None
            if found is None or answer is None:
                continue
            if CLEARED in answer.flags:
                return None
            if answer.conversation is not None and answer.conversation.documents:
                return found.id, answer.conversation
            if answer.status in (Status.ANSWERED, Status.PARTIAL) and answer.kind is not Kind.GENERAL:
                return None
    return None


def answer_of(conversation: str, turn: str) -> Answer:
    """The answer of a turn of this principal's conversations.

    Raises NotFoundError, and RefusedError where its plan would be refused now.
    """
    session = services.session()
    turns = session.conversations.turns(ConversationId(conversation))
    found = find_turn(turns, turn)
    if found is None or found.answer is None:
        raise NotFoundError("This turn has no answer.", next_step="Ask again.")
    return session.questions.allowed(found.answer)
