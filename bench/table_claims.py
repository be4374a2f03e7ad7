"""Claims over rows of real tables: right ones that checks strike, and wrong ones that they catch.

python -m bench.table_claims --home HOME [--right 300] [--wrong 500] [--seed 7] [--show]
HOME: of filings, see `bench.filings`. The sentences are generated of rows with a label and a figure a year,
under a head that states years and a scale; a wrong one has a figure of another row or column of the block, or
another scale, sign, year or digit.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.answer.cite import Verifier
from core.answer.prose.assess import AssessedClaim, Assessor
from core.answer.prose.claim_lines import WrittenClaim
from core.answer.prose.table_heads import table_heads
from core.answer.prose.units import EvidenceUnit, PackedEvidence, widened
from core.domain.answer import QuotedPlace
from core.domain.document import DocumentSummary
from core.domain.principal import LOCAL_ADMIN
from core.store.database.visibility import Visibility
from core.store.documents.documents import DocumentRecords as PageSource
from core.values.scales import stated_scales
from core.workbench import Workbench

_ROW = re.compile(
    r"^(?P<label>[A-Z][A-Za-z ,&'-]{6,60}?)\s+(?P<figures>(?:\$?\s?\d[\d,]*(?:\.\d+)?\s*){2,3})$"
)
_YEAR = re.compile(r"\b20\d\d\b")
_NAMES = {10**3: "thousand", 10**6: "million", 10**9: "billion"}
_CHARS = 900  # of a block, as a model is shown it


@dataclass(frozen=True)
class TableRow:
    """A row of a page, with a figure for each year of its head. scale: that the head states."""

    place: QuotedPlace
    label: str
    figures: tuple[str, ...]
    years: tuple[str, ...]
    scale: int
    others: tuple[str, ...]  # figures of other rows of the block

    def said(self, figure: str, year: str, scale: int) -> str:
        """A sentence as an analyst writes it."""
        return f"{self.label} was ${figure} {_NAMES[scale]} in {year}."


def rows_of(pages: PageSource, visibility: Visibility) -> Iterator[TableRow]:
    """The rows of every page that have a figure for each year of their head."""
    for summary in pages.list(visibility):
        for number in range(1, summary.pages + 1):
            text = pages.page(summary.id, summary.version, number, visibility).text
            start = 0
            for line in text.splitlines(keepends=True):
                row = _row(summary, number, text, start, line.rstrip())
                start += len(line)
                if row is not None:
                    yield row


def _row(summary: DocumentSummary, number: int, text: str, start: int, line: str) -> TableRow | None:
    match = _ROW.match(line)
    heads = [text[slice(*each)] for each in table_heads(text, start)] if match else []
    scales = {int(scale) for head in heads for scale in stated_scales(head)}
    years = [tuple(_YEAR.findall(head)) for head in heads if len(_YEAR.findall(head)) > 1]
    figures = tuple(re.findall(r"\d[\d,]*(?:\.\d+)?", match["figures"])) if match else ()
    if match is None or len(scales) != 1 or not years or len(years[-1]) != len(figures):
        return None
    if len(set(years[-1])) != len(figures) or len(set(figures)) != len(figures):
        return None
    first, last = widened(text, start, start + len(line), _CHARS)
    block = text[first:last].replace(line, "")
    others = tuple(each for each in re.findall(r"\d[\d,]{3,}", block) if each not in figures)
    place = QuotedPlace(
        document=summary.id,
        title=summary.name,
        source=summary.source,
        version=summary.version,
        page=number,
        start=first,
        end=last,
        quote=text[first:last],
    )
    return TableRow(place, match["label"], figures, years[-1], scales.pop(), others)


def judged(row: TableRow, text: str, pages: PageSource, visibility: Visibility) -> str:
    """The check that strikes a sentence over the block of a row; "" where it passes without a doubt."""
    packed = PackedEvidence((EvidenceUnit("e1", row.place),), ())
    assessor = Assessor(packed, row.label, Verifier(pages, visibility))
    found = assessor.assess(WrittenClaim(0, text, ("e1",)))
    if isinstance(found, AssessedClaim):
        return f"doubt: {found.doubt.check}" if found.doubt is not None else ""
    return found.check


def wrong(row: TableRow, rng: random.Random) -> tuple[str, str]:
    """A sentence that its row does not bear, with the kind of its fault."""
    at = rng.randrange(len(row.years))
    figure, year = row.figures[at], row.years[at]
    kind = rng.choice(("scale", "sign", "year", "digit", *(("operand",) if row.others else ()), "column"))
    if kind == "scale":
        return kind, row.said(figure, year, rng.choice([each for each in _NAMES if each != row.scale]))
    if kind == "sign":
        return kind, row.said(figure, year, row.scale).replace("was $", "was -$")
    if kind == "year":
        return kind, row.said(figure, str(max(map(int, row.years)) + rng.randint(2, 9)), row.scale)
    if kind == "operand":
        return kind, row.said(rng.choice(row.others), year, row.scale)
    if kind == "column":
        return kind, row.said(figure, rng.choice([each for each in row.years if each != year]), row.scale)
    place = rng.choice([n for n, char in enumerate(figure) if char.isdigit()])
    digit = rng.choice([each for each in "123456789" if each != figure[place]])
    return kind, row.said(figure[:place] + digit + figure[place + 1 :], year, row.scale)


def main() -> None:
    """Print the share of right sentences that are struck, and of wrong ones that are caught, by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--right", type=int, default=300)
    parser.add_argument("--wrong", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", action="store_true", help="print what came out wrong")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with Workbench.open(home=given.home) as bench:
        pages, visibility = bench._parts.records.documents, Visibility.of(LOCAL_ADMIN)
        rows = list(rows_of(pages, visibility))
        rng.shuffle(rows)
        struck: Counter[str] = Counter()
        chosen = [rows[at % len(rows)] for at in range(given.right)]
        for row in chosen:
            at = rng.randrange(len(row.years))
            found = judged(row, row.said(row.figures[at], row.years[at], row.scale), pages, visibility)
            struck[found] += 1
            if found and given.show:
                print("struck", found, row.said(row.figures[at], row.years[at], row.scale), row.place.title)
        print(
            f"{len(rows)} rows; right sentences struck: {1 - struck[''] / given.right:.3f} of {given.right}",
            dict(struck),
        )
        tried: Counter[str] = Counter()
        passed: Counter[str] = Counter()
        for at in range(given.wrong):
            row = rows[at % len(rows)]
            kind, text = wrong(row, rng)
            tried[kind] += 1
            if not judged(row, text, pages, visibility):
                passed[kind] += 1
                if given.show:
                    print("passed", kind, text, "|", row.place.quote[:0], row.figures, row.years)
        for kind, count in sorted(tried.items()):
            print(f"  {kind:8} caught {1 - passed[kind] / count:.3f} of {count}")
        print(f"wrong sentences caught: {1 - passed.total() / given.wrong:.3f} of {given.wrong}")


if __name__ == "__main__":
    main()
