"""Fields in plain words: order of candidates before any click, and cells decided after 25 clicks.

Twelve categories of CUAD over 60 contracts, whose heads take no part: each is a name and a sentence
(bench/custom/cuad_fields.toml), written from the category list alone and committed before there was a ranking
or its code was read. Its weights and scales were chosen on 26 other categories and 60 other contracts. A
second set from elsewhere, nothing of which was looked at: the 17 hypotheses of ContractNLI over 61 contracts.
A person is played by the labels: of each document asked for, "yes" with the sentence where one of the first
five candidates overlaps a labelled span, "yes" without a sentence where none does, else "no". Counted are the
documents that nobody was asked about. Data: CUAD v1, CC BY 4.0; ContractNLI, CC BY 4.0.

    python -m bench.custom_fields --data DIR [--keep DIR] [--clicks 25] [--fields FILE]

bench/custom/stranger_fields.toml is a third set, twelve fields in everyday words by somebody who saw neither
the code nor a figure: `--fields` asks the same 60 contracts for the fields of a file, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.answers.collection import data_folder
from bench.custom.labelled import Field, Labelled, cuad, cuad_fields, nli, nli_fields
from core.config.field_words import WordedField, definition_of_words
from core.config.models import Settings
from core.domain.fields import CellStatus
from core.encode.load import load_query_encoder
from core.extract.words.candidates import RankedSentences, decide, rank
from core.extract.words.head import fit_head
from core.extract.words.learning import FIRST_ASKED, NEXT_ASKED, choose, judge, words_extractor
from core.extract.words.ranking import words_of
from core.fields.word_field import FieldVerdict

_SHOWN, _READ = 3, 5


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of one field. stating: documents that state it; first: those with it among the first three."""

    name: str
    stating: int
    first: int
    others: int
    decided: int
    right: int
    guessed: int
    commonest: int
    head: dict[str, object]
    seconds: float


def measure(field: Field, collection: Sequence[Labelled], encode: Callable, clicks: int) -> Measured:
    """Rank every document, ask for some, learn, and decide the others."""
    begun = time.perf_counter()
    definition = definition_of_words(WordedField(field.name, field.description))
    extractor = words_extractor(definition)
    assert extractor is not None
    words = words_of(definition.title, extractor, encode)
    ranked = [rank(each.document, definition, words, each.vectors) for each in collection]
    spans = [each.truth[field.label] for each in collection]
    truth = np.array([bool(each) for each in spans])
    right_rows = [
        [row for row, (start, end) in enumerate(each.spans) if any(start < b and a < end for a, b in own)]
        for each, own in zip(ranked, spans, strict=True)
    ]
    first = sum(bool(rows) and rows[0] < _SHOWN for rows in right_rows)
    judged = _ask(ranked, truth, right_rows, clicks)
    head = fit_head(list(judged.values()))
    others = [at for at in range(len(ranked)) if at not in judged]
    findings = {at: decide(ranked[at], definition, head) for at in others}
    decided = [at for at in others if findings[at].status in (CellStatus.PRESENT, CellStatus.ABSENT)]
    right = sum((findings[at].status is CellStatus.PRESENT) == truth[at] for at in decided)
    guesses = [head.probability(head.weigh(ranked[at].candidates)) >= 0.5 for at in others]
    stated = int(truth[others].sum())
    return Measured(
        field.label,
        int(truth.sum()),
        first,
        len(others),
        len(decided),
        int(right),
        int(sum(guess == truth[at] for guess, at in zip(guesses, others, strict=True))),
        max(stated, len(others) - stated),
        dict(head.figures),
        time.perf_counter() - begun,
    )


def _ask(
    ranked: Sequence[RankedSentences], truth: np.ndarray, right: Sequence[Sequence[int]], clicks: int
) -> dict[int, object]:
    judged: dict[int, object] = {}
    head = None
    while len(judged) < min(clicks, len(ranked)):
        open_rows = [at for at in range(len(ranked)) if at not in judged]
        if head is None or not head.figures.get("verdicts"):
            chances = [ranked[at].chance for at in open_rows]
        else:
            chances = [head.probability(head.weigh(ranked[at].candidates)) for at in open_rows]
        wanted = min(NEXT_ASKED if judged else FIRST_ASKED, clicks - len(judged))
        for at in (open_rows[number] for number in choose(chances, wanted, is_first=not judged)):
            rows = [row for row in right[at] if row < _READ][:1]
            quotes = tuple(ranked[at].quote(row) for row in rows)
            judged[at] = judge(
                ranked[at], FieldVerdict(ranked[at].document.document, bool(truth[at]), quotes)
            )
        head = fit_head(list(judged.values()))  # type: ignore[arg-type]
    return judged


def _print(title: str, found: Sequence[Measured]) -> None:
    print(f"\n{title}\n| field | stated in | among first three | decided of others | right | best guess |")
    print("|---|---|---|---|---|---|")
    for each in found:
        share = f"{each.right}/{each.decided}"
        print(
            f"| {each.name} | {each.stating} | {each.first / max(1, each.stating):.2f} "
            f"| {each.decided / each.others:.2f} | {share} | {each.guessed / each.others:.2f} |"
        )
    stating, others = sum(each.stating for each in found), sum(each.others for each in found)
    decided = sum(each.decided for each in found)
    print(
        json.dumps(
            {
                "first_three": round(sum(each.first for each in found) / stating, 3),
                "decided": round(decided / others, 3),
                "right": round(sum(each.right for each in found) / max(1, decided), 3),
                "best_guess_right": round(sum(each.guessed for each in found) / others, 3),
                "commonest_answer_right": round(sum(each.commonest for each in found) / others, 3),
                "seconds": round(sum(each.seconds for each in found), 1),
            }
        )
    )


def main() -> None:
    """Print the figures of both sets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--keep", type=Path, help="folder in which sentence vectors are kept between runs")
    parser.add_argument("--clicks", type=int, default=25)
    parser.add_argument(
        "--fields", type=Path, help="a file of fields to ask the contracts for, in place of both sets"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        keep = given.keep or Path(folder)
        encode = load_query_encoder(Settings(home=keep)).encode_queries
        contracts = cuad(given.data, 60, keep)
        if given.fields is not None:
            fields = cuad_fields(given.fields)
            _print(given.fields.stem, [measure(each, contracts, encode, given.clicks) for each in fields])
            return
        _print("CUAD", [measure(each, contracts, encode, given.clicks) for each in cuad_fields()])
        ndas = nli(given.data, keep)
        _print("ContractNLI", [measure(each, ndas, encode, given.clicks) for each in nli_fields(given.data)])


if __name__ == "__main__":
    main()
