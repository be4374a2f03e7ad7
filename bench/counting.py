"""Counting questions over all 345 labelled contracts, labels as cells: as they are asked, and read rightly.

    python -m bench.counting --data DIR [--file FILE] [--half odd|even] [--home DIR] [--show all|right]

The kinds are count, list, lack, group, compare, range of dates, and figure (averages, extremes of lengths).
Read rightly: the reading is made here from the truth condition, so that what is compiled, computed and told
is measured without a reader. Silently wrong: answered, not exact, and nothing says so. Questions of other
files of `bench/reader` are sorted by their conditions; look-ups and questions of single contracts, or of
listed ones, are left out. Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from bench.answers.collection import data_folder
from bench.clauses.figures import table
from bench.kept_contracts import problem_of
from bench.plans.gold import LENGTHS, Labels
from bench.plans.home import ASKED, fill_from_labels
from core.ask.computed_answer import UNSURE_READING
from core.domain.answer import Answer, Status
from core.domain.predicate import Operator
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadField,
    Reading,
    ReadName,
    ReadOrder,
    Step,
)
from core.values import parse_duration
from core.workbench import Workbench

FILE = Path(__file__).parent / "reader" / "kept" / "counting.jsonl"
KINDS = ("count", "list", "lack", "group", "compare", "range", "figure")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_FIGURES = {"average": Function.AVG, "max": Function.MAX, "min": Function.MIN}
_COMPARED = {"before": Operator.LESS, "after": Operator.GREATER, "longer": Operator.GREATER}
_SPANS: dict[Any, str] = {60: "60 days", 365: "1 year", 1096: "3 years"}
Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counted:
    """How a question went as it was asked, and read rightly: "" for exact."""

    case: Case
    problem: str
    is_silent: bool
    read_rightly: str


def cases_of(file: Path) -> list[Case]:
    """The counting questions of a file, each with its kind."""
    cases = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [each | {"kind": kind} for each in cases if (kind := _kind(each))]


def _kind(case: Case) -> str:
    if "kind" in case:
        return str(case["kind"])
    gives, where = str(case["gives"]), json.dumps(case["where"])
    is_counted = gives in ("documents", "count", "laws", "years") or ":" in gives
    if not is_counted or '["in"' in where:
        return ""
    if gives in ("laws", "years"):
        return "group"
    if ":" in gives or any(f'["{how}"' in where for how in ("before", "after", "year")):
        return "range"
    return "lack" if '"not"' in where else "list" if gives == "documents" else "count"


def conditions(where: Any, either: int = 0, *, is_denied: bool = False) -> Iterator[tuple[Any, int, bool]]:
    """The leaves of a truth condition, their number of alternatives and whether they are denied."""
    if where is None:
        return
    how = where[0] if isinstance(where, list) else ""
    if how == "not":
        yield from conditions(where[1], either, is_denied=not is_denied)
    elif how in ("and", "or"):
        joins = (how == "or") != is_denied
        if joins and any(isinstance(part, list) and part[0] == "and" for part in where[1:]):
            raise ValueError("a conjunction among alternatives")
        for number, part in enumerate(where[1:], start=1):
            inner = either or 1 if joins else number
            yield from conditions(part, inner if joins or part[0] == "or" else 0, is_denied=is_denied)
    else:
        yield where, either, is_denied


def step_of(where: Any, **parts: Any) -> dict[str, Any]:
    """The parts of a step that a truth condition says."""
    read, names = [], []
    for leaf, either, is_denied in conditions(where):
        more = {"negated": is_denied, "either": either}
        if isinstance(leaf, str) or leaf[0] == "stated":
            name = leaf if isinstance(leaf, str) else leaf[1]
            read.append(ReadCondition(field=ReadField(name=name), values=("present",), **more))
            continue
        how, field, *limits = leaf
        if how == "party":
            names.append(ReadName(words=field, role="party", negated=is_denied))
        elif how == "law":
            law = ReadField(name="governing_law")
            read.append(ReadCondition(field=law, op=Operator.EQUAL, values=(field,), **more))
        else:
            ends = [f"{limits[0]}-01-01", f"{limits[0]}-12-31"] if how == "year" else limits
            op = Operator.BETWEEN if len(ends) == 2 else _COMPARED.get(how, Operator.EQUAL)
            said = tuple(_SPANS.get(each, str(each)) for each in ends)
            read.append(ReadCondition(field=ReadField(name=field), op=op, values=said, **more))
    return {"conditions": tuple(read), "names": tuple(names)} | parts


def reading_of(case: Case) -> Reading:
    """The right reading of a question. Raises ValueError for a condition nested too deep for one step."""
    gives, where = str(case["gives"]), case.get("where")
    field = (
        ReadField(name=case["field"], part="year" if gives == "years" else "") if case.get("field") else None
    )
    whole: dict[str, Any] = {"by": "person", "question": case["question"]}
    if gives in ("compare", "difference"):
        sides = tuple(
            Step(id=f"s{at}", **step_of(each, operation=Operation.COUNT))
            for at, each in enumerate(case["wheres"])
        )
        names = tuple(each.id for each in sides)
        outcome = Outcome.DIFFERENCE if gives == "difference" else Outcome.VALUES
        return Reading(operation=Operation.COMPARE, steps=sides, sides=names, outcome=outcome, **whole)
    if gives == "share":
        within = case.get("of")
        part = Step(id="s0", **step_of(where, operation=Operation.COUNT))
        base = Step(id="s1", **step_of(within, operation=Operation.COUNT))
        return Reading(
            operation=Operation.COMPARE,
            steps=(part, base),
            sides=("s0", "s1"),
            outcome=Outcome.SHARE,
            **whole,
        )
    parts: dict[str, Any]
    if gives in ("laws", "years", "top"):
        group = field or ReadField(name="governing_law")
        order = ReadOrder(limit=1) if gives == "top" else None
        parts = {"operation": Operation.GROUP, "function": Function.COUNT, "groups": (group,), "order": order}
    elif ":" in gives:
        end, _, count = gives.partition(":")
        order = ReadOrder(field=field, descending=end == "first", limit=int(count))
        parts = {"operation": Operation.RANK, "order": order}
    elif gives in _FIGURES:
        parts = {"operation": Operation.COMPUTE, "function": _FIGURES[gives], "asked": (field,)}
    else:
        parts = {"operation": Operation.COUNT if gives == "count" else Operation.LIST}
    return Reading(**step_of(where, **parts), **whole)


def figure_problem(case: Case, answer: Answer, labels: Labels) -> str:
    """Difference of a comparison, a share or a figure from the labels; "" for none."""
    gives, where = case["gives"], case.get("where")
    told = " ".join([answer.text, *(claim.text for claim in answer.claims)])
    rows = answer.table.rows if answer.table is not None else ()
    cells = [str(cell) for row in rows for cell in row]
    told = " ".join([told, *cells])
    numbers = {float(each.replace(",", "")) for each in _NUMBER.findall(told)}
    value = answer.value.value if answer.value is not None else None
    if gives == "compare":
        both = [len(labels.documents(each)) for each in case["wheres"]]
        return "" if set(both) <= numbers else f"not {both}: {answer.text[:80]}"
    if gives == "difference":
        one, other = (len(labels.documents(each)) for each in case["wheres"])
        return "" if abs(one - other) in numbers else f"{value} instead of {one - other}"
    if gives == "share":
        base = labels.documents(case["of"]) if case.get("of") else labels.frame.index
        share = 100 * len(labels.documents(where)) / len(base)
        return "" if value and abs(float(value) - share) < 0.1 else f"{value} instead of {share:.1f}"
    if gives == "top":
        place, count = max(labels.laws().items(), key=lambda item: item[1])
        return "" if place in told and count in numbers else f"not {place}, {count}: {answer.text[:80]}"
    kept = labels.frame.loc[sorted(labels.documents(where))] if where is not None else labels.frame
    days = kept[case["field"]].dropna()
    due = float(days.agg({"average": "mean"}.get(gives, gives)))
    shown = _days(answer.value.value, answer.value.unit or "") if answer.value is not None else None
    if shown is None and gives != "average" and cells:
        shown = _days(cells[-1], "")  # the first documents by it, with what each has
    return (
        "" if shown is not None and abs(shown - due) < 1 + due / 100 else f"{value} instead of {due:.1f} days"
    )


def _days(value: str, unit: str) -> float | None:
    with suppress(ValueError):
        return float(value) * (30.44 if "month" in unit else 365.2425 if "year" in unit else 1.0)
    found = parse_duration(value)
    return None if found is None or found.amount is None else found.amount / 10**6


def held(case: Case, ask: Callable[[], Answer], labels: Labels, names: Mapping[str, str]) -> tuple[str, bool]:
    """Problem of an answer, "" for none, and whether it is wrong without saying so."""
    answer = ask()
    if answer.status not in (Status.ANSWERED, Status.PARTIAL):
        return f"{answer.status.value}: {answer.text[:100]}", False
    left = [gap for gap in answer.gaps if gap.startswith("Not covered")]
    gives = case["gives"]
    is_old = gives in ("documents", "count", "laws", "years") or ":" in gives
    problem = problem_of(case, answer, labels, names) if is_old else figure_problem(case, answer, labels)
    is_silent = bool(problem) and not left and UNSURE_READING not in answer.gaps
    is_silent = is_silent and answer.confidence_label.value != "LOW" and answer.status is Status.ANSWERED
    return problem or " ".join(left), is_silent


def ask_all(bench: Workbench, cases: Sequence[Case], labels: Labels) -> list[Counted]:
    """Every question as it is asked, and with the right reading."""
    names = {str(each.id): each.source for each in bench.documents()}
    catalogue = bench.local.plans.catalogue()

    def rightly(case: Case) -> Answer:
        plan = compile_reading(reading_of(case), CompileContext(catalogue, date.today()))
        return bench.ask(case["question"], plan=plan)

    found = []
    for case in cases:
        problem, is_silent = held(case, partial(bench.ask, case["question"]), labels, names)
        try:
            right, _ = held(case, partial(rightly, case), labels, names)
        except Exception as error:  # whatever fails is a miss
            right = f"{type(error).__name__}: {error}"
        found.append(Counted(case, problem, is_silent, right))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--half", choices=("odd", "even"), help="questions with an odd or even place only")
    parser.add_argument("--home", type=Path)
    parser.add_argument(
        "--show",
        choices=("all", "right"),
        help="print the misses; right: only those of right readings, unworded",
    )
    options = parser.parse_args()
    labels = Labels(options.data / "cuad", options.data / "cuad" / "more")
    cases = cases_of(options.file)
    if options.half:
        cases = cases[options.half == "even" :: 2]
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if not home.exists():
            home.mkdir(parents=True)
            fill_from_labels(home, labels, fields=(*ASKED, *LENGTHS))
        with Workbench.open(home) as bench:
            results = ask_all(bench, cases, labels)
    print(
        table(
            [_row(kind, [e for e in results if kind in (e.case["kind"], "all")]) for kind in (*KINDS, "all")]
        )
    )
    for each in results if options.show else ():
        told = f"asked: {each.problem or 'exact'}{' (silently)' if each.is_silent else ''}"
        if options.show == "all" and (each.problem or each.read_rightly):
            print(f"{each.case['id']} {each.case['question']!r}\n  {told}")
            print(f"  read rightly: {each.read_rightly or 'exact'}")
        elif options.show == "right" and each.read_rightly:
            print(f"{each.case['id']} {json.dumps(each.case.get('where'))}: {each.read_rightly}")


def _row(kind: str, some: Sequence[Counted]) -> dict[str, object]:
    count = len(some) or 1
    ends = Counter(asked=sum(not e.problem for e in some), right=sum(not e.read_rightly for e in some))
    return {
        "kind": kind,
        "questions": len(some),
        "exact as asked": ends["asked"] / count,
        "silently wrong": sum(each.is_silent for each in some) / count,
        "exact read rightly": ends["right"] / count,
    }


if __name__ == "__main__":
    main()
