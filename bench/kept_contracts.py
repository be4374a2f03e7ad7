"""Questions of a writer kept apart over contracts that nothing was trained on, with labels as cells.

    python -m bench.kept_contracts --data DIR [--file FILE] [--labels cuad/more] [--home DIR] [--openings]
        [--show]

Exact: the documents, count, yes or no, value or groups are those of the labels, and nothing was left out.
Silently wrong: answered, not exact, and no gap says so. Of questions back, those of which one choice leads to
the exact answer count as holding the right reading. Documents whose date is partly blank in the text take no
part in questions of that date. --file with --labels: other questions, over other contracts, as those of
`bench/reader/development` over `cuad`. --show: the misses, never of what is kept apart.
Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.answers.collection import data_folder
from bench.plans.gold import DATES, Labels, day_of, names_of
from bench.plans.home import fill_from_labels
from core.ask.computed_answer import UNSURE_READING
from core.domain.answer import Answer, AnswerChoice, Status
from core.evaluate.equality import same_name
from core.plan.ir.serialization import plan_of
from core.values import parse_date
from core.values.places import canonical_place
from core.workbench import Workbench

OPENING = 20_000
"""Characters of a contract's text by which it may be named."""
FILE = Path(__file__).parent / "reader" / "kept" / "contracts.jsonl"


@dataclass(frozen=True, slots=True)
class KeptResult:
    """Result of one question: "exact", "flagged" (wrong, and says so), "wrong" (silently), or how it ended.

    holds_right: of a question back, whether one of its choices leads to the exact answer.
    """

    id: str
    outcome: str
    problem: str
    ms: float
    holds_right: bool = False


def problem_of(case: Mapping[str, Any], answer: Answer, labels: Labels, names: Mapping[str, str]) -> str:
    """Difference between an answer and the labels; "" where there is none."""
    gives, where = case["gives"], case["where"]
    blank = frozenset[str]().union(*(labels.undated(field) for field in _dates_in(case)), frozenset())
    true = (frozenset(labels.frame.index) if where is None else labels.documents(where)) - blank
    shown = [names[id] for id in answer.table.documents if id] if answer.table is not None else []
    shown = [name for name in shown if name not in blank]
    if gives == "documents":
        return (
            ""
            if set(shown) == true
            else f"{len(set(shown) - true)} too many, {len(true - set(shown))} missing"
        )
    if gives == "count":
        ledger = _shown_count(answer, blank, names)
        return "" if ledger == len(true) else f"{ledger} instead of {len(true)}"
    if gives == "yes_no":
        holds = case["document"] in true if case.get("document") else bool(true)
        said = answer.value.value if answer.value is not None else _said(answer.text)
        return "" if said == str(holds).lower() else f"{said} instead of {holds}"
    if gives == "value":
        return _value_problem(case, answer, labels)
    if gives in ("laws", "years"):
        wanted = labels.laws(where) if gives == "laws" else _years(labels, case["field"], true)
        return _groups_problem(answer, wanted)
    return _ranked_problem(case, shown, true, labels)


def _dates_in(case: Mapping[str, Any]) -> set[str]:
    text = json.dumps([case["where"], case.get("field")])
    return {field for field in DATES if field in text and case["gives"] != "value"}


def _shown_count(answer: Answer, blank: frozenset[str], names: Mapping[str, str]) -> int | None:
    if answer.value is None:
        return None
    try:
        count = int(float(answer.value.value))
    except ValueError:
        return None
    listed = answer.table.documents if answer.table is not None else ()
    return count - len({names.get(id, "") for id in listed} & blank)


def _said(text: str) -> str | None:
    word = text.strip().lstrip("*").split(maxsplit=1)[0].strip(",.:*").casefold() if text.strip() else ""
    return {"yes": "true", "no": "false", "none": "false"}.get(word)


def _value_problem(case: Mapping[str, Any], answer: Answer, labels: Labels) -> str:
    said = labels.said.loc[case["document"]]
    field = case["field"]
    told = " ".join([answer.text, *(claim.text for claim in answer.claims)])
    if answer.value is not None:
        told += f" {answer.value.value}"
    if answer.table is not None:
        told += " ".join(str(cell) for row in answer.table.rows for cell in row)
    if field in DATES:
        day = day_of(said[DATES[field]])
        shown = parse_date(answer.value.value) if answer.value is not None else None
        is_right = (shown is not None and shown.text == day) or (shown is None and str(day) in told)
        return "" if is_right else f"{answer.value.value if answer.value else None} instead of {day}"
    if field == "governing_law":
        due = [canonical_place(each) or each for each in said["Governing Law-Answer"].split(";")]
        return "" if all(each.strip().casefold() in told.casefold() for each in due) else f"not {due}"
    due = list(names_of(said["Parties-Answer"]))
    missing = [each for each in due if each.casefold() not in told.casefold()]
    return "" if not missing else f"lacks {missing}"


def _years(labels: Labels, field: str, true: frozenset[str]) -> dict[str, int]:
    days = (labels.frame.loc[name, field] for name in true)
    return dict(Counter(str(day)[:4] for day in days if isinstance(day, str)))


def _groups_problem(answer: Answer, wanted: Mapping[str, int]) -> str:
    if answer.table is None:
        return "no table"
    rows = {}
    for key, *rest in answer.table.rows:
        count = next((int(str(each)) for each in rest if str(each).isdigit()), None)
        rows[str(key)] = count
    wrong = [
        place
        for place, count in wanted.items()
        if not any(same_name(place, key) and rows[key] == count for key in rows)
    ]
    return "" if not wrong else f"wrong groups: {', '.join(wrong[:4])}"


def _ranked_problem(case: Mapping[str, Any], shown: list[str], true: frozenset[str], labels: Labels) -> str:
    end, _, count = case["gives"].partition(":")
    dated = [(labels.frame.loc[name, case["field"]], name) for name in true]
    in_order = sorted(((d, n) for d, n in dated if isinstance(d, str)), reverse=end == "first")
    due = [day for day, _ in in_order[: int(count)]]
    days = [labels.frame.loc[name, case["field"]] for name in shown[: int(count)]]
    return "" if days == due else f"{days} instead of {due}"


def ask_one(
    bench: Workbench, case: Mapping[str, Any], labels: Labels, names: Mapping[str, str]
) -> KeptResult:
    """Result of one question."""
    started = time.perf_counter()
    answer = bench.ask(case["question"])
    ms = 1000 * (time.perf_counter() - started)
    if answer.status is Status.CLARIFY:
        holds = any(_leads(bench, each, case, labels, names) for each in _choices(answer, case))
        return KeptResult(case["id"], "clarify", answer.text[:140], ms, holds)
    if answer.status not in (Status.ANSWERED, Status.PARTIAL):
        return KeptResult(case["id"], answer.status.value, answer.text[:140], ms)
    problem = problem_of(case, answer, labels, names)
    left = [gap for gap in answer.gaps if gap.startswith("Not covered")]
    if not problem and not left:
        return KeptResult(case["id"], "exact", "", ms)
    is_flagged = (
        bool(left)
        or UNSURE_READING in answer.gaps
        or answer.status is Status.PARTIAL
        or answer.confidence_label.value == "LOW"
    )
    return KeptResult(case["id"], "flagged" if is_flagged else "wrong", problem or " ".join(left), ms)


def _choices(answer: Answer, case: Mapping[str, Any]) -> Iterator[AnswerChoice]:
    options = answer.clarification.options if answer.clarification is not None else ()
    yield from (each for each in options if each.plan is not None or each.question != case["question"])


def _leads(
    bench: Workbench,
    choice: AnswerChoice,
    case: Mapping[str, Any],
    labels: Labels,
    names: Mapping[str, str],
) -> bool:
    chosen = plan_of(choice.plan) if choice.plan is not None else None
    answer = bench.ask(choice.question, plan=chosen)
    return answer.status in (Status.ANSWERED, Status.PARTIAL) and not problem_of(case, answer, labels, names)


def openings_of(folder: Path) -> dict[str, str]:
    """The beginnings of the contracts' texts, by file name."""
    texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in folder.glob("*.txt")}
    return {name: text[:OPENING] for name, text in texts.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--labels", default="cuad/more", help="folder of the data with contracts and labels")
    parser.add_argument("--home", type=Path)
    parser.add_argument(
        "--openings", action="store_true", help="a new home has the beginning of each contract's text, too"
    )
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show and options.file == FILE:
        parser.error("the misses of the kept questions are not looked at")
    labels = Labels(options.data / options.labels)
    cases = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if not home.exists():
            home.mkdir(parents=True)
            openings = openings_of(options.data / options.labels / "contracts") if options.openings else None
            fill_from_labels(home, labels, openings)
        with Workbench.open(home) as bench:
            names = {str(each.id): each.source for each in bench.documents()}
            results = [ask_one(bench, case, labels, names) for case in cases]
    counts = Counter(each.outcome for each in results)
    back = [each for each in results if each.outcome == "clarify"]
    times = sorted(each.ms for each in results)
    for outcome, count in counts.most_common():
        print(f"{outcome:10} {count:4} {count / len(results):.3f}")
    print(f"clarifications with the right reading {sum(e.holds_right for e in back)}/{len(back)}")
    print(f"p50 {times[len(times) // 2]:.0f} ms, p95 {times[int(0.95 * len(times))]:.0f} ms")
    by = {op: [r for r, c in zip(results, cases, strict=True) if c["operation"] == op] for op in
          sorted({c["operation"] for c in cases})}  # fmt: skip
    for operation, some in by.items():
        ends = ", ".join(f"{name} {count}" for name, count in Counter(e.outcome for e in some).most_common())
        print(f"  {operation:8} {ends}")
    if options.show:
        asked = {case["id"]: case["question"] for case in cases}
        for each in results:
            if each.outcome != "exact":
                print(f"{each.id} {each.outcome} {asked[each.id]!r}: {each.problem}")


if __name__ == "__main__":
    main()
