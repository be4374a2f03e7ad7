"""Quality of fields: the header of a column names its method, with measured figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.presenting.wording import counted
from core.config.fields import FieldDefinition
from core.domain.certainty.share import CheckedShare, ShareInterval
from core.domain.facts import FieldOutlook, FieldQuality, PromiseCost
from core.domain.fields import DEFAULT_LEVEL, PROMISED, CellStatus
from core.workbench.model_card import model_card


def figures_of(definitions: Iterable[FieldDefinition]) -> dict[str, list[str]]:
    """A few sentences of each field, by its name; fields of which nothing is to be said are left out."""
    facts = model_card()
    found = {definition.name: list(_of(definition, facts)) for definition in definitions}
    return {name: lines for name, lines in found.items() if lines}


def training() -> str:
    """On what the shipped clause heads were trained and calibrated; "" where they cannot be read."""
    facts = model_card().get("facts", {})
    data, date = facts.get("data", ""), facts.get("date", "")
    data = data if isinstance(data, str) else "; ".join(data)
    return f"Trained and calibrated on {data}; {date}." if data else ""


def measured_promises() -> dict[str, dict[str, dict[str, float]]]:
    """By promise level what the shipped heads reached: in folds, on contracts set aside, and on all."""
    found: dict[str, dict[str, dict[str, float]]] = model_card().get("facts", {}).get("promises", {})
    return found


def reliability() -> list[tuple[float, float, int]]:
    """Reliability of the shipped heads: predicted, observed, number of cells; a row a step of probability."""
    return [(said, true, count) for said, true, count in model_card().get("facts", {}).get("calibration", [])]


def checked(found: CheckedShare) -> str:
    """A share that people counted, with its interval: "41 of 44 (93 %, likely 82 to 98 %)"."""
    if found.share is None:
        return "none yet"
    return (
        f"{found.right:,} of {found.checked:,} ({_percent(found.share)}, likely {_between(found.interval)})"
    )


def quality_lines(quality: FieldQuality, outlook: FieldOutlook) -> list[str]:
    """How much of a field is decided, how right that was, what more verdicts would bring: in sentences."""
    read = quality.documents - quality.unreadable - quality.pending
    decided = quality.decided / read if read else 0.0
    lines = [
        f"Decided: {quality.decided:,} of {counted(read, 'readable document')} ({_percent(decided)}); "
        f"a best guess in {quality.guessed:,} more, no guess in {quality.undecided - quality.guessed:,}."
    ]
    if quality.decisions.checked:
        lines.append(f"Right where people checked what was decided: {checked(quality.decisions)}.")
    elif quality.decided:
        lines.append("Nobody has checked a decided cell of this field here, so how right it is is not known.")
    if quality.guesses.checked:
        lines.append(f"Best guesses that people found right: {checked(quality.guesses)}.")
    now, then = quality.decisions.interval, outlook.interval
    if quality.decided:
        lines.append(
            f"Ten more checks of decided cells would narrow it from {_between(now)} to about {_between(then)}"
            + (", if they go as those before." if quality.decisions.checked else ", if all are right.")
        )
    if outlook.verdicts and quality.undecided:
        start = f"{counted(outlook.verdicts, 'verdict')} on undecided cells decide {outlook.verdicts} of them"
        if outlook.decided >= 0.5:
            lines.append(
                f"{start}; a model trained on them would likely decide about {outlook.decided:.0f} more."
            )
        elif not outlook.why:
            lines.append(f"{start}; a model trained on them would decide no others.")
    if outlook.why and quality.undecided:
        lines.append(outlook.why)
    return lines


def promise_line(cost: PromiseCost) -> str:
    """How a promise level holds on what people checked here."""
    promised, said = PROMISED[cost.level], []
    for word, share, least in zip(("present", "absent"), (cost.present, cost.absent), promised, strict=True):
        if share.share is not None:
            cells = counted(share.checked, f"checked {word} cell")
            verb = "was" if share.checked == 1 else "were"
            right = f"{share.right:,} of {cells} {verb} right ({_percent(share.share)})"
            said.append(f"{right}, promised {_percent(least)}")
    return "; ".join(said)


def broken_promise(cost: PromiseCost) -> list[str]:
    """What to say where a promise level does not hold on the cells that people checked here."""
    shares = {CellStatus.PRESENT: cost.present, CellStatus.ABSENT: cost.absent}
    promised = dict(zip((CellStatus.PRESENT, CellStatus.ABSENT), PROMISED[cost.level], strict=True))
    return [
        f"The promise does not hold here: of the clauses called {status.value} {checked(shares[status])} "
        f"are right where people checked, and {_percent(promised[status])} are promised. Choose a stricter "
        "level under Schemas, or train on the verdicts."
        for status in cost.broken
    ]


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _between(interval: ShareInterval) -> str:
    return f"{round(100 * interval.low)} to {_percent(interval.high)}"


def _of(definition: FieldDefinition, facts: Mapping[str, Any]) -> Iterable[str]:
    heads = [each.head for each in definition.extractors if each.method == "head"]
    lines = {str(name): rest for name, *rest in facts.get("levels", {}).get(DEFAULT_LEVEL.value, [])}
    known = lines.get(heads[0]) if heads else None
    if known:
        absent_below, present_from, why = known[:3]
        if why:
            yield why
        elif present_from <= 1:
            yield (
                f"As shipped, present from a probability of {present_from:.0%} on, absent below "
                f"{absent_below:.1%}, uncertain between."
            )
        seen = facts.get("facts", {}).get("contracts", {}).get(heads[0])
        if seen and not why:
            yield f"{seen} contracts with this clause were there to learn from."
        yield training()
    elif definition.candidates_only:
        yield "Too few examples of this were there to learn from: it shows places, and people decide."
    elif definition.extractors:
        yield "Found by rules whose confidence is set by hand, not calibrated."
