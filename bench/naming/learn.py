"""Learn the weights by which names are resolved, from names that a generator makes of labelled contracts.

    python -m bench.naming.learn --data DIR [--home DIR] [--write]

Contracts are split in two halves by their file names: weights are learnt from the names of one, margins are
chosen on them, and the other half is reported. A name is right where the document is first among all; where
there is none of the name, because its document was left out or nobody has it, that is to be said. Source of
the loss: McFadden 1974, Conditional logit analysis of qualitative choice behavior.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bench.naming.contracts import LabelledContract, contract_files, entries_of, labelled, plain_entries
from bench.naming.generate import NamedInWords, Namer
from core.plan.catalogue import DocumentEntry
from core.plan.names.index import NameIndex
from core.plan.names.naming import parse_naming
from core.plan.names.resolve import (
    FEATURES,
    NONE_FEATURES,
    WEIGHTS,
    candidates,
    weigh,
    weigh_none,
)
from core.values.naming.words import key_of

NAMES = 14  # of each contract
WORDS = Path(__file__).parent / "words.tsv"
DEVELOPMENT = Path(__file__).parent / "development.tsv"
WRITTEN = 3.0  # names of the generator that one of a writer counts for
PENALTY = 0.001
CROSSED = 0.15  # share of the contracts of which a word is put with another's kind
SURE = 0.7  # of the probability of all documents: below it, several are offered
ALONE = 0.4  # of the probability of all documents: from it on, one is taken beside which none is offered
ALIKE = 0.2  # of the first one's probability: from it on, another is offered beside it
POSITIVE = frozenset(
    ["short", "party", "file", "title", "kind", "initials", "capital", "word", "twice", "kind_share",
    "first_side",
     "second_side", "day", "year", "filed", "changes", "number", "whole", "only_name", "only_text", "all",
     "first_day"]
)  # fmt: skip
NEGATIVE = frozenset(
    ["misspelt", "strange", "missing_name", "missing_kind", "missing_word", "missing_number",
    "kind_in_text", "other_year",
     "changes_unsaid", "changes_not", "other_number"]
)  # fmt: skip


BOUNDS = {
    "number": (1.6, None),
    "other_number": (None, -1.5),
    "changes_unsaid": (None, -1.2),
    "changes_not": (None, -1.5),
}
"""What contracts show too seldom to be learnt: the number of an amendment, and that the contract is meant."""


@dataclass(frozen=True, slots=True)
class WeighedName:
    """A name with the figures of its candidates and of none of them.

    right: the row of the right one; -1 where there is none, -2 where it is no candidate.
    """

    named: NamedInWords
    figures: NDArray[np.float64]
    none: NDArray[np.float64]
    right: int


def half(file: str) -> int:
    """0 for the contracts that are learnt from, 1 for those that are not."""
    return hashlib.sha256(file.encode()).digest()[0] % 2


def said_by_writers() -> list[NamedInWords]:
    """Names that writers gave contracts, and names that they made up."""
    lines = [
        line.split("\t")
        for line in WORDS.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    told = [
        line.split("\t")
        for line in DEVELOPMENT.read_text(encoding="utf-8").splitlines()
        if line.count("\t") == 2 and not line.startswith("File\t")
    ]
    return [
        NamedInWords(words, "" if file == "-" else file, "by a writer")
        for file, words in [*lines, *((file, words) for file, _, words in told)]
    ]


def weighed(
    contracts: Sequence[LabelledContract], everything: Sequence[DocumentEntry], count: int, seed: int
) -> list[WeighedName]:
    """Names of contracts weighed over collections of several sizes, without some of the documents."""
    rng = random.Random(seed)
    namer = Namer(contracts, rng)
    files = {entry.source.rsplit("/", 1)[-1]: entry for entry in everything}
    found: list[WeighedName] = []
    shuffled = list(contracts)
    rng.shuffle(shuffled)
    for part in range(0, len(shuffled), 25):
        mine = shuffled[part : part + 25]
        names = {each.file for each in mine}
        others = [entry for file, entry in files.items() if file not in names]
        some = rng.sample(others, rng.choice((20, 100, len(others), len(others))))
        with_mine = NameIndex([*some, *(files[file] for file in sorted(names))])
        without = NameIndex(some)
        for contract in mine:
            several = namer.names(contract, count if len(contract.parties) < 10 else 2)
            found += [_weighed(named, with_mine, contract.file) for named in several]
            if not any(
                without.has(key_of(word)) for party in contract.parties for word in party.name.split()[:2]
            ):
                lost = [
                    each
                    for each in namer.names(contract, 2)
                    if each.told in ("parties", "party and kind", "party", "day")
                ]
                found += [_weighed(each, without, "") for each in lost]
            found.append(_weighed(namer.made_up(contract), with_mine, ""))
            crossed = namer.crossed(contract, rng.choice(mine)) if rng.random() < CROSSED else None
            found += [_weighed(crossed, with_mine, "")] if crossed is not None else []
    return found


def _weighed(named: NamedInWords, index: NameIndex, file: str) -> WeighedName:
    naming = parse_naming(named.words, index)
    rows = candidates(naming, index)
    right = next(
        (at for at, row in enumerate(rows) if index.entries[row].source.rsplit("/", 1)[-1] == file), -1
    )
    if file and right < 0:
        right = -2
    return WeighedName(named, weigh(naming, index, rows), weigh_none(naming), right)


def learn(names: Sequence[WeighedName]) -> NDArray[np.float64]:
    """The weights of the figures and of those of none, under which the right ones are likeliest together."""
    usable = [each for each in names if each.right >= -1]
    size = len(FEATURES) + len(NONE_FEATURES)
    rows = np.concatenate([_stacked(each) for each in usable])
    sizes = np.array([len(each.figures) + 1 for each in usable])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    weight = np.array([WRITTEN if each.named.told == "by a writer" else 1.0 for each in usable])
    all_weight = float(weight.sum())
    right = starts + np.array([len(each.figures) if each.right < 0 else each.right for each in usable])

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = rows @ weights
        top = np.maximum.reduceat(scores, starts)
        mass = np.exp(scores - np.repeat(top, sizes))
        total = np.add.reduceat(mass, starts)
        value = float(np.sum(weight * (np.log(total) + top - scores[right]))) / all_weight
        share = mass / np.repeat(total, sizes) * np.repeat(weight, sizes)
        gradient = (rows.T @ share - weight @ rows[right]) / all_weight
        return value + PENALTY * float(weights @ weights) / 2, gradient + PENALTY * weights

    bounds = [
        BOUNDS.get(name)
        or ((0.0, None) if name in POSITIVE else (None, 0.0) if name in NEGATIVE else (None, None))
        for name in (*FEATURES, *NONE_FEATURES)
    ]
    solved = minimize(
        loss, np.zeros(size), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500}
    )
    print(
        f"loss {solved.fun:.4f} of {len(usable)} names, "
        f"{len(names) - len(usable)} without the right candidate"
    )
    return np.asarray(solved.x)


def _stacked(name: WeighedName) -> NDArray[np.float64]:
    rows = np.zeros((len(name.figures) + 1, len(FEATURES) + len(NONE_FEATURES)))
    rows[:-1, : len(FEATURES)] = name.figures
    rows[-1, len(FEATURES) :] = name.none
    return rows


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Shares of names by what came of them.

    asked: needlessly; denied: there is said to be none; wrong: another document; wrong_of_none: of the
    names that nothing has, those for which a document is given.
    """

    right: float
    asked: float
    denied: float
    wrong: float
    wrong_of_none: float


def outcomes(names: Sequence[WeighedName], weights: NDArray[np.float64], sure: float) -> Outcomes:
    """What comes of names under some weights and margins."""
    counts = {"right": 0, "asked": 0, "denied": 0, "wrong": 0}
    none, wrong_of_none = 0, 0
    for each in names:
        what = outcome(each, weights, sure)
        if each.right == -1:
            none += 1
            wrong_of_none += what in ("right", "wrong")
        else:
            counts[what] += 1
    total = max(1, sum(counts.values()))
    right, asked, denied, wrong = (each / total for each in counts.values())
    return Outcomes(right, asked, denied, wrong, wrong_of_none / max(1, none))


def outcome(name: WeighedName, weights: NDArray[np.float64], sure: float) -> str:
    """right, asked, denied or wrong."""
    scores = _stacked(name) @ weights
    mass = np.exp(scores - scores.max())
    mass /= mass.sum()
    if not len(name.figures) or mass[-1] >= mass[:-1].max():
        return "denied"
    order = np.argsort(-mass[:-1], kind="stable")
    share = mass[order[0]] / (1.0 - mass[-1])
    is_alone = len(order) == 1 or mass[order[1]] < ALIKE * mass[order[0]]
    if share < sure and not (is_alone and share >= ALONE):
        return "asked"
    return "right" if order[0] == name.right else "wrong"


def write(weights: NDArray[np.float64], margins: dict[str, float]) -> None:
    """Write the weights as they are shipped."""
    lines = ["# Learnt by bench.naming.learn.", "", "[figures]"]
    lines += [f"{name} = {value:.3f}" for name, value in zip(FEATURES, weights, strict=False)]
    lines += ["", "[none]"]
    lines += [
        f"{name} = {value:.3f}" for name, value in zip(NONE_FEATURES, weights[len(FEATURES) :], strict=True)
    ]
    lines += ["", "[margins]", *(f"{name} = {value}" for name, value in margins.items())]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Learn, report the other half, and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--home", type=Path, help="a home with the contracts, for those with extracted parties"
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument(
        "--show", type=int, default=0, help="print so many names of the other half that go wrong"
    )
    options = parser.parse_args()
    contracts = labelled(options.data / "cuad")
    files = contract_files(options.data)
    collections = [plain_entries(files)]
    if options.home is not None:
        collections.append(entries_of(options.home))
    names: list[list[WeighedName]] = [[], []]
    for seed, entries in enumerate(collections):
        for which in (0, 1):
            mine = [each for each in contracts if half(each.file) == which]
            names[which] += weighed(mine, entries, NAMES, 10 * seed + which)
        words = [
            each
            for each in said_by_writers()
            if each.file in {entry.source.rsplit("/", 1)[-1] for entry in entries} | {""}
        ]
        index = NameIndex(entries)
        for each in words:
            names[half(each.file or each.words)].append(_weighed(each, index, each.file))
    weights = learn(names[0])
    for name, value in zip((*FEATURES, *NONE_FEATURES), weights, strict=True):
        print(f"  {name:16} {value:7.2f}")
    for sure in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        for which in (0, 1):
            print(f"{sure} {which}", outcomes(names[which], weights, sure))
    for sure in (0.5, 0.6, SURE, 0.8):
        for which in (0, 1):
            written = [each for each in names[which] if each.named.told == "by a writer"]
            print("writers", sure, which, outcomes(written, weights, sure))
    shown = 0
    for missed in [*names[0], *names[1]]:
        what = outcome(missed, weights, SURE)
        if what == ("denied" if missed.right == -1 else "right"):
            continue
        is_said = missed.named.told == "by a writer"
        if is_said or (shown < options.show and what != "asked"):
            shown += not is_said
            print(what, repr(missed.named.words), missed.named.told, missed.named.file[:60])
    if options.write:
        write(weights, {"sure": SURE, "alike": ALIKE, "alone": ALONE})


if __name__ == "__main__":
    main()
