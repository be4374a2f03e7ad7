from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from core.errors import PlanError
from core.plan.compile.names import UnknownNameError
from core.plan.ir.nodes import Aggregate, Calculate, Combine, Compare, Select
from core.plan.readers.model.conversion import reading_from
from core.plan.readers.model.reply import ReadingReply
from core.plan.reading import Operation, Reading, ReadInHand
from tests.support.known_collection import in_a_line
from tests.support.model_readings import compiled, condition, read, reply, setting, step

NDAS = {"words": "NDAs", "role": "kind"}
LAW = condition("governing_law", "=", "Texas", words="under Texas law")
AMOUNT = condition("contract_value", ">", "100000 USD", words="above 100,000 dollars")
CONTRACTS = "Which contracts under Texas law are above 100,000 dollars?"
TRIPS = {"tables": ["t1"]}


@pytest.mark.parametrize(
    ("question", "steps", "plan"),
    [
        (
            CONTRACTS,
            [step("list", conditions=[LAW, AMOUNT])],
            "contracts[document_kind = agreement; governing_law = Texas; contract_value > 100000.00 USD]",
        ),
        (
            "How many contracts are not under Texas law?",
            [step("count", conditions=[{**LAW, "not": True}])],
            "contracts[document_kind = agreement; governing_law != Texas | governing_law is-missing]"
            " -> count()",
        ),
        (
            "Which contracts are under Texas law or above 100,000 dollars?",
            [step("list", conditions=[{**LAW, "either": 1}, {**AMOUNT, "either": 1}])],
            "contracts[document_kind = agreement; governing_law = Texas | contract_value > 100000.00 USD]",
        ),
        (
            "How many NDAs lack force majeure?",
            [step("count", names=[NDAS], conditions=[condition("force_majeure", "missing")])],
            "contracts[document_kind = agreement; document_name contains nondisclosure | "
            "document_name contains non-disclosure | document_name contains confidentiality; "
            "force_majeure is-missing] -> count()",
        ),
        (
            "The second and third cheapest invoices",
            [step("rank", "invoices", order={"field": "total", "limit": 2, "skip": 1})],
            "invoices[document_kind = invoice] by total first 2",
        ),
        (
            "Total per vendor, the largest three",
            [
                step(
                    "group", "invoices", asked=["total"], function="sum", groups=["vendor"],
                    order={"descending": True, "limit": 3},
                )
            ],
            "invoices[] -> sum(total) per vendor top 3",
        ),
        (
            "Contracts by year of effect",
            [step("group", groups=["effective_date.year"], order={"field": "effective_date.year"})],
            "contracts[document_kind = agreement] -> count() per effective_date.year",
        ),
        (
            "Which trips did Ada drive over 100 km?",
            [
                step(
                    "list", **TRIPS, conditions=[condition("driver", "=", "Ada"), condition("km", ">", "100")]
                )
            ],
            "all in d51[driver = Ada; km > 100]",
        ),
        (
            "Which contracts are above the average?",
            [
                step("compute", asked=["contract_value"], function="avg"),
                step("list", id="s2", conditions=[condition("contract_value", ">", "$s1")]),
            ],
            "contracts[document_kind = agreement] -> avg(contract_value) -> "
            "contracts[document_kind = agreement; contract_value > @aggregate-1]",
        ),
        (
            "Contracts without any of Halden",
            [step("count", names=[{"words": "Halden", "role": "party", "not": True}])],
            "contracts[document_kind = agreement; parties != halden | parties is-missing] -> count()",
        ),
    ],
)  # fmt: skip
def test_replies_compile_to_what_they_say(question: str, steps: list[dict[str, Any]], plan: str) -> None:
    assert in_a_line(compiled(read(question, reply(*steps)))) == plan


def test_fields_are_written_with_parts_and_other_columns() -> None:
    trips = step(
        "group",
        **TRIPS,
        asked=["Cost / km * 100"],
        function="sum",
        groups=["driver"],
        conditions=[condition("km", ">", "@cost")],
        having={"op": ">", "value": "0", "words": "behind"},
    )
    made = read("Which drivers are behind?", reply(trips))
    assert made.asked[0].model_dump(exclude_defaults=True) == {
        "name": "Cost",
        "combined": "per",
        "other": "km",
        "scale": 100,
    }
    assert made.conditions[0].of_field is not None
    assert (made.conditions[0].of_field.name, made.conditions[0].values) == ("Cost", ())
    assert made.having is not None
    assert made.having.words == "behind"


def _sides(outcome: str, *counted: str) -> dict[str, Any]:
    steps = [step("count", each, id=f"s{at}") for at, each in enumerate(counted)]
    sides = [each["id"] for each in steps]
    return reply(*steps, step("compare", "", id="end", sides=sides, outcome=outcome, labels=list(counted)))


@pytest.mark.parametrize(
    "outcome", ["difference", "ratio", "share", "more", "less", "sum", "greatest", "least"]
)
def test_figures_are_calculated_with(outcome: str) -> None:
    plan = compiled(read("contracts and invoices", _sides(outcome, "contracts", "invoices")))
    answer = plan.nodes[-1]

    assert isinstance(answer, Calculate)
    assert (answer.how, answer.labels) == (outcome, ("contracts", "invoices"))


def test_two_counts_stand_side_by_side() -> None:
    plan = compiled(read("contracts beside invoices", _sides("values", "contracts", "invoices")))

    assert isinstance(plan.nodes[-1], Calculate)
    assert sum(isinstance(each, Aggregate) for each in plan.nodes) == 2


def test_sets_are_combined() -> None:
    steps = [step("list", conditions=[LAW]), step("list", id="s2", conditions=[AMOUNT])]
    ends = step("list", id="s3", sides=["s1", "s2"], outcome="without")
    plan = compiled(read(CONTRACTS, reply(*steps, ends)))

    assert isinstance(plan.nodes[-1], Combine)
    assert plan.nodes[-1].how == "difference"


def test_named_documents_are_compared_by_their_short_ids() -> None:
    names = [
        {"words": "S-300", "role": "document", "documents": ["d1"]},
        {"words": "S-500", "role": "document", "documents": ["d2"]},
    ]
    plan = compiled(
        read(
            "Is the S-300 heavier than the S-500?",
            reply(step("compare", "datasheets", names=names, asked=["weight"])),
        )
    )

    assert isinstance(plan.nodes[-1], Compare)
    assert {each.scope.documents for each in plan.nodes if isinstance(each, Select)} == {("d21",), ("d22",)}


def test_a_folder_stands_for_all_documents_in_it() -> None:
    told = replace(setting("How many pool files?"), folders={"f1": ("d21", "d22")})
    names = [{"words": "pool files", "role": "document", "documents": ["f1"]}]
    given = ReadingReply.model_validate(reply(step("count", "", names=names)))

    assert reading_from(given, told).names[0].documents == ("d21", "d22")


def test_documents_are_named_by_a_pattern_of_their_names() -> None:
    plan = compiled(
        read(
            "How many Solis datasheets?",
            reply(step("count", "datasheets", names=[{"words": "Solis", "role": "document"}])),
        )
    )

    assert "d21,d22" in in_a_line(plan)


# -- what is in hand -----------------------------------------------------------------------------------


def _hand() -> tuple[ReadInHand, Any]:
    question = "Which contracts are under Texas law?"
    reading = read(question, reply(step("list", conditions=[LAW])))
    return ReadInHand(question, reading, ("d04",), 1), compiled(reading)


@pytest.mark.parametrize(
    ("question", "replied", "plan"),
    [
        ("How many are these?", step("count", "", within=["set"]), "governing_law = Texas] -> count()"),
        (
            "which end in 2025?",
            step("list", within=["set"], conditions=[condition("expiration_date", "=", "2025")]),
            "contracts[expiration_date between 2025-01-01 .. 2025-12-31]",
        ),
        (
            "and their value?",
            step("lookup", "", within=["set"], asked=["contract_value"]),
            "contracts[] show contract_value",
        ),
    ],
)
def test_a_follow_up_goes_on_from_the_set_in_hand(question: str, replied: dict[str, Any], plan: str) -> None:
    hand, before = _hand()

    assert in_a_line(compiled(read(question, reply(replied), hand), before)).endswith(plan)


def test_a_set_that_no_plan_gives_is_its_documents() -> None:
    hand = ReadInHand("What is said on audits?", None, ("d01", "d04"), 2)
    plan = compiled(read("Which of them end in 2025?", reply(step("list", within=["set"])), hand))

    assert "contracts in d01,d04" in in_a_line(plan)


def test_words_of_the_question_before_may_name_what_is_meant() -> None:
    hand = ReadInHand("What does Castor Builders do?", None, ("d04",), 1)
    names = [{"words": "Castor Builders", "role": "party"}]

    assert read("How many contracts have they?", reply(step("count", names=names)), hand).names[0].words


# -- what is no plan -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "replied", "operation"),
    [
        ("Thanks!", {"need": "general"}, Operation.HELP),
        ("thanks, and the S-300?", {"need": "general"}, Operation.TEXT),
        ("How is the filter cleaned?", reply(step("text", "", text="cleaning the filter")), Operation.TEXT),
        ("How is the filter cleaned?", {}, Operation.TEXT),
        ("How is the filter cleaned?", reply(step("help", "")), Operation.TEXT),
    ],
)
def test_text_and_help_are_operations(question: str, replied: dict[str, Any], operation: Operation) -> None:
    assert read(question, replied).operation is operation


def test_it_asks_back_with_a_reason_and_options() -> None:
    back = {"reason": "Two fit.", "options": ["The lease?", "The lease?", "", "The supply?"]}
    doubt = read("When does it end?", {"ask_back": back}).doubt

    assert doubt is not None
    assert (doubt.reason, doubt.options) == ("Two fit.", ("The lease?", "The supply?"))


def test_it_may_not_ask_back_for_ever() -> None:
    back = {"reason": "Two fit.", "options": []}

    assert read(CONTRACTS, reply(step("list"), ask_back=back), may_ask=False).doubt is None
    with pytest.raises(PlanError, match="asked back already"):
        read(CONTRACTS, {"ask_back": back}, may_ask=False)


def test_several_questions_are_read_one_by_one() -> None:
    parts = ["When does the Orion contract end?", "Who signed the Orion contract?"]

    assert read(
        "When does the Orion contract end, and who signed it?", {"questions": parts}
    ).questions == tuple(parts)


def test_questions_that_leave_something_out_give_way_to_steps_or_go_back() -> None:
    parts = ["When does it end?", "Who signed it?"]
    question = "When does the Orion contract end, and who signed it?"

    assert read(question, reply(step("list"), questions=parts)).questions == ()
    with pytest.raises(PlanError, match="leave out “Orion”"):
        read(question, {"questions": parts})


def test_what_such_documents_cannot_say_is_outside() -> None:
    found = read("What is the weather?", {"need": "outside", "reading": "No document has it."})

    assert (found.is_outside, found.why) == (True, "No document has it.")


@pytest.mark.parametrize(
    ("question", "named", "kept"),
    [
        ("How many trips in the motor pool?", ["motor pool"], ("motor pool",)),
        ("How many trips in the cellar?", ["cellar"], ()),
        ("How many trips?", ["motor pool"], ()),
    ],
)
def test_buckets_are_those_that_the_question_names(
    question: str, named: list[str], kept: tuple[str, ...]
) -> None:
    assert read(question, reply(step("count", ""), buckets=named)).buckets == kept


def test_words_that_the_question_has_not_are_none_that_said_it() -> None:
    said = condition("governing_law", "=", "Texas", words="ruled by Texan courts")
    found = read("contracts in Texas", reply(step("list", conditions=[said]), left_out=["Texas", "mars"]))

    assert found.conditions[0].words == ""
    assert found.uncovered == ("Texas",)


# -- bad input -----------------------------------------------------------------------------------------

_NAME = {"words": "Orion", "role": "document"}


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([step("list", "planets")], "there is no kind 'planets'.*contracts"),
        (
            [step("list", conditions=[condition("planet", "=", "Mars")])],
            "The kind 'contracts' has no field 'planet'",
        ),
        ([step("list", asked=["expiration"])], "no field 'expiration'.*expiration_date"),
        ([step("list", asked=["expiration_date.hour"])], "no field 'expiration_date.hour'"),
        ([step("list", "", asked=["planet"])], "No kind has a field 'planet'.*text"),
        ([step("list", tables=["t9"])], "there is no table 't9'"),
        ([step("list", tables=["t1"], asked=["wheels"])], "The tables have no column 'wheels'"),
        ([step("list", within=["s0"])], "goes on from 's0', which is no step before it"),
        ([step("list", within=["set"])], "nothing is in hand"),
        ([step("list"), step("list")], "Two steps are called 's1'"),
        ([step("list", id="set")], "No step can be called 'set'"),
        ([step("list", id=f"s{at}") for at in range(9)], "There are 9 steps, and 8 are possible"),
        ([step("compare")], "compares fewer than two things"),
        ([step("count"), step("compare", id="s2", sides=["s1"])], "has 1 sides"),
        (
            [step("lookup", asked=["contract_value"]), step("count", id="s2"),
             step("compare", id="s3", sides=["s1", "s2"], outcome="ratio")],
            "'s1' gives no single figure",
        ),
        ([step("list", conditions=[condition("governing_law", "=")])], "governing_law = has no value"),
        ([step("list", conditions=[condition("contract_value", ">", "1", "2")])], "has 2 values"),
        ([step("list", conditions=[condition("contract_value", "between", "1")])], "needs both ends"),
        ([step("list", conditions=[condition("contract_value", ">", "$s9")])], "'\\$s9' is no step before"),
        ([step("list", having={"op": ">", "value": "2"})], "no groups"),
        ([step("group", groups=["vendor"], order={"field": "vendor", "limit": 2})], "by their figure"),
        ([step("list", names=[{**_NAME, "documents": ["d99"]}])], "Nothing that you may see is called “d99”"),
        ([step("list", names=[{"words": "Zenith", "role": "party"}])], "The question does not say “Zenith”"),
        ([step("list", conditions=[condition("governing_law", "=", "x")] * 40)], "its conditions cannot be"),
        ([step("list", conditions=[condition("effective_date", ">", "soon")])], "'soon' is no day"),
        ([step("list", conditions=[condition("contract_value", ">", "much")])], "'much' is no value"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_plain_sentence(steps: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(PlanError) as raised:
        compiled(read("Which contracts with Orion are there?", reply(*steps)))

    assert re.search(message, raised.value.explanation), raised.value.explanation
    assert "pydantic" not in raised.value.explanation
    assert "\n" not in raised.value.explanation
    assert raised.value.next_step


def test_a_hidden_document_and_one_that_is_not_there_are_told_alike() -> None:
    hand = ReadInHand("q", None, ("hidden-document", "d04"), 2)

    def refused(short: str) -> UnknownNameError:
        names = [{"words": "Orion", "role": "document", "documents": [short]}]
        with pytest.raises(UnknownNameError) as raised:
            read("Which are with Orion?", reply(step("list", names=names)), hand)
        return raised.value

    hidden, missing = refused("hidden-document"), refused("no-document-at-all")

    assert hidden.message.replace("hidden-document", "X") == missing.message.replace(
        "no-document-at-all", "X"
    )
    assert hidden.next_step == missing.next_step


def test_a_reading_has_its_steps_in_order_and_the_last_is_the_answer() -> None:
    found: Reading = read(CONTRACTS, reply(step("list"), step("count", id="end", within=["s1"])))

    assert [each.id for each in found.all_steps] == ["s1", "end"]
    assert found.by == "model"
