"""Many questions from one file: read in, written out as they are answered, resumed where they stopped."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from core.errors import GroundworkError, UsageError


@dataclass(frozen=True, slots=True)
class BatchQuestion:
    """One line of an input file. conversation: equal values are turns of one conversation, in order."""

    id: str
    question: str
    bucket: str | None = None
    top_k: int | None = None
    conversation: str | None = None


def read_questions(path: Path) -> list[BatchQuestion]:
    """The questions of a .txt (one a line), .csv (column `question`) or .jsonl file, in order.

    Ids default to the number of the line or row, from 1. Raises UsageError, which names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            questions = list(_parse(path, lines))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(
            f"{str(path)!r} cannot be read: {error}.", next_step="Give a readable UTF-8 file."
        ) from error
    ids = [question.id for question in questions]
    if len(set(ids)) < len(ids):
        raise UsageError(f"{str(path)!r} has the same id twice.", next_step="Give every question its own id.")
    return questions


@dataclass(frozen=True, slots=True)
class BatchReport:
    """Number of lines that a run wrote, and of those that hold an error instead of an answer."""

    written: int
    failed: int


def run_batch(
    questions: list[BatchQuestion], out: Path, answer: Callable[[BatchQuestion], dict[str, Any]]
) -> BatchReport:
    """Write `answer(question)` for each question that `out` does not hold yet.

    Each line is flushed, so a killed run loses at most the line it was writing, and resumes there.
    """
    try:
        done = read_done(out)
        lines = out.open("a", encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{str(out)!r} cannot be written: {error}.", next_step="Give --out a file in a writable folder."
        ) from error
    waiting = [question for question in questions if question.id not in done]
    failed = 0
    with lines, click.progressbar(waiting, label="Answering", file=sys.stderr) as bar:
        for question in bar:
            try:
                result = answer(question)
            except GroundworkError as error:
                failed += 1
                result = {"error": error.explanation}
            lines.write(json.dumps({"id": question.id, **result}, ensure_ascii=False) + "\n")
            lines.flush()
    return BatchReport(len(waiting), failed)


def read_done(out: Path) -> dict[str, dict[str, Any]]:
    """The finished lines of an output file by id; a half-written last line is cut off the file."""
    if not out.exists():
        return {}
    data = out.read_bytes()
    complete = data[: data.rfind(b"\n") + 1]
    if len(complete) < len(data):
        with out.open("r+b") as file:
            file.truncate(len(complete))
    done = {}
    # Not splitlines(): texts hold line separators of their own, which JSON leaves as they are.
    for number, line in enumerate(complete.decode("utf-8").split("\n")[:-1], start=1):
        try:
            record = json.loads(line)
            done[str(record["id"])] = record
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"Line {number} of {str(out)!r} is not a result line.",
                next_step="Give --out a new file, or one that this command wrote.",
            ) from error
    return done


def _parse(path: Path, lines: Iterator[str]) -> Iterator[BatchQuestion]:
    kind = path.suffix.lower()
    if kind == ".csv":
        for number, row in enumerate(csv.DictReader(lines), start=1):
            yield _from_mapping(row, str(number), f"row {number} of {str(path)!r}")
    elif kind == ".jsonl":
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            where = f"line {number} of {str(path)!r}"
            try:
                record = json.loads(line)
            except ValueError as error:
                raise UsageError(f"{where} is not JSON: {error}.", next_step="Correct that line.") from error
            yield _from_mapping(record if isinstance(record, dict) else {}, str(number), where)
    elif kind == ".txt":
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield BatchQuestion(str(number), line.strip())
    else:
        raise UsageError(
            f"{str(path)!r} is of an unknown kind.", next_step="Give a .txt, .csv or .jsonl file."
        )


def _from_mapping(record: dict[str, Any], default_id: str, where: str) -> BatchQuestion:
    question = record.get("question")
    if not isinstance(question, str):
        raise UsageError(f"{where} has no 'question'.", next_step="Add a column or key 'question'.")

    def text(key: str) -> str | None:
        value = record.get(key)
        return str(value) if value not in (None, "") else None

    top_k = text("top_k")
    if top_k is not None and not top_k.isdigit():
        raise UsageError(f"{where}: 'top_k' is {top_k!r}.", next_step="Give a whole number above 0.")
    return BatchQuestion(
        text("id") or default_id,
        question,
        text("bucket"),
        int(top_k) if top_k else None,
        text("conversation"),
    )
