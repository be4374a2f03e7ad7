"""A made-up collection in every state that documents come to, and what is true of it without any SQL."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

from core.domain.fields import Extraction, FieldType, Finding, ReviewAction, Special, TypedValue
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.predicate import Predicate
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.stated_values import (
    absent,
    day,
    days,
    money,
    present,
    quote,
    special,
    text,
    uncertain,
    unreadable,
)
from tests.support.versions import new_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LAWS = ("Delaware", "delaware", "New York", "Texas", "England and Wales")
OF_SCHEMA = {"contracts": ("law", "fee", "end", "notice"), "invoices": ("fee", "end", "vendor")}
FIELDS = ("law", "fee", "end", "notice", "vendor")
ASKING = Asking(
    {
        "law": frozenset({"contracts"}),
        "notice": frozenset({"contracts"}),
        "vendor": frozenset({"invoices"}),
        "fee": frozenset({"contracts", "invoices"}),
        "end": frozenset({"contracts", "invoices"}),
    },
    {
        "mixed": frozenset({"contracts", "invoices"}),
        "deals": frozenset({"contracts"}),
        "bills": frozenset({"invoices"}),
    },
    recognised=frozenset({"mixed"}),
)
NOBODY = Visibility(frozenset())
LEGAL = Visibility(frozenset({"legal"}))
EVERYBODY = Visibility.everything()


@dataclass(frozen=True, slots=True)
class Made:
    """A document. kind: by which schema it was extracted; None: it was not. states, values: by field."""

    source: str
    bucket: str
    acl: tuple[str, ...]
    is_ready: bool
    kind: str | None
    states: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[TypedValue, ...]] = field(default_factory=dict)
    id: str = ""

    def is_seen(self, visible: Visibility) -> bool:
        return visible.groups is None or not self.acl or bool(visible.groups & set(self.acl))

    def state(self, name: str) -> str:
        """What is known of a field here."""
        known = ASKING.buckets[self.bucket]
        asking = ASKING.fields[name]
        kind = self.kind if self.is_ready else None
        if not known & asking or (kind in known and kind not in asking):
            return "not asked"
        return self.states.get(name, "not extracted" if self.is_ready else "unreadable")

    def is_of(self, schema: str) -> bool:
        if not self.is_ready and self.bucket in ASKING.recognised:
            return self.kind == schema  # of one that was never read nothing is known
        kind = self.kind if self.is_ready else None
        return kind == schema or (kind is None and schema in ASKING.buckets[self.bucket])


def collection(seed: int, count: int = 60) -> list[Made]:
    """Documents as they are to be made."""
    rng = random.Random(seed)
    return [_made(rng, number) for number in range(count)]


def fill(records: Records, documents: list[Made], visible: Visibility = EVERYBODY) -> list[Made]:
    """Put the documents that may be seen, with their ids."""
    return [_put(records, each) for each in documents if each.is_seen(visible)]


def _made(rng: random.Random, number: int) -> Made:
    bucket = rng.choice(["mixed", "mixed", "deals", "bills"])
    kind = rng.choice(sorted(ASKING.buckets[bucket]))
    acl = rng.choice([(), (), (), ("legal",), ("board",)])
    state = rng.choice(["read"] * 8 + ["new", "stale", "failed", "empty", "decided", "again"])
    source = f"{state}-{number:03d}.txt"
    if state in ("new", "failed", "empty"):
        return Made(source, bucket, acl, state == "new", None)
    states: dict[str, str] = {}
    values: dict[str, tuple[TypedValue, ...]] = {}
    for name in OF_SCHEMA[kind]:
        chosen = rng.choice(["present"] * 5 + ["missing", "missing", "uncertain", "unreadable", "none"])
        if chosen == "none":
            continue
        states[name] = chosen
        if chosen == "present":
            values[name] = tuple(_value(rng, name) for _ in range(rng.choice([1, 1, 1, 2])))
    first = OF_SCHEMA[kind][0]
    if state == "stale":
        states, values = dict.fromkeys(states, "not extracted"), {}
    if state == "decided":
        states, values = {first: "missing"}, {}
    if state == "again":
        states[first] = "check again"
        values.pop(first, None)
    return Made(source, bucket, acl, state != "decided", kind, states, values)


def _value(rng: random.Random, name: str) -> TypedValue:
    kinds = {
        "law": FieldType.TEXT,
        "vendor": FieldType.TEXT,
        "fee": FieldType.MONEY,
        "end": FieldType.DATE,
        "notice": FieldType.DURATION,
    }
    if rng.random() < 0.1:
        return special(kinds[name], rng.choice([Special.BLANK, Special.PERPETUAL]))
    if name == "fee":
        return money(str(rng.randrange(0, 12) * 1000), rng.choice(["USD", "USD", "EUR"]))
    if name == "end":
        return day(date(2020 + rng.randrange(5), rng.randrange(1, 13), 15).isoformat())
    return days(rng.choice([30, 60, 90])) if name == "notice" else text(rng.choice(LAWS))


def _put(records: Records, made: Made) -> Made:
    state = made.source.partition("-")[0]
    if state == "failed":
        failed = records.documents.record_failure(made.bucket, made.source, "It is damaged.", acl=made.acl)
        return replace(made, id=str(failed.document))
    page = "" if state in ("empty", "decided") else "First text."
    document = _publish(records, made, page)
    if made.kind is None:
        return replace(made, id=str(document))
    names = OF_SCHEMA[made.kind]
    findings = {name: _finding(made, name) for name in names if name in made.states}
    if state == "again":
        before = present(_value(random.Random(0), names[0]), spans=(quote(page, "First"),))
        _keep(records, document, 1, made.kind, {names[0]: before})
        _review(records, document, names[0], ReviewAction.CONFIRM)
        _publish(records, made, "Second text.")
        _keep(records, document, 2, made.kind, findings)
    elif state == "decided":
        _keep(records, document, 1, made.kind, dict.fromkeys(names, unreadable()))
        _review(records, document, names[0], ReviewAction.ABSENT)
    else:
        _keep(records, document, 1, made.kind, findings)
    if state == "stale":
        _publish(records, made, "Second text.")
    return replace(made, id=str(document))


def _finding(made: Made, name: str) -> Finding:
    if name in made.values:
        return present(*made.values[name])
    state = made.states[name]
    if state in ("not extracted", "present"):
        return present(text("old"))
    return {"missing": absent, "check again": absent, "uncertain": uncertain, "unreadable": unreadable}[
        state
    ]()


def _publish(records: Records, made: Made, page: str) -> DocumentId:
    new = new_version(made.source, page, bucket=made.bucket, acl=made.acl, passages=0)
    if not page:
        new = replace(new, parsed=replace(new.parsed, unreadable_reason="It holds no text."))
    return records.documents.publish(new).document


def _keep(
    records: Records, document: DocumentId, version: int, kind: str, findings: dict[str, Finding]
) -> None:
    records.fields.put(document, version, Extraction(kind, findings), "f")


def _review(records: Records, document: DocumentId, name: str, action: ReviewAction) -> None:
    records.reviews.review(document, name, action, "ann", NOW, visible=EVERYBODY)


@dataclass(frozen=True, slots=True)
class Judged:
    """The ids of a scope in four parts, and why each one of the last two is there."""

    present: frozenset[str]
    absent: frozenset[str]
    uncertain: frozenset[str]
    unreadable: frozenset[str]


def judge(
    documents: Iterable[Made],
    visible: Visibility,
    buckets: tuple[str, ...],
    schema: str,
    clauses: Iterable[tuple[Predicate, ...]],
) -> Judged:
    """What is to be found, document by document."""
    parts: dict[str, set[str]] = {"present": set(), "absent": set(), "uncertain": set(), "unreadable": set()}
    clauses = list(clauses)
    for each in documents:
        if not each.is_seen(visible) or (buckets and each.bucket not in buckets):
            continue
        if schema and not each.is_of(schema):
            continue
        found = _all(each, clauses) if clauses else _nothing_asked(each, schema)
        if found is not None:
            parts[found].add(each.id)
    return Judged(**{name: frozenset(ids) for name, ids in parts.items()})


def _nothing_asked(each: Made, schema: str) -> str:
    if not each.is_ready:
        return "unreadable"
    return "uncertain" if schema and each.kind is None and len(ASKING.buckets[each.bucket]) > 1 else "present"


def _all(each: Made, clauses: list[tuple[Predicate, ...]]) -> str | None:
    results = []
    for clause in clauses:
        asked = [_holds(each, one) for one in clause if _is_asked(each, one)]
        if not asked:
            return None
        unknown = [answer for answer in asked if answer not in ("yes", "no")]
        results.append("yes" if "yes" in asked else _worst(unknown) if unknown else "no")
    if "no" in results:
        return "absent"
    unknown = [answer for answer in results if answer != "yes"]
    return _worst(unknown) if unknown else "present"


def _worst(answers: list[str]) -> str:
    return "unreadable" if "unreadable" in answers else "uncertain"


def _is_asked(each: Made, predicate: Predicate) -> bool:
    is_about_asking = predicate.op == "is" and "not asked" in predicate.values
    return is_about_asking or each.state(predicate.field) != "not asked"


def _holds(each: Made, predicate: Predicate) -> str:
    """yes, no, or what is not known: uncertain or unreadable."""
    state = each.state(predicate.field)
    open_state = "unreadable" if state == "unreadable" else "uncertain"
    if predicate.op in ("is", "is-missing"):
        wanted = "missing" if predicate.op == "is-missing" else str(predicate.values[0])
        wanted = "missing" if wanted == "absent" else wanted
        if state == wanted:
            return "yes"
        is_decided = state in ("present", "missing", "not asked") or wanted not in ("present", "missing")
        return "no" if is_decided else open_state
    if state != "present":
        return "no" if state == "missing" else open_state
    answers = [_value_holds(value, predicate) for value in each.values[predicate.field]]
    if predicate.op == "!=":
        return "no" if False in answers else "uncertain" if None in answers else "yes"
    return "yes" if True in answers else "uncertain" if None in answers else "no"


def _value_holds(value: TypedValue, predicate: Predicate) -> bool | None:
    wanted = [each for each in predicate.values if isinstance(each, TypedValue)]
    if value.special:
        return None
    if predicate.op == "contains":
        return str(predicate.values[0]).casefold() in value.text.casefold()
    if value.type is FieldType.TEXT:
        same = value.text.casefold() in {each.text.casefold() for each in wanted}
        return not same if predicate.op == "!=" else same
    if value.unit not in {each.unit for each in wanted}:
        return None
    own = value.amount or 0
    amounts = [each.amount or 0 for each in wanted]
    low, high = amounts[0], amounts[-1]
    return {
        "=": own == low,
        "!=": own != low,
        ">": own > low,
        ">=": own >= low,
        "<": own < low,
        "<=": own <= low,
        "between": low <= own <= high,
        "in": own in amounts,
    }[str(predicate.op)]
