"""Contracts read whole by the configured model, beside the clause heads and rules, against lawyers' labels.

The product ingests contracts of CUAD and has every cell read by its model (decided ones, too). Told are, for
the 33 clauses: what extraction alone decided and how right it was, what the model's answers came to after the
checks, and both together: extraction where it decides, the model where it does not. Then the values, and what
the calls took. The shipped heads know these contracts, so their figures are too good; `--heads` takes others:

    python -m bench.model_reading --data DIR --set cuad/more --contracts 8 --skip 7 --names > FILE
    python -m bench.train_heads --data DIR --without FILE --out FOLDER
    GROUNDWORK_LLM__BASE_URL=... python -m bench.model_reading --data DIR [--home DIR] [--set cuad]
        [--contracts 12] [--shortest 0] [--longest 25000] [--skip 0] [--heads FOLDER] [--show]
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.answers.collection import data_folder
from bench.clauses.figures import table
from bench.clauses.gold import Contract, read_contracts
from bench.fields_values import CHECKS, COLUMNS
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.extract.clauses.artefact_file import read_artefact
from core.extract.clauses.head_names import CUAD_YES_NO
from core.extract.clauses.retraining import packed
from core.store.database.visibility import Visibility
from core.values.names import parse_party, same_party
from core.workbench import Workbench

_EVERYTHING = Visibility.everything()
_NAMES = {"notice_to_terminate_renewal": "notice_period_to_terminate_renewal"}  # of the rule: of the field
VALUES = {_NAMES.get(name, name): name for name in COLUMNS}
HEADS = "heads-without"
Labels = Mapping[str, str]


def is_right(field: str, finding: Finding, contract: Contract, labels: Labels) -> bool:
    """True where a decided cell says what the labels say."""
    is_present = finding.status is CellStatus.PRESENT and bool(finding.values)
    if field in CUAD_YES_NO:
        return is_present == contract.yes[field]
    if field == "parties":
        return is_present and _same_parties(finding, labels["Parties-Answer"])
    label = labels[COLUMNS[VALUES[field]]].strip()
    if not label or not is_present:
        return not label and not is_present
    return CHECKS[VALUES[field]](finding.values[0], label)


def _same_parties(finding: Finding, label: str) -> bool:
    """True where each labelled full name is found and nothing else is; short names in quotes are none."""
    wanted = [each.split("(")[0].strip(' "') for each in label.split(";")]
    names = [each.text for each in map(parse_party, filter(None, wanted)) if each is not None]
    found = [each.text for each in finding.values]
    return all(any(same_party(a, b) for b in names) for a in found) and all(
        any(same_party(a, b) for a in found) for b in names if len(b.split()) > 1
    )


def states(field: str, contract: Contract, labels: Labels) -> bool:
    """True where the contract states a field."""
    if field in CUAD_YES_NO:
        return contract.yes[field]
    return bool(labels["Parties-Answer" if field == "parties" else COLUMNS[VALUES[field]]].strip())


def figures(
    cells: Sequence[tuple[str, Finding | None, Contract, Labels]],
) -> dict[str, object]:
    """How many cells are decided, of these right, and precision and recall of those that are present."""
    decided = [
        (field, finding, contract, labels)
        for field, finding, contract, labels in cells
        if finding is not None and finding.status is not CellStatus.UNCERTAIN
    ]
    right = sum(is_right(*each) for each in decided)
    present = [each for each in decided if each[1].status is CellStatus.PRESENT]
    hits = sum(is_right(*each) for each in present)
    stated = sum(states(field, contract, labels) for field, _, contract, labels in cells)
    return {
        "cells": len(cells),
        "decided": _share(len(decided), len(cells)),
        "of those right": _share(right, len(decided)),
        "present precision": _share(hits, len(present)),
        "stated": stated,
        "recall": _share(hits, stated),
    }


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def measured(
    bench: Workbench, contracts: Mapping[str, Contract], labels: Mapping[str, Labels]
) -> Iterator[tuple[str, str, Finding, Finding | None, Contract, Labels]]:
    """Document, field, what extraction alone had, what the model's answer came to."""
    records = bench._parts.records
    fields = (*CUAD_YES_NO, *VALUES, "parties")
    cells = list(records.fields.cells(_EVERYTHING, fields=fields))
    known = records.model_readings.known({DocumentId(each.document) for each in cells})
    names = {
        each: Path(records.documents.get(each, _EVERYTHING).source).name
        for each in {cell.document for cell in cells}
    }
    for cell in cells:
        name = names[cell.document]
        _, reading = known.get((cell.document, cell.field), (0, None))
        alone = cell.finding
        if alone.method == "model":
            alone = Finding(CellStatus.UNCERTAIN)
        yield (
            name,
            cell.field,
            alone,
            None if reading is None else reading.finding,
            contracts[name],
            labels[name],
        )


def report(
    bench: Workbench, contracts: Mapping[str, Contract], labels: Mapping[str, Labels], show: bool
) -> None:
    """Print the figures."""
    rows = list(measured(bench, contracts, labels))
    groups = {"33 clauses": set(CUAD_YES_NO)} | {name: {name} for name in (*VALUES, "parties")}
    told = []
    for title, fields in groups.items():
        own = [each for each in rows if each[1] in fields]
        readers: dict[str, list[tuple[str, Finding | None, Contract, Labels]]] = defaultdict(list)
        for _, field, alone, read, contract, label in own:
            both = alone if alone.status is not CellStatus.UNCERTAIN else read
            for reader, finding in (("extraction", alone), ("model", read), ("together", both)):
                readers[reader].append((field, finding, contract, label))
        told += [{"fields": title, "reader": reader, **figures(cells)} for reader, cells in readers.items()]
    print(table(told))
    if show:
        for name, field, alone, read, contract, label in rows:
            if read is None or read.status is CellStatus.UNCERTAIN or is_right(field, read, contract, label):
                continue
            quote = read.spans[0].quote[:160] if read.spans else ""
            values = [each.text[:40] for each in read.values]
            print(f"{name[:40]} | {field} | model {read.status} {values} | "
                  f"extraction {alone.status} "
                  f"| stated {states(field, contract, label)} | {quote!r}")  # fmt: skip


def main() -> None:
    """Ingest, have read, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, help="where the home is kept between runs")
    parser.add_argument("--set", default="cuad", help="folder of the data with labels and contracts")
    parser.add_argument("--contracts", type=int, default=12)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--shortest", type=int, default=0, help="characters of a contract")
    parser.add_argument("--longest", type=int, default=25_000, help="characters of a contract")
    parser.add_argument("--heads", type=Path, help="clause heads of `bench.train_heads --without`")
    parser.add_argument("--names", action="store_true", help="print the contracts' names, and read nothing")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    csv.field_size_limit(10**9)
    folder_of = given.data / given.set
    with (folder_of / "labels.csv").open(encoding="utf-8", newline="") as file:
        labels = {row["File"]: row for row in csv.DictReader(file)}
    contracts = {each.name: each for each in read_contracts(folder_of)}
    fitting = [
        name for name, each in contracts.items() if given.shortest <= len(each.document.text) <= given.longest
    ]
    chosen = fitting[given.skip :: max(1, len(fitting) // given.contracts)][: given.contracts]
    if given.names:
        print("\n".join(chosen))
        return
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or Path(folder) / "home"
        is_new = not home.exists()
        with Workbench.open(home=home) as bench:
            if is_new and given.heads:
                models = bench._parts.records.models
                models.put(HEADS, packed(read_artefact(given.heads)), {}, datetime.now(UTC))
                models.use(HEADS)
            if is_new:
                bench.ingest([folder_of / "contracts" / name for name in chosen], bucket="contracts")
            session = bench.local
            estimate = session.model_cells.estimate("contracts", with_decided=True)
            characters = sum(len(contracts[name].document.text) for name in chosen)
            print(f"{len(chosen)} contracts of {characters:,} characters: {estimate.cells:,} cells, "
                  f"{estimate.calls} calls, {estimate.tokens:,} tokens by the estimate")  # fmt: skip
            if estimate.cells:
                session.model_cells.read("contracts", with_decided=True)
            report(bench, contracts, labels, given.show)


if __name__ == "__main__":
    main()
