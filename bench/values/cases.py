"""Labelled documents as cases: candidates of each field, which of them are right, and the fold."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bench.clauses.families import ASIDE, families, folds, set_aside
from bench.clauses.gold import read_contracts
from bench.fields_values import date_is, is_right, labelled_parties, receipts
from bench.values.fitting import Case
from core.domain.fields import TypedValue
from core.extract.base import DocumentText
from core.extract.chooser.days import effective_options
from core.extract.chooser.model import ChoosableValue
from core.extract.chooser.parties import party_options
from core.extract.chooser.term import term_options
from core.extract.chooser.totals import total_options
from core.values.names import same_party

ASIDE_SHARE = 0.1
_FOLDS = 5
_AROUND = 30  # characters by which a label's quote may miss a candidate


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract with its row of labels, its spans by head, and its fold; the same as of the clause heads."""

    name: str
    document: DocumentText
    labels: Mapping[str, str]
    spans: Mapping[str, Sequence[tuple[int, int]]]
    fold: int

    @property
    def parties(self) -> list[str]:
        """The labelled parties."""
        return labelled_parties(self.labels["Parties-Answer"])


def contracts(data: Path, aside: float = ASIDE_SHARE) -> list[Contract]:
    """The 345 contracts; folds and what is set aside as `bench.clauses.source.labelled` has them."""
    csv.field_size_limit(10**9)
    folders = (data / "cuad", data / "cuad" / "more")
    rows: dict[str, dict[str, str]] = {}
    for folder in folders:
        with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
            rows |= {row["File"]: row for row in csv.DictReader(file)}
    read = read_contracts(*folders)
    group = families([each.name for each in read], [each.document.text for each in read])
    fold = folds(group)
    if aside:
        apart = {path.name for path in (folders[1] / "contracts").iterdir()}
        allowed = [each.name in apart for each in read]
        fold[set_aside(group, allowed, round(aside * len(read)))] = ASIDE
    return [
        Contract(each.name, each.document, rows[each.name], each.spans, int(of))
        for each, of in zip(read, fold, strict=True)
    ]


def term_cases(all_contracts: Sequence[Contract]) -> list[Case]:
    """Ends of contracts; a further target is whether a candidate stands in what the lawyers quote."""
    found = []
    for each in all_contracts:
        label = each.labels["Expiration Date-Answer"].strip()
        options = term_options(each.document)
        case = _case(
            each.name,
            options,
            lambda value, label=label: is_right(date_is, value, label),
            bool(label),
            each.fold,
        )
        found.append(replace(case, near=_near(options, each.spans["expiration_date"])))
    return found


def effective_cases(all_contracts: Sequence[Contract]) -> list[Case]:
    """Days of effect; further targets: it is the labelled agreement date, it stands in what lawyers quote."""
    found = []
    for each in all_contracts:
        label, made = (each.labels[f"{name} Date-Answer"].strip() for name in ("Effective", "Agreement"))
        options = effective_options(each.document)
        case = _case(
            each.name, options, lambda value, of=label: is_right(date_is, value, of), bool(label), each.fold
        )
        is_made = np.array([is_right(date_is, option.value, made) for option in options], bool).reshape(-1, 1)
        near = np.concatenate([is_made, _near(options, each.spans["effective_date"])], axis=1)
        found.append(replace(case, near=near))
    return found


def party_cases(all_contracts: Sequence[Contract]) -> list[Case]:
    """Names of parties, each by itself."""
    found = []
    for each in all_contracts:
        gold = each.parties
        options = party_options(each.document)
        found.append(
            _case(
                each.name,
                options,
                lambda value, g=gold: any(same_party(value.text, name) for name in g),
                bool(gold),
                each.fold,
            )
        )
    return found


def _near(options: Sequence[ChoosableValue], spans: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """(options, 1) which of them stand in a quote of the lawyers."""
    found = [
        any(
            start - _AROUND <= option.spans[0][0] and option.spans[0][1] <= end + _AROUND
            for start, end in spans
        )
        for option in options
    ]
    return np.array(found, bool).reshape(len(options), 1)


def total_cases(data: Path) -> list[Case]:
    """Totals of SROIE's receipts, in folds by company."""
    found = []
    for document, keys in receipts(data):
        number = re.sub(r"[^0-9.]", "", keys.get("total", ""))
        company = re.sub(r"[^a-z0-9]", "", keys.get("company", "").lower())
        options = total_options(document)
        found.append(
            _case(
                document.source,
                options,
                lambda value, n=number: bool(n) and value.decimal == Decimal(n),
                True,
                crc32(company.encode()) % _FOLDS,
            )
        )
    return found


def _case(
    name: str,
    options: Sequence[ChoosableValue],
    check: Callable[[TypedValue], bool],
    states: bool,
    fold: int,
) -> Case:
    right = np.array([check(option.value) for option in options], bool)
    return Case(name, options, right, np.zeros((len(options), 0), bool), states, fold)
