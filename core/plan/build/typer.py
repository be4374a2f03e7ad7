"""From the conditions of a tree to typed conditions on the fields of one schema."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.domain.answer import Attempt
from core.domain.fields import PLAIN_TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.build.conditions import (
    Both,
    Either,
    Formula,
    Terms,
    in_period,
    is_ascending,
    is_bare,
    literal_text,
    negated,
)
from core.plan.build.hops import Hops, LookedUp, TypedConditions
from core.plan.catalogue import DocumentEntry, FieldEntry
from core.plan.clarify import AskBackError, Clarify, Option, reversed_ends
from core.plan.ir.nodes import Condition
from core.plan.language.lexicon.lexicon import KIND, NAME, Lexicon
from core.plan.language.lexicon.words import IDLE_VERBS
from core.plan.language.pieces import (
    Bridge,
    Computed,
    Currency,
    DayRange,
    Described,
    DocumentSet,
    FieldSenses,
    Noun,
    Parties,
    Policy,
    Quantity,
    UnknownWord,
    Values,
    stems,
)
from core.plan.language.reading.dates import is_permitted, says_over
from core.plan.language.syntax.tree import Any, Chooser, Expression, Not, Test, tests
from core.values.places import canonical_place

AMENDS = "amendment_of"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Condition that leaves something out; formula None: the scope does."""

    formula: Formula | None


class Typer(LookedUp):
    """Types the conditions of one question. Raises AskBackError."""

    def __init__(self, lexicon: Lexicon, chooser: Chooser, hops: Hops, question: str, today: date) -> None:
        self._lexicon = lexicon
        self._chooser = chooser
        self._schema = chooser.schema
        self._hops = hops
        self._question = question
        self._today = today
        self.terms = Terms(lexicon, chooser)
        self.usual_date: FieldSenses | None = None
        self.of_values = False  # values are asked for, which may fulfil two conditions by two documents
        self.typed = TypedConditions()
        self._kind: Condition | None = None

    def formula(self, expression: Expression) -> Formula | None:
        """The typed expression; None where nothing of it could be typed, which `typed.uncovered` names."""
        if isinstance(expression, Test):
            return self._test(expression)
        if isinstance(expression, Not):
            if (left := self._left_out(expression.part)) is not None:
                return left.formula
            part = self.formula(expression.part)
            of_parties = any(isinstance(test.operand, Parties) for test in tests(expression.part))
            return None if part is None else negated(part, is_other=expression.is_other and not of_parties)
        if isinstance(expression, Any) and (named := _all_documents(expression)):
            for test in tests(expression):
                self._note(test, "one of the documents that the question names")
            self._restrict(tuple(dict.fromkeys(each for part in named for each in part)))
            return None
        parts = tuple(found for part in expression.parts if (found := self.formula(part)) is not None)
        if len(parts) < 2:
            return parts[0] if parts else None
        is_either = isinstance(expression, Any)
        if not is_either and self._are_of_one_side(parts):
            is_either = True
            if self.of_values:
                said = " and ".join(test.text for test in tests(expression))
                self.typed.uncovered.append(f"both {said}")
        return Either(parts) if is_either else Both(parts)

    def _are_of_one_side(self, parts: tuple[Formula, ...]) -> bool:
        """True where all are organisations on one side, of which a document has one."""
        fields = {each.field if isinstance(each, Condition) else "" for each in parts}
        entry = self._schema.field(next(iter(fields))) if len(fields) == 1 else None
        is_equal = all(isinstance(each, Condition) and each.op is Operator.EQUAL for each in parts)
        return entry is not None and entry.type is FieldType.PARTY and not entry.many and is_equal

    def _left_out(self, expression: Expression) -> LeftOut | None:
        """Documents or organisations that are left out; None for any other negation."""
        if not isinstance(expression, Test) or expression.fields is not None:
            return None
        operand = expression.operand
        if isinstance(operand, DocumentSet):
            gone = set(self._ids(operand))
            own = [each for each in self._lexicon.catalogue.documents if self._is_in_scope(each)]
            self._restrict(tuple(each.id for each in own if each.id not in gone))
            self._note(expression, "left out")
            return LeftOut(None)
        many = next((f for f in self._schema.fields if f.type is FieldType.PARTY and f.many), None)
        sides = [f for f in self._schema.fields if f.type is FieldType.PARTY and not f.many]
        if not isinstance(operand, Parties) or operand.role is not None or many is None or len(sides) != 2:
            return None
        party = self.one_party(operand, expression.pieces[-1].text)
        self._note(expression, f"{party.name} is on no side, nor known to be among the {many.title.lower()}")
        formulas: list[Formula] = []
        for each in (many, *sides):
            other = Condition(field=each.name, op=Operator.NOT_EQUAL, value=party.normal)
            ways: list[Formula] = [other, Condition(field=each.name, op=Operator.MISSING)]
            if each is many:  # both sides say enough
                ways.append(Condition(field=each.name, op=Operator.IS, value="uncertain"))
            formulas.append(Either(tuple(ways)))
        return LeftOut(Both(tuple(formulas)))

    def _is_in_scope(self, document: DocumentEntry) -> bool:
        return document.schema == self._schema.name or (
            not document.schema and document.bucket in self._schema.buckets
        )

    def noun(self, noun: Noun | None) -> Formula | None:
        """The condition that documents are of the kind that the noun says."""
        parts: list[Formula] = []
        if noun is not None and noun.schema not in ("", self._schema.name):
            return None  # the documents that are named are of another kind
        kinds = self._schema.field(KIND)
        if noun is not None and noun.kind and kinds is not None:
            several, op = tuple(noun.kind.split("|")), Operator.IN if "|" in noun.kind else Operator.EQUAL
            value = several if op is Operator.IN else noun.kind
            self._kind = Condition(field=KIND, op=op, value=value, narrows=True)
            parts.append(self._kind)
        name = self._schema.field(NAME)
        if noun is not None and noun.title_words and name is not None:
            words = tuple(Condition(field=name.name, op=Operator.CONTAINS, value=w) for w in noun.title_words)
            parts.append(words[0] if len(words) == 1 else Either(words))
        thing = next(filter(None, map(self._schema.field, ("model", "product"))), None)
        if noun is not None and noun.is_thing and thing is not None:
            parts.append(Condition(field=thing.name, op=Operator.IS, value="present", narrows=True))
        return None if not parts else parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _titled(self, test: Test, noun: Noun) -> Formula | None:
        """Formula of a document's title, where it is one of the kind that is not meant."""
        name = self._schema.field(NAME)
        if name is None or not noun.title_words:
            self.typed.uncovered.append(test.text)
            return None
        self._note(test, f"{name.title}: {' or '.join(noun.title_words)}")
        words = tuple(Condition(field=name.name, op=Operator.CONTAINS, value=w) for w in noun.title_words)
        return words[0] if len(words) == 1 else Either(words)

    def _test(self, test: Test) -> Formula | None:
        operand = test.operand
        if operand is None:
            return self._existence(test)
        if isinstance(operand, Noun):
            return self._titled(test, operand)
        if isinstance(operand, DocumentSet) and test.fields is None:
            amended = self._schema.field(AMENDS)
            if amended is not None and self._kind is not None and self._kind.value == "amendment":
                titles = tuple(dict.fromkeys(each.title for each in operand.documents))
                self._note(test, f"{amended.title}: {' or '.join(titles)}")
                ways = tuple(Condition(field=AMENDS, op=Operator.CONTAINS, value=each) for each in titles)
                return ways[0] if len(ways) == 1 else Either(ways)
            self._restrict(self._ids(operand))
            self._note(test, f"named in the title of {len(self._ids(operand))} of the documents")
            return None
        if isinstance(operand, Parties):
            return self._party(test, operand)
        if isinstance(operand, Values):
            return self._value(test, operand)
        if isinstance(operand, DayRange):
            return self._period(test, operand)
        if isinstance(operand, Quantity):
            return self._literal(test, operand)
        if isinstance(operand, Currency):
            return self._told(test, self.terms.stated_in(test, operand.code))
        if isinstance(operand, Policy):
            return self._policy(test, operand)
        if isinstance(operand, Bridge):
            return self._bridge(test, operand)
        if isinstance(operand, Described):
            return self._described(test, operand)
        if isinstance(operand, Computed):
            return self._computed(test, operand)
        if isinstance(operand, DocumentSet):
            return self._as_in_document(test, operand)
        if isinstance(operand, FieldSenses):
            return self._other_field(test, operand)
        if isinstance(operand, UnknownWord):
            return self._unknown_value(test)
        return self._uncovered(test)

    def _existence(self, test: Test) -> Formula | None:
        assert test.fields is not None  # a test has a field or an operand
        text = test.pieces[0].text
        if says_over(text, self._question):
            when = self._chooser.field(test.fields, text, (FieldType.DATE,))
            if when is not None:
                self._note(test, f"{when.title} before today")
                return Condition(field=when.name, op=Operator.LESS, value=self._today.isoformat())
        if test.fields.is_verb and text.casefold() in IDLE_VERBS:
            return None
        entry = self._chooser.exists(test.fields, text)
        if entry is None:
            return self._no_field(test, text)
        if test.fields.is_verb and entry.type is FieldType.DATE and is_permitted(text, self._question):
            return self._uncovered(test)  # "can be ended" asks for a right to end it, and for no day
        self._note(test, f"{entry.title} is there")
        if entry.type is FieldType.BOOLEAN:
            return Condition(field=entry.name, op=Operator.EQUAL, value="true")
        return Condition(field=entry.name, op=Operator.IS, value="present")

    def _party(self, test: Test, operand: Parties) -> Formula | None:
        party = self.one_party(operand, test.pieces[-1].text)
        fields = [each for each in self._schema.fields if each.type is FieldType.PARTY]
        if test.fields is not None:
            own = [m.field for m in test.fields.matches if m.field.schema == self._schema.name]
            fields = [each for each in own if each.type is FieldType.PARTY][:1] or fields
        if not fields:
            return self._uncovered(test)
        titles = " or ".join(each.title for each in fields)
        self._note(test, f"{titles} is {party.name}")
        parts = tuple(Condition(field=each.name, op=Operator.EQUAL, value=party.normal) for each in fields)
        return parts[0] if len(parts) == 1 else Either(parts)

    def _value(self, test: Test, operand: Values) -> Formula | None:
        own = [each for each in operand.values if each.schema == self._schema.name]
        if test.fields is not None:
            named = {m.field.name for m in test.fields.matches if m.field.schema == self._schema.name}
            own = [each for each in own if each.field in named] or own
        if not own:
            return self._uncovered(test)
        name = own[0].field
        if name == KIND and self._kind is not None and all(each.text not in self._kind.value for each in own):
            return self._uncovered(test)  # no document is of two kinds
        texts = tuple(dict.fromkeys(each.text for each in own if each.field == name))
        title = (self._schema.field(name) or FieldEntry("", name, name, FieldType.TEXT)).title
        op = test.op or Operator.EQUAL
        if operand.is_part:
            self._note(test, f"{title} mentions “{texts[0]}”")
            return Condition(field=name, op=Operator.CONTAINS, value=texts[0])
        self._note(test, f"{title} is {' or '.join(texts)}")
        found: Formula = Condition(field=name, op=Operator.EQUAL, value=texts[0])
        if len(texts) > 1:
            found = Condition(field=name, op=Operator.IN, value=texts)
        return negated(found, is_other=True) if op is Operator.NOT_EQUAL else found

    def _unknown_value(self, test: Test) -> Formula | None:
        entry = self._chooser.field(test.fields, test.text, PLAIN_TEXTS) if test.fields is not None else None
        if entry is None:
            return self._uncovered(test)
        said = next(piece.text for piece in test.pieces if isinstance(piece.meaning, UnknownWord))
        text = canonical_place(said) or said
        self._note(test, f"{entry.title} is {text}, which no document that you may see states")
        return Condition(field=entry.name, op=Operator.EQUAL, value=text)

    def _told(self, test: Test, found: tuple[Formula, str] | None) -> Formula | None:
        if found is None:
            return self._uncovered(test)
        self._note(test, found[1])
        return found[0]

    def _period(self, test: Test, period: DayRange) -> Formula | None:
        if period.covered:
            return self._told(test, self.terms.in_force(period))
        entry = None
        if test.fields is not None:
            entry = self._chooser.field(test.fields, test.pieces[0].text, (FieldType.DATE,))
            if entry is None and period.length is not None:
                length = self._chooser.field(test.fields, test.pieces[0].text, (FieldType.DURATION,))
                if length is not None:
                    self._note(test, f"{length.title} is at most {period.length.text}")
                    return Condition(field=length.name, op=Operator.LESS_EQUAL, value=period.length.text)
        if period.hint:
            hinted = self._lexicon.fields(stems(period.hint))
            entry = self._chooser.field(hinted, period.hint, (FieldType.DATE,)) if hinted else None
        elif entry is None and test.fields is None:
            usual = self.usual_date
            entry = self._chooser.field(usual, "", (FieldType.DATE,)) if usual is not None else None
            entry = entry or self._chooser.first(FieldType.DATE)
        if entry is None:
            return self._uncovered(test)
        if period.first is not None and period.last is not None and period.first > period.last:
            first, last = period.first.isoformat(), period.last.isoformat()
            raise AskBackError(reversed_ends(self._question, test.pieces[-1].text, first, last))
        condition = in_period(entry.name, period, test.op)
        if condition is None:
            return self._uncovered(test)
        self._note(test, f"{entry.title} {_said(condition)}")
        return condition

    def _literal(self, test: Test, operand: Quantity) -> Formula | None:
        kind = operand.value.type
        types: tuple[FieldType, ...] = (
            (FieldType.MONEY,) if kind is FieldType.MONEY else (FieldType.DURATION,)
        )
        if kind is FieldType.NUMBER:
            types = (FieldType.NUMBER, FieldType.MONEY)
        entry = None
        if test.fields is not None and test.span is None:
            field_text = next((p.text for p in test.pieces if p.meaning is test.fields), test.text)
            entry = self._chooser.field(test.fields, field_text, types)
        elif test.hint:
            fields = self._lexicon.fields(stems(test.hint))
            entry = self._chooser.field(fields, test.hint, types) if fields else None
        elif kind is FieldType.MONEY or (kind is FieldType.NUMBER and not operand.value.unit):
            entry = self._chooser.first(FieldType.MONEY)
        if entry is None and (test.fields is None or test.span is not None) and (test.op or test.span):
            return self._told(test, self.terms.lasting(test, operand))
        if entry is None:
            return self._uncovered(test)
        if entry.type is FieldType.MONEY and test.fields is None and is_bare(test, operand):
            return self._uncovered(test)  # a number by itself is no amount
        code = self.terms.codes.get(entry.name, "")
        text = literal_text(operand.value, entry, code)
        high = literal_text(test.high.value, entry, code) if test.high is not None else None
        if text is None or (test.high is not None and high is None):
            return self._uncovered(test)
        if high is not None and not is_ascending(text, high):
            raise AskBackError(reversed_ends(self._question, test.text, text, high))
        op = test.op or Operator.EQUAL
        self._note(test, f"{entry.title} {op.value} {text}" + (f" and {high}" if high else ""))
        if op is Operator.BETWEEN:
            return Condition(field=entry.name, op=op, value=(text, high)) if high else self._uncovered(test)
        return Condition(field=entry.name, op=op, value=text)

    def _ids(self, operand: DocumentSet) -> tuple[str, ...]:
        own = tuple(each.id for each in operand.documents if each.schema == self._schema.name)
        return own or tuple(each.id for each in operand.documents)

    def _restrict(self, ids: tuple[str, ...]) -> None:
        before = self.typed.documents
        self.typed.documents = ids if before is None else tuple(each for each in ids if each in before)

    def _no_field(self, test: Test, text: str) -> Formula | None:
        assert test.fields is not None
        others = {match.field.schema for match in test.fields.matches}
        titles = [each.title for each in self._lexicon.catalogue.schemas if each.name in others]
        raise AskBackError(
            Clarify(
                type="no_match",
                question=self._question,
                phrase=text,
                reason=f"{self._schema.title} are not asked for “{text}”; {' and '.join(titles)} are.",
                attempts=(Attempt(tool="fields", args={"name": text, "schema": self._schema.name}, hits=0),),
                options=tuple(
                    Option(label=f"{each.title} with {text}", question=f"Which {each.name} have {text}?")
                    for each in self._lexicon.catalogue.schemas
                    if each.name in others
                ),
            )
        )


def _all_documents(expression: Any) -> list[tuple[str, ...]]:
    """The ids of a choice between named documents; [] for any other choice."""
    found = []
    for part in expression.parts:
        if not isinstance(part, Test) or part.fields is not None or not isinstance(part.operand, DocumentSet):
            return []
        found.append(tuple(each.id for each in part.operand.documents))
    return found


def _said(condition: Condition) -> str:
    value = condition.value
    return f"{condition.op.value} {' and '.join(value) if isinstance(value, tuple) else value}"
