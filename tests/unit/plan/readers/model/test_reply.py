from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.llm.schema import find_problems, strict_schema
from core.plan.readers.model.reader import reply_schema
from core.plan.readers.model.reply import (
    NearTexts,
    ReadingReply,
    added_by,
    as_reply,
    faithful_wordings,
    lost_from,
    nearest,
    stems_of,
    unfaithful,
    words_in,
)
from core.plan.reading import ReadInHand
from tests.support.model_readings import condition, read, reply, step

QUESTION = "Which contracts with Halden from 2023 don't allow  Assignment?"
STEPS = reply(
    step(
        "group",
        "contracts",
        names=[{"words": "Halden", "role": "party", "not": True}],
        conditions=[
            condition("governing_law", "missing", **{"not": True}),
            condition("effective_date", "=", "2023", words="from 2023"),
        ],
        asked=["contract_value"],
        function="sum",
        groups=["effective_date.year"],
        having={"op": ">", "value": "5"},
        order={"descending": True, "limit": 3, "skip": 1},
    )
)
HELD = "What are contracts from 2023, not with Halden, worth by year?"


def test_a_reply_may_leave_out_what_is_empty() -> None:
    found = ReadingReply.model_validate({"steps": [{"operation": "count"}]})

    assert found.steps[0].conditions == []
    assert found.need == "collection"


def test_a_reply_is_closed() -> None:
    with pytest.raises(ValidationError):
        ReadingReply.model_validate({"nodes": []})


def test_a_step_and_an_order_may_say_which_words_meant_them() -> None:
    order = {"field": "total", "words": "largest"}
    step = {"operation": "rank", "order": order, "words": "the largest one"}

    assert ReadingReply.model_validate({"steps": [step]}).steps[0].words == "the largest one"


def test_servers_that_decode_strictly_write_every_part() -> None:
    schema = strict_schema(ReadingReply)

    assert schema["required"] == list(ReadingReply.model_fields)
    assert "not" in schema["properties"]["steps"]["items"]["properties"]["conditions"]["items"]["required"]


def test_the_schema_that_is_sent_describes_nothing_and_holds_every_part() -> None:
    assert "description" not in reply_schema()
    assert set(reply_schema()["properties"]) == set(ReadingReply.model_fields)


def test_a_value_that_is_none_is_said_in_a_plain_sentence() -> None:
    found = list(find_problems({"steps": [{"operation": "guess"}]}, reply_schema()))

    assert len(found) == 1
    assert found[0].startswith("steps[0].operation must be one of")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("with halden", "with Halden"),
        ("don't allow assignment", "don't allow Assignment"),
        ("contracts Assignment", "contracts Assignment"),
        ("with Orion", ""),
        ("", ""),
        ("the", ""),
    ],
)
def test_words_are_those_of_the_question(words: str, found: str) -> None:
    assert words_in(words, QUESTION) == found


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("Halden 2023 not Assignment", ()),
        ("Halden contracts that do not", ("2023", "Assignment")),
        ("Halden, 2023, Assignment", ("don't",)),
    ],
)
def test_names_figures_and_a_negation_may_not_be_lost(text: str, lost: tuple[str, ...]) -> None:
    assert lost_from(QUESTION, text) == lost


def test_names_and_figures_may_not_be_added() -> None:
    assert added_by("Contracts with Halden and Orion over 500", QUESTION) == ("Orion", "500")


def test_wordings_say_something_else_without_new_names() -> None:
    given = [
        "clean the filter",
        " wash   filters",
        "ask Halden",
        "rinse 5 l",
        "x" * 300,
        "swap",
        "rinse",
        "wipe",
    ]

    assert faithful_wordings(given, "clean the filter") == ("wash filters", "swap", "rinse")


@pytest.mark.parametrize(
    ("questions", "why"),
    [
        (["When does the Halden lease end?", "Who signed it for Halden?"], ""),
        (["When does the Halden lease end?"], "There are 1 questions"),
        (["When does the lease end?", "Who signed it?"], "leave out “Halden”"),
        (["When does the Halden lease end?", "Who is Orion?"], "add “Orion”"),
        (["When does the Halden lease end?", "x" * 500], "longer than"),
    ],
)
def test_questions_say_together_what_was_asked(questions: list[str], why: str) -> None:
    assert why in unfaithful(questions, "When does the Halden lease end, and who signed it?")
    assert bool(unfaithful(questions, "When does the Halden lease end, and who signed it?")) is bool(why)


def test_a_reading_is_told_in_the_form_in_which_a_model_writes_it() -> None:
    first = read(HELD, STEPS)
    again = ReadingReply.model_validate({"steps": as_reply(first, {}, {})})

    assert read(HELD, again.model_dump(mode="json", by_alias=True)).all_steps[0].model_dump() == (
        first.all_steps[0].model_dump()
    )


def test_documents_and_tables_are_told_by_short_ids_alone() -> None:
    rows = read("Which trips did Ada drive?", reply(step("list", tables=["t1"], asked=["km"])))

    assert as_reply(rows, {}, {"d51|1": "t3"})[0]["tables"] == ["t3"]
    assert "tables" not in as_reply(rows, {}, {})[0]


def test_rows_are_in_hand_where_the_last_reading_asks_a_table() -> None:
    assert not ReadInHand("q", read(HELD, STEPS)).is_rows
    assert not ReadInHand("q").is_rows
    assert ReadInHand("q", read("Ada", reply(step("list", tables=["t1"], asked=["km"])))).is_rows


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which contracts can be terminated?", "termination for convenience"),
        ("invoices by supplier", "Suppliers"),
        ("What does the AS-330 weigh?", "AlphaSolar AS 330"),
        ("fees per year", "annual fee"),
        ("Fatalities of 85_99", "fatalities_85_99"),
    ],
)
def test_words_that_begin_alike_are_near(question: str, text: str) -> None:
    assert NearTexts([text]).scores(stems_of(question)) > [0.0]


def test_words_that_tell_nothing_are_near_nothing() -> None:
    assert NearTexts(["what is in the"]).scores(stems_of("What is in the?")) == [0.0]


def test_rarer_words_count_more() -> None:
    scores = NearTexts(["contract law", "contract fee", "contract end"]).scores(stems_of("contract fee"))

    assert nearest(scores, 2) == [1, 0]


def test_a_word_that_many_share_names_none_of_them() -> None:
    assert NearTexts(["lease a", "lease b", "lease c"]).scores(stems_of("lease"), most=2) == [0.0] * 3


def test_no_question_and_no_texts_are_near_nothing() -> None:
    assert stems_of("") == ()
    assert NearTexts([]).scores(stems_of("contracts")) == []
