"""Questions generated of rows of real tables: how often the figure given without a model is right.

python -m bench.row_questions --home HOME [--count 120] [--seed 11] [--show]
HOME: of filings, see `bench.filings`. Every fourth question asks for what has to be calculated, where no
figure may be given. Where several tables have a label, another one's figure counts as wrong.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from decimal import Decimal
from pathlib import Path

from bench.table_claims import TableRow, rows_of
from core.domain.principal import LOCAL_ADMIN
from core.store.database.visibility import Visibility
from core.workbench import Workbench

_LOOK_UPS = (
    "What was the {label} of {company} in {year}?",
    "How much {label} did {company} report for FY{year}?",
    "What is {company}'s FY{year} {label}? Answer in USD millions.",
    "What were the {label} at {company} in fiscal {year}?",
)
_TO_CALCULATE = (
    "What is the change in {label} of {company} from {first} to {year}?",
    "What is the average {label} of {company} over {first} and {year}?",
    "Did {company} increase its {label} in {year}?",
    "What is the ratio of {label} to revenue of {company} in {year}?",
)


def main() -> None:
    """Print what became of the questions by kind and label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--show", action="store_true", help="print the figures that are wrong")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    ends: Counter[str] = Counter()
    with Workbench.open(home=given.home) as bench:
        rows = list(rows_of(bench._parts.records.documents, Visibility.of(LOCAL_ADMIN)))
        rows = [row for row in rows if company_of(row).casefold() in row.place.title.casefold()]
        rng.shuffle(rows)
        for number, row in enumerate(rows[: given.count]):
            at = rng.randrange(len(row.years))
            kind = "to calculate" if number % 4 == 3 else "look-up"
            question = rng.choice(_TO_CALCULATE if number % 4 == 3 else _LOOK_UPS).format(
                label=row.label.strip().lower(),
                company=company_of(row),
                year=row.years[at],
                first=min(row.years),
            )
            answer = bench.ask(question)
            label = answer.confidence_label.value
            figure = Decimal(answer.value.value) if answer.value and answer.value.type != "date" else None
            is_right = (
                figure is not None and abs(figure) == Decimal(row.figures[at].replace(",", "")) * row.scale
            )
            end = "none" if figure is None else "right" if is_right else "wrong"
            ends[f"{kind}: figure {end}, {label}"] += 1
            ends[f"{kind}: in the first quote"] += any(row.figures[at] in c.text for c in answer.claims[:1])
            ends[f"{kind}: in three quotes"] += any(row.figures[at] in c.text for c in answer.claims[:3])
            ends[kind] += 1
            if given.show and end == "wrong":
                print(label, question, "|", row.figures[at], answer.value, answer.claims[0].text[:200])
    for name, count in sorted(ends.items()):
        print(f"{name:36} {count}")


def company_of(row: TableRow) -> str:
    """The company of a filing by the first word of its file's name."""
    return row.place.source.rsplit("/", 1)[-1].partition("_")[0].capitalize()


if __name__ == "__main__":
    main()
