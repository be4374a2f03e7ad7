"""Records of all that people see of a home: plans, answers, exports, matrix, documents and search hits.

Everything is taken by calls of the machine interface: the command line in this process, or the facade.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from app.presenting.answer_markdown import answer_markdown
from bench.same.canonical import canonical
from bench.same.progress import Progress
from bench.same.questions import QUERIES, SuiteQuestion, questions
from core.cli.main import groundwork
from core.config.models import RetrievalSettings, Settings
from core.domain.answer import Answer
from core.errors import NotFoundError
from core.plan.ir.nodes import Plan
from core.spreadsheet import sheet
from core.workbench import Workbench

DAY = "2026-06-15"
"""The day on which all questions are asked: some answers depend on it."""

_MODES = ("hybrid", "keyword", "semantic")
_INDICES = ("clauses", "parties", "financials", "summaries")
_NEVER_S = 86_400.0  # a deadline is met or missed by the machine's load

Records = dict[str, Any]
"""Records by name: subject/kind/what."""


def record(subject: str, home: Path) -> Records:
    """All records of a subject; its home is written to."""
    with _on_day(), tempfile.TemporaryDirectory(prefix="groundwork-same-") as folder:
        records = _collection(home, Path(folder)) if subject == "sample" else {}
        records |= _questions(subject, home, Path(folder))
    return {f"{subject}/{name}": each for name, each in records.items()}


@contextmanager
def _on_day() -> Iterator[None]:
    """The day that `date.today()` gives is DAY; it reads `time.time`, and other clocks go on as they do."""
    noon = datetime.fromisoformat(f"{DAY}T12:00").replace(tzinfo=UTC).timestamp()
    start_s = time.monotonic()
    with patch("time.time", lambda: noon + time.monotonic() - start_s):
        yield


def _collection(home: Path, folder: Path) -> Records:
    """What is seen without a question: documents, matrix, its files, and search hits."""
    buckets = sorted({each["bucket"] for each in _json(home, "documents", "list")["documents"]})
    progress = Progress("sample, as stored", 2 + 3 * (1 + len(buckets)) + len(_MODES) + len(_INDICES))
    records: Records = {"documents/list": canonical(_json(home, "documents", "list"))}
    progress.step()
    for each in _lines(home, folder, "documents", "show", "--all"):
        records[f"documents/{each['bucket']}/{each['source']}"] = canonical(each)
    progress.step()
    for bucket in (None, *buckets):
        only = () if bucket is None else ("--bucket", bucket)
        records |= _matrix(bucket or "all", _json(home, "matrix", *only))
        progress.step()
        for kind in ("csv", "xlsx"):
            file = folder / f"matrix.{kind}"
            _run(home, "matrix", *only, "--out", str(file))
            records[f"export/matrix/{bucket or 'all'}.{kind}"] = canonical(_cells(file.read_bytes(), kind))
            progress.step()
    queries = folder / "queries.txt"
    queries.write_text("\n".join(QUERIES), "utf-8")
    for name, option in [*((m, "--mode") for m in _MODES), *((i, "--index") for i in _INDICES)]:
        for query, hits in zip(
            QUERIES, _lines(home, folder, "search", "--file", str(queries), option, name), strict=True
        ):
            records[f"search/{name}/{query}"] = canonical(hits)
        progress.step()
    return records


def _matrix(name: str, matrix: dict[str, Any]) -> Records:
    """A record of the matrix itself, and one of each document's cells."""
    cells = matrix.pop("cells")
    records = {f"matrix/{name}": canonical(matrix)}
    for document in matrix["documents"]:
        own = [cell for cell in cells if cell["document"] == document["id"]]
        records[f"matrix/{name}/{document['source']}"] = canonical(own)
    return records


def _questions(subject: str, home: Path, folder: Path) -> Records:
    """Every question as plan, and then as answer with its exports."""
    suite = questions(subject)
    settings = Settings(home=home, retrieval=RetrievalSettings(deadline_s=_NEVER_S))
    records: Records = {}
    with Workbench.open(home, settings) as bench:
        progress = Progress(f"{subject}, plans", len(suite))
        for each in suite:
            records[f"plan/{each.name}"] = _plan(bench, each)
            progress.step()
        progress = Progress(f"{subject}, answers", len(suite))
        for each in suite:
            records |= _answer(bench, each, folder)
            progress.step()
    return records


def _plan(bench: Workbench, question: SuiteQuestion) -> Any:
    try:
        plan = bench.plan(question.text, buckets=question.buckets)
        problems = bench.local.plans.problems(plan) if isinstance(plan, Plan) else ()
    except Exception as error:  # a question that is refused, or that fails, is a record as well
        return {"question": question.text, "error": f"{type(error).__name__}: {error}"}
    objections = [f"{each.node}: {each.message} {each.next_step}" for each in problems]
    return canonical(
        {"question": question.text, "plan": plan.model_dump(mode="json"), "problems": objections}
    )


def _answer(bench: Workbench, question: SuiteQuestion, folder: Path) -> Records:
    name = f"answer/{question.name}"
    try:
        answer = bench.ask(question.text, buckets=question.buckets)
    except Exception as error:  # as above
        return {name: {"question": question.text, "error": f"{type(error).__name__}: {error}"}}
    records = {
        name: answer.model_dump(mode="json"),
        f"export/{question.name}": _exports(bench, answer, folder),
    }
    return {each: canonical(value, answer.trace_id) for each, value in records.items()}


def _exports(bench: Workbench, answer: Answer, folder: Path) -> dict[str, Any]:
    """The answer as the files that people take with them."""
    files: dict[str, Any] = {"markdown": answer_markdown(answer).splitlines()}
    file = folder / "list.csv"
    try:
        export = bench.local.questions.write_list(answer, file)
    except NotFoundError as error:
        return files | {"no list": str(error)}
    about = [("Question", export.question), ("Left out", str(export.left_out))]
    workbook = sheet("xlsx", export.heads, export.lines, about)
    return files | {"csv": _cells(file.read_bytes(), "csv"), "xlsx": _cells(workbook, "xlsx")}


def _cells(file: bytes, kind: str) -> Any:
    """The values of a file, a line each; of a workbook by sheet."""
    if kind == "csv":
        return list(csv.reader(io.StringIO(file.decode("utf-8-sig"), newline="")))
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(file), read_only=True)
    return {
        each.title: [[_plain(cell) for cell in line] for line in each.iter_rows(values_only=True)]
        for each in book.worksheets
    }


def _plain(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, str | bool | int | float) else str(cell)


def _run(home: Path, *arguments: str) -> str:
    """What a command prints on stdout. Raises what it raises, and RuntimeError where it fails otherwise."""
    result = CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    if result.return_value or result.exit_code:
        raise RuntimeError(f"groundwork {' '.join(arguments)}: {result.output}")
    return result.stdout


def _json(home: Path, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_run(home, *arguments, "--json"))
    return document


def _lines(home: Path, folder: Path, *arguments: str) -> Sequence[dict[str, Any]]:
    """The JSON lines that a command writes to its `--out`."""
    out = folder / "out.jsonl"
    out.unlink(missing_ok=True)  # a batch that finds its lines there takes them for done
    _run(home, *arguments, "--out", str(out))
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]
