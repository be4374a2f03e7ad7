import json
from pathlib import Path

import pytest

from core.cli.batch import BatchQuestion, BatchReport, read_done, read_questions, run_batch
from core.errors import QuestionError, UsageError


def test_a_text_file_gives_a_question_a_line_with_its_number_as_id(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("first?\n\nsecond?\n", encoding="utf-8")

    assert read_questions(path) == [BatchQuestion("1", "first?"), BatchQuestion("3", "second?")]


def test_a_csv_needs_a_question_column(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("text\nwhat?\n", encoding="utf-8")

    with pytest.raises(UsageError, match=r"row 1 of .* has no 'question'"):
        read_questions(path)


def test_json_lines_carry_id_bucket_depth_and_conversation(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": 7, "question": "q", "bucket": "b", "top_k": 3, "conversation": "c"}\n')

    assert read_questions(path) == [BatchQuestion("7", "q", "b", 3, "c")]


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("in.jsonl", '{"question": "a"}\n{oops\n', "line 2"),
        ("in.jsonl", '{"question": "a", "top_k": "many"}\n', "top_k"),
        ("in.jsonl", '{"id": "x", "question": "a"}\n{"id": "x", "question": "b"}\n', "same id"),
        ("in.pdf", "", "unknown kind"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, name: str, text: str, named: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=named):
        read_questions(path)


def test_a_killed_run_resumes_after_its_last_whole_line(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": "1", "hits": []}\n{"id": "2", "hi', encoding="utf-8")
    asked: list[str] = []

    def answer(question: BatchQuestion) -> dict[str, object]:
        asked.append(question.id)
        return {"hits": [question.question]}

    report = run_batch([BatchQuestion(str(n), f"q{n}") for n in (1, 2, 3)], out, answer)

    assert asked == ["2", "3"]
    assert report == BatchReport(written=2, failed=0)
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["1", "2", "3"]


def test_a_failed_question_is_written_as_an_error_and_the_rest_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    def answer(question: BatchQuestion) -> dict[str, object]:
        if question.id == "1":
            raise QuestionError("The question is empty.", next_step="Write one.")
        return {"hits": []}

    report = run_batch([BatchQuestion("1", ""), BatchQuestion("2", "q")], out, answer)

    assert report == BatchReport(written=2, failed=1)
    assert read_done(out)["1"]["error"] == "The question is empty. Write one."


def test_a_file_that_holds_no_results_is_not_written_to(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("my notes\n", encoding="utf-8")

    with pytest.raises(UsageError, match="Line 1"):
        read_done(out)


def test_an_output_that_cannot_be_written_is_wrong_usage_that_names_it(tmp_path: Path) -> None:
    out = tmp_path / "missing" / "out.jsonl"

    with pytest.raises(UsageError, match=r"missing/out\.jsonl' cannot be written"):
        run_batch([BatchQuestion("1", "what?")], out, lambda question: {})


def test_an_answer_with_line_separators_of_its_own_is_one_line_on_resuming(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    question = BatchQuestion("1", "what?")
    run_batch([question], out, lambda asked: {"answer": "a\u2028b\x85c"})

    assert run_batch([question], out, lambda asked: {"answer": "again"}) == BatchReport(0, 0)
    assert read_done(out)["1"]["answer"] == "a\u2028b\x85c"
