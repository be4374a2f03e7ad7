"""Questions over small files made by others: how many are answered right, and what each label is worth.

python -m bench.file_cases --cases DIR [--only NN ...] [--homes DIR] [--show] [--raw] [--write FILE]
DIR holds cases.json, a list of {"case", "kind", "questions": [{"q", "bucket", "right", "must_contain",
"must_not"}], "folders": {bucket: folder}}, and NN/in/ with the files of each case. Each has its own home.
An answer is right where it holds all of must_contain (a list within: one of these) in what it says first
(headline, text, first three claims, table) and none of must_not in its headline or first claim. This is a
judgement by words: read with --show what it calls wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.labels import before_curves
from core.domain.answer import Answer, Status
from core.workbench import Workbench

_CLAIMS = 3
_ANSWERED = (Status.ANSWERED, Status.PARTIAL)


@dataclass(frozen=True)
class Outcome:
    """One question as it was answered. evidence: what kind the answer rests on. gaps: said of the files."""

    case: str
    kind: str
    question: str
    right: str
    judged: str  # right, wrong or none (no answer)
    label: str
    confidence: float
    evidence: str
    text: str
    gaps: str
    is_stored: bool  # all of must_contain stands in the stored text
    answer: dict[str, Any]  # as JSON


def main() -> None:
    """Ask all cases and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--homes", type=Path, help="keep the homes here")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--write", type=Path, help="all outcomes as JSON")
    parser.add_argument("--raw", action="store_true", help="confidence before its curves, for bench.labels")
    given = parser.parse_args()
    cases = json.loads((given.cases / "cases.json").read_text("utf-8"))
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as scratch, before_curves() if given.raw else nullcontext():
        for case in cases:
            if given.only and str(case["case"]) not in given.only:
                continue
            for outcome in asked(case, given.cases, (given.homes or Path(scratch)) / str(case["case"])):
                outcomes.append(outcome)
                if given.show:
                    print(f"\n[{outcome.judged}] {outcome.label} {outcome.confidence:.2f} {outcome.evidence}"
                          f" | {outcome.case} {outcome.kind} | {outcome.question}\n  right: {outcome.right}"
                          f"\n  said: {outcome.text[:500]}\n  files: {outcome.gaps}", flush=True)  # fmt: skip
    report(outcomes)
    if given.write:
        given.write.write_text(json.dumps([asdict(each) for each in outcomes], indent=1, ensure_ascii=False))


def asked(case: Mapping[str, Any], root: Path, home: Path) -> Iterable[Outcome]:
    """The case's files ingested into a home, and its questions asked there."""
    folders = case.get("folders") or {"default": f"{case['case']}/in"}
    with Workbench.open(home=home) as bench:
        for bucket, folder in folders.items():
            inside = root / folder if (root / folder).exists() else root / str(case["case"]) / folder
            bench.ingest(sorted(inside.iterdir()), bucket=bucket)
        listed = bench.documents()
        versions = [bench.local.documents.get(each.id) for each in listed]
        stored = plain("\n".join(page.text for each in versions for page in each.pages))
        parts = [
            f"{part.kind} ({part.state.value}{': ' + part.place if part.place else ''})"
            for each in versions
            for part in each.parts
        ]
        states = Counter(each.status.value for each in listed)
        said = f"{dict(states)} {'; '.join(parts)}"
        for each in case["questions"]:
            bucket = each.get("bucket") or case.get("bucket")
            answer = bench.ask(each["q"], buckets=(bucket,) if bucket else ())
            yield Outcome(
                case=str(case["case"]),
                kind=case["kind"],
                question=each["q"],
                right=each["right"],
                judged=judged(each, answer),
                label=answer.confidence_label.value,
                confidence=answer.confidence,
                evidence=evidence_of(answer),
                text=first_words(answer),
                gaps=said,
                is_stored=holds(each, stored),
                answer=answer.model_dump(
                    mode="json", exclude={"timings_ms", "reading", "evidence", "assets"}
                ),
            )


def judged(expected: Mapping[str, Any], answer: Answer) -> str:
    """Whether an answer is right, wrong, or none."""
    must_not = [plain(each) for each in expected.get("must_not") or []]
    said, first = plain(first_words(answer)), plain(headline(answer))
    if answer.status not in _ANSWERED:
        return "right" if not expected.get("must_contain") else "none"
    return "right" if holds(expected, said) and not any(each in first for each in must_not) else "wrong"


def holds(expected: Mapping[str, Any], text: str) -> bool:
    """True where a text, as `plain` gives it, has all of must_contain."""
    wanted = expected.get("must_contain") or []
    return all(
        any(plain(one) in text for one in ([each] if isinstance(each, str) else each)) for each in wanted
    )


def headline(answer: Answer) -> str:
    """What an answer says before everything else."""
    value = answer.value
    stated = f"{value.unit or ''} {value.value}" if value is not None else ""
    return f"{stated} {answer.claims[0].text}" if answer.claims else f"{stated} {answer.text}"


def first_words(answer: Answer) -> str:
    """Headline, text, first claims with their quotes, and the table."""
    claims = [
        f"{claim.text} {' '.join(c.quote for c in claim.citations)}" for claim in answer.claims[:_CLAIMS]
    ]
    rows = [" ".join(map(str, row)) for row in answer.table.rows] if answer.table is not None else []
    return "\n".join([headline(answer), answer.text, *claims, *rows])


def evidence_of(answer: Answer) -> str:
    """Kind of the evidence: a table or count that was computed, else row or passage."""
    if answer.ledger is not None or answer.table is not None:
        return "computed"
    used = [each.kind for each in answer.evidence if each.state == "used"]
    return used[0] if used else "none"


def plain(text: str) -> str:
    """Letters and digits in one form: case, spaces, thousands separators and zeros are forgiven."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("−", "-")
    text = re.sub(r"(?<=\d)[,' ](?=\d{3}(?!\d))", "", text)
    return " ".join(re.sub(r"(\d)\.0+(?!\d)", r"\1", text).split())


def report(outcomes: Sequence[Outcome]) -> None:
    """Right, wrong and none by kind of file, and by label and kind of evidence."""
    for name, key in (
        ("kind of file", lambda each: each.kind),
        ("label", lambda each: each.label),
        ("label and evidence", lambda each: f"{each.label} {each.evidence}"),
        ("confidence", lambda each: f"{min(9, int(each.confidence * 10)) / 10:.1f}"),
        ("what is stored", lambda each: "in the stored text" if each.is_stored else "not in the stored text"),
        ("all", lambda _: "all"),
    ):
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        for each in outcomes:
            groups[key(each)][each.judged] += 1
        print(f"\nby {name}")
        for group, counts in sorted(groups.items()):
            total = sum(counts.values())
            shown = ", ".join(f"{word} {counts[word]}" for word in ("right", "wrong", "none"))
            print(f"  {group:40} {shown}   ({counts['right'] / total:.2f} of {total})")


if __name__ == "__main__":
    main()
