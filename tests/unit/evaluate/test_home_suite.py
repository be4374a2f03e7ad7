"""A suite of a home: right answers that code knows, never of a cell in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from core.config.fields import FieldDefinition, Schema
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import Cell, CellStatus, FieldType, Finding, Review, TypedValue
from core.domain.ids import ContentHash, DocumentId
from core.domain.matrix import Matrix
from core.evaluate.home_suite import HomePage, home_cases, is_known
from core.evaluate.suite import AnswerShape, Case

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NAMES = ("alpha", "beta", "gamma")


def field(name: str, title: str, type: str) -> FieldDefinition:
    return FieldDefinition.model_validate(
        {"name": name, "title": title, "type": type, "description": "A field of the test.", "extractors": []}
    )


SCHEMA = Schema(
    name="contracts",
    title="Contracts",
    fields=(
        field("fee", "Fee", "money"),
        field("audit", "Audit rights", "boolean"),
        field("law", "Law", "text"),
    ),
)


def cell(document: str, name: str, value: TypedValue | None, confidence: float = 0.97, **more: Any) -> Cell:
    status = CellStatus.ABSENT if value is None else CellStatus.PRESENT
    found = Finding(status, () if value is None else (value,), (), confidence, "pattern")
    return Cell(DocumentId(document), 1, name, found, **more)


def value(type: FieldType, text: str, unit: str = "") -> TypedValue:
    return TypedValue(type, text, None, unit, text)


HAS = value(FieldType.BOOLEAN, "true")


def summary(name: str) -> DocumentSummary:
    return DocumentSummary(
        id=DocumentId(name),
        bucket="b",
        title=name,
        source=f"b/{name}.txt",
        status=DocumentStatus.READY,
        reason="",
        version=1,
        pages=1,
        passages=1,
        doc_type="",
        media_type="text/plain",
        language="en",
        acl=(),
        size_bytes=1,
        content_hash=ContentHash("h"),
        updated_at=NOW,
        name=name,
    )


def made(*cells: Cell, pages: Sequence[HomePage] = ()) -> dict[AnswerShape, list[Case]]:
    matrix = Matrix((), tuple(map(summary, NAMES)), cells)
    found: dict[AnswerShape, list[Case]] = {}
    for case in home_cases([SCHEMA], matrix, pages, lambda words: [len(word) for word in words]):
        found.setdefault(case.shape, []).append(case)
    return found


def test_look_ups_counts_lacks_and_groups_are_what_the_cells_say() -> None:
    found = made(
        cell("alpha", "fee", value(FieldType.MONEY, "120.50", "USD")),
        *(cell(name, "audit", HAS if name != "beta" else None) for name in NAMES),
        *(cell(name, "law", value(FieldType.TEXT, "Texas" if name != "beta" else "Ohio")) for name in NAMES),
    )

    [fee] = found[AnswerShape.LOOKUP]
    [count], [lack], [group] = (
        found[shape] for shape in (AnswerShape.COUNT, AnswerShape.LACK, AnswerShape.GROUP)
    )
    assert (fee.question, fee.expect.documents) == ("What is the fee of alpha?", ("alpha.txt",))
    assert fee.expect.value is not None
    assert (fee.expect.value.value, fee.expect.value.unit) == ("120.50", "USD")
    assert count.expect.value is not None
    assert count.expect.value.value == "2"
    assert lack.expect.documents == ("beta.txt",)
    assert group.expect.groups == (("Ohio", "1", None), ("Texas", "2", None))


def test_a_document_whose_name_is_part_of_another_one_is_not_asked_for() -> None:
    other = "supply-agreement-amendment"
    matrix = Matrix(
        (),
        tuple(map(summary, ("supply-agreement", other))),
        tuple(cell(name, "fee", value(FieldType.MONEY, "5", "USD")) for name in ("supply-agreement", other)),
    )

    clauses = tuple(cell(name, "audit", has) for name, has in (("supply-agreement", HAS), (other, None)))
    matrix = Matrix((), matrix.documents, (*matrix.cells, *clauses))

    fee, count, lack = home_cases([SCHEMA], matrix, [], lambda words: [1 for _ in words])

    assert fee.expect.documents == (f"{other}.txt",)
    assert count.expect.value is not None
    assert (count.expect.value.value, lack.expect.documents) == ("1", (f"{other}.txt",))  # both are counted


def test_nothing_is_counted_where_one_cell_is_in_doubt_unless_a_person_decided_it() -> None:
    sure = [cell(name, "audit", HAS if name != "beta" else None) for name in NAMES[:2]]
    doubtful = cell("gamma", "audit", HAS, 0.6)
    decided = cell("gamma", "audit", HAS, 0.6, review=Review("ann", NOW))
    outdated = cell("gamma", "audit", HAS, 0.99, review=Review("ann", NOW, check_again=True))

    assert AnswerShape.COUNT not in made(*sure, doubtful)
    assert len(made(*sure, decided)[AnswerShape.COUNT]) == 1
    assert [is_known(each) for each in (doubtful, decided, outdated)] == [False, True, False]


def test_a_sentence_is_searched_for_by_its_rarest_words_on_its_own_page() -> None:
    text = "The lessee shall paint every wooden window frame before summer begins each year."
    pages = [HomePage("b/alpha.txt", 3, text), HomePage("b/other.txt", 1, text)]

    [case] = made(pages=pages)[AnswerShape.RETRIEVAL]

    assert case.expect.pages == (("alpha.txt", 3),)
    assert len(case.question.split()) == 6
    assert set(case.question.split()) <= set(text.strip(".").split())
    assert [case] == made(pages=pages[::-1])[AnswerShape.RETRIEVAL]
