from __future__ import annotations

import time
from decimal import Decimal

from core.domain.fields import FieldType
from core.llm.budget import CHARS_PER_TOKEN
from core.plan.catalogue import (
    Catalogue,
    ColumnEntry,
    DocumentEntry,
    FieldEntry,
    SchemaEntry,
    TableEntry,
    TablePart,
)
from core.plan.readers.model.catalogue_text import CATALOGUE_TOKENS, catalogue_prompt
from core.plan.reading import ReadInHand
from tests.support.model_readings import CATALOGUE, condition, read, reply, step


def told(question: str, **parts: object) -> str:
    return catalogue_prompt(CATALOGUE, question, **parts).text  # type: ignore[arg-type]


def large() -> Catalogue:
    """2,000 fields, 500 tables and 3,000 documents."""
    words = ("fee", "term", "site", "phase", "grade", "yield", "depth", "notice", "cover", "label")
    schemas = tuple(
        SchemaEntry(
            f"kind{at}",
            f"Kind {at}",
            fields=tuple(
                FieldEntry(
                    f"kind{at}",
                    f"{words[n % 10]}_{at}_{n}",
                    f"{words[n % 10]} {n}",
                    FieldType.NUMBER,
                    description=f"The {words[(n + 3) % 10]} that part {n} of it states for its owner.",
                    documents=n,
                )
                for n in range(100)
            ),
            documents=150,
        )
        for at in range(20)
    )
    documents = tuple(
        DocumentEntry(f"x{at}", f"Report {at} of site {at % 40}", f"r{at}.pdf", "b", f"kind{at % 20}")
        for at in range(3_000)
    )
    tables = tuple(
        TableEntry(
            tuple(
                ColumnEntry(
                    f"{words[c]} {at}", FieldType.TEXT, texts=tuple(f"cell {at} {k}" for k in range(40))
                )
                for c in range(10)
            ),
            (f"x{at}",),
            rows=40,
            parts=(TablePart(f"x{at}", 1, f"Sheet {at}"),),
        )
        for at in range(500)
    )
    return Catalogue("large", schemas, (), documents, (), (), tables)


def test_scope_comes_first_with_buckets_and_numbers_of_documents_by_kind() -> None:
    first, second, *_ = told("How many contracts are there?").splitlines()

    assert "contracts (8)" in first
    assert "8 contracts" in second


def test_only_what_is_asked_is_told() -> None:
    text = told("What do the invoices come to?", buckets=("invoices",))

    assert "Kind invoices" in text
    assert "Kind contracts" not in text
    assert "Solis" not in text


def test_the_nearest_kind_and_its_nearest_fields_come_first_with_what_they_are() -> None:
    lines = told("Which invoices have a tax over 100 USD?").splitlines()
    kinds = [line for line in lines if line.startswith("Kind ")]

    assert kinds[0].startswith("Kind invoices")
    assert any(line.startswith("- tax (money in USD; in 1): ") for line in lines)


def test_all_other_fields_are_named_by_their_type() -> None:
    more = next(line for line in told("How many contracts?").splitlines() if line.startswith("- more: "))

    assert "boolean (there or not): " in more


def test_sample_values_near_the_question_come_first() -> None:
    line = next(each for each in told("contracts under Texas law").splitlines() if "- governing_law" in each)

    assert "Such as: Texas | " in line


def test_documents_and_organisations_near_the_question_have_what_tells_them_apart() -> None:
    prompt = catalogue_prompt(CATALOGUE, "When does the Orion construction contract end?")
    line = next(each for each in prompt.text.splitlines() if "Construction Contract (contracts" in each)

    assert prompt.documents[line[2:].split(":")[0]] == "d04"
    assert "- Orion Logistics GmbH: " in prompt.text


def test_folders_near_the_question_are_sets_that_may_be_named_at_once() -> None:
    documents = tuple(
        DocumentEntry(f"i{at}", f"{at} outage", f"/files/{folder}/{at}.md", "b", "generic")
        for at, folder in enumerate(("incidents", "incidents", "minutes"))
    )
    prompt = catalogue_prompt(Catalogue(documents=documents), "How many incident reports are there?")

    assert "- f1: 2 documents of the folder “incidents”" in prompt.text
    assert prompt.folders == {"f1": ("i0", "i1")}


def test_few_documents_are_all_told_with_the_file_that_they_are_within() -> None:
    documents = (
        DocumentEntry("o", "Crane hire", "/in/offer.eml", "b", "generic"),
        DocumentEntry("t", "terms", "/in/offer.eml/terms.txt", "b", "generic"),
    )
    prompt = catalogue_prompt(Catalogue(documents=documents), "What is in the offer?")
    assert "- f1: 1 document within, but without, the file “offer.eml”" in prompt.text
    assert "terms (generic; within offer.eml)" in prompt.text
    assert "Crane hire (generic)" in prompt.text
    assert "Not shown, as less near the question: 1 document" not in prompt.text


def test_tables_have_short_ids_sheets_types_and_values() -> None:
    prompt = catalogue_prompt(CATALOGUE, "Who drove the most km, Ada or Ben?")

    assert prompt.tables == {"t1": ("d51|1",)}
    assert "t1: 4 rows of “Trips” in “Fleet 2025”" in prompt.text
    assert "Driver (text: Ada | Ben | Cleo)" in prompt.text
    assert "km (number 12 to 480)" in prompt.text


def test_sheets_of_one_table_can_be_asked_alone() -> None:
    bills = TableEntry(
        (ColumnEntry("Bill", FieldType.MONEY),),
        ("u1",),
        rows=24,
        parts=(TablePart("u1", 1, "Gas"), TablePart("u1", 2, "Power")),
    )
    book = DocumentEntry("u1", "Bills", "bills.xlsx", "b")
    prompt = catalogue_prompt(Catalogue("bills", documents=(book,), tables=(bills,)), "gas bills")

    assert "t1.1 is “Gas” alone; t1.2 is “Power” alone; columns: Bill" in prompt.text
    assert prompt.tables == {"t1": ("u1|1", "u1|2"), "t1.1": ("u1|1",), "t1.2": ("u1|2",)}


def test_of_many_tables_those_near_the_question_are_told() -> None:
    prompt = catalogue_prompt(large(), "grade 17")

    assert len(prompt.tables) < 6
    assert "grade 17 (text" in prompt.text


def test_the_set_in_hand_is_told_with_its_reading_and_its_members_by_short_id() -> None:
    before = "Which contracts are under Texas law?"
    reading = read(before, reply(step("list", conditions=[condition("governing_law", "=", "Texas")])))
    hand = ReadInHand(before, reading, ("d04", "gone"), 12)
    prompt = catalogue_prompt(CATALOGUE, "and which of them end in 2025?", in_hand=hand)

    assert 'Result set in hand ("set"): 12 documents.' in prompt.text
    assert "d1 Construction Contract" in prompt.text
    assert prompt.documents["d1"] == "d04"
    assert '"values": ["Texas"]' in prompt.text
    assert "gone" not in prompt.text


def test_it_keeps_to_its_budget_in_whole_lines() -> None:
    for most in (50, 300, CATALOGUE_TOKENS):
        assert len(told("contracts of Halden", most_tokens=most)) <= most * CHARS_PER_TOKEN


def test_an_empty_collection_says_so() -> None:
    assert catalogue_prompt(Catalogue(), "contracts").text == "There are no documents."


def test_two_thousand_fields_and_five_hundred_tables_are_told_fast_and_within_budget() -> None:
    catalogue = large()
    catalogue_prompt(catalogue, "warm")
    took = []
    for question in ("What is the yield of phase 7 at site 12?", "notice in sheet 44", "cell 490 39"):
        began = time.process_time()
        prompt = catalogue_prompt(catalogue, question)
        took.append(time.process_time() - began)
        assert len(prompt.text) <= CATALOGUE_TOKENS * CHARS_PER_TOKEN
        assert "Not shown, as less near the question: " in prompt.text
        assert " fields of " in prompt.text.splitlines()[-1]
        assert " tables." in prompt.text.splitlines()[-1]
    assert min(took) < 0.5


def test_long_hostile_texts_are_cut() -> None:
    entry = FieldEntry("k", "f", "F", FieldType.TEXT, description="x " * 5_000, documents=1)
    column = ColumnEntry("c" * 500, FieldType.NUMBER, low=Decimal("0.10"), high=Decimal(10) ** 30)
    catalogue = Catalogue(
        "",
        (SchemaEntry("k", "K", fields=(entry,), documents=1),),
        documents=(DocumentEntry("a", "y" * 5_000, "a.txt", "b", "k"),),
        tables=(TableEntry((column,), ("a",), rows=1, parts=(TablePart("a", 1),)),),
    )

    assert len(catalogue_prompt(catalogue, "f c").text) < 3_000
