"""A suite of questions with their right answers, one JSON object a line.

A line is a Case:

    {"id": "lack-03", "shape": "lack", "question": "...", "paraphrase_of": null, "bucket": null,
     "expect": {"status": "answered", "documents": ["acme-supply-agreement.docx"], "value": null,
                "groups": null, "order": false, "ledger": null},
     "why": "one line: how the right answer was worked out"}

- paraphrase_of: the id of the question that this one puts in other words. Both have the same shape, bucket
  and expectation. Null for a question of its own.
- bucket: where to ask; null for the whole collection.
- expect.status: "answered", "partial" (answered, but for documents that cannot be told), "clarify" (it must
  be asked back) or "abstained" (the collection cannot tell).
- expect.documents: file names. With neither value nor groups they are the answer: exactly these documents.
  With groups, or with a value that is computed over a set (count, sum, average), they are that set. With any
  other value they are where it is found, each of them enough.
- expect.value: {"type": "number | money | date | text | boolean | duration", "value": "1250000.00",
  "unit": "USD"}; numbers and money as decimal strings, dates as ISO 8601.
- expect.groups: rows of [key, value, unit], the key being a name or the file name of the row's document. The
  value is null where only the names are asked for.
- expect.order: whether the order of documents or groups counts.
- expect.ledger: {"scope", "present", "absent", "unreadable"}, only where it can be nothing else; nothing is
  uncertain then.
- expect.steps (optional): how many numbered steps the answer has to give.
- expect.pages (optional): [file name, page] of each page where the answer stands, for figures of search. A
  case of the shape "retrieval" has nothing else: it is searched for, and right among the first ten passages.
- where_read (optional): {"file", "expect"}, the name of a scan, and what is expected where its text was read
  (with the extra `ocr`); null where the right answer is open then.

Contracts are agreements: an amendment and a policy are none. What cannot be read is in scope, and never
lacks anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from core.domain.answer import Status
from core.domain.frozen import Frozen
from core.errors import UsageError

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

GIVEN = frozenset({Status.ANSWERED, Status.PARTIAL})
"""Statuses of an answer that has something to compare."""

_CURRENCY = re.compile(r"[A-Z]{3}")


class AnswerShape(StrEnum):
    """Kind of answer that a question calls for."""

    LOOKUP = "lookup"
    LIST = "list"
    LACK = "lack"
    COUNT = "count"
    SUM = "sum"
    MIN_MAX = "min_max"
    AVERAGE = "average"
    GROUP = "group"
    RANK = "rank"
    SET = "set"
    COMPARE = "compare"
    DATE_RANGE = "date_range"
    MULTI_HOP = "multi_hop"
    CLARIFY = "clarify"
    ABSTAIN = "abstain"
    RETRIEVAL = "retrieval"


class ExpectedValue(Frozen):
    """The one value that answers a question."""

    type: Literal["number", "money", "date", "text", "boolean", "duration"]
    value: Text
    unit: Text | None = None

    @model_validator(mode="after")
    def _is_of_its_type(self) -> Self:
        if self.type in ("number", "money", "duration") and not is_decimal(self.value):
            raise ValueError(f"{self.value!r} is not a decimal number")
        if self.type == "money" and not _CURRENCY.fullmatch(self.unit or ""):
            raise ValueError(f"money needs a currency such as 'USD' as its unit, not {self.unit!r}")
        if self.type == "duration" and self.unit is None:
            raise ValueError("a duration needs a unit such as 'days'")
        if self.type == "date":
            date.fromisoformat(self.value)
        if self.type == "boolean" and self.value not in ("true", "false"):
            raise ValueError(f"{self.value!r} is neither 'true' nor 'false'")
        return self


Group = tuple[Text, Text | None, Text | None]
"""A row of a grouped answer: key, value, unit."""


def group_value(group: Group) -> ExpectedValue | None:
    """The value of a group with its type, which its unit and form tell; None where only the key counts."""
    _, value, unit = group
    if value is None:
        return None
    if is_decimal(value):
        kind: Literal["money", "number"] = "money" if _CURRENCY.fullmatch(unit or "") else "number"
        return ExpectedValue(type=kind, value=value, unit=unit)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return ExpectedValue(type="date", value=value)
    return ExpectedValue(type="text", value=value, unit=unit)


class ExpectedLedger(Frozen):
    """Number of documents that hold what was asked, lack it, and cannot be read."""

    scope: int = Field(ge=0)
    present: int = Field(ge=0)
    absent: int = Field(ge=0)
    unreadable: int = Field(ge=0)

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.scope != self.present + self.absent + self.unreadable:
            raise ValueError("scope is not present + absent + unreadable")
        return self


class Expectation(Frozen):
    """Right answer to a question."""

    status: Literal[Status.ANSWERED, Status.PARTIAL, Status.CLARIFY, Status.ABSTAINED]
    documents: tuple[Text, ...] | None = None
    value: ExpectedValue | None = None
    groups: tuple[Group, ...] | None = None
    order: bool = False
    ledger: ExpectedLedger | None = None
    steps: int | None = Field(default=None, ge=1)
    pages: tuple[tuple[Text, int], ...] | None = None

    @property
    def is_place(self) -> bool:
        """True where nothing but pages is expected."""
        others = (self.documents, self.value, self.groups, self.ledger, self.steps)
        return self.pages is not None and all(part is None for part in others)

    @property
    def files(self) -> tuple[str, ...]:
        """Every file name that is expected."""
        return (*(self.documents or ()), *(name for name, _ in self.pages or ()))

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        parts = (self.documents, self.value, self.groups, self.ledger, self.steps, self.pages)
        if self.status not in GIVEN:
            if self.order or any(part is not None for part in parts):
                raise ValueError(f"status {self.status.value!r} goes with no documents, value or groups")
            return self
        if all(part is None for part in (self.documents, self.value, self.groups, self.pages)):
            raise ValueError("an answered question needs documents, a value, groups or pages")
        if self.value is not None and self.groups is not None:
            raise ValueError("a question has a value or groups, not both")
        if self.order and not self.groups and not self.documents:
            raise ValueError("an order needs documents or groups")
        _refuse_twice("document", self.documents or ())
        _refuse_twice("group", [key for key, _, _ in self.groups or ()])
        for group in self.groups or ():
            group_value(group)
        return self


class ReadScan(Frozen):
    """Right answer where a scan was read; None where it is open then."""

    file: Text
    expect: Expectation | None


class Case(Frozen):
    """One question of a suite with its right answer. within: where to ask without `bucket`; () for all."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    shape: AnswerShape
    question: Text
    paraphrase_of: Text | None = None
    bucket: Text | None = None
    expect: Expectation
    why: Text
    where_read: ReadScan | None = None
    within: tuple[Text, ...] = ()

    @property
    def buckets(self) -> tuple[str, ...]:
        """The buckets to ask in; () for all."""
        return (self.bucket,) if self.bucket else self.within

    @model_validator(mode="after")
    def _shape_fits_status(self) -> Self:
        wanted = {AnswerShape.CLARIFY: Status.CLARIFY, AnswerShape.ABSTAIN: Status.ABSTAINED}
        fits = {wanted[self.shape]} if self.shape in wanted else GIVEN
        if (self.shape is AnswerShape.RETRIEVAL) is not self.expect.is_place:
            raise ValueError("pages alone are expected of shape 'retrieval', and of no other")
        if self.expect.status not in fits:
            raise ValueError(
                f"shape {self.shape.value!r} does not go with status {self.expect.status.value!r}"
            )
        return self


_MOST_BYTES, _MOST_TOLD = 20_000_000, 10


def load_suite(
    path: Path, *, most: int | None = None, known: Collection[str] | None = None
) -> tuple[Case, ...]:
    """The cases of a suite in the order of its lines; empty lines are skipped.

    most: how many it may have. known: file names that there are; None: any. Raises UsageError, which names
    the lines and their problems, for a line that is no case, an id or a question that stands twice, a
    paraphrase that does not fit its question, and documents that are not known.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(
                f"{path.name!r} is too large for a suite.", next_step="Divide it into several files."
            )
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error}.") from error
    numbered = [
        (number, _case(path, number, line)) for number, line in enumerate(lines, start=1) if line.strip()
    ]
    if not numbered:
        raise UsageError(f"{str(path)!r} holds no question.")
    if most is not None and len(numbered) > most:
        raise UsageError(
            f"{path.name!r} has {len(numbered):,} cases; at most {most:,} are run at once.",
            next_step="Divide it into several files.",
        )
    _check_together(path, numbered)
    if known is not None:
        _require_known(path, numbered, known)
    return tuple(case for _, case in numbered)


def unknown_documents(cases: Iterable[Case], known: Collection[str]) -> tuple[str, ...]:
    """File names that cases expect and that are not known, each once, in their order."""
    named = (name for case in cases for name in case.expect.files)
    return tuple(name for name in dict.fromkeys(named) if name not in known)


def _require_known(path: Path, numbered: Sequence[tuple[int, Case]], known: Collection[str]) -> None:
    wrong = [
        f"line {number}: there is no document {name!r}"
        for number, case in numbered
        for name in unknown_documents([case], known)
    ]
    if wrong:
        more = f"; and {len(wrong) - _MOST_TOLD:,} more" if len(wrong) > _MOST_TOLD else ""
        raise UsageError(
            f"{path.name!r}, {'; '.join(wrong[:_MOST_TOLD])}{more}.",
            next_step="Correct those lines, or ingest the documents first.",
        )


def _case(path: Path, number: int, line: str) -> Case:
    try:
        json.loads(line)
    except ValueError as error:
        raise _problem(path, number, f"not JSON: {error}") from error
    try:
        return Case.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        raise _problem(path, number, f"{where}: {told}" if where else told) from error


def _check_together(path: Path, numbered: list[tuple[int, Case]]) -> None:
    by_id: dict[str, Case] = {}
    asked: dict[tuple[str, str | None], str] = {}
    for number, case in numbered:
        if case.id in by_id:
            raise _problem(path, number, f"the id {case.id!r} stands twice")
        by_id[case.id] = case
        question = (" ".join(case.question.casefold().split()), case.bucket)
        if question in asked:
            raise _problem(path, number, f"the question of {case.id!r} is that of {asked[question]!r}")
        asked[question] = case.id
    for number, case in numbered:
        if case.paraphrase_of is None:
            continue
        base = by_id.get(case.paraphrase_of)
        if base is None or base.paraphrase_of is not None:
            raise _problem(path, number, f"paraphrase_of {case.paraphrase_of!r} is no question of its own")
        told, same = ((each.shape, each.bucket, each.expect, each.where_read) for each in (case, base))
        if told != same:
            raise _problem(path, number, f"{case.id!r} expects something else than {base.id!r}")


def _problem(path: Path, number: int, told: str) -> UsageError:
    return UsageError(f"{path.name!r}, line {number}: {told}.", next_step="Correct that line.")


def is_decimal(text: str) -> bool:
    """True of a finite number."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"the {what} {name!r} stands twice")
        seen.add(name)
