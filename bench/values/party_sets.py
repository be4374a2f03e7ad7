"""Sets of parties, and which party sells and buys: fitted and judged across folds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from re import Pattern

import numpy as np

from bench.fields_values import labelled_parties
from bench.values.cases import Contract
from bench.values.crossfit import fit_side, least_probability
from bench.values.fitting import Case, calibrated, fit_stage
from core.domain.fields import CellStatus
from core.extract import sides
from core.extract.chooser.artefact_file import SideRates
from core.extract.chooser.model import Chooser, Floats, Judged, Limits, ValueStage
from core.extract.chooser.party_set import PartySet, party_set
from core.extract.chooser.second_reader import is_called
from core.extract.values.parties import parties
from core.values.names import role_of, same_party

SET_PRECISION = 0.925
SIDE_PRECISION = 0.93
NEVER = Limits(1.01, 1.01)
ROLES: Mapping[str, Pattern[str]] = {"vendor": sides.SELLS, "customer": sides.BUYS}
RULES = {"vendor": sides.contract_vendor, "customer": sides.contract_customer}
_ALIAS = re.compile(r"[\"\u201c\u2018']([^\"\u201d\u201c\u2019']+)[\"\u201d\u2019']")


@dataclass(frozen=True, slots=True)
class PartyModels:
    """All that is fitted for parties."""

    names: Chooser
    sets: ValueStage
    limits: Limits
    rates: SideRates


@dataclass(frozen=True, slots=True)
class SetOutcome:
    """A document's set: its probability, whether the whole is right and given, counts of names; the rules' own."""

    name: str
    probability: float
    is_right: bool
    given: bool
    named: int
    right: int
    found: int
    labelled: int
    rule_given: bool
    rule_right: bool


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """Vendor or customer of a document."""

    probability: float
    is_right: bool
    given: bool
    states: bool
    rule_given: bool
    rule_right: bool


def set_of(case: Case, judged: Sequence[Judged]) -> PartySet:
    """The set of a case."""
    return party_set(judged, frozenset(option.group for option in case.options if option.rule > 0))


def counts(names: Sequence[str], gold: Sequence[str]) -> tuple[int, int, bool]:
    """Names that are labelled, labels that are named, and whether both are all."""
    right = sum(any(same_party(name, other) for other in gold) for name in names)
    found = sum(any(same_party(name, other) for name in names) for other in gold)
    return right, found, bool(names) and right == len(names) and found == len(gold)


def texts(names: Sequence[Judged]) -> list[str]:
    """Names as they are shown."""
    return [each.options[0].value.text for each in names]


def fit_parties(cases: Sequence[Case], contracts: Mapping[str, Contract]) -> PartyModels:
    """Names, sets, limits and sides of cases."""
    side = fit_side(cases, exclusive=False)
    held = [case for case in cases if case.name in side.held_out]
    sets = {case.name: set_of(case, side.held_out[case.name]) for case in held}
    rows = np.array([sets[case.name].measures for case in held])
    target = np.array(
        [counts(texts(sets[case.name].names), contracts[case.name].parties)[2] for case in held]
    )
    logits = np.zeros(len(held))
    fold = np.array([case.fold for case in held])
    for each in np.unique(fold):
        logits[fold == each] = _fit_sets(rows[fold != each], target[fold != each]).logits(rows[fold == each])
    stage = calibrated(_fit_sets(rows, target), logits, target)
    p = 1 / (1 + np.exp(-(stage.slope * logits + stage.offset)))
    several = np.array([len(sets[case.name].names) > 1 for case in held])
    agrees = np.array([_rules_agree(contracts[case.name], sets[case.name]) for case in held])
    limits = Limits(
        least_probability(p[several].tolist(), SET_PRECISION),
        least_probability(p[several & agrees].tolist(), SET_PRECISION),
    )
    rates = _fit_sides([(contracts[case.name], sets[case.name]) for case in held])
    return PartyModels(Chooser(side.words, side.stage, NEVER, exclusive=False), stage, limits, rates)


def _fit_sets(rows: Floats, target: np.ndarray) -> ValueStage:
    return fit_stage(rows, target, boosted=False, c=0.3)


def _rules_agree(contract: Contract, chosen: PartySet) -> bool:
    return chosen.is_of_rules and parties(contract.document).status is CellStatus.PRESENT


def _fit_sides(held: Sequence[tuple[Contract, PartySet]]) -> SideRates:
    sums = {kind: [0.0, 0.0] for kind in ("single", "several", "none")}
    single: list[float] = []
    for contract, chosen in held:
        for side, roles in ROLES.items():
            gold = labelled_sides(contract, side)
            ours = [each for each in chosen.names if is_called(contract.document.text, each, roles)]
            kind = "none" if not ours else "single" if len(ours) == 1 else "several"
            for each in ours or chosen.names:
                sums[kind][0] += any(same_party(texts([each])[0], name) for name in gold)
                sums[kind][1] += each.probability
                if kind == "single":
                    single.append(each.probability)
    rates = {kind: right / total if total else 0.0 for kind, (right, total) in sums.items()}
    scaled = [min(0.99, rates["single"] * each) for each in single]
    return SideRates(
        rates["single"], rates["several"], rates["none"], least_probability(scaled, SIDE_PRECISION)
    )


def labelled_sides(contract: Contract, side: str) -> list[str]:
    """The labelled parties whose short name in the label is a role of that side."""
    found = []
    for part in contract.labels["Parties-Answer"].split(";"):
        names = labelled_parties(part)
        called = [role_of(alias) for alias in _ALIAS.findall(part)]
        if names and any(role and ROLES[side].fullmatch(role.split()[-1]) for role in called):
            found.append(names[0])
    return found


def nested_parties(
    cases: Sequence[Case], contracts: Mapping[str, Contract]
) -> dict[str, tuple[list[SetOutcome], dict[str, list[SideOutcome]]]]:
    """Outcomes of sets and of sides in "folds" and "aside"; every model and limit saw nothing of its fold."""
    seen = [case for case in cases if case.fold >= 0]
    found: dict[str, tuple[list[SetOutcome], dict[str, list[SideOutcome]]]] = {
        part: ([], {side: [] for side in ROLES}) for part in ("folds", "aside")
    }
    for fold in sorted({case.fold for case in cases}):
        training = [case for case in seen if case.fold != fold]
        models = fit_parties(training, contracts)
        part = found["folds" if fold >= 0 else "aside"]
        for case in cases:
            if case.fold == fold:
                chosen = set_of(case, models.names.judge(case.options))
                part[0].append(_set_outcome(case, chosen, models, contracts[case.name]))
                for side in ROLES:
                    part[1][side].append(_side_outcome(chosen, models.rates, contracts[case.name], side))
    return found


def _set_outcome(case: Case, chosen: PartySet, models: PartyModels, contract: Contract) -> SetOutcome:
    gold = contract.parties
    p = float(models.sets.probabilities(chosen.measures[None])[0])
    right, of_label, whole = counts(texts(chosen.names), gold)
    given = len(chosen.names) > 1 and models.limits.give(p, _rules_agree(contract, chosen))
    ruled = parties(contract.document)
    by_rules = [value.text for value in ruled.values]
    return SetOutcome(
        case.name,
        p,
        whole,
        given,
        len(chosen.names),
        right,
        of_label,
        len(gold),
        bool(by_rules),
        counts(by_rules, gold)[2],
    )


def _side_outcome(chosen: PartySet, rates: SideRates, contract: Contract, side: str) -> SideOutcome:
    gold = labelled_sides(contract, side)
    ours = [each for each in chosen.names if is_called(contract.document.text, each, ROLES[side])]
    ruled = RULES[side](contract.document)
    by_rules = [value.text for value in ruled.values]
    p = min(0.99, rates.single * ours[0].probability) if len(ours) == 1 else 0.0
    right = len(ours) == 1 and any(same_party(texts(ours)[0], name) for name in gold)
    return SideOutcome(
        p,
        right,
        len(ours) == 1 and p >= rates.given_from,
        bool(gold),
        bool(by_rules),
        any(same_party(name, other) for name in by_rules for other in gold),
    )
