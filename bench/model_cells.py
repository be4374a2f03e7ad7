"""Cells read by a model whose every answer is right: what the product accepts of it, and what it refuses.

A reader that answers from CUAD's labels is asked for the uncertain cells of contracts that the product read:
it gives the labelled value on the labelled words where they were given to it, and says "absent" where they
were not, as a careful reader would. So what is measured is the machinery, not a model: how much of the truth
reaches the model, how much of a right answer passes the checks, and how many absences count that are none.
Then every right answer is falsified in four ways, of which none may pass. Data: CUAD v1, CC BY 4.0.

    python -m bench.model_cells --data DIR [--home DIR] [--contracts 60] [--context 3500]
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.answers.collection import data_folder
from bench.clauses.figures import table
from bench.clauses.gold import Contract, read_contracts
from bench.fields_values import CHECKS, COLUMNS
from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.fields import CellStatus, FieldType, Finding
from core.domain.ids import DocumentId
from core.extract.clauses.head_names import CUAD_YES_NO
from core.extract.model.accept import Refusal, findings_of
from core.extract.model.calls import AskedCell, CellCall, CellReplies, CellReply
from core.extract.model.job import WaitingDocument, sequence_of_calls, waiting
from core.fields.typed import order_for, values_in
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from core.workbench.wiring import Parts

LABELLED = {**{name: name for name in CUAD_YES_NO}, **{name: name for name in COLUMNS}}
HEAD_OF = {"notice_to_terminate_renewal": "notice_period_to_terminate_renewal"}
_LEAST_WORDS = 3


@dataclass
class Outcomes:
    """Counts of one kind of field. given: cells whose labelled words reached the model, of those stated."""

    cells: int = 0
    stated: int = 0
    given: int = 0
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    lies: int = 0
    lies_accepted: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Truth:
    """Labels of one contract."""

    contract: Contract
    row: Mapping[str, str]

    def is_stated(self, name: str) -> bool:
        """True where the contract states a field."""
        if name in CUAD_YES_NO:
            return self.contract.yes[name]
        return bool(self.row[COLUMNS[name]].strip())

    def spans(self, name: str) -> Sequence[tuple[int, int]]:
        """The lawyers' words."""
        return self.contract.spans[HEAD_OF.get(name, name)]

    def is_right(self, name: str, finding: Finding) -> bool:
        """True where a decided cell says what the labels say."""
        if finding.status is CellStatus.ABSENT or not finding.values:
            return not self.is_stated(name)
        if name in CUAD_YES_NO:
            return self.is_stated(name)
        label = self.row[COLUMNS[name]]
        return bool(label.strip()) and CHECKS[name](finding.values[0], label)


def answer(call: CellCall, cell: AskedCell, truth: Truth) -> CellReply:
    """The right answer, as far as its words were given."""
    name = cell.definition.name
    places = list(_given(call, truth.spans(name))) if truth.is_stated(name) else []
    for block, start, end in places:
        quote = call.document.text[start:end]
        value = _value(cell.definition, quote, truth, call)
        if value:
            return CellReply(cell=cell.id, status="present", value=value, quote=quote, evidence=block)
    status = "uncertain" if places else "absent"  # its words are there, but state the value in another way
    return CellReply(cell=cell.id, status=status, value="", quote="", evidence="")


def _given(call: CellCall, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """The parts of labelled words that stand in a block: its id, and where they begin and end."""
    text = call.document.text
    for first, last in spans:
        for block in call.evidence:
            start, end = max(first, block.start), min(last, block.end, first + 1_400)
            if start > first:
                start += len(re.match(r"\w*\W*", text[start:end])[0])  # type: ignore[index]
            if end < last:
                end -= len(re.search(r"\W?\w*$", text[start:end])[0])  # type: ignore[index]
            if len(text[start:end].split()) >= _LEAST_WORDS or (start == first and end == last):
                yield block.id, start, end


def _value(definition: FieldDefinition, quote: str, truth: Truth, call: CellCall) -> str:
    """The value as the quote has it; "" where it does not state the labelled one."""
    if definition.type is FieldType.BOOLEAN:
        return "yes"
    label, check = truth.row[COLUMNS[definition.name]], CHECKS[definition.name]
    if definition.type is FieldType.TEXT:
        parts = [part.strip() for part in label.split(";")]
        return next((part for part in parts if part and part in " ".join(quote.split())), "")
    order = order_for(definition, call.document.text, call.document.language)
    found = [each for each in values_in(quote, definition, order) if check(each.value, label)]
    return quote[found[0].start : found[0].end] if found else ""


def lies(
    reply: CellReply, definition: FieldDefinition, others: Sequence[str]
) -> Iterator[tuple[str, CellReply]]:
    """The same answer, falsified: a word of the quote, words of elsewhere, another value, another block."""
    words = reply.quote.split()
    words[len(words) // 2] = "notwithstanding" if words[len(words) // 2] != "notwithstanding" else "hereby"
    yield "a word of the quote", reply.model_copy(update={"quote": " ".join(words)})
    yield "words of another contract", reply.model_copy(update={"quote": random.choice(others)})
    yield "an unknown block", reply.model_copy(update={"evidence": "e999"})
    if definition.type is not FieldType.BOOLEAN:
        value = {FieldType.DATE: "14 July 1987", FieldType.DURATION: "17 months"}.get(
            definition.type, "Atlantis"
        )
        yield "another value", reply.model_copy(update={"value": value})


def measure(calls: Sequence[CellCall], truths: Mapping[str, Truth]) -> dict[str, Outcomes]:
    """Outcomes by kind of field, for cells that have labels."""
    found = {"clauses": Outcomes(), "values": Outcomes()}
    elsewhere = [
        each.contract.document.text[slice(*span)][:200]
        for each in truths.values()
        for span in each.spans("governing_law")[:1]
        if len(each.contract.document.text[slice(*span)]) > 60
    ]
    for call in calls:
        truth = truths[Path(call.document.source).name]
        cells = [each for each in call.cells if each.definition.name in LABELLED]
        replies = [answer(call, each, truth) for each in cells]
        judged = findings_of(call, CellReplies(cells=tuple(replies)))
        others = [each for each in elsewhere if each not in call.document.text]
        for cell, reply in zip(cells, replies, strict=True):
            name = cell.definition.name
            tally = found["clauses" if name in CUAD_YES_NO else "values"]
            tally.cells += 1
            tally.stated += truth.is_stated(name)
            tally.given += truth.is_stated(name) and any(_given(call, truth.spans(name)))
            result = judged[name]
            if isinstance(result, Refusal):
                tally.refused[f"{reply.status}: {result.value}"] += 1
                continue
            (tally.right if truth.is_right(name, result) else tally.wrong)[result.status.value] += 1
            if reply.status == "present":
                for kind, lie in lies(reply, cell.definition, others):
                    tally.lies += 1
                    said = findings_of(call, CellReplies(cells=(lie,)))[name]
                    tally.lies_accepted[kind] += isinstance(said, Finding)
    return found


def report(found: Mapping[str, Outcomes]) -> None:
    """Print the figures."""
    rows = []
    for kind, each in found.items():
        rows.append(
            {
                "fields": kind,
                "uncertain cells": each.cells,
                "stated": each.stated,
                "their words given": each.given,
                "present, right": each.right["present"],
                "present, wrong": each.wrong["present"],
                "absent, right": each.right["absent"],
                "absent, wrong": each.wrong["absent"],
                "stay uncertain": sum(each.refused.values()),
                "lies": each.lies,
                "accepted": sum(each.lies_accepted.values()),
            }
        )
    print(table(rows))
    for kind, each in found.items():
        for why, count in each.refused.most_common():
            print(f"{kind}: {count} {why}")
        for lie, count in each.lies_accepted.items():
            if count:
                print(f"{kind}: {count} lies accepted: {lie}")


def fill(home: Path, data: Path, count: int) -> None:
    """Ingest contracts as people do; cells are those of extraction."""
    paths = sorted((data / "cuad" / "contracts").iterdir())
    chosen = paths[:: max(1, len(paths) // count)][:count]
    with Workbench.open(home) as bench:
        bench.ingest(chosen, bucket="contracts")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, help="where the home is kept between runs")
    parser.add_argument("--contracts", type=int, default=60)
    parser.add_argument(
        "--context", type=int, nargs="*", default=[3_500, 24_000], help="tokens of one prompt"
    )
    options = parser.parse_args()
    csv.field_size_limit(10**9)
    random.seed(7)
    with (options.data / "cuad" / "labels.csv").open(encoding="utf-8", newline="") as file:
        labels = {row["File"]: row for row in csv.DictReader(file)}
    truths = {each.name: Truth(each, labels[each.name]) for each in read_contracts(options.data / "cuad")}
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if not home.exists():
            fill(home, options.data, options.contracts)
        with Workbench.open(home) as bench:
            run(bench._parts, truths, options.context)


def run(parts: Parts, truths: Mapping[str, Truth], contexts: Sequence[int]) -> None:
    """Every measurement on one home."""
    definitions = parts.definitions()
    everything = Visibility.everything()
    for context in contexts:
        settings = LlmSettings(
            base_url="http://127.0.0.1:9/v1",
            context_tokens=context,
            tokens_per_minute=0,
            tokens_per_question=60_000,
        )
        found: list[WaitingDocument] = waiting(parts.records, definitions, settings, visible=everything)
        started = time.perf_counter()
        calls = sequence_of_calls(parts.records, definitions, settings, found, parts.field_words)
        took = time.perf_counter() - started
        whole = {DocumentId(each.document.document) for each in calls if each.is_whole}
        cells = sum(len(each.cells) for each in found)
        print(
            f"\n{context:,} tokens of context: {len(found)} contracts, {cells} cells, "
            f"{len(calls)} calls; {len(whole)} contracts given in full; packed in {took:.1f} s\n"
        )
        report(measure(calls, truths))


if __name__ == "__main__":
    main()
