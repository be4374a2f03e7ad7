from __future__ import annotations

from core.plan.readers.model.in_hand import ReadInHand, as_reply
from core.plan.readers.model.reply import ReadingReply
from tests.support.model_readings import condition, read, reply, step

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
QUESTION = "What are contracts from 2023, not with Halden, worth by year?"


def test_a_reading_is_told_in_the_form_in_which_a_model_writes_it() -> None:
    first = read(QUESTION, STEPS)
    again = ReadingReply.model_validate({"steps": as_reply(first, {}, {})})

    assert read(QUESTION, again.model_dump(mode="json", by_alias=True)).all_steps[0].model_dump() == (
        first.all_steps[0].model_dump()
    )


def test_documents_and_tables_are_told_by_short_ids_alone() -> None:
    rows = read("Which trips did Ada drive?", reply(step("list", tables=["t1"], asked=["km"])))

    assert as_reply(rows, {}, {"d51|1": "t3"})[0]["tables"] == ["t3"]
    assert "tables" not in as_reply(rows, {}, {})[0]


def test_rows_are_in_hand_where_the_last_reading_asks_a_table() -> None:
    assert not ReadInHand("q", read(QUESTION, STEPS)).is_rows
    assert not ReadInHand("q").is_rows
    assert ReadInHand("q", read("Ada", reply(step("list", tables=["t1"], asked=["km"])))).is_rows
