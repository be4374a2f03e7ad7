from __future__ import annotations

from bench.same.canonical import canonical, without
from bench.same.comparison import Comparison, Difference, compare, report

ANSWER = {
    "text": "Four contracts.",
    "trace_id": "0af3",
    "score": 0.123456,
    "plan": {"nodes": [{"estimate": {"latency_ms": 30.3}, "ran": {"rows": 4, "latency_ms": 18.2}}]},
}


def compare_with(now: object, *ignored: str) -> Comparison:
    return compare({"a": canonical(ANSWER)}, {"a": canonical(now)}, ignored)


def test_measured_and_random_values_are_left_out_and_estimates_stay() -> None:
    assert canonical(ANSWER) == {
        "text": "Four contracts.",
        "score": 0.1235,
        "plan": {"nodes": [{"estimate": {"latency_ms": 30.3}, "ran": {"rows": 4}}]},
    }


def test_the_id_of_a_trace_is_replaced_where_it_stands_in_a_text() -> None:
    assert canonical({"export": "/answers/0af3/export.csv"}, "0af3") == {
        "export": "/answers/TRACE/export.csv"
    }


def test_a_key_is_left_out_by_the_end_of_its_path_alone() -> None:
    value = {"ran": [{"rows": 1, "hits": 2}], "rows": 3}

    assert without(value, ["ran.rows"]) == {"ran": [{"hits": 2}], "rows": 3}


def test_equal_records_are_equal() -> None:
    comparison = compare_with({**ANSWER, "trace_id": "ffff"})

    assert comparison.is_equal
    assert comparison.equal == ["a"]


def test_a_changed_word_is_told_with_its_place() -> None:
    now = {**ANSWER, "text": "Five contracts."}
    comparison = compare_with(now)

    lines = list(report(comparison, {"a": canonical(ANSWER)}, {"a": canonical(now)}))

    assert comparison.changed == {"a": (Difference("text", "changed"),)}
    assert '- "text": "Four contracts."' in lines
    assert '+ "text": "Five contracts."' in lines


def test_an_added_key_is_told_as_one_unless_it_is_ignored() -> None:
    now = {**ANSWER, "reading": []}

    assert compare_with(now).changed == {"a": (Difference("reading", "added"),)}
    assert compare_with(now, "reading").is_equal


def test_a_boolean_in_place_of_a_number_is_a_change() -> None:
    assert not compare({"a": {"is": 1}}, {"a": {"is": True}}).is_equal


def test_missing_and_new_records_are_told() -> None:
    comparison = compare({"a": 1, "b": 2}, {"b": 2, "c": 3})

    assert (comparison.missing, comparison.new, comparison.is_equal) == (["a"], ["c"], False)
