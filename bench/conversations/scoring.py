"""One turn of a conversation held against what it has to give.

documents: exactly these are shown. count, sum, avg, number: this value. laws, years, sum_by_law, rows: these
groups. value: what the one document states in the field. yes_no: whether there is any. check: whether the one
document fulfils a test. first:N, last:N: the documents at an end of an order. entities: the distinct values.
excluded: what the document states for the conditions. asks: a question back, or none that is found. skip:
asked, and not counted. says: all `words` stand in what is shown, one of `any`, none of `without`, and it is
about `document`; a `status` is exactly that one, and what is `left` unanswered is named among the gaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation

from bench.conversations.gold import Shown, Truth, TurnGold, documents, end_of, ranked
from core.domain.answer import Answer, Status
from core.values.names import normal_name
from core.values.places import canonical_place

_TOLD = (Status.ANSWERED, Status.PARTIAL)


class TurnScorer:
    """Scores the turns of one conversation, in order. names: the files of documents, by id."""

    def __init__(self, truth: Truth, names: Mapping[str, str]) -> None:
        self._truth = truth
        self._names = names
        self._listed: list[str] = []  # files, as they were shown last

    def problem(self, turn: TurnGold, answer: Answer) -> str:
        """The reason why a turn is wrong; "" where it is right."""
        shown = self._shown(answer)
        found = self._problem(turn, answer)
        is_listing = turn.gives in ("documents", "count") or ":" in turn.gives
        if len(shown) > 1 and is_listing:
            self._listed = shown
        return found

    def _problem(self, turn: TurnGold, answer: Answer) -> str:
        if turn.gives == "asks":
            is_asked = answer.status in (Status.CLARIFY, Status.ABSTAINED)
            return "" if is_asked else f"{answer.status.value}: {answer.text[:120]}"
        if turn.gives == "skip":
            return ""
        if turn.gives == "says":
            return self._said_problem(turn, answer)
        if answer.status not in _TOLD:
            return f"{answer.status.value}: {answer.text[:120]}"
        left = [gap for gap in answer.gaps if gap.startswith("Not covered")]
        if left:
            return " ".join(left)
        return self._wrong(turn, answer)

    def _said_problem(self, turn: TurnGold, answer: Answer) -> str:
        more, wanted = turn.more, turn.more.get("status", "told")
        if wanted and answer.status.value != wanted and (wanted != "told" or answer.status not in _TOLD):
            return f"{answer.status.value} instead of {wanted}: {answer.text[:120]}"
        shown = _everything_shown(answer)
        missing = [each for each in more.get("words", ()) if each.casefold() not in shown]
        missing += [each for each in more.get("without", ()) if each.casefold() in shown]
        if more.get("any") and not any(each.casefold() in shown for each in more["any"]):
            missing.append(" or ".join(more["any"]))
        first = answer.text.split("\n\n")[0].casefold()
        missing += [each for each in more.get("headline", ()) if each not in first]
        gaps = " ".join(answer.gaps).casefold()
        missing += [each for each in more.get("left", ()) if each.casefold() not in gaps]
        if missing:
            return f"wrong or missing: {', '.join(missing)}"
        about = {self._names.get(each.document, "") for each in answer.citations} | set(self._shown(answer))
        about |= {self._names.get(id, "") for part in answer.parts for id in _documents_of(part)}
        is_about = not turn.document or any(_plain(each).startswith(turn.document) for each in about)
        return "" if is_about else f"about {sorted(map(_plain, about))[:2]}, not {turn.document}"

    def _wrong(self, turn: TurnGold, answer: Answer) -> str:
        fulfil, gives = documents(self._truth, turn.where), turn.gives
        if gives == "documents":
            return self._set_problem(answer, [fulfil])
        if gives == "count":
            return self._value_problem(answer, len(fulfil))
        if gives in ("sum", "avg"):
            return self._value_problem(answer, self._computed(fulfil, turn.field, gives))
        if gives == "number":
            return self._value_problem(answer, turn.more["value"])
        if gives == "years_or_documents":
            as_set = self._set_problem(answer, [fulfil])
            return as_set and self._years_problem(answer, fulfil, turn.field)
        if gives == "laws_or_documents":
            as_set = self._set_problem(answer, [fulfil])
            return as_set and self._groups_problem(answer, self._law_counts(fulfil))
        if gives == "laws":
            return self._groups_problem(answer, self._law_counts(fulfil))
        if gives == "sum_by_law":
            return self._groups_problem(answer, self._law_sums(fulfil, turn.field))
        if gives == "rows":
            return self._groups_problem(answer, {k: Decimal(v) for k, v in turn.more["rows"].items()})
        if gives == "years":
            return self._years_problem(answer, fulfil, turn.field)
        if gives.startswith(("first:", "last:")):
            return self._set_problem(
                answer, end_of(self._truth, fulfil, gives, turn.field or "agreement_date")
            )
        if gives in ("filter", "any", "top_docs", "top_sum"):
            return self._of_end(turn, answer, fulfil)
        if gives == "yes_no":
            named = [file for file in fulfil if file.startswith(turn.document)]
            return _yes_problem(answer, bool(named), self._shown(answer))
        if gives == "all_no":
            return "" if answer.value is None or answer.value.value == "false" else "yes instead of no"
        if gives == "entities":
            return self._entities_problem(answer, fulfil, turn.field)
        if gives == "extreme":
            values = sorted(str(v) for file in fulfil if (v := self._truth.value(file, turn.field)))
            return self._value_problem(answer, values[0 if turn.more["extreme"] == "min" else -1])
        file = self._one(turn, fulfil)
        if file is None:
            return "no such document"
        if gives == "excluded":
            about = set(self._shown(answer)) | {self._names.get(c.document, "") for c in answer.citations}
            return "" if any(_plain(each).startswith(_plain(file)) for each in about) else f"not about {file}"
        if gives == "check":
            is_so = self._truth.fulfils(file, turn.more["test"])
            shown = [each for each in self._shown(answer) if is_so or each != file]
            return _yes_problem(answer, is_so, shown) or self._about_problem(answer, file)
        if gives == "value":
            return self._stated_problem(answer, file, turn.field)
        raise ValueError(f"{gives!r} is nothing that a turn gives")

    def _one(self, turn: TurnGold, fulfil: frozenset[str]) -> str | None:
        """The file of the one document that a turn is about."""
        if turn.document:
            all_of_them = self._truth.files()
            return next((each for each in all_of_them if each.startswith(turn.document)), None)
        if "nth" in turn.more:
            nth = int(turn.more["nth"])
            listed = [each for each in self._listed if each in fulfil]
            return listed[nth if nth < 0 else nth - 1] if len(listed) >= abs(nth) else None
        if "nth_by" in turn.more:
            order, nth = turn.more["nth_by"]
            files = ranked(self._truth, fulfil, str(order))
            return files[-int(nth)]
        if "of" in turn.more:
            ends = end_of(self._truth, fulfil, turn.more["of"], turn.more.get("order", turn.field))
            return next(iter(ends[0]), None)
        return next(iter(fulfil)) if len(fulfil) == 1 else None

    def _of_end(self, turn: TurnGold, answer: Answer, fulfil: frozenset[str]) -> str:
        ends = end_of(self._truth, fulfil, turn.more["of"], turn.field)
        if turn.gives == "top_docs":
            return self._set_problem(answer, ends)
        if turn.gives == "top_sum":
            return self._value_problem(answer, self._computed(ends[0], turn.field, "sum"))
        test = turn.more["test"]
        left = [frozenset(f for f in end if self._truth.fulfils(f, test)) for end in ends]
        if turn.gives == "any":
            return _yes_problem(answer, bool(left[0]), self._shown(answer))
        return self._set_problem(answer, left)

    def _shown(self, answer: Answer) -> list[str]:
        if answer.table is None:
            return []
        listed = [*answer.table.documents, *(id for row in answer.table.members for id in row)]
        return [self._names[id] for id in dict.fromkeys(listed) if id in self._names]

    def _set_problem(self, answer: Answer, wanted: list[frozenset[str]]) -> str:
        if answer.table is None:
            return "no table"
        shown = frozenset(_plain(self._names[id]) for id in answer.table.documents if id in self._names)
        if shown in [frozenset(map(_plain, each)) for each in wanted]:
            return ""
        gold = frozenset(map(_plain, wanted[0]))
        return f"{len(shown - gold)} too many, {len(gold - shown)} missing, of {len(gold)}"

    def _value_problem(self, answer: Answer, wanted: Shown | Decimal) -> str:
        value = answer.value.value if answer.value is not None else None
        if value is not None and (str(value) == str(wanted) or _is_near(value, wanted)):
            return ""
        return f"{value} instead of {wanted}"

    def _computed(self, files: frozenset[str], name: str, how: str) -> Decimal:
        values = [
            v for file in files if self._is_usual(file) and (v := self._truth.value(file, name)) is not None
        ]
        total = sum((Decimal(str(each)) for each in values), Decimal(0))
        return total if how == "sum" else total / max(1, len(values))

    def _is_usual(self, file: str) -> bool:
        """True where amounts of a file are in the currency of most."""
        try:
            return self._truth.value(file, "currency") == "USD"
        except KeyError:
            return True

    def _law_counts(self, files: frozenset[str]) -> dict[str, int]:
        return dict(Counter(law for file in files for law in self._truth.laws(file)))

    def _law_sums(self, files: frozenset[str], name: str) -> dict[str, Decimal]:
        by: dict[str, Decimal] = {}
        for file in files:
            for law in self._truth.laws(file):
                by[law] = by.get(law, Decimal(0)) + Decimal(str(self._truth.value(file, name) or 0))
        return by

    def _groups_problem(self, answer: Answer, wanted: Mapping[str, int | Decimal]) -> str:
        if answer.table is None:
            return "no table"
        shown: dict[str, Decimal | None] = {}
        for key, *rest in answer.table.rows:
            shown[_key(str(key))] = next((n for each in rest if (n := _number(each)) is not None), None)
        due = {_key(key): Decimal(value) for key, value in wanted.items()}
        extra = [key for key in shown if key not in due and key != "none stated"]
        wrong = [key for key, value in due.items() if shown.get(key) != value]
        return f"wrong groups: {', '.join([*wrong, *extra][:5])}" if wrong or extra else ""

    def _years_problem(self, answer: Answer, files: frozenset[str], name: str) -> str:
        days = [self._truth.value(file, name or "agreement_date") for file in files]
        return self._groups_problem(answer, Counter(str(day)[:4] for day in days if day))

    def _entities_problem(self, answer: Answer, files: frozenset[str], name: str) -> str:
        wanted: set[str] = set()
        for file in files:
            value = self._truth.value(file, name)
            wanted |= {normal_name(v) for v in (value if isinstance(value, tuple) else (str(value),))}
        if answer.table is None:
            return "no table"
        said = " ".join(str(cell) for row in answer.table.rows for cell in row)
        missing = [each for each in wanted if each and each not in normal_name(said)]
        return f"missing {missing[:3]}" if missing else ""

    def _about_problem(self, answer: Answer, file: str) -> str:
        about = {_plain(each) for each in self._shown(answer)}
        about |= {_plain(self._names.get(c.document, "")) for c in answer.citations}
        return "" if not about or _plain(file) in about else f"not about {file}"

    def _stated_problem(self, answer: Answer, file: str, name: str) -> str:
        wanted = self._truth.value(file, name)
        about = self._about_problem(answer, file)
        if about:
            return about
        if wanted is None:
            return "" if answer.value is None else f"{answer.value.value} instead of nothing"
        said = f"{answer.text} {answer.value.value if answer.value else ''}".casefold()
        parts = wanted if isinstance(wanted, tuple) else (wanted,)
        missing = [each for each in parts if not any(form in said for form in _forms(each))]
        return f"does not say {missing[0]!r}" if missing else ""


def _everything_shown(answer: Answer) -> str:
    """What an answer shows in words, its parts too, in small letters and without marks."""
    cells = [str(cell) for row in (answer.table.rows if answer.table else ()) for cell in row]
    text = " ".join([answer.text, *cells, *(_everything_shown(part) for part in answer.parts)])
    return text.replace("*", "").replace("\\", "").casefold()


def _documents_of(answer: Answer) -> set[str]:
    listed = answer.table.documents if answer.table is not None else ()
    return {each.document for each in answer.citations} | set(listed)


def _plain(file: str) -> str:
    return file.rsplit("/", 1)[-1]


def _yes_problem(answer: Answer, is_so: bool, shown: list[str]) -> str:
    if answer.value is not None and answer.value.type == "boolean":
        said = answer.value.value == "true"
    elif answer.text.lstrip("*").startswith(("Yes", "No")):
        said = answer.text.lstrip("*").startswith("Yes")
    else:
        said = bool(shown)
    return "" if said == is_so else f"{'yes' if said else 'no'} instead of {'yes' if is_so else 'no'}"


def _key(text: str) -> str:
    plain = text.removeprefix("the ").rsplit(" of ", 1)[-1] if text.startswith("the ") else text
    return (canonical_place(plain) or plain).casefold()


def _number(text: object) -> Decimal | None:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


def _is_near(value: str, wanted: object) -> bool:
    left, right = _number(value), _number(wanted)
    return left is not None and right is not None and abs(left - right) < Decimal("0.01")


def _forms(value: object) -> list[str]:
    """Ways in which an answer may write a value."""
    text = str(value)
    if isinstance(value, int):
        return [f"{value:,}"]
    try:
        day = date.fromisoformat(text)
    except ValueError:
        place = text.rsplit(" of ", 1)[-1]
        return [
            text.casefold(),
            place.casefold(),
            (canonical_place(text) or text).casefold(),
            normal_name(text),
        ]
    return [text, f"{day.day} {day:%b %Y}".casefold(), f"{day.day} {day:%B %Y}".casefold()]
