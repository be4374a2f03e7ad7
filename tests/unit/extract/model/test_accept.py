from __future__ import annotations

import pytest

from core.config.fields import FieldDefinition
from core.domain.fields import Candidate, CellStatus, FieldType, Finding
from core.domain.llm.cells import MODEL, UNEARNED
from core.extract.decision import PRESENT_FROM
from core.extract.model.accept import DISAGREE, Refusal, find_verbatim, findings_of, value_in_quote, weighed
from core.extract.model.calls import AskedCell, CellCall, CellReplies, CellReply
from core.extract.model.windows import blocks_of
from core.fields.typed import ValueSpan
from tests.support.document_text import document_text

TEXT = (
    "The rent is $900.00 a month; late\nrent costs $45.00 more.\nThe lease begins on 3 March 2021 and lasts "
    "two years; renewals are annual.\nThe tenant may keep one dog. The deposit fell by -$250.00.\n"
    "The tenants are Alpha GmbH and Beta Holdings Ltd.\nThe flat is used as office space.\n"
)
FIELDS = {
    "rent": FieldDefinition(name="rent", title="Rent", type=FieldType.MONEY, unit="USD"),
    "begins": FieldDefinition(name="begins", title="Begin", type=FieldType.DATE),
    "term": FieldDefinition(name="term", title="Term", type=FieldType.DURATION),
    "pets": FieldDefinition(
        name="pets", title="Pets", type=FieldType.BOOLEAN, includes="Cats and dogs, also small ones."
    ),
    "tenants": FieldDefinition(name="tenants", title="Tenants", type=FieldType.PARTY, many=True),
    "landlord": FieldDefinition(name="landlord", title="Landlord", type=FieldType.PARTY),
    "use": FieldDefinition(
        name="use", title="Use", type=FieldType.ENUM, options=("home", "office_space", "other")
    ),
    "subject": FieldDefinition(name="subject", title="Subject", type=FieldType.TEXT),
}


def call_of(field: str, text: str = TEXT, window: int = 1, windows: int = 1) -> CellCall:
    document = document_text(text)
    return CellCall(document, (AskedCell("c1", FIELDS[field]),), blocks_of(document), window, windows)


def replies_of(*answers: tuple[str, str, str], absent: bool = False) -> CellReplies:
    """Answers (value, quote, block) about one cell."""
    found = tuple(
        CellReply(cell="c1", value=value, quote=quote, block=block) for value, quote, block in answers
    )
    return CellReplies(found=found, absent=("c1",) if absent else ())


def judged(field: str, *answers: tuple[str, str, str], absent: bool = False) -> Finding | Refusal:
    """What the answers about one field come to."""
    return findings_of([(call_of(field), replies_of(*answers, absent=absent))])[field]


@pytest.mark.parametrize(
    ("field", "value", "quote", "text", "place"),
    [
        ("rent", "$900", "The rent is $900.00 a month", "900.00", "$900.00"),
        ("rent", "45 USD", "late rent costs $45.00 more", "45.00", "$45.00"),  # over a line break
        ("begins", "2021-03-03", "begins on 3 March 2021", "2021-03-03", "3 March 2021"),
        ("term", "two years", "lasts two years", "P2Y", "two years"),
        ("term", "Annual", "renewals are annual.", "P1Y", "annual"),
        ("landlord", "Alpha GmbH", "The tenants are Alpha GmbH", "Alpha GmbH", "Alpha GmbH"),
        ("use", "office space", "used as office space", "office_space", "used as office space"),
        ("use", "other", "The flat is used as", "other", "The flat is used as"),
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
        ("term", ("monthly", "lasts two years", "e1"), Refusal.NOT_IN_QUOTE),
        ("pets", ("yes", "dog.", "e1"), Refusal.SHORT_QUOTE),
        ("pets", ("yes", "Cats and dogs, also small ones.", "e1"), Refusal.NO_QUOTE),  # of the definition
        ("pets", ("yes", "The tenant may keep two horses.", "e1"), Refusal.NO_QUOTE),  # of another document
        ("pets", ("no", "The tenant may keep one dog.", "e1"), Refusal.NO_VALUE),
        ("landlord", ("Gamma AG", "The tenants are Alpha GmbH", "e1"), Refusal.NOT_IN_QUOTE),
        ("use", ("home", "used as office space", "e1"), Refusal.NOT_IN_QUOTE),
        ("use", ("other", "used as office space", "e1"), Refusal.NOT_IN_QUOTE),
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


def test_an_absence_counts_only_where_the_whole_text_was_given() -> None:
    given = judged("pets", absent=True)
    empty_page = call_of("pets")
    scan = document_text(TEXT, " ")
    scanned = CellCall(scan, empty_page.cells, blocks_of(scan), 1, 1)
    again = call_of("pets", window=0, windows=0)

    assert isinstance(given, Finding)
    assert given.status is CellStatus.ABSENT
    for call in (scanned, again):
        assert findings_of([(call, replies_of(absent=True))])["pets"] is Refusal.NOT_ALL_GIVEN


def test_windows_of_a_text_are_one_reading() -> None:
    first, second = (call_of("rent", window=at, windows=2) for at in (1, 2))
    short, long = ("$900", "$900.00", "e1"), ("$900", "The rent is $900.00 a month", "e1")
    both = findings_of([(first, replies_of(short)), (second, replies_of(long))])["rent"]
    one = findings_of([(first, replies_of(absent=True)), (second, replies_of(long))])["rent"]
    half = findings_of([(first, replies_of(absent=True)), (second, replies_of())])["rent"]
    none = findings_of([(call_of("pets", window=at, windows=2), replies_of(absent=True)) for at in (1, 2)])

    assert isinstance(both, Finding)
    assert both.spans[-1].quote == long[1]
    assert isinstance(one, Finding)
    assert half is Refusal.UNSETTLED
    assert isinstance(none["pets"], Finding)


def test_windows_that_contradict_each_other_are_no_answer() -> None:
    first, second = (call_of("rent", window=at, windows=2) for at in (1, 2))
    one, other = ("$900", "The rent is $900.00 a month", "e1"), ("$45", "late rent costs $45.00 more", "e1")

    found = findings_of([(first, replies_of(one)), (second, replies_of(other))])["rent"]

    assert found is Refusal.TWO_ANSWERS


@pytest.mark.parametrize(
    ("p", "answer", "status"),
    [
        (0.6, ("yes", "The tenant may keep one dog.", "e1"), CellStatus.PRESENT),
        (0.1, ("yes", "The tenant may keep one dog.", "e1"), CellStatus.UNCERTAIN),
        (0.3, None, CellStatus.ABSENT),
        (0.8, None, CellStatus.UNCERTAIN),
    ],
)
def test_where_a_head_was_not_sure_both_together_decide(
    p: float, answer: tuple[str, str, str] | None, status: CellStatus
) -> None:
    said = judged("pets", answer) if answer else judged("pets", absent=True)
    head = Candidate(None, (), p, "head")
    known = Finding(CellStatus.UNCERTAIN, confidence=max(p, 1 - p), method="head", candidates=(head,))
    assert isinstance(said, Finding)

    found = weighed(said, known)

    assert found.status is status
    if status is CellStatus.UNCERTAIN:
        assert found.note == DISAGREE
        assert bool(answer) == any(each.method == MODEL for each in found.candidates)
    assert weighed(said, None) == weighed(said, Finding(CellStatus.UNCERTAIN, method="rule")) == said


def test_found_and_absent_in_one_reply_contradict_each_other() -> None:
    assert judged("pets", ("yes", "The tenant may keep one dog.", "e1"), absent=True) is Refusal.TWO_ANSWERS


def test_a_foreign_cell_is_left_aside_and_one_without_an_answer_stays_as_it_is() -> None:
    foreign = CellReply(cell="c7", value="yes", quote="The tenant may keep one dog.", block="e1")

    assert findings_of([(call_of("pets"), CellReplies(found=(foreign,), absent=()))]) == {
        "pets": Refusal.UNSETTLED
    }


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("a  late\nrent", "late rent", "late\nrent"),
        ("a  late\nrent", "Late rent", "late\nrent"),
        ("the agree-\nment ends", "agreement ends", "agree-\nment ends"),
        ("the agree\u00adment ends", "agreement", "agree\u00adment"),
        ("fell by -$250", "$250", "-$250"),  # the sign is a part of it
        ("Stra\u00dfe 5", "STRASSE 5", "Stra\u00dfe 5"),
        ("costs $1,500", "costs $1,5", None),
        ("late rent", "late rents", None),
        ("late, rent", "late rent", None),
        ("current rent", "rent", "rent"),
        ("rent", "", None),
    ],
)
def test_white_space_hyphens_and_case_are_forgiven_and_nothing_else(
    text: str, quote: str, found: str | None
) -> None:
    place = find_verbatim(text, quote, 0, len(text))

    assert (None if place is None else text[slice(*place)]) == found


def test_a_quote_may_go_over_the_end_of_a_page() -> None:
    document = document_text("The lease begins on", "3 March 2021.")
    call = CellCall(document, (AskedCell("c1", FIELDS["begins"]),), blocks_of(document), 1, 1)

    found = findings_of([(call, replies_of(("3 March 2021", "begins on 3 March 2021", "e1")))])["begins"]

    assert isinstance(found, Finding)
    assert [(each.span.page_no, each.quote) for each in found.spans] == [
        (2, "3 March 2021"),
        (1, "begins on"),
    ]


def test_an_amount_and_its_unit_may_stand_on_two_pages() -> None:
    over = "extended  for 12\n\n\n\n     months, each"

    term = value_in_quote(over, "12 months", FIELDS["term"], "mdy")
    assert isinstance(term, ValueSpan)
    assert over[term.start : term.end] == "12\n\n\n\n     months"


def test_the_law_of_a_place_is_named_as_rules_name_it() -> None:
    law = FieldDefinition(
        name="law",
        title="Law",
        type=FieldType.TEXT,
        extractors=({"method": "rule", "rule": "governing_law"},),
    )

    said = value_in_quote("under the laws of the State of Nevada", "State of Nevada", law, "mdy")

    assert isinstance(said, ValueSpan)
    assert said.value.text == "Nevada"
