"""Questions composed from frames, wordings and the fields of a context, with the marks of their words.

Slots that carry a mark: `<mod>`, `<mod+>` a condition behind a noun, `<pred>` as a predicate, `<base>` behind
"does it", `<third>` of one document, `<bare+>`, `<bare->` its noun alone, `<verb+>`, `<cl+>` its verb or
clause; `<val..>` the same of values, `!` where it is negated; `<ask..>` for what is asked, `<by>`, `<order>`,
`<ranks>`, `<sort>`; `<DOC>`, `<party>`, `<kinds>`. Others are plain words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.reader.contexts import Context, Wording
from bench.reader.document_names import document_name
from bench.reader.expressions import Expressions
from bench.reader.frame import (
    ARTICLE,
    CLAUSES,
    LEADS,
    TOKEN,
    Frame,
    NotComposableError,
    alternatives,
    gerund,
    third,
    without_article,
)
from bench.reader.wear import Segment
from core.domain.fields import FieldType
from core.plan.readers.trained.reading import SpanRole


@dataclass(frozen=True, slots=True)
class Mark:
    """Part that the words of a span play."""

    role: SpanRole
    is_negated: bool = False
    field: str = ""


@dataclass
class Composer:
    """Composes questions over one context."""

    rng: random.Random
    context: Context
    slots: Mapping[str, Callable[[Composer], list[Segment]]]
    without: frozenset[str] = frozenset()
    marks: list[Mark] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    same: Wording | None = None
    grouped: str = ""

    def __post_init__(self) -> None:
        self.write = Expressions(self.rng)
        self.fields = [
            each for each in self.context.fields if f"{each.schema}.{each.name}" not in self.without
        ]

    def compose(self, frame: Frame) -> tuple[list[Segment], tuple[Mark, ...]]:
        """A question of a frame. Raises NotComposableError."""
        self.marks, self.used, self.same = [], set(), None
        segments = self.expand(frame.text)
        return segments, tuple(self.marks)

    def one(self, *options: str) -> str:
        """One of some texts."""
        return self.rng.choice(options)

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.rng.random() < share

    def mark(self, role: SpanRole, wording: Wording | None = None, *, negated: bool = False) -> int:
        """A new mark."""
        self.marks.append(Mark(role, negated, wording.name if wording else ""))
        return len(self.marks) - 1

    # -- frames

    def expand(self, template: str) -> list[Segment]:
        """The segments of a frame."""
        tokens = TOKEN.findall(template)
        segments, rest = self._sequence(tokens, 0)
        if rest != len(tokens):
            raise ValueError(f"{template!r} does not balance")
        return segments

    def _sequence(self, tokens: Sequence[str], at: int) -> tuple[list[Segment], int]:
        segments: list[Segment] = []
        while at < len(tokens) and tokens[at] not in "|)":
            token = tokens[at]
            if token == "(":
                options = alternatives(tokens, at)
                start, _ = self.rng.choice(options)
                part, _ = self._sequence(tokens, start)
                segments += part
                at = options[-1][1] + 1
            elif token.startswith("<"):
                segments += self.slot(token[1:-1])
                at += 1
            else:
                segments.append((token, None))
                at += 1
        return segments, at

    def slot(self, name: str) -> list[Segment]:
        """The segments of a slot."""
        return self.slots[name](self)

    # -- fields

    def pick(self, fits: Callable[[Wording], object], *, again: bool = False) -> Wording:
        """A field that fits, not used before in this question."""
        options = [each for each in self.fields if (again or each.name not in self.used) and fits(each)]
        if not options:
            raise NotComposableError
        chosen = self.rng.choice(options)
        self.used.add(chosen.name)
        return chosen

    def clause_field(self) -> Wording:
        """A field that is there or not: mostly a clause, else a value that is stated or missing."""
        has_clauses = any(each.is_clause for each in self.fields)
        if has_clauses and not self.chance(0.1):
            return self.pick(lambda each: each.is_clause)
        return self.pick(lambda each: not each.is_clause)

    def noun(self, wording: Wording) -> str:
        """A name of the field."""
        names = wording.of("noun")
        draw = self.rng.random()
        if (draw < 0.12 and wording.schema) or not names:
            names = (wording.title.lower(), *wording.synonyms)
        elif draw < 0.2 and not wording.schema:
            names = (wording.title,)
        return self.rng.choice(names)

    # -- conditions

    def bare(self, *, negated: bool, wording: Wording | None = None) -> list[Segment]:
        """The noun of a condition, marked; its article is no part."""
        wording = wording or self.clause_field()
        key = self.mark(SpanRole.CONDITION, wording, negated=negated)
        text = self.noun(wording)
        article = ARTICLE.match(text)
        if wording.is_clause and not article and self.chance(0.15):
            text += self.one(" clause", " provision", " language", " wording")
        if article and (negated or self.chance(0.3)):
            return [(without_article(text), key)]
        if article:
            return [(article[0], None), (text[article.end() :], key)]
        if not wording.is_clause and not negated and self.chance(0.6):
            return [(self.one("a ", "the ", "a stated ", "any ", "some "), None), (text, key)]
        return [(text, key)]

    def condition(self, form: str, *, negated: bool | None = None) -> list[Segment]:
        """A condition on a field that is there or not. form: mod, pred, base, third."""
        negated = self.chance(0.48) if negated is None else negated
        wording = self.clause_field()
        options = [("noun", 5.0)]
        verbs, clauses = (
            wording.of("verb") if wording.is_clause else wording.of("stated"),
            wording.of("clause"),
        )
        absences = wording.of("absence") or wording.of("absent")
        free = wording.of("free")
        if verbs:
            options.append(("verb", 4.0))
        if clauses:
            options.append(("clause", 2.5 if not negated else 0.5))
        if absences and negated:
            options.append(("absence", 2.5))
        if free and negated:
            options.append(("free", 3.0))
        kind = self.rng.choices([name for name, _ in options], [weight for _, weight in options])[0]
        if kind == "noun":
            return self._by_noun(form, wording, negated)
        if kind == "clause":
            return self._by_clause(form, wording, self.rng.choice(clauses), negated)
        if kind == "free":
            key = self.mark(SpanRole.CONDITION, wording, negated=True)
            return [(self.rng.choice(CLAUSES[form, False]) + " ", None), (self.rng.choice(free), key)]
        text = self.rng.choice(verbs if kind == "verb" else absences)
        return self._by_verb(form, wording, text, negated, is_absence=kind == "absence")

    def _by_noun(self, form: str, wording: Wording, negated: bool) -> list[Segment]:
        lead = self.rng.choice(LEADS[form, negated])
        if negated and self.chance(0.12) and not lead.endswith((" no", "any")):
            lead += " any"
        return [(lead + " ", None), *self.bare(negated=negated, wording=wording)]

    def _by_clause(self, form: str, wording: Wording, text: str, negated: bool) -> list[Segment]:
        key = self.mark(SpanRole.CONDITION, wording, negated=negated)
        return [(self.rng.choice(CLAUSES[form, negated]) + " ", None), (text, key)]

    def _by_verb(
        self, form: str, wording: Wording, text: str, negated: bool, *, is_absence: bool
    ) -> list[Segment]:
        key = self.mark(SpanRole.CONDITION, wording, negated=negated)
        is_plain = not negated or is_absence
        first = text.split()[0]
        helper = first in ("are", "can", "cannot", "do", "don't", "have", "has", "were")
        if form == "mod":
            if is_plain and not helper and self.chance(0.3):
                return [(gerund(text), key)]
            return [(self.one("that ", "which "), None), *self._said(text, key, is_plain)]
        if form == "base":
            if not is_plain or (helper and first != "have"):
                if is_absence and first in ("do", "don't"):
                    return [(text.split(maxsplit=2)[-1], key)]
                return self.condition_again(form, wording, negated)
            return [(text, key)]
        if form == "third":
            return [("it " if self.chance(0) else "", None), *self._said_of_one(text, key, is_plain)]
        return self._said(text, key, is_plain)

    def condition_again(self, form: str, wording: Wording, negated: bool) -> list[Segment]:
        """The condition by its noun, where its verb does not fit the form."""
        self.marks.pop()
        return self._by_noun(form, wording, negated)

    def _said(self, text: str, key: int, is_plain: bool) -> list[Segment]:
        if is_plain:
            return [(text, key)]
        first, _, rest = text.partition(" ")
        if first in ("are", "were", "can", "have", "has") and rest:
            return [(f"{first} not ", None), (rest, key)]
        lead = self.one(
            "do not ",
            "don't ",
            "never ",
            "do not ",
            "fail to ",
            "nowhere ",
            "don't ever ",
            "do not explicitly ",
        )
        return [(lead, None), (text, key)]

    def _said_of_one(self, text: str, key: int, is_plain: bool) -> list[Segment]:
        if is_plain:
            return [(third(text), key)]
        first, _, rest = text.partition(" ")
        if first in ("are", "were", "can", "have", "has") and rest:
            return [(f"{third(first)} not ", None), (rest, key)]
        return [(self.one("does not ", "doesn't ", "never "), None), (third(text) if False else text, key)]

    # -- values

    def value_field(self) -> Wording:
        """A field with values that may be compared."""
        if self.same is not None:
            return self.same
        return self.pick(
            lambda each: not each.is_clause and (each.of("adj") or each.of("verb") or not each.schema)
        )

    def filled(self, template: str, wording: Wording) -> str:
        """A wording of a value with a value in it."""

        def fill(match: re.Match[str]) -> str:
            return self._value(match[1], wording)

        return re.sub(r"\{(\w+)\}", fill, template)

    def _value(self, kind: str, wording: Wording) -> str:
        write = self.write
        unit = wording.unit if wording.unit not in ("EUR", "USD", "GBP") else ""
        makers: dict[str, Callable[[], str]] = {
            "date": write.date,
            "day": write.day,
            "amount": write.amount,
            "money": lambda: write.compared(write.amount(), write.amount()),
            "dur": lambda: write.compared(write.span(), write.span()),
            "span": write.span,
            "num": lambda: write.compared(write.number(unit), write.number(unit)),
            "val": lambda: write.number(unit),
            "pct": lambda: write.compared(write.number("percent"), write.number("percent")),
            "int": lambda: str(self.rng.choice((7, 10, 14, 15, 20, 30, 45, 60, 90))),
            "name": write.company,
            "person": lambda: self.rng.choice(write.pools["persons"]),
            "law": lambda: self.rng.choice(write.pools["laws"]),
            "text": lambda: self.text_value(wording),
        }
        return makers[kind]()

    def text_value(self, wording: Wording) -> str:
        """A text that the field may have."""
        values = wording.of("values") or wording.options
        if wording.type is FieldType.PARTY and (not values or self.chance(0.5)):
            return self.write.company()
        if not values:
            return self.rng.choice(self.write.pools["products"])
        return self.rng.choice(values)

    def general_value(self, wording: Wording) -> tuple[str, str]:
        """(form, words) of a condition that any field of the type may have; form as `adj` or `verb`."""
        noun = without_article(self.noun(wording))
        kind = {
            FieldType.DATE: "{date}",
            FieldType.MONEY: "{money}",
            FieldType.DURATION: "{dur}",
            FieldType.NUMBER: "{num}",
        }.get(wording.type, "{text}")
        if wording.type is FieldType.BOOLEAN:
            return "adj", f"with {noun} {self.one('yes', 'no', 'set', 'ticked')}"
        if kind == "{date}":
            forms = [
                f"with {self.one('a ', 'the ', '')}{noun} {kind}",
                f"whose {noun} is {kind}",
                f"{noun} {kind}",
                f"where the {noun} is {kind}",
                f"where the {noun} lies {kind}",
            ]
        elif kind == "{text}":
            forms = [
                f"with {noun} {kind}",
                f"where the {noun} is {kind}",
                f"where {noun} = {kind}",
                f"whose {noun} is {kind}",
                f"{noun}: {kind}",
                f"for {noun} {kind}",
                f"in {noun} {kind}",
                f"that have {kind} as {noun}",
                f"with {kind} as {self.one('', 'the ')}{noun}",
            ]
            if not wording.schema:
                forms += [
                    self.one(
                        "for {text}",
                        "in {text}",
                        "from {text}",
                        "at {text}",
                        "by {text}",
                        "of {text}",
                        "with {text}",
                        "to {text}",
                        "that are {text}",
                        "marked {text}",
                    )
                ] * 5
        else:
            alone = {"{money}": "{amount}", "{dur}": "{span}"}.get(kind, "{val}")
            above = self.one("exceeds", "is below", "is above", "=", "falls below", "goes beyond")
            forms = [
                f"with {self.one('a ', 'the ', '', 'an ')}{noun} {kind}",
                f"whose {noun} is {kind}",
                f"where the {noun} is {kind}",
                f"{noun} {kind}",
                f"with {kind} {noun}",
                f"where {noun} {above} {alone}",
            ]
            if not wording.schema and wording.type is FieldType.MONEY:
                forms += ["{money}"]
        return "adj", self.rng.choice(forms)

    def valued(self, form: str, *, negated: bool) -> list[Segment]:
        """A condition on a value. form: mod, adj (behind "are"), pred."""
        wording = self.value_field()
        self.same = None
        adjectives, verbs = wording.of("adj"), wording.of("verb")
        options: list[tuple[str, str]] = [("adj", each) for each in adjectives] + [
            ("verb", each) for each in verbs if form != "adj"
        ]
        if not options or self.chance(0.22):
            options = [self.general_value(wording)]
        if negated and wording.type is FieldType.BOOLEAN and wording.of("absent") and self.chance(0.6):
            self._last = wording
            key = self.mark(SpanRole.VALUE, wording, negated=True)
            return [(self.rng.choice(wording.of("absent")), key)]
        style, template = self.rng.choice(options)
        if (
            form == "adj"
            and style == "adj"
            and template.split()[0] in ("whose", "where", "with", "in", "to")
            and self.chance(0.5)
        ):
            raise NotComposableError
        text = self.filled(template, wording)
        self._last = wording
        key = self.mark(SpanRole.VALUE, wording, negated=negated)
        inside = self.chance(0.7)

        def no(word: str = "not ") -> list[Segment]:
            return [(word, key if inside else None)]

        if style == "verb":
            first, _, rest = text.partition(" ")
            lead: list[Segment] = [(self.one("that ", "which "), None)] if form == "mod" else []
            if not negated:
                return [*lead, (text, key)]
            if first in ("are", "were", "have", "can") and rest:
                return [*lead, (first + " ", None), *no(), (rest, key)]
            return [*lead, *no(self.one("do not ", "don't ", "did not ", "never ")), (text, key)]
        starts_clause = text.split()[0] in ("whose", "where")
        if not negated:
            if form == "pred":
                return [((self.one("are ", "were ") if not starts_clause else ""), None), (text, key)]
            if form == "mod" and not starts_clause and self.chance(0.15):
                return [(self.one("that are ", "which are ", "that were "), None), (text, key)]
            return [(text, key)]
        if form == "adj":
            return [(text, key)]
        if form == "pred":
            return (
                [(self.one("are ", "were "), None), *no(), (text, key)]
                if self.chance(0.6)
                else [(self.one("aren't ", "weren't "), key if inside else None), (text, key)]
            )
        return [(self.one("that are ", "", "which were ", "that are ", ""), None), *no(), (text, key)]

    # -- names

    def documents(self) -> list[Segment]:
        """Plain plural words for the documents, or a kind of them."""
        if self.context.name == "contracts" and self.chance(0.2):
            return self.kinds()
        if self.chance(0.08) and self.context.kinds:
            return self.kinds()
        word = self.rng.choice(self.context.plain)
        return [(word, None)]

    def document1(self) -> list[Segment]:
        """A plain word for one document, or a kind."""
        if self.context.name == "contracts" and self.chance(0.15):
            key = self.mark(SpanRole.KIND)
            return [
                (self.contract_kind(), key),
                (" " + self.rng.choice(self.write.pools["contract_words"]), key),
            ]
        word = self.rng.choice(self.context.plain1)
        return [(word, None)]

    def contract_kind(self) -> str:
        """A word for a kind of contract."""
        return self.rng.choice(self.write.pools["contract_kinds"])

    def kinds(self) -> list[Segment]:
        """A kind of documents, plural."""
        if self.context.name == "contracts" and self.chance(0.65):
            key = self.mark(SpanRole.KIND)
            word = self.rng.choice(self.write.pools["contract_words"]) + "s"
            return [(f"{self.contract_kind()} {word}", key)]
        if not self.context.kinds:
            raise NotComposableError
        key = self.mark(SpanRole.KIND)
        return [(self.rng.choice(self.context.kinds), key)]

    def kind1(self) -> list[Segment]:
        """A kind of document, singular."""
        if self.context.name == "contracts" and self.chance(0.5):
            key = self.mark(SpanRole.KIND)
            return [(f"{self.contract_kind()} {self.rng.choice(self.write.pools['contract_words'])}", key)]
        if not self.context.kinds1:
            raise NotComposableError
        key = self.mark(SpanRole.KIND)
        return [(self.rng.choice(self.context.kinds1), key)]

    def document(self) -> list[Segment]:
        """A name of one document."""
        text = self.document_name()
        key = self.mark(SpanRole.DOCUMENT)
        if self.context.schema == "":
            return self.row_name(key)
        lead = ""
        match = re.match(r"(?:the|our|this|that)\s+", text)
        if match:
            lead, text = match[0], text[match.end() :]
        return [(lead, None), (text, key)]

    def row_name(self, key: int) -> list[Segment]:
        """A row of a table, named by the value of a text column."""
        self.marks.pop()
        columns = [each for each in self.fields if each.of("values") and each.name not in self.used]
        if not columns:
            raise NotComposableError
        column = self.rng.choice(columns)
        self.used.add(column.name)
        new = self.mark(SpanRole.VALUE, column)
        value = self.rng.choice(column.of("values"))
        noun = without_article(self.noun(column))
        draw = self.rng.random()
        if draw < 0.3:
            return [(f"{noun} {value}", new)]
        if draw < 0.4:
            return [(f"{self.rng.choice(self.context.plain1)} ", None), (value, new)]
        return [(value, new)]

    def document_name(self) -> str:
        """Words that name a document."""
        return document_name(self.context.name, self.write)

    def party(self) -> list[Segment]:
        """A name of an organisation."""
        if self.context.schema == "":
            raise NotComposableError
        return [(self.write.company(), self.mark(SpanRole.PARTY))]

    def with_party(self) -> list[Segment]:
        """A condition on who documents are with."""
        lead = self.one(
            "with ", "from ", "signed with ", "between us and ", "by ", "involving ", "of ", "with ", "from "
        )
        if self.context.name == "contracts":
            lead = self.one(
                "with ",
                "signed with ",
                "between us and ",
                "involving ",
                "concluded with ",
                "with ",
                "to which a party is ",
            )
        if self.chance(0.2):
            return [(lead, None), *self.party(), (self.one(" or ", " and "), None), *self.party()]
        return [(lead, None), *self.party()]
