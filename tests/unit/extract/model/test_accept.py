from __future__ import annotations

from typing import Literal

import pytest

from core.config.fields import FieldDefinition
from core.domain.fields import CellStatus, FieldType, Finding
from core.domain.llm.cells import MODEL, UNEARNED
from core.extract.decision import PRESENT_FROM
from core.extract.model.accept import Refusal, find_verbatim, findings_of
from core.extract.model.calls import AskedCell, CellCall, CellReplies, CellReply
from core.extract.model.evidence import whole_of
from tests.support.document_text import document_text

Status = Literal["present", "absent", "uncertain"]

TEXT = (
    "The rent is $900.00 a month; late\nrent costs $45.00 more.\nThe lease begins on 3 March 2021 and lasts "
    "two years.\nThe tenant may keep one dog. The deposit fell by -$250.00.\n"
    "The tenants are Alpha GmbH and Beta Holdings Ltd.\nThe flat is used as office space.\n"
)
FIELDS = {
    "rent": FieldDefinition(name="rent", title="Rent", type=FieldType.MONEY, unit="USD"),
    "begins": FieldDefinition(name="begins", title="Begin", type=FieldType.DATE),
    "term": FieldDefinition(name="term", title="Term", type=FieldType.DURATION),
    "pets": FieldDefinition(name="pets", title="Pets", type=FieldType.BOOLEAN),
    "tenants": FieldDefinition(name="tenants", title="Tenants", type=FieldType.PARTY, many=True),
    "landlord": FieldDefinition(name="landlord", title="Landlord", type=FieldType.PARTY),
    "use": FieldDefinition(name="use", title="Use", type=FieldType.ENUM, options=("home", "office_space")),
    "subject": FieldDefinition(name="subject", title="Subject", type=FieldType.TEXT),
}


def judged(
    field: str, *answers: tuple[str, str, str], status: Status = "present", may_be_absent: bool = True
) -> Finding | Refusal:
    """What the answers (value, quote, evidence) about one field come to."""
    document = document_text(TEXT)
    cell = AskedCell("c1", FIELDS[field], Finding(CellStatus.UNCERTAIN), may_be_absent)
    call = CellCall(document, (cell,), whole_of(document), True)
    replies = [
        CellReply(cell="c1", status=status, value=value, quote=quote, evidence=evidence)
        for value, quote, evidence in answers
    ]
    return findings_of(call, CellReplies(cells=tuple(replies)))[field]


@pytest.mark.parametrize(
    ("field", "value", "quote", "text", "place"),
    [
        ("rent", "$900", "The rent is $900.00 a month", "900.00", "$900.00"),
        ("rent", "45 USD", "late rent costs $45.00 more", "45.00", "$45.00"),  # over a line break
        ("begins", "2021-03-03", "begins on 3 March 2021", "2021-03-03", "3 March 2021"),
        ("term", "two years", "lasts two years", "P2Y", "two years"),
        ("landlord", "Alpha GmbH", "The tenants are Alpha GmbH", "Alpha GmbH", "Alpha GmbH"),
        ("use", "office space", "used as office space", "office_space", "used as office space"),
        ("subject", "one dog", "may keep one dog", "one dog", "one dog"),
    ],
)
def test_a_value_that_its_quote_says_becomes_a_fact_on_its_words(
    field: str, value: str, quote: str, text: str, place: str
) -> None:
    found = judged(field, (value, quote, "e1"))

    assert isinstance(found, Finding)
    assert found.status is CellStatus.PRESENT
    assert [each.text for each in found.values] == [text]
    assert found.spans[0].quote == place
    for span in found.spans:
        assert TEXT[span.span.start : span.span.end] == span.quote
    assert found.method == MODEL
    assert found.confidence == UNEARNED < PRESENT_FROM


def test_a_clause_stands_on_its_sentence() -> None:
    found = judged("pets", ("yes", "The tenant may keep one dog.", "e1"))

    assert isinstance(found, Finding)
    assert found.values[0].text == "true"
    assert found.spans[0].quote == "The tenant may keep one dog."


def test_a_list_takes_several_values_each_on_its_words() -> None:
    quote = "The tenants are Alpha GmbH and Beta Holdings Ltd."
    found = judged("tenants", ("Alpha GmbH", quote, "e1"), ("Beta Holdings Ltd.", quote, "e1"))

    assert isinstance(found, Finding)
    assert len(found.values) == len(found.spans) == 2


@pytest.mark.parametrize(
    ("field", "answer", "why"),
    [
        ("rent", ("$900", "The rent shall be $900.00 monthly", "e1"), Refusal.NO_QUOTE),
        ("rent", ("$900", "The rent is $900.00 a month", "e9"), Refusal.NO_BLOCK),
        ("rent", ("$900", "The rent is $900.00 a month", ""), Refusal.NO_BLOCK),
        ("rent", ("$950", "The rent is $900.00 a month", "e1"), Refusal.NOT_IN_QUOTE),
        ("rent", ("EUR 900", "The rent is $900.00 a month", "e1"), Refusal.NOT_IN_QUOTE),
        ("rent", ("$250", "The deposit fell by -$250.00.", "e1"), Refusal.NOT_IN_QUOTE),
        ("rent", ("nine hundred or so", "The rent is $900.00 a month", "e1"), Refusal.NO_VALUE),
        ("rent", ("$900 or $45", "The rent is $900.00 a month", "e1"), Refusal.NO_VALUE),
        ("rent", ("", "The rent is $900.00 a month", "e1"), Refusal.NO_VALUE),
        ("rent", ("$900", "", "e1"), Refusal.SHORT_QUOTE),
        ("rent", ("$900", "rent is $900.00 a mont", "e1"), Refusal.NO_QUOTE),  # within a word
        ("begins", ("3 March 2023", "lasts two years", "e1"), Refusal.NOT_IN_QUOTE),  # computed
        ("pets", ("yes", "dog.", "e1"), Refusal.SHORT_QUOTE),
        ("pets", ("no", "The tenant may keep one dog.", "e1"), Refusal.NO_VALUE),
        ("landlord", ("Gamma AG", "The tenants are Alpha GmbH", "e1"), Refusal.NOT_IN_QUOTE),
        ("use", ("home", "used as office space", "e1"), Refusal.NOT_IN_QUOTE),
        ("use", ("warehouse", "used as office space", "e1"), Refusal.NO_VALUE),
        ("subject", ("two dogs", "may keep one dog", "e1"), Refusal.NOT_IN_QUOTE),
    ],
)
def test_what_its_words_do_not_say_does_not_count(
    field: str, answer: tuple[str, str, str], why: Refusal
) -> None:
    assert judged(field, answer) is why


def test_answers_that_contradict_each_other_do_not_count() -> None:
    first, second = ("$900", "The rent is $900.00 a month", "e1"), ("$45", "rent costs $45.00 more", "e1")

    assert judged("rent", first, second) is Refusal.TWO_ANSWERS


def test_one_wrong_value_of_a_list_takes_all_of_it() -> None:
    quote = "The tenants are Alpha GmbH and Beta Holdings Ltd."

    assert judged("tenants", ("Alpha GmbH", quote, "e1"), ("Gamma AG", quote, "e1")) is Refusal.NOT_IN_QUOTE


def test_an_absence_counts_only_where_all_was_given_that_could_contradict_it() -> None:
    given = judged("pets", ("", "", ""), status="absent")
    partly = judged("pets", ("", "", ""), status="absent", may_be_absent=False)

    assert isinstance(given, Finding)
    assert given.status is CellStatus.ABSENT
    assert partly is Refusal.NOT_ALL_GIVEN


def test_a_foreign_cell_is_left_aside_and_one_without_an_answer_stays_as_it_is() -> None:
    document = document_text(TEXT)
    cell = AskedCell("c1", FIELDS["pets"], Finding(CellStatus.UNCERTAIN), True)
    call = CellCall(document, (cell,), whole_of(document), True)
    foreign = CellReply(cell="c7", status="absent", value="", quote="", evidence="")

    assert findings_of(call, CellReplies(cells=(foreign,))) == {"pets": Refusal.NO_ANSWER}


def test_words_are_found_whatever_the_white_space_and_nothing_else() -> None:
    assert find_verbatim("a  late\nrent", "late rent", 0, 12) == (3, 12)
    assert find_verbatim("a  late\nrent", "Late rent", 0, 12) is None
    assert find_verbatim("costs $1,500", "costs $1,5", 0, 12) is None
    assert find_verbatim("rent", "", 0, 4) is None
