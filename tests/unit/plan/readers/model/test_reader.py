from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.errors import LlmError
from core.plan.compile.names import UnknownNameError
from core.plan.ir.nodes import Plan, Query
from core.plan.readers.model.reader import ReadingByModel, read_with_model, statements_of
from core.plan.readers.model.reply import ReadingReply
from core.plan.reading import Reading, ReadInHand
from tests.support.model_readings import CATALOGUE, TODAY, compiled, condition, read, reply, step
from tests.support.models_at_hand import models_at_hand
from tests.support.scripted_llm import Step, failure, reply_json
from tests.support.scripted_llm import reply as whole_reply

QUESTION = "How many contracts are under Texas law?"
GOOD = reply(step("count", conditions=[condition("governing_law", "=", "Texas", words="under Texas law")]))
PLANET = reply(step("count", conditions=[condition("planet", "=", "Texas", words="Texas")]))
ZENITH = reply(step("list", names=[{"words": "Zenith", "role": "document"}]))


def asked(
    *script: Step,
    question: str = QUESTION,
    in_hand: ReadInHand | None = None,
    may_ask: bool = True,
    makes: Callable[[Reading], Plan] = compiled,
) -> tuple[ReadingByModel, list[dict[str, Any]]]:
    with models_at_hand(*script) as models:
        calls = models.calls()
        try:
            found = read_with_model(
                question, CATALOGUE, calls, makes, today=TODAY, in_hand=in_hand, may_ask=may_ask
            )
            return found, models.server.requests
        finally:
            calls.stop()


def refused(*script: Step, **parts: Any) -> tuple[Exception, list[dict[str, Any]]]:
    with models_at_hand(*script) as models:
        calls = models.calls()
        try:
            with pytest.raises((LlmError, UnknownNameError)) as raised:
                read_with_model(
                    parts.pop("question", QUESTION), CATALOGUE, calls, compiled, today=TODAY, **parts
                )
            return raised.value, models.server.requests
        finally:
            calls.stop()


def last_message(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def test_one_call_gives_the_reading_its_plan_and_what_was_said() -> None:
    found, requests = asked(reply_json(GOOD))

    assert len(requests) == 1
    assert found.reading.by == "model"
    assert found.made is not None
    assert found.statements[0].part == "Need"


def test_the_prompt_has_the_day_the_catalogue_and_the_question_as_data() -> None:
    _, requests = asked(reply_json(GOOD))
    user = last_message(requests[0])

    assert "Today is Sunday, 2026-03-01." in user
    assert "- governing_law (text; in 1): " in user
    assert QUESTION in user
    assert user.count("<data-") == 2


def test_a_prompt_fits_a_minute_of_the_smallest_server() -> None:
    _, requests = asked(reply_json(GOOD))
    size = sum(len(str(each["content"])) for each in requests[0]["messages"])
    schema = len(json.dumps(requests[0]["response_format"]))

    assert (size + schema) / 3 + 2_000 < 8_000


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (reply_json(PLANET), "has no field 'planet'"),
        (reply_json(ZENITH), "The question does not say “Zenith”"),
        (reply_json(reply(step("list", "planets"))), "there is no kind 'planets'"),
        (reply_json(reply(step("list", conditions=[condition("effective_date", ">", "soon")]))), "no day"),
    ],
)
def test_a_reading_that_cannot_be_goes_back_once_with_a_sentence(bad: Step, said: str) -> None:
    found, requests = asked(bad, reply_json(GOOD))

    assert found.made is not None
    assert len(requests) == 2
    assert "Your last reading cannot be followed: " in last_message(requests[1])
    assert said in last_message(requests[1])
    assert "pydantic" not in last_message(requests[1])


TRIPS_SQL = "select Driver, sum(km) / count(*) as mean from t1 group by 1"


def test_sql_over_a_listed_table_is_a_plan_whose_table_is_called_as_people_call_it() -> None:
    query = {"id": "s1", "operation": "query", "sql": TRIPS_SQL}
    found, _ = asked(reply_json(reply(query)), question="How far is a trip of each driver, on average?")

    assert found.made is not None
    node = found.made.node(found.made.answer_node or "")
    assert isinstance(node, Query)
    assert [(each.name, each.places) for each in node.tables] == [("trips", ("d51|1",))]
    assert "FROM trips AS t1" in node.sql
    assert node.purpose == "rows of trips; Driver and total km divided by number of rows for each Driver"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select wheels from t1", "is in no table here"),
        ("drop table t1", "Only SELECT is run"),
        ("select repeat('a', 2000000000) from t1", "repeat() cannot be used"),
        ("select 1", "without tables"),
    ],
)
def test_refused_sql_goes_back_once_with_a_sentence(sql: str, said: str) -> None:
    tables = [] if said == "without tables" else ["t1"]
    bad = {"id": "s1", "operation": "query", "sql": sql, "tables": tables}
    found, requests = asked(reply_json(reply(bad)), reply_json(GOOD))

    assert found.made is not None
    assert len(requests) == 2
    assert said in last_message(requests[1])


def test_two_that_cannot_be_are_an_error_of_the_model() -> None:
    error, requests = refused(reply_json(PLANET), reply_json(PLANET))

    assert isinstance(error, LlmError)
    assert "planet" in error.message
    assert len(requests) == 2


def test_prose_goes_back_with_a_plain_sentence() -> None:
    found, requests = asked(whole_reply("There are twelve of them."), reply_json(GOOD))

    assert found.made is not None
    assert "one JSON object was asked for" in last_message(requests[1])


def test_prose_twice_is_an_error_of_the_model() -> None:
    assert isinstance(refused(whole_reply("Twelve."), whole_reply("Twelve."))[0], LlmError)


def test_a_server_that_fails_is_an_error_of_the_model() -> None:
    assert isinstance(refused(failure(401))[0], LlmError)


def test_a_name_that_the_question_says_and_nothing_is_called_is_told_as_such() -> None:
    question = "When does the Zenith contract end?"
    error, requests = refused(reply_json(ZENITH), reply_json(ZENITH), question=question)

    assert isinstance(error, UnknownNameError)
    assert error.words == "Zenith"
    assert len(requests) == 2


def test_it_asks_back_where_it_may_and_only_once() -> None:
    back = reply_json({"ask_back": {"reason": "Which law?", "options": []}})
    found, requests = asked(back)
    assert found.reading.doubt is not None
    assert found.made is None
    assert "leave ask_back empty" not in last_message(requests[0])

    error, requests = refused(back, back, may_ask=False)
    assert isinstance(error, LlmError)
    assert len(requests) == 2
    assert "leave ask_back empty" in last_message(requests[0])
    assert "may not be asked again" in last_message(requests[1])


@pytest.mark.parametrize(
    "given",
    [
        {"need": "outside", "reading": "No."},
        {"need": "general"},
        reply(step("text", "", text="law")),
        {"questions": ["How many contracts are under Texas law?", "How many contracts are not?"]},
    ],
)
def test_what_needs_no_plan_is_not_compiled(given: dict[str, Any]) -> None:
    def none(reading: Reading) -> Plan:
        raise AssertionError(reading.question)

    question = "how many are under law, and how many not?"
    if "questions" in given:
        given = {"questions": ["how many are under law?", "how many are not under law?"]}
    found, _ = asked(reply_json(given), question=question, makes=none)

    assert found.made is None


def test_a_follow_up_is_asked_with_what_is_in_hand() -> None:
    hand = ReadInHand("Which contracts have Halden?", None, ("d01", "d02"), 2)
    found, requests = asked(
        reply_json(reply(step("count", within=["set"]))), question="How many?", in_hand=hand
    )

    assert 'Result set in hand ("set"): 2 documents.' in last_message(requests[0])
    assert found.reading.names[0].documents == ("d01", "d02")


@pytest.mark.parametrize(
    ("parts", "part", "is_used"),
    [
        ({}, "Reading", True),
        ({"buckets": ["cellar"]}, "Buckets", False),
        ({"output": "table"}, "Form that is asked for", True),
        ({"left_out": ["trips"]}, "Left out", True),
        ({"left_out": ["moon"]}, "Left out", False),
        ({"questions": ["How many trips?", "Who is Orion?"]}, "Questions", False),
        ({"wordings": ["journeys"]}, "Further wordings", True),
        ({"ask_back": {"reason": "Which?", "options": ["A?"]}}, "Question back", True),
    ],
)
def test_what_a_model_said_is_kept_with_whether_it_was_used(
    parts: dict[str, Any], part: str, is_used: bool
) -> None:
    given = reply(step("count", ""), **parts)
    said = statements_of(ReadingReply.model_validate(given), read("How many trips?", given))
    found = {each.part: each for each in said}

    assert found[part].is_used is is_used
    assert found[part].why or is_used
