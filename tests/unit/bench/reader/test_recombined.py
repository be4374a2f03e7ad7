"""Written questions with parts of others in their places."""

from __future__ import annotations

from bench.reader.examples import Item
from bench.reader.marks import reading_of
from bench.reader.recombined import Recombiner
from core.plan.readers.trained.linker import LinkTarget

FIELDS = tuple(LinkTarget("contracts", name, (name,)) for name in ("insurance", "force_majeure"))
QUESTIONS = ("contracts without [insurance]{-insurance}", "deals without [force majeure]{-force_majeure}")


def test_parts_change_places_and_keep_what_they_mean() -> None:
    items = [Item(reading_of("list", marked, "contracts"), FIELDS, "writer") for marked in QUESTIONS]

    made = list(Recombiner(items, seed=3).items(20))

    seen = set()
    for item in made:
        (span,) = item.reading.spans
        assert span.is_negated
        assert len(item.reading.text(span)) >= 7
        seen.add((item.reading.question.casefold().split()[-4:][0], span.links[0].field))
    assert len(made) == 40
    assert {field for _, field in seen} == {"insurance", "force_majeure"}


def test_the_same_seed_makes_the_same_questions() -> None:
    items = [Item(reading_of("list", marked, "contracts"), FIELDS, "writer") for marked in QUESTIONS]

    first, again = ([each.reading.question for each in Recombiner(items, 1).items(5)] for _ in range(2))

    assert first == again
