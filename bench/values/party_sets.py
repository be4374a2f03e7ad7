"""Sets of parties, fitted and judged across folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.values.cases import Contract
from bench.values.crossfit import fit_side, least_probability
from bench.values.fitting import Case, calibrated, fit_stage
from core.domain.fields import CellStatus
from core.extract.chooser.model import Floats, GivingLimits, Judged, ValueChooser, ValueStage
from core.extract.chooser.parties import PartySet, party_set
from core.extract.values.parties import parties
from core.values.names import same_party

SET_PRECISION = 0.9
NEVER = GivingLimits(1.01, 1.01)


@dataclass(frozen=True, slots=True)
class PartyModels:
    """All that is fitted for parties."""

    names: ValueChooser
    sets: ValueStage
    limits: GivingLimits


@dataclass(frozen=True, slots=True)
class SetOutcome:
    """A document's set: its probability, if the whole is right and given, counts of names; the rules' own."""

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
    """Names, sets and limits of cases."""
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
    several = np.array([sets[case.name].may_be_given for case in held])
    agrees = np.array([_rules_agree(contracts[case.name], sets[case.name]) for case in held])
    limits = GivingLimits(
        least_probability(p[several].tolist(), SET_PRECISION),
        least_probability(p[several & agrees].tolist(), SET_PRECISION),
    )
    return PartyModels(ValueChooser(side.words, side.stage, NEVER, exclusive=False), stage, limits)


def _fit_sets(rows: Floats, target: np.ndarray) -> ValueStage:
    return fit_stage(rows, target, boosted=False, c=0.3)


def _rules_agree(contract: Contract, chosen: PartySet) -> bool:
    return chosen.is_of_rules and contract.document.once(parties).status is CellStatus.PRESENT


def nested_parties(cases: Sequence[Case], contracts: Mapping[str, Contract]) -> dict[str, list[SetOutcome]]:
    """Outcomes of sets in "folds" and "aside"; every model and limit saw nothing of its fold."""
    seen = [case for case in cases if case.fold >= 0]
    found: dict[str, list[SetOutcome]] = {"folds": [], "aside": []}
    for fold in sorted({case.fold for case in cases}):
        training = [case for case in seen if case.fold != fold]
        models = fit_parties(training, contracts)
        part = found["folds" if fold >= 0 else "aside"]
        for case in cases:
            if case.fold == fold:
                chosen = set_of(case, models.names.judge(case.options))
                part.append(_set_outcome(case, chosen, models, contracts[case.name]))
    return found


def _set_outcome(case: Case, chosen: PartySet, models: PartyModels, contract: Contract) -> SetOutcome:
    gold = contract.parties
    p = float(models.sets.probabilities(chosen.measures[None])[0])
    right, of_label, whole = counts(texts(chosen.names), gold)
    given = chosen.may_be_given and models.limits.give(p, _rules_agree(contract, chosen))
    ruled = contract.document.once(parties)
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
