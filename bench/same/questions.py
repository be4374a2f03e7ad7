"""Questions and queries of a recording, in the order in which they are asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from samples import QUESTIONS

_PLANS = Path(__file__).parents[1] / "plans"
SUITES = {
    "sample": {
        "questions": QUESTIONS,
        "unseen_1": _PLANS / "unseen_1.jsonl",
        "unseen_2": _PLANS / "unseen_2.jsonl",
        "unseen_3": _PLANS / "unseen_3.jsonl",
    },
    "contracts": {"generated": _PLANS / "generated.jsonl", "written": _PLANS / "written.jsonl"},
}
QUERIES = (
    "force majeure",
    "termination for convenience",
    "limitation of liability cap",
    "governing law New York",
    "who signed the lease",
    "late payment interest",
    "change of control",
    "audit rights",
    "confidential information of the disclosing party",
    "insurance coverage required",
    "liquidated damages for each day of delay",
    "non-compete after termination",
    "renewal term and notice",
    "assignment without consent",
    "personal data processing subprocessors",
    "warehouse rent per month",
    "torque of busbar bolts",
    "battery cabinet maintenance steps",
    "inverter european efficiency",
    "alphasolar module clamp",
    "UL 9540 certificate",
    "calibration of the thermal camera",
    "operating temperature range",
    "warranty of the modules",
    "invoice total due",
    "Gamma Builders",
    "Acme",
    "payment within 30 days",
    "what happens if a party goes bankrupt",
    "emergency shutdown procedure",
    "zebra crossing paint",
)


@dataclass(frozen=True, slots=True)
class SuiteQuestion:
    """A question with its name, suite and id, and the buckets it is asked in, () for all."""

    name: str
    text: str
    buckets: tuple[str, ...]


def questions(subject: str) -> list[SuiteQuestion]:
    """All questions of a subject, suite by suite, in the order of their files."""
    entries: list[SuiteQuestion] = []
    for suite, path in SUITES[subject].items():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                line_json = json.loads(line)
                bucket = line_json.get("bucket")
                name = f"{suite}/{line_json['id']}"
                entries.append(SuiteQuestion(name, line_json["question"], (bucket,) if bucket else ()))
    return entries
