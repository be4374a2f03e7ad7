"""Writes the generated questions: clauses by the names that lawyers give them, put together from a seed.

    python -m bench.plans.generate

The wordings were written down once, from CUAD's categories, before any question was planned.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bench.plans.gold import SUITES

SEED = 20_261_122
CLAUSES = {
    "most_favored_nation": ("a most favored nation clause", "most favored nation terms"),
    "competitive_restriction_exception": ("a competitive restriction exception",),
    "non_compete": ("a non-compete", "a non-compete clause", "a covenant not to compete"),
    "exclusivity": ("an exclusivity clause", "exclusivity", "an exclusive dealing commitment"),
    "no_solicit_of_customers": ("a no-solicit of customers", "a customer non-solicitation clause"),
    "no_solicit_of_employees": ("a no-solicit of employees", "an employee non-solicitation clause"),
    "non_disparagement": ("a non-disparagement clause", "non-disparagement"),
    "termination_for_convenience": ("termination for convenience", "a termination for convenience right"),
    "rofr_rofo_rofn": ("a right of first refusal", "a ROFR, ROFO or ROFN"),
    "change_of_control": ("a change of control clause", "change of control provisions"),
    "anti_assignment": ("an anti-assignment clause", "anti-assignment language"),
    "revenue_profit_sharing": ("revenue or profit sharing", "a revenue sharing clause", "profit sharing"),
    "price_restrictions": ("price restrictions", "a price restriction"),
    "minimum_commitment": ("a minimum commitment", "a minimum purchase commitment"),
    "volume_restriction": ("a volume restriction",),
    "ip_ownership_assignment": ("an IP ownership assignment", "an assignment of intellectual property"),
    "joint_ip_ownership": ("joint IP ownership", "jointly owned IP"),
    "license_grant": ("a license grant", "a grant of license"),
    "non_transferable_license": ("a non-transferable license",),
    "affiliate_license_licensor": ("an affiliate license of the licensor",),
    "affiliate_license_licensee": ("an affiliate license of the licensee",),
    "unlimited_all_you_can_eat_license": ("an unlimited license", "an all-you-can-eat license"),
    "irrevocable_or_perpetual_license": ("an irrevocable or perpetual license", "a perpetual license"),
    "source_code_escrow": ("source code escrow", "a source code escrow clause"),
    "post_termination_services": ("post-termination services", "post-termination obligations"),
    "audit_rights": ("audit rights", "an audit clause", "a right to audit"),
    "uncapped_liability": ("uncapped liability",),
    "cap_on_liability": ("a cap on liability", "a liability cap", "capped liability"),
    "liquidated_damages": ("liquidated damages", "a liquidated damages clause"),
    "warranty_duration": ("a warranty duration", "a warranty period"),
    "insurance": ("an insurance clause", "insurance requirements", "insurance"),
    "covenant_not_to_sue": ("a covenant not to sue",),
    "third_party_beneficiary": ("a third party beneficiary", "a third-party beneficiary clause"),
}
LAWS = ("New York", "California", "Delaware", "Texas", "Florida", "Illinois", "Pennsylvania", "Nevada")
HAS = (
    "Which contracts have {a}?",
    "Which agreements contain {a}?",
    "List all contracts that include {a}.",
    "Show me the agreements with {a}.",
    "What contracts provide for {a}?",
    "Find every contract containing {a}.",
)
LACKS = (
    "Which contracts lack {a}?",
    "Which agreements do not have {a}?",
    "Which contracts are without {a}?",
    "List the contracts that do not contain {a}.",
    "Which agreements are missing {a}?",
    "Show all contracts that fail to include {a}.",
)
AND = (
    "Which contracts have both {a} and {b}?",
    "Which agreements contain {a} as well as {b}?",
    "List contracts that have {a} and {b}.",
    "Show contracts with {a} and also {b}.",
)
OR = (
    "Which contracts have either {a} or {b}?",
    "Which agreements contain {a} or {b}?",
    "List the contracts with {a} or {b}.",
)
AND_NOT = (
    "Which contracts have {a} but not {b}?",
    "Which agreements contain {a} but lack {b}?",
    "List contracts with {a} and without {b}.",
    "Which contracts that have {a} do not have {b}?",
)
COUNT = ("How many contracts have {a}?", "How many agreements contain {a}?", "Count the contracts with {a}.")
COUNT_LACK = (
    "How many contracts do not have {a}?",
    "How many agreements lack {a}?",
    "Count the contracts without {a}.",
)
LAW = (
    "Which contracts governed by {law} law have {a}?",
    "Which agreements under the law of {law} contain {a}?",
    "How many contracts governed by the laws of {law} have {a}?",
    "Which contracts governed by {law} law lack {a}?",
)
GROUPS = (
    "How many contracts are there by governing law?",
    "How many contracts with {a} are there per governing law?",
    "Count the agreements that have {a} by governing law.",
    "Number of contracts without {a} for each governing law?",
)
DATED = (
    ("Which contracts dated before {year} have {a}?", "before", "agreement_date"),
    ("Which agreements signed after {year} contain {a}?", "after", "agreement_date"),
    ("Which contracts that became effective before January 1, {year} lack {a}?", "before", "effective_date"),
    ("How many contracts have an agreement date in {year}?", "year", "agreement_date"),
    ("List contracts with an effective date before March 15, {year}.", "march", "effective_date"),
    ("Which contracts expired before {year}?", "before", "expiration_date"),
)

Row = dict[str, object]


class _Draw:
    """Clauses and their wordings from a seed, so that every clause comes up."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._waiting: list[str] = []

    def clause(self, *unlike: str) -> tuple[str, str]:
        """A field and what it is called; each field once before any comes again."""
        if not self._waiting:
            self._waiting = list(CLAUSES)
            self.random.shuffle(self._waiting)
        name = next((each for each in self._waiting if each not in unlike), None)
        if name is None:
            self._waiting = []
            return self.clause(*unlike)
        self._waiting.remove(name)
        return name, self.random.choice(CLAUSES[name])


def _of_one(draw: _Draw, worded: str, where: Callable[[str], object], gives: str = "documents") -> Row:
    name, said = draw.clause()
    return {"question": worded.format(a=said), "where": where(name), "gives": gives}


def _of_two(draw: _Draw, worded: str, where: Callable[[str, str], object]) -> Row:
    one, first = draw.clause()
    other, second = draw.clause(one)
    return {"question": worded.format(a=first, b=second), "where": where(one, other)}


def _law(draw: _Draw, worded: str) -> Row:
    name, said = draw.clause()
    law = draw.random.choice(LAWS)
    part: object = ["not", name] if "lack" in worded else name
    gives = "count" if worded.startswith("How many") else "documents"
    return {"question": worded.format(law=law, a=said), "where": ["and", ["law", law], part], "gives": gives}


def _groups(draw: _Draw, worded: str) -> Row:
    if "{a}" not in worded:
        return {"question": worded, "where": None, "gives": "laws"}
    return _of_one(draw, worded, lambda name: ["not", name] if "without" in worded else name, "laws")


def _dated(draw: _Draw, worded: str, how: str, field: str) -> Row:
    year = draw.random.choice((2000, 2003, 2006, 2010, 2014, 2017, 2019))
    day = {"before": f"{year}-01-01", "after": f"{year}-12-31", "march": f"{year}-03-15"}.get(how, year)
    test: list[object] = ["before" if how == "march" else how, field, day]
    gives = "count" if worded.startswith("How many") else "documents"
    if "{a}" not in worded:
        return {"question": worded.format(year=year), "where": test, "gives": gives}
    name, said = draw.clause()
    part: object = ["not", name] if "lack" in worded else name
    return {"question": worded.format(year=year, a=said), "where": ["and", test, part], "gives": gives}


def generated() -> Iterator[Row]:
    """150 questions: has 22, lacks 22, and 20, or 14, and-not 20, count 16, by law 16, groups 4, dates 16."""
    draw = _Draw(SEED)
    made: list[tuple[str, int, Sequence[Any], Callable[[Any], Row]]] = [
        ("has", 22, HAS, lambda w: _of_one(draw, w, lambda a: a)),
        ("lacks", 22, LACKS, lambda w: _of_one(draw, w, lambda a: ["not", a])),
        ("and", 20, AND, lambda w: _of_two(draw, w, lambda a, b: ["and", a, b])),
        ("or", 14, OR, lambda w: _of_two(draw, w, lambda a, b: ["or", a, b])),
        ("and-not", 20, AND_NOT, lambda w: _of_two(draw, w, lambda a, b: ["and", a, ["not", b]])),
        ("count", 10, COUNT, lambda w: _of_one(draw, w, lambda a: a, "count")),
        ("count", 6, COUNT_LACK, lambda w: _of_one(draw, w, lambda a: ["not", a], "count")),
        ("law", 16, LAW, lambda w: _law(draw, w)),
        ("groups", 4, GROUPS, lambda w: _groups(draw, w)),
        ("dates", 16, DATED, lambda w: _dated(draw, *w)),
    ]
    number, seen = 0, set[str]()
    for shape, count, worded, make in made:
        at = 0
        while count:
            row = make(worded[at % len(worded)])
            at += 1
            if row["question"] in seen:
                continue
            seen.add(str(row["question"]))
            number, count = number + 1, count - 1
            yield {"id": f"g{number:03d}", "shape": shape, **row}


if __name__ == "__main__":
    text = "".join(json.dumps(row) + "\n" for row in generated())
    SUITES["generated"].write_text(text, encoding="utf-8")
