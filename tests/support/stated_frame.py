"""A made-up collection of cells in records and the same in pandas, and computations over the latter."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd

from core.domain.fields import FieldType, Finding, Special, TypedValue
from core.domain.predicate import Predicate
from core.store.store import Records
from tests.support.stated_values import (
    absent,
    day,
    days,
    money,
    number,
    present,
    put,
    special,
    text,
    uncertain,
    unreadable,
)

LAWS = ("Delaware", "delaware", "New York", "Texas", "England and Wales")
FIELDS = ("law", "fee", "units", "end", "notice")
TYPES = {
    "fee": FieldType.MONEY,
    "units": FieldType.NUMBER,
    "end": FieldType.DATE,
    "notice": FieldType.DURATION,
}
_UNKNOWN = {"uncertain": "uncertain", "unreadable": "unreadable", "none": "not extracted"}


@dataclass(frozen=True, slots=True, repr=False)
class Frames:
    """values: document, field, text, key, amount, unit, special, type; status by document and field."""

    documents: list[str]
    values: pd.DataFrame
    status: dict[tuple[str, str], str]


def fill(records: Records, seed: int, documents: int = 30) -> Frames:
    """Documents in the bucket `b`, with amounts whose sums no 64 bits hold, and some in other buckets."""
    rng = random.Random(seed)
    ids: list[str] = []
    status: dict[tuple[str, str], str] = {}
    values: list[dict[str, Any]] = []
    for at in range(documents):
        findings = {name: found for name in FIELDS if (found := _finding(rng, name)) is not None}
        document = put(records, f"{at}.txt", **findings)
        ids.append(document)
        for name in FIELDS:
            found = findings.get(name)
            status[document, name] = "none" if found is None else found.status.value
            stated = () if found is None else found.values
            values += [{"document": document, "field": name, **_flat(value)} for value in stated]
    put(records, "hidden.txt", acl=("legal",), fee=present(money("1000000")), law=present(text("Texas")))
    put(records, "other.txt", bucket="other", fee=present(money("1000000")), law=present(text("Texas")))
    frame = pd.DataFrame(values)
    # Not as pandas guesses: with gaps it makes integers floats, which hold 53 bits.
    frame["amount"] = pd.Series([value["amount"] for value in values], dtype=object)
    return Frames(ids, frame, status)


def _finding(rng: random.Random, name: str) -> Finding | None:
    kind = rng.choices(["present", "absent", "uncertain", "unreadable", "none"], [70, 12, 8, 5, 5])[0]
    if kind == "none":
        return None
    if kind != "present":
        return {"absent": absent(), "uncertain": uncertain(), "unreadable": unreadable()}[kind]
    return present(*(_value(rng, name) for _ in range(rng.choice([1, 1, 2, 3]) if name == "fee" else 1)))


def _value(rng: random.Random, name: str) -> TypedValue:
    if name == "law":
        return text(rng.choice(LAWS))
    if rng.random() < 0.15:
        return special(TYPES[name], rng.choice([each for each in Special if each]))
    if name == "fee":
        amount = rng.choice([rng.randint(-50_000, 500_000), rng.randint(0, 9 * 10**18)])
        return money(str(Decimal(amount).scaleb(-4)), rng.choice(["USD", "USD", "USD", "EUR"]))
    if name == "units":
        return number(str(Decimal(rng.randint(0, 3_000)).scaleb(-2)))
    if name == "end":
        return day(f"{rng.randint(2020, 2023)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}")
    return days(rng.choice([30, 60, 90]))


def _flat(value: TypedValue) -> dict[str, Any]:
    return {
        "text": value.text,
        "key": value.text.casefold(),
        "amount": value.amount,
        "unit": value.unit,
        "special": value.special.value,
        "type": value.type.value,
    }


def truths(frames: Frames, predicate: Predicate) -> dict[str, str]:
    """For every document: "yes", "no", or why it cannot be known."""
    own = frames.values[frames.values["field"] == predicate.field].copy()
    own["compares"], own["holds"] = _judged(own, predicate)
    columns = (own["document"], own["compares"], own["holds"], own["special"], own["unit"])
    judged: dict[str, list[tuple[bool, bool, str]]] = {}
    for document, compares, holds, special_word, unit in zip(*columns, strict=True):
        judged.setdefault(document, []).append((bool(compares), bool(holds), special_word or unit))
    found: dict[str, str] = {}
    for document in frames.documents:
        state = frames.status[document, predicate.field]
        if predicate.op == "is":
            wanted = "absent" if predicate.value == "missing" else predicate.value
            found[document] = "yes" if state == wanted else "no"
        elif state in _UNKNOWN:
            found[document] = _UNKNOWN[state]
        elif predicate.op == "is-missing":
            found[document] = "yes" if state == "absent" else "no"
        else:
            found[document] = _judge(judged.get(document, []), is_negated=predicate.op == "!=")
    return found


def _judge(values: list[tuple[bool, bool, str]], *, is_negated: bool) -> str:
    """values: whether each compares, whether it fulfils the condition, and why it would not compare."""
    decided = [holds for compares, holds, _ in values if compares]
    reasons = [why for compares, _, why in values if not compares]
    if is_negated:
        if not all(decided):
            return "no"
        return min(reasons) if reasons else "yes" if decided else "no"
    if any(decided):
        return "yes"
    return min(reasons) if reasons else "no"


def _judged(own: pd.DataFrame, predicate: Predicate) -> tuple[pd.Series, pd.Series]:
    """Which values compare with those of the condition, and which fulfil it."""
    plain = own["special"] == ""
    if predicate.op in ("is", "is-missing"):
        return plain, plain
    wanted = predicate.values
    if predicate.op in ("contains", "~"):
        piece = str(wanted[0]).casefold()
        return plain, plain & own["text"].str.casefold().str.contains(piece, regex=predicate.op == "~")
    assert all(isinstance(each, TypedValue) for each in wanted)
    numbers = [each.amount for each in wanted]  # type: ignore[union-attr]
    first: TypedValue = wanted[0]  # type: ignore[assignment]
    compares = plain & (own["unit"] == first.unit)
    if first.type is FieldType.TEXT:
        column: pd.Series = own["key"]
        numbers = [each.text.casefold() for each in wanted]  # type: ignore[union-attr, misc]
    else:
        column = own["amount"].astype(object).where(compares, 0)
    low, high = numbers[0], numbers[-1]
    holds = {
        "=": lambda: column == low,
        "!=": lambda: column != low,
        ">": lambda: column > low,
        ">=": lambda: column >= low,
        "<": lambda: column < low,
        "<=": lambda: column <= low,
        "in": lambda: column.isin(numbers),
        "between": lambda: (column >= low) & (column <= high),
    }[str(predicate.op)]()
    return compares, compares & holds.astype(bool)


@dataclass(frozen=True, slots=True)
class Computed:
    """Groups by name: value, rows, documents; None where units are mixed. excluded: by field and reason."""

    groups: dict[tuple[str, ...], tuple[Any, int, int]] | None
    excluded: Counter[tuple[str, str]]


def compute(
    frames: Frames, aggregate: str, field: str, group_by: tuple[str, ...], predicates: tuple[Predicate, ...]
) -> Computed:
    """What pandas makes of the same cells."""
    stems = list(dict.fromkeys([field, *(name.partition(".")[0] for name in group_by)]))
    laid = [each for each in predicates if each.field in stems and each.op not in ("is", "is-missing")]
    others = [each for each in predicates if each not in laid]
    excluded: Counter[tuple[str, str]] = Counter()
    chosen = _chosen_documents(frames, others, stems, {each.field for each in laid}, excluded)
    rows = pd.DataFrame({"document": chosen})
    for stem in stems:
        own = frames.values[frames.values["field"] == stem].drop(columns="field").copy()
        is_value = stem == field and aggregate not in ("count", "distinct")
        own["ok"] = own["special"].isin([""] if is_value else ["", "perpetual"])
        if is_value and own["type"].isin(["text"]).all():
            own["ok"] = own["special"] == ""
        own["why"] = own["special"].where(~own["ok"], "")
        own["kept"] = True
        for predicate in (each for each in laid if each.field == stem):
            compares, holds = _judged(own, predicate)
            reason = own["special"].where(own["special"] != "", own["unit"])
            own["why"] = own["why"].where(compares | (own["why"] != ""), reason)
            own["ok"] &= compares
            own["kept"] &= holds
        rows = rows.merge(own.add_suffix(f"_{stem}").rename(columns={f"document_{stem}": "document"}))
        for why, count in rows[~rows[f"ok_{stem}"]][f"why_{stem}"].value_counts().items():
            excluded[stem, str(why)] += int(count)
        rows = rows[rows[f"ok_{stem}"] & rows[f"kept_{stem}"]]
    return Computed(_grouped(rows, aggregate, field, group_by), excluded)


def _chosen_documents(
    frames: Frames,
    others: list[Predicate],
    stems: list[str],
    restricted: set[str],
    excluded: Counter[tuple[str, str]],
) -> list[str]:
    verdicts = [(each.field, truths(frames, each)) for each in others]
    status = frames.status
    chosen = []
    for document in frames.documents:
        answers = [(name, found[document]) for name, found in verdicts]
        needs = [(stem, status[document, stem]) for stem in stems]
        if any(answer == "no" for _, answer in answers):
            continue
        if all(answer == "yes" for _, answer in answers):
            chosen.append(document)
        if any(state == "absent" and stem in restricted for stem, state in needs):
            continue
        open_ones = [(name, answer) for name, answer in answers if answer != "yes"]
        open_ones += [
            (stem, "missing" if state == "absent" else _UNKNOWN[state])
            for stem, state in needs
            if state != "present"
        ]
        if open_ones:
            excluded[open_ones[0]] += 1
    return chosen


def _grouped(
    rows: pd.DataFrame, aggregate: str, field: str, group_by: tuple[str, ...]
) -> dict[tuple[str, ...], tuple[Any, int, int]] | None:
    keys, names = [], []
    rows = rows.copy()
    for at, name in enumerate(group_by):
        stem, _, aspect = name.partition(".")
        written = rows[f"text_{stem}"].astype(object)
        if aspect == "unit":
            written = rows[f"unit_{stem}"].astype(object)
        elif aspect == "year":
            is_date = rows[f"special_{stem}"] == ""
            written = written.where(~is_date, written.str.slice(0, 4))
        rows[f"n{at}"] = written
        rows[f"k{at}"] = rows[f"key_{stem}"] if not aspect else written
        keys.append(f"k{at}")
        names.append(f"n{at}")
    grouped = [((), rows)] if not keys else list(rows.groupby(keys))
    found: dict[tuple[str, ...], tuple[Any, int, int]] = {}
    for _, group in grouped:
        units = set(group[f"unit_{field}"])
        if aggregate not in ("count", "distinct") and len(units) > 1:
            return None
        name = tuple(str(group[column].min()) for column in names)
        found[name] = (_value_of(group, aggregate, field), len(group), group["document"].nunique())
    return found


def _value_of(group: pd.DataFrame, aggregate: str, field: str) -> Any:
    if aggregate == "count":
        return Decimal(len(group))
    if aggregate == "distinct":
        pairs = group[f"key_{field}"] + "|" + group[f"unit_{field}"]
        return Decimal(int(pairs.nunique()))
    if group.empty:
        return None
    if field == "law":
        key = getattr(group[f"key_{field}"], aggregate)()
        return getattr(group[group[f"key_{field}"] == key][f"text_{field}"], aggregate)()
    amounts = sorted(int(each) for each in group[f"amount_{field}"].astype(object))
    series = pd.Series(amounts, dtype=object)
    if field == "end":
        middle = amounts[(len(amounts) - 1) // 2]
        ordinal = {"min": series.min(), "max": series.max(), "median": middle}[aggregate]
        return pd.Timestamp.fromordinal(int(ordinal)).date().isoformat()
    scale = 4 if field == "fee" else 6
    low, high = amounts[(len(amounts) - 1) // 2], amounts[len(amounts) // 2]
    exact: dict[str, tuple[int, int]] = {
        "sum": (int(series.sum()), 1),
        "avg": (int(series.sum()), len(amounts)),
        "min": (int(series.min()), 1),
        "max": (int(series.max()), 1),
        "median": (low + high, 2),
    }
    top, bottom = exact[aggregate]
    return top, bottom * 10**scale
