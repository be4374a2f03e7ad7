"""How far confidence and labels can be trusted, by kind of evidence; and the fit of the shipped curves.

python -m bench.labels ask --data DIR [--homes DIR] [--set chunking tables rows] [--limit N] [--raw]
    --write FOLDER
python -m bench.labels show FILE ... [--judged FILE]
python -m bench.labels fit FILE ... [--check FILE ...] [--judged FILE] [--write]

FILE: outcomes of `ask`, or of `bench.file_cases --write`; `show` prints what was said in them. Those to be
fitted are asked with --raw, so that they have the confidence before the curves; each file is a set.
--judged: {question: true or false} where somebody has read the answer, which goes before what words say.
Questions that got no answer are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from bench import wikitables
from bench.answer_quality import SETS
from bench.answers.measure import fit
from bench.retrieval.home import open_home
from bench.retrieval.measure import PageText
from bench.retrieval.scores import precision
from bench.tables.denotation import denotation, is_denoted, normal
from bench.tables.home import open_tables
from core.answer.standing import label_of
from core.answer.sureness import ARTEFACT, TEXTUAL, Basis, basis_of, signs_of
from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.config.models import Settings
from core.domain.answer import Answer, Status
from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN
from core.search.evidence.score import logistic
from tests.support.doors import OPEN

Outcome = dict[str, Any]  # set, case, question, judged (right, wrong, none), answer (as JSON)
LEFT_OUT = {"timings_ms", "reading", "evidence", "assets"}
_SEED = 36
_TOLD = (Status.ANSWERED, Status.PARTIAL)


@contextmanager
def before_curves() -> Iterator[None]:
    """Answers keep the confidence that they come with."""
    with patch("core.answer.sureness.load_curves", dict):
        yield


def outcome(name: str, case: str, answer: Answer, is_right: bool) -> Outcome:
    """What became of a question of a set."""
    is_told = answer.status in _TOLD
    judged = "none" if not is_told else "right" if is_right else "wrong"
    said = answer.model_dump(mode="json", exclude=LEFT_OUT)
    return {"set": name, "case": case, "question": answer.question, "judged": judged, "answer": said}


def passages(name: str, data: Path, homes: Path, limit: int | None) -> Iterator[Outcome]:
    """Questions whose answer is known to the character; right where the first claim touches it."""
    texts, questions = SETS[name]
    with open_home(texts(data), homes / name) as home:
        orchestrator = Orchestrator(
            home.records, home.retriever, Settings(home=Path("/nowhere")), door=lambda *_: OPEN
        )
        pages = PageText(home)
        for question in questions(data)[:limit]:
            answer = orchestrator.ask(Question(question.text, LOCAL_ADMIN))
            cited = [c for claim in answer.claims[:1] for c in claim.citations]
            places = [pages.place(DocumentId(c.document), c.page, c.start, c.end) for c in cited]
            is_right = bool(places) and precision(places, question.gold) > 0
            yield outcome(name, question.part, answer, is_right)


def tables(data: Path, limit: int | None) -> Iterator[Outcome]:
    """Questions over tables, by their denotation."""
    folder = data / "wikitables"
    questions = wikitables.read_questions(folder)[:limit]
    with tempfile.TemporaryDirectory() as held:
        files = {
            wikitables.bucket_of(table): wikitables._plain_csv(folder / table, Path(held))
            for table in {each.table for each in questions}
        }
        with open_tables(files) as bench:
            for each in questions:
                answer = bench.ask(each.text, buckets=(wikitables.bucket_of(each.table),))
                is_right = is_denoted(each.wanted, denotation(answer)) or holds_rows(each.wanted, answer)
                yield outcome("tables", each.table, answer, is_right)


def rows(data: Path, limit: int | None) -> Iterator[Outcome]:
    """Questions generated of rows of the same tables: a cell by its row's name, and rows by a cell."""
    folder, rng = data / "wikitables", random.Random(_SEED)
    names = sorted({each.table for each in wikitables.read_questions(folder)})[: limit and limit // 3]
    with tempfile.TemporaryDirectory() as held:
        files = {name: wikitables._plain_csv(folder / name, Path(held)) for name in names}
        with open_tables({wikitables.bucket_of(name): file for name, file in files.items()}) as bench:
            for name, file in files.items():
                for question, wanted in generated(file, rng):
                    answer = bench.ask(question, buckets=(wikitables.bucket_of(name),))
                    is_right = is_denoted((wanted,), denotation(answer))
                    yield outcome("rows", name, answer, is_right or holds_rows((wanted,), answer))


def generated(file: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Two questions for cells of a table, and one for a number of rows, with the values wanted."""
    with file.open(encoding="utf-8", newline="") as lines:
        head, *body = list(csv.reader(lines))
    columns = [at for at, column in enumerate(head) if column.strip() and head.count(column) == 1]
    texts = {at: [row[at].strip() for row in body if len(row) == len(head)] for at in columns}
    keys = [at for at in columns if len(set(texts[at])) == len(texts[at]) > 2 and not texts[at][0].isdigit()]
    few = [at for at in columns if 1 < len(set(texts[at])) <= len(texts[at]) / 2]
    if keys and len(columns) > 1:
        key = keys[0]
        for _ in range(2):
            row, at = rng.randrange(len(texts[key])), rng.choice([each for each in columns if each != key])
            if texts[key][row] and texts[at][row]:
                yield f"What is the {head[at]} of {texts[key][row]}?", texts[at][row]
    if few:
        at = rng.choice(few)
        value = rng.choice([each for each in texts[at] if each] or [""])
        yield f"How many rows have the {head[at]} {value}?", str(texts[at].count(value))


def holds_rows(wanted: Sequence[str], answer: Answer) -> bool:
    """True where an answer shows as many rows as values are wanted, each value in a cell of one."""
    if answer.value is not None or answer.table is None or len(answer.table.rows) != len(wanted):
        return False
    cells = [normal(str(cell)) for row in answer.table.rows for cell in row]
    return all(normal(each) in cells for each in wanted)


SETS_ASKED = ("chunking", "tables", "rows")
GROUPS = (TEXTUAL, (Basis.ROW, Basis.COUNT, Basis.FIGURE))
RIDGE = 2.0
MOST_OF_SET = 30  # answers that a set counts for at most in a fit


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer before the curves, and whether it is right; name: of its set."""

    name: str
    answer: Answer
    basis: Basis
    signs: tuple[float, ...]
    is_right: bool


def read_outcomes(files: Sequence[Path], readings: Mapping[str, bool]) -> list[Judged]:
    """The answers of the files that tell something."""
    found = []
    for file in files:
        for each in json.loads(file.read_text("utf-8")):
            answer = Answer.model_validate(each["answer"])
            if answer.status in _TOLD and (answer.claims or answer.table):
                is_right = readings.get(each["question"], each["judged"] == "right")
                signs = astuple(signs_of(answer))
                found.append(Judged(file.stem, answer, basis_of(answer), signs, is_right))
    return found


def fit_curves(outcomes: Sequence[Judged]) -> dict[str, dict[str, Any]]:
    """A curve for each kind: the slopes of its group, and a bias of its own that is drawn to the group's.

    No sign may count for an answer.
    """
    curves: dict[str, dict[str, Any]] = {}
    for group in GROUPS:
        rows = [each for each in outcomes if each.basis in group]
        sizes = Counter(each.name for each in rows)
        weights = np.array([min(1, MOST_OF_SET / sizes[each.name]) for each in rows])
        right = np.array([float(each.is_right) for each in rows])
        design = np.array([[*each.signs, *(float(each.basis is kind) for kind in group)] for each in rows])
        signs = list(range(len(rows[0].signs)))
        while True:
            kept = [*signs, *range(len(rows[0].signs), design.shape[1])]
            slopes, bias = fit(design[:, kept], right, weights, RIDGE)
            wrong = [at for at in range(len(signs)) if slopes[at] > 0]
            if not wrong:
                break
            signs.pop(max(wrong, key=lambda at: slopes[at]))
        by_sign = dict(zip(signs, slopes, strict=False))
        told = [round(float(by_sign.get(at, 0.0)), 3) for at in range(len(rows[0].signs))]
        for at, kind in enumerate(group):
            own = round(float(bias + slopes[len(signs) + at]), 3)
            curves[kind.value] = {"weights": told, "bias": own}
    return curves


def probability(each: Judged, curves: Mapping[str, dict[str, Any]]) -> float:
    """Probability that an answer is right; the confidence that it came with where its kind has no curve."""
    curve = curves.get(each.basis.value)
    return logistic(curve["weights"], curve["bias"], each.signs) if curve else each.answer.confidence


def show(outcomes: Sequence[Judged], curves: Mapping[str, dict[str, Any]] | None = None) -> None:
    """Print shares by kind and label, and reliability by tenths, of what was said or of what curves say."""
    told = [each.answer.confidence if curves is None else probability(each, curves) for each in outcomes]
    said = np.array(told)
    right = np.array([float(each.is_right) for each in outcomes])
    kinds = np.array([each.basis.value for each in outcomes])
    labels = np.array([label_of(p).value for p in said])
    print("| evidence | answers | right | Brier | HIGH | MEDIUM | LOW |\n|---|---|---|---|---|---|---|")
    for kind in (*(k.value for k in Basis if k.value in kinds), "all"):
        inside = kinds == kind if kind != "all" else np.ones(len(kinds), dtype=bool)
        cells = []
        for label in ("HIGH", "MEDIUM", "LOW"):
            chosen = inside & (labels == label)
            cells.append(f"{int(right[chosen].sum())} of {chosen.sum()}" if chosen.any() else "")
        brier = ((said - right)[inside] ** 2).mean()
        shares = f"{inside.sum()} | {right[inside].mean():.2f} | {brier:.3f}"
        print(f"| {kind} | {shares} | {' | '.join(cells)} |")
    error = 0.0
    print("\n| confidence | answers | said | right |\n|---|---|---|---|")
    for tenth in range(10):
        inside = np.minimum(np.floor(said * 10), 9) == tenth
        if inside.any():
            mean, share = said[inside].mean(), right[inside].mean()
            error += abs(mean - share) * inside.sum() / len(said)
            span = f".{tenth} to {f'.{tenth + 1}' if tenth < 9 else '1'}"
            print(f"| {span} | {inside.sum()} | {mean:.2f} | {share:.2f} |")
    print(f"\nBrier {((said - right) ** 2).mean():.3f}, expected calibration error {error:.3f}\n")


def main() -> None:
    """Ask, show or fit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("act", choices=("ask", "show", "fit"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--check", nargs="*", type=Path, default=[], help="outcomes that are not fitted")
    parser.add_argument("--judged", type=Path)
    parser.add_argument("--set", nargs="+", choices=SETS_ASKED, default=SETS_ASKED)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("GROUNDWORK_BENCH_DATA", ".")))
    parser.add_argument("--homes", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-labels")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--raw", action="store_true", help="confidence before the curves")
    parser.add_argument("--write", nargs="?", type=Path, const=ARTEFACT)
    given = parser.parse_args()
    if given.act == "ask":
        with before_curves() if given.raw else nullcontext():
            for name in given.set:
                if name == "chunking":
                    asked = passages(name, given.data, given.homes, given.limit)
                else:
                    asked = (tables if name == "tables" else rows)(given.data, given.limit)
                (given.write / f"{name}.json").write_text(json.dumps(list(asked)), "utf-8")
        return
    readings = json.loads(given.judged.read_text("utf-8")) if given.judged else {}
    outcomes = read_outcomes(given.files, readings)
    if given.act == "show":
        show(outcomes)
        return
    curves = fit_curves(outcomes)
    print(json.dumps(curves))
    for name, some in (("fitted", outcomes), *((f.stem, read_outcomes([f], readings)) for f in given.check)):
        print(f"\n{name}\n")
        show(some, curves)
    if given.write:
        given.write.write_text(json.dumps(curves, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
