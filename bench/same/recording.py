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

from app.export import answer_markdown
from app.sheets import sheet
from bench.same.canonical import canonical
from bench.same.progress import Progress
from bench.same.questions import QUERIES, SuiteQuestion, questions
from core.cli.main import groundwork
from core.config.models import RetrievalSettings, Settings
from core.domain.answer import Answer
from core.errors import NotFoundError
from core.plan.ir import Plan
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
        found = _stored(home, Path(folder)) if subject == "sample" else {}
        found |= _told(subject, home, Path(folder))
    return {f"{subject}/{name}": each for name, each in found.items()}


@contextmanager
def _on_day() -> Iterator[None]:
    """The day that `date.today()` gives is DAY; it reads `time.time`, and other clocks go on as they do."""
    noon = datetime.fromisoformat(f"{DAY}T12:00").replace(tzinfo=UTC).timestamp()
    started = time.monotonic()
    with patch("time.time", lambda: noon + time.monotonic() - started):
        yield


def _stored(home: Path, folder: Path) -> Records:
    """What is seen without a question: documents, matrix, its files, and search hits."""
    buckets = sorted({each["bucket"] for each in _printed(home, "documents", "list")["documents"]})
    progress = Progress("sample, as stored", 2 + 3 * (1 + len(buckets)) + len(_MODES) + len(_INDICES))
    found: Records = {"documents/list": canonical(_printed(home, "documents", "list"))}
    progress.step()
    for each in _lines(home, folder, "documents", "show", "--all"):
        found[f"documents/{each['bucket']}/{each['source']}"] = canonical(each)
    progress.step()
    for bucket in (None, *buckets):
        only = () if bucket is None else ("--bucket", bucket)
        found |= _matrix(bucket or "all", _printed(home, "matrix", *only))
        progress.step()
        for kind in ("csv", "xlsx"):
            file = folder / f"matrix.{kind}"
            _run(home, "matrix", *only, "--out", str(file))
            found[f"export/matrix/{bucket or 'all'}.{kind}"] = canonical(_cells(file.read_bytes(), kind))
            progress.step()
    queries = folder / "queries.txt"
    queries.write_text("\n".join(QUERIES), "utf-8")
    for name, option in [*((m, "--mode") for m in _MODES), *((i, "--index") for i in _INDICES)]:
        for query, hits in zip(
            QUERIES, _lines(home, folder, "search", "--file", str(queries), option, name), strict=True
        ):
            found[f"search/{name}/{query}"] = canonical(hits)
        progress.step()
    return found


def _matrix(name: str, matrix: dict[str, Any]) -> Records:
    """A record of the matrix itself, and one of each document's cells."""
    cells = matrix.pop("cells")
    found = {f"matrix/{name}": canonical(matrix)}
    for document in matrix["documents"]:
        own = [cell for cell in cells if cell["document"] == document["id"]]
        found[f"matrix/{name}/{document['source']}"] = canonical(own)
    return found


def _told(subject: str, home: Path, folder: Path) -> Records:
    """Every question as plan, and then as answer with its exports."""
    asked = questions(subject)
    settings = Settings(home=home, retrieval=RetrievalSettings(deadline_s=_NEVER_S))
    found: Records = {}
    with Workbench.open(home, settings) as bench:
        progress = Progress(f"{subject}, plans", len(asked))
        for each in asked:
            found[f"plan/{each.name}"] = _plan(bench, each)
            progress.step()
        progress = Progress(f"{subject}, answers", len(asked))
        for each in asked:
            found |= _answer(bench, each, folder)
            progress.step()
    return found


def _plan(bench: Workbench, asked: SuiteQuestion) -> Any:
    try:
        plan = bench.plan(asked.text, buckets=asked.buckets)
        problems = bench.plan_problems(plan) if isinstance(plan, Plan) else ()
    except Exception as error:  # a question that is refused, or that fails, is a record as well
        return {"question": asked.text, "error": f"{type(error).__name__}: {error}"}
    said = [f"{each.node}: {each.message} {each.next_step}" for each in problems]
    return canonical({"question": asked.text, "plan": plan.model_dump(mode="json"), "problems": said})


def _answer(bench: Workbench, asked: SuiteQuestion, folder: Path) -> Records:
    name = f"answer/{asked.name}"
    try:
        answer = bench.ask(asked.text, buckets=asked.buckets)
    except Exception as error:  # as above
        return {name: {"question": asked.text, "error": f"{type(error).__name__}: {error}"}}
    found = {name: answer.model_dump(mode="json"), f"export/{asked.name}": _exports(bench, answer, folder)}
    return {each: canonical(value, answer.trace_id) for each, value in found.items()}


def _exports(bench: Workbench, answer: Answer, folder: Path) -> dict[str, Any]:
    """The answer as the files that people take with them."""
    found: dict[str, Any] = {"markdown": answer_markdown(answer).splitlines()}
    file = folder / "list.csv"
    try:
        listed = bench.write_list(answer, file)
    except NotFoundError as error:
        return found | {"no list": str(error)}
    about = [("Question", listed.question), ("Left out", str(listed.left_out))]
    workbook = sheet("xlsx", listed.heads, listed.lines, about)
    return found | {"csv": _cells(file.read_bytes(), "csv"), "xlsx": _cells(workbook, "xlsx")}


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
    ended = CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)
    if ended.exception is not None:
        raise ended.exception
    if ended.return_value or ended.exit_code:
        raise RuntimeError(f"groundwork {' '.join(arguments)}: {ended.output}")
    return ended.stdout


def _printed(home: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_run(home, *arguments, "--json"))
    return found


def _lines(home: Path, folder: Path, *arguments: str) -> Sequence[dict[str, Any]]:
    """The JSON lines that a command writes to its `--out`."""
    out = folder / "out.jsonl"
    out.unlink(missing_ok=True)  # a batch that finds its lines there takes them for done
    _run(home, *arguments, "--out", str(out))
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]
