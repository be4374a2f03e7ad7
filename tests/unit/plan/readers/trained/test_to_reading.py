"""Questions as the network would read them, and the readings that are made of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bench.reader.marks import reading_of as marked
from core.plan.catalogue import Catalogue
from core.plan.readers.trained.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.readers.trained.to_reading import reading_of
from tests.support.known_collection import known_collection
from tests.support.reading_text import reading_text
from tests.support.table_catalogue import catalogue

TODAY = date(2024, 11, 22)
KNOWN = known_collection()
TABLES = catalogue()
FILE = Path(__file__).parent / "readings.txt"


def _cases() -> Iterator[tuple[str, str, str, str]]:
    schema = operation = question = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            schema = line.removeprefix("# ")
        elif line.startswith("    "):
            yield schema, operation, question, line.strip()
        else:
            operation, _, question = line.partition("\t")


@pytest.mark.parametrize(("schema", "operation", "question", "expected"), list(_cases()))
def test_marked_words_become_the_reading(schema: str, operation: str, question: str, expected: str) -> None:
    own = "" if schema == "tables" else schema
    known: Catalogue = KNOWN if own else TABLES

    found = reading_of(marked(operation, question, own, is_labelled=True), known, TODAY)

    assert reading_text(found) == expected


DESCRIBED = {
    "the agreement with the largest liability cap": (
        "rank/desc",
        "the agreement with the [largest liability cap]{order liability_cap_amount}",
    ),
    "the supply agreement that runs out last": (
        "rank/desc",
        "the [supply agreement]{kind} that [runs out last]{order expiration_date}",
    ),
    "the second largest deal under Texas law": (
        "rank/desc",
        "the [second]{nth} [largest]{order contract_value} deal [under Texas law]{=governing_law}",
    ),
    "the vendor of the Halden contract": (
        "lookup",
        "the [vendor]{?vendor} of [the Halden contract]{doc}",
    ),
    "the cheapest deal": ("rank/asc", "the [cheapest]{order contract_value} deal"),
    "the Nemo contract": ("list", "[the Nemo contract]{doc}"),
}


NAMED = ("the Halden deal that ends first", "the vendor of invoice 3310", "the guide of Halden")
DESCRIBED |= {
    NAMED[0]: ("rank/asc", "the [Halden]{party} deal that [ends first]{order expiration_date}"),
    NAMED[1]: ("lookup", "the [vendor]{?vendor} of [invoice 3310]{doc}"),
    NAMED[2]: ("list", "the guide of [Halden]{party}"),
}


def _read_again(words: str) -> QuestionReading:
    operation, question = DESCRIBED[words]
    return marked(operation, question, "contracts", is_labelled=True)


def _is_name(words: str) -> bool:
    return words not in DESCRIBED or words in NAMED


@pytest.mark.parametrize(
    ("operation", "question", "expected"),
    [
        (
            "lookup",
            "which [law]{?governing_law} has [the agreement with the largest liability cap]{doc}",
            "s1: rank; contracts; order liability_cap_amount desc 1+0"
            " >> lookup; contracts; ? governing_law; within s1",
        ),
        (
            "check",
            "does [the supply agreement that runs out last]{doc} have [a cap]{+cap_on_liability}",
            "s1: rank; contracts; kind: supply agreement; order expiration_date desc 1+0"
            " >> check; contracts; cap_on_liability is; within s1",
        ),
        (
            "lookup",
            "the [law]{?governing_law} of [the second largest deal under Texas law]{doc}",
            "s1: rank; contracts; governing_law = Texas; order contract_value desc 1+1"
            " >> lookup; contracts; ? governing_law; within s1",
        ),
        (
            "list",
            "other agreements with [the vendor of the Halden contract]{doc}",
            "s1: lookup; contracts; document: the Halden contract; ? vendor"
            " >> list; contracts; party: the vendor of the Halden contract = s1",
        ),
        (
            "compare/difference",
            "how much more is [the cheapest deal]{doc} [worth]{?contract_value} than [the Halden lease]{doc}",
            "s1: rank; contracts; order contract_value asc 1+0"
            " >> s2: list; contracts; document: the Halden lease"
            " >> compare; contracts; ? contract_value; difference of s1, s2",
        ),
        (
            "lookup",
            "[law]{?governing_law} of [the Nemo contract]{doc}",
            "lookup; contracts; document: the Nemo contract; ? governing_law",
        ),
        (
            "lookup",
            "[law]{?governing_law} of [the Halden deal that ends first]{doc}",
            "s1: rank; contracts; party: Halden; order expiration_date asc 1+0"
            " >> lookup; contracts; ? governing_law; within s1",
        ),
        (
            "list",
            "deals with [the vendor of invoice 3310]{doc}",
            "s1: lookup; contracts; document: invoice 3310; ? vendor"
            " >> list; contracts; party: the vendor of invoice 3310 = s1",
        ),
        (
            "lookup",
            "[law]{?governing_law} of [the guide of Halden]{doc}",
            "lookup; contracts; document: the guide of Halden; ? governing_law",
        ),
    ],
)
def test_a_document_that_is_described_is_a_step_before(operation: str, question: str, expected: str) -> None:
    read = marked(operation, question, "contracts", is_labelled=True)

    found = reading_of(read, KNOWN, TODAY, read_again=_read_again, is_name=_is_name)

    assert reading_text(found) == expected


def test_without_a_second_look_all_words_are_names() -> None:
    read = marked("lookup", "[law]{?governing_law} of [the cheapest deal]{doc}", "contracts")

    found = reading_of(read, KNOWN, TODAY)

    assert [each.words for each in found.names] == ["the cheapest deal"]
    assert not found.steps


def test_weak_spans_are_dropped_and_stay_uncovered() -> None:
    question = "contracts with insurance on purple paper"
    sure = ReadSpan(15, 24, SpanRole.CONDITION, False, (FieldLink("contracts", "insurance", 0.9),), 0.9)
    weak = ReadSpan(28, 40, SpanRole.CONDITION, False, (FieldLink("contracts", "notices", 0.3),), 0.5)
    read = QuestionReading(question, ((Operation.LIST, 1.0),), (sure, weak), 0.4)

    found = reading_of(read, KNOWN, TODAY)

    assert [each.field.name for each in found.conditions] == ["insurance"]
    assert found.uncovered == ("purple paper",)
    assert found.probability == 0.4


def test_words_that_surely_ask_for_nothing_are_aside() -> None:
    question = "kindly list contracts with insurance"
    span = ReadSpan(27, 36, SpanRole.CONDITION, False, (FieldLink("contracts", "insurance", 1.0),), 1.0)
    read = QuestionReading(question, ((Operation.LIST, 1.0),), (span,), 1.0, beside=((0, 6), (7, 11)))

    found = reading_of(read, KNOWN, TODAY)

    assert found.aside == ("kindly list",)
    assert not found.uncovered


def test_the_fields_are_those_of_one_schema() -> None:
    question = "invoices from Acme over 500"
    vendor = (FieldLink("contracts", "vendor", 0.6), FieldLink("invoices", "vendor", 0.4))
    total = (FieldLink("invoices", "total", 0.5), FieldLink("contracts", "contract_value", 0.4))
    spans = (
        ReadSpan(9, 18, SpanRole.VALUE, False, vendor, 1.0, comparison="="),
        ReadSpan(19, 27, SpanRole.VALUE, False, total, 1.0, comparison=">"),
    )

    found = reading_of(QuestionReading(question, ((Operation.LIST, 1.0),), spans, 1.0), KNOWN, TODAY)

    assert [(each.field.schema_name, each.field.name) for each in found.conditions] == [
        ("invoices", "vendor"),
        ("invoices", "total"),
    ]


def test_a_word_that_also_names_documents_does_not_outvote_the_fields() -> None:
    read = marked(
        "count/distinct", "how many [certification bodies]{?issuer} do we deal with", "certificates"
    )

    found = reading_of(read, KNOWN, TODAY)

    assert [each.name for each in found.asked] == ["issuer"]


def test_without_the_network_the_words_compare() -> None:
    question = "datasheets no wider than 60 cm"
    links = (FieldLink("datasheets", "width", 1.0),)
    span = ReadSpan(11, 30, SpanRole.VALUE, False, links, 1.0)

    found = reading_of(QuestionReading(question, ((Operation.LIST, 1.0),), (span,), 1.0), KNOWN, TODAY)

    assert [(each.op.value, each.values) for each in found.conditions] == [("<=", ("600 mm",))]


@pytest.mark.parametrize(
    "question", ["", "?", "[", "a" * 3_000, "\u0000\ud800".encode("utf-8", "replace").decode()]
)
def test_nothing_that_may_be_typed_is_refused(question: str) -> None:
    read = QuestionReading(question, ((Operation.LIST, 1.0),), (), 0.0)

    assert reading_of(read, KNOWN, TODAY).question == question
