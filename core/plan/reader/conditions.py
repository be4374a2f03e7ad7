"""Conditions of a reading: its spans as tests of a syntax tree, values and names in them read exactly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry, SchemaEntry, ValueEntry
from core.plan.language.lexicon.lexicon import KIND, NAME, Lexicon
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Comparator,
    Computed,
    Currency,
    DocumentSet,
    FieldSenses,
    Negator,
    Noun,
    Parties,
    Period,
    Piece,
    Policy,
    Quantity,
    UnknownWord,
    Values,
    stems,
    tokens_of,
)
from core.plan.language.reading.composition import is_included, joined, of_titled_kinds, with_kinds_of
from core.plan.language.reading.dates import says_over
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.rewriting.rewording import in_plain_words, in_written_words
from core.plan.language.syntax.negation import ConditionParser
from core.plan.language.syntax.tree import (
    All,
    Any,
    Expression,
    Not,
    Test,
)
from core.plan.reader.exact_reading import UnreadableError, mentions_of, senses_of_field
from core.plan.reader.named_spans import SURE_OF_LINK, SpanNames, piece_of, test_of
from core.plan.reader.reading import FieldLink, QuestionReading, ReadSpan, SpanRole
from core.text.analyse import STOP_WORDS, content_terms
from core.text.words import word_list
from core.values.places import POSTAL, canonical_place

_CONDITIONS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.PARTY, SpanRole.DOCUMENT)
_OF_FIELDS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
_LITERALS = (Quantity, Period, Values, UnknownWord, Computed, Policy, Currency)
_NOUN_VOTE = 2.0
_LEAST_MEANT = 0.25  # of part and field together: of writers' spans below it one in six was right
_SURE_OF_PRONOUN = 0.9  # of the field of words without content ("they", "may", "there")
_REACH = 40  # characters from a word that negates to the span that it is said of
_BETWEEN_PARTS = 2  # words between two parts of what is one span
_POSTAL = re.compile(rf"(?<![\w.-])(?:{'|'.join(POSTAL)})(?![\w.-])")
_ONWARD = re.compile(
    r"\s+(?:on|onwards?|upwards?|forward|and\s+(?:later|after|up|above|over|below|under|before|earlier)|"
    r"or\s+(?:later|earlier|more|less|above|below|higher|lower|longer|shorter|over|under|after|before))\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"\s+(?:(?:is|are|was|were|being|to\s+be)\s+)?(?:left\s+out|left\s+aside|excluded|not\s+counted|not\s+included|"
    r"don['’]t\s+count|do\s+not\s+count|aside|apart)\b",
    re.IGNORECASE,
)
_JOINED_WORDS = frozenset(("and", "or", "nor", "the", "any", "all", "&", ","))
_OVER_BY = re.compile(r"\b(?:already\s+)?over\s+(?=(?:by|before|after|since|in|on|until)\b)", re.IGNORECASE)
_EITHER = re.compile(r"\b(?:or|alternatively)\b|^\s*either\b", re.IGNORECASE)


def schema_of(reading: QuestionReading, mentions: ParsedQuestion, lexicon: Lexicon) -> SchemaEntry | None:
    """The schema that fits what a question links to, and what it calls the documents; None for none."""
    votes: dict[str, float] = defaultdict(float)
    for span in reading.of(*_OF_FIELDS):
        best: dict[str, float] = {}
        for link in span.links:
            best[link.schema] = max(best.get(link.schema, 0.0), link.probability)
        for name, probability in best.items():
            votes[name] += probability
    fields = reading.of(*_OF_FIELDS)
    for piece in mentions.pieces:
        start, end = mentions.tokens[piece.first].start, mentions.tokens[piece.end - 1].end
        is_of_field = any(start < span.end and end > span.start for span in fields)  # "sell the product line"
        if isinstance(piece.meaning, Noun) and piece.meaning.schema and not is_of_field:
            votes[piece.meaning.schema] += _NOUN_VOTE
        if isinstance(piece.meaning, DocumentSet):
            for name in {each.schema for each in piece.meaning.documents if each.schema}:
                votes[name] += 0.3
    order = {each.name: at for at, each in enumerate(lexicon.catalogue.schemas)}
    if not votes and reading.of(SpanRole.PARTY):
        votes = _of_parties(lexicon)
    known = [name for name in votes if name in order]
    return lexicon.catalogue.schema(min(known, key=lambda n: (-votes[n], order[n]))) if known else None


def _of_parties(lexicon: Lexicon) -> dict[str, float]:
    """Numbers of documents by schema, of those that say who they are with."""
    found: dict[str, float] = defaultdict(float)
    for schema in lexicon.catalogue.schemas:
        if any(entry.type is FieldType.PARTY and entry.many for entry in schema.fields):
            found[schema.name] = sum(each.schema == schema.name for each in lexicon.catalogue.documents)
    return found


def tidied(reading: QuestionReading) -> QuestionReading:
    """The reading with spans joined that stand side by side and mean one field, and no field asked for twice.

    Of two conditions on one clause, the surer one stays; words that hardly mean any field are no condition,
    so that a plan leaves them uncovered instead of restricting by them.
    """
    spans: list[ReadSpan] = []
    plain = [each for each in reading.spans if not _hardly_means(each, reading)]
    for span in plain or reading.spans:
        before = spans[-1] if spans else None
        if before is not None and _is_one(before, span, reading.question):
            spans[-1] = replace(before, end=span.end, probability=min(before.probability, span.probability))
        else:
            spans.append(span)
    kept = [each for each in spans if not any(_is_said_surer(other, each) for other in spans)]
    return replace(reading, spans=tuple(kept))


def _hardly_means(span: ReadSpan, reading: QuestionReading) -> bool:
    """True of words that are linked to a field by little: a pronoun, or a part that plays none for sure."""
    if not span.links or span.role not in (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED):
        return False
    link = span.links[0].probability
    if span.probability * link < _LEAST_MEANT:
        return True
    return (
        span.role is not SpanRole.ASKED and link < _SURE_OF_PRONOUN and not content_terms(reading.text(span))
    )


def _is_one(before: ReadSpan, span: ReadSpan, question: str) -> bool:
    between = question[before.end : span.start].casefold()
    is_alike = before.role is span.role and before.is_negated == span.is_negated
    means_one = [link.field for link in before.links[:1]] == [link.field for link in span.links[:1]]
    joins = bool(re.search(r"[,;/&]|\b(?:and|or|nor|but|vs|versus)\b", between))
    most = _BETWEEN_PARTS if before.links else 0
    return is_alike and means_one and len(between.split()) <= most and not joins


def _is_said_surer(other: ReadSpan, span: ReadSpan) -> bool:
    """True where another span is a condition on the same clause, and the surer one, or the first of two."""
    if other is span or span.role is not SpanRole.CONDITION or other.role is not SpanRole.CONDITION:
        return False
    if not span.links or not other.links or span.links[0].field != other.links[0].field:
        return False
    return (other.probability, -other.start) > (span.probability, -span.start)


def said_again(reading: QuestionReading, kept: QuestionReading) -> tuple[ReadSpan, ...]:
    """The spans of a reading that only say once more what a span that was kept says."""
    fields = {span.links[0].field for span in kept.spans if span.links}
    return tuple(
        span
        for span in reading.spans
        if span not in kept.spans and span.links and span.links[0].field in fields
    )


class Conditions:
    """Conditions of one reading, and its kind of documents. Raises UnreadableError, AskBackError."""

    def __init__(self, reading: QuestionReading, known: Known, today: date) -> None:
        whole, reading = reading, tidied(reading)
        self._said_again = said_again(whole, reading)
        beside = tuple(
            each
            for each in reading.of(SpanRole.KIND, SpanRole.CONDITION, SpanRole.VALUE)
            if (each.role is SpanRole.KIND or (each.links[:1] and each.links[0].field == KIND))
            and is_included(reading.question, each.start, each.end)
        )
        self._said_again += beside
        kept = tuple(each for each in reading.spans if each not in beside)
        self._reading = reading = replace(reading, spans=kept)
        self._known = known
        self._lexicon = known.lexicon
        self._today = today
        self._mentions = mentions_of(reading.question, known, today)
        schema = schema_of(reading, self._mentions, self._lexicon)
        if schema is None:
            raise UnreadableError
        self.schema: SchemaEntry = schema
        spans = tuple(part for each in reading.spans for part in self._parted_kind(self._named_by_name(each)))
        self._reading = replace(reading, spans=self._with_values(spans))
        self._also = tuple(
            piece.meaning
            for each in beside
            for piece in mentions_of(reading.text(each), known, today).pieces
            if isinstance(piece.meaning, Noun)
        )
        self._names = SpanNames(self._reading, schema, known, today, self._mentions)
        self._subject: Noun | None = None

    def _named_by_name(self, span: ReadSpan) -> ReadSpan:
        """A condition that is but the name of an organisation, read as that: what exists is certain."""
        if span.role not in (SpanRole.CONDITION, SpanRole.VALUE):
            return span
        own_link = next((link for link in span.links if link.schema == self.schema.name), None)
        entry = self.schema.field(own_link.field) if own_link is not None else None
        is_sure = own_link is not None and own_link.probability >= SURE_OF_LINK
        if (
            span.role is SpanRole.VALUE
            and is_sure
            and entry is not None
            and entry.type is not FieldType.PARTY
        ):
            return span  # "South African law" is no Telkom South Africa
        tokens = self._mentions.tokens
        own = [
            p
            for p in self._mentions.pieces
            if tokens[p.first].start < span.end and tokens[p.end - 1].end > span.start
        ]
        named = [p for p in own if isinstance(p.meaning, Parties)]
        rest = [t.word for p in own if p not in named for t in tokens[p.first : p.end] if t.is_word]
        is_capital = all(tokens[p.first].text[:1].isupper() for p in named)
        if not named or not is_capital or set(rest) - STOP_WORDS - _BESIDE_NAMES:
            return span
        start, end = tokens[named[0].first].start, tokens[named[-1].end - 1].end
        return replace(span, start=start, end=end, role=SpanRole.PARTY, links=())

    def _parted_kind(self, span: ReadSpan) -> tuple[ReadSpan, ...]:
        """A kind of documents apart from the organisation that they are with: "[Beta Corp] [agreements]"."""
        if span.role is not SpanRole.KIND:
            return (span,)
        tokens = self._mentions.tokens
        for piece in self._mentions.pieces:
            start, end = tokens[piece.first].start, tokens[piece.end - 1].end
            is_name = isinstance(piece.meaning, Parties) and tokens[piece.first].text[:1].isupper()
            if is_name and span.start <= start and end < span.end:
                name = replace(span, start=start, end=end, role=SpanRole.PARTY)
                return (name, replace(span, start=end + 1))
        return (span,)

    def _with_values(self, spans: Sequence[ReadSpan]) -> tuple[ReadSpan, ...]:
        """The spans with a field and the value right behind it as one: "[effective date] in [Q1 2023]"."""
        found: list[ReadSpan] = []
        for span in spans:
            before = found[-1] if found else None
            if before is not None and self._is_value_of(before, span):
                found[-1] = replace(before, end=span.end, role=SpanRole.VALUE)
            else:
                found.append(span)
        return tuple(found)

    def _is_value_of(self, before: ReadSpan, span: ReadSpan) -> bool:
        if before.role is not SpanRole.CONDITION or span.role is not SpanRole.VALUE or before.is_negated:
            return False
        between = self._reading.question[before.end : span.start].split()
        entry = self.schema.field(before.links[0].field) if before.links else None
        is_near = len(between) <= 1 and not set(map(str.casefold, between)) & _JOINING
        return is_near and entry is not None and entry.type in ORDERED

    def outside(self) -> ParsedQuestion:
        """The question with the pieces that no span of the reading explains."""
        tokens = self._mentions.tokens
        spans = (*self._reading.spans, *self._said_again)

        negated = [span for span in spans if span.is_negated]

        def is_read(piece: Piece) -> bool:
            start, end = tokens[piece.first].start, tokens[piece.end - 1].end
            if isinstance(piece.meaning, Negator) and any(_is_near(start, end, each) for each in negated):
                return True
            return any(start < span.end and end > span.start for span in spans)

        return replace(self._mentions, pieces=tuple(p for p in self._mentions.pieces if not is_read(p)))

    def _link(self, span: ReadSpan) -> FieldLink:
        own = [link for link in span.links if link.schema == self.schema.name]
        if not own:
            raise UnreadableError
        return own[0]

    def _entry(self, span: ReadSpan) -> FieldEntry:
        entry = self.schema.field(self._link(span).field)
        if entry is None:
            raise UnreadableError
        return entry

    def _field(self, span: ReadSpan) -> FieldSenses:
        return senses_of_field(self._entry(span))

    def _noun(self) -> Noun | None:
        """The kind of document that is asked about."""
        for span in self._reading.of(SpanRole.KIND):
            is_said_else = bool(self._names.things(span)) or self._is_said_by_field(span)
            if not self._is_excluded(span) and not is_said_else:
                return with_kinds_of(self._kind(span), self._also)
        outside = self.outside().pieces
        nouns = [p.meaning for p in outside if isinstance(p.meaning, Noun)]
        found = next((n for n in nouns if n.schema in ("", self.schema.name)), None)
        return with_kinds_of(found, self._also) if found is not None else None

    def _is_said_by_field(self, span: ReadSpan) -> bool:
        """True for a kind that a condition names itself: "licences that affiliates may use, too"."""
        words = {word for word in stems(self._reading.text(span)) if word not in STOP_WORDS}
        asked = [self._entry(each) for each in self._reading.of(SpanRole.CONDITION) if self._knows(each)]
        return bool(words) and any(words <= set(stems(entry.title)) for entry in asked)

    def _knows(self, span: ReadSpan) -> bool:
        return any(link.schema == self.schema.name and self.schema.field(link.field) for link in span.links)

    def _any_noun(self) -> Noun | None:
        """The plain noun of the schema: contracts are agreements where nothing else is said."""
        for word in (self.schema.name.removesuffix("s"), *self.schema.words):
            found = [each for each in self._lexicon.nouns(stems(word)) if each.schema == self.schema.name]
            if found:
                return with_kinds_of(replace(found[0], is_plural=True), self._also)
        return None

    def _kind(self, span: ReadSpan) -> Noun:
        text = self._reading.text(span)
        pieces = of_titled_kinds(mentions_of(text, self._known, self._today).pieces, self._lexicon)
        nouns = [p for p in pieces if isinstance(p.meaning, Noun) and p.meaning.schema == self.schema.name]
        idle = _IDLE | _EXCLUDING | _LACKING | STOP_WORDS
        words = [t.text for t in tokens_of(text) if t.is_word and t.word not in idle and "'" not in t.word]
        base = nouns[-1].meaning if nouns else self._any_noun()
        if not isinstance(base, Noun):
            raise UnreadableError
        covered = {t.casefold() for p in nouns for t in p.text.split()}
        rest = [word for word in words if word.casefold() not in covered]
        if not rest:
            return replace(base, is_plural=True)
        if self.schema.field(NAME) is None:
            raise UnreadableError  # papers of this schema have no names that could say "tyre receipts"
        return replace(base, title_words=(" ".join(rest),), is_plural=True)

    def _is_excluded(self, span: ReadSpan) -> bool:
        question = self._reading.question
        before = question[max(0, span.start - 24) : span.start].casefold().split()
        if span.is_negated or set(before[-3:]) & _EXCLUDING or _LEFT_OUT.match(question, span.end):
            return True
        same = [each for each in self._reading.of(span.role) if each.end <= span.start]
        between = question[same[-1].end : span.start].casefold().split() if same else ["-"]
        is_joined = set(between) <= _JOINED_WORDS  # "leaving out receipts and [credit notes]"
        return bool(same) and is_joined and self._is_excluded(same[-1])

    def _where(self, spans: Sequence[ReadSpan] | None = None) -> Expression | None:
        chosen = self._reading.of(*_CONDITIONS) if spans is None else spans
        parts = [
            (span, found)
            for span in chosen
            if not self._is_implied(span)
            for found in [self._condition_or_none(span, chosen)]
            if found is not None
        ]
        kinds = self._reading.of(SpanRole.KIND) if spans is None else ()
        for span in kinds:
            things = self._names.things(span)
            if things:
                of_these: Expression = test_of(self._reading, span, DocumentSet(things))
                parts.append((span, Not(of_these) if self._is_excluded(span) else of_these))
            elif self._is_excluded(span):
                parts.append((span, Not(test_of(self._reading, span, self._kind(span)))))
        found = self._joined(sorted(parts, key=lambda part: part[0].start))
        return self._with_states(found) if spans is None else found

    def _is_implied(self, span: ReadSpan) -> bool:
        """True where a kind is left out that the documents asked about are not of anyway."""
        if span.role is not SpanRole.VALUE or not span.is_negated or self._entry(span).name != KIND:
            return False
        asked = self._subject or self._any_noun()
        return asked is not None and bool(asked.kind) and self._kind(span).kind != asked.kind

    def _with_states(self, found: Expression | None) -> Expression | None:
        """With what the grammar reads outside all spans as a condition of its own: "still running"."""
        states = [
            Test((p,), None, None, p.meaning)
            for p in self.outside().pieces
            if isinstance(p.meaning, Period) and p.meaning.hint
        ]
        parts = (*([found] if found is not None else []), *states)
        return None if not parts else parts[0] if len(parts) == 1 else All(parts)

    def _joined(self, parts: Sequence[tuple[ReadSpan, Expression]]) -> Expression | None:
        """Conditions joined by the words between them; "or" binds less than "and" does.

        "without A or B" lacks both, "lacking A or lacking B" one of them.
        """
        if not parts:
            return None
        groups: list[list[Expression]] = [[parts[0][1]]]
        for (before, _), (span, part) in pairwise(parts):
            if before.role is span.role is SpanRole.DOCUMENT and not (before.is_negated or span.is_negated):
                last = groups[-1].pop()
                choices = (*last.parts, part) if isinstance(last, Any) else (last, part)
                groups[-1].append(Any(choices))
                continue
            between = self._reading.question[before.end : span.start]
            is_either = bool(_EITHER.search(between))
            is_said_again = bool(set(between.casefold().split()) & _LACKING)
            is_shared = before.is_negated and span.is_negated and not is_said_again
            if is_either and not is_shared:
                if _is_pair(before, span, between):
                    last = groups[-1].pop()
                    choices = (*last.parts, part) if isinstance(last, Any) else (last, part)
                    groups[-1].append(Any(choices))
                else:
                    groups.append([part])
            else:
                groups[-1].append(part)
        parts_of = [each[0] if len(each) == 1 else All(tuple(each)) for each in groups]
        return parts_of[0] if len(parts_of) == 1 else Any(tuple(parts_of))

    def _condition_or_none(self, span: ReadSpan, beside: Sequence[ReadSpan]) -> Expression | None:
        """The condition of a span; None for a comparison without a value among others, as "older stuff".

        Its words are then left for the coverage to tell, but where another span says the value of the field.
        """
        is_marked = span.probability == 1.0  # by a person, who is told what cannot be read
        if span.role is not SpanRole.VALUE or len(beside) < 2 or is_marked:
            return self._condition(span)
        try:
            return self._condition(span)
        except UnreadableError:
            same = [each for each in beside if each != span and each.role is SpanRole.VALUE]
            if not any(each.links[:1] and each.links[0].field == span.links[0].field for each in same):
                kept = tuple(each for each in self._reading.spans if each != span)
                self._reading = replace(self._reading, spans=kept)
            return None

    def _condition(self, span: ReadSpan) -> Expression:
        if span.role is SpanRole.CONDITION:
            test = Test((piece_of(self._reading, span, self._field(span)),), self._field(span))
            return Not(test) if span.is_negated else test
        if span.role is SpanRole.VALUE:
            return self._value(span)
        found = self._names.party(span) if span.role is SpanRole.PARTY else self._names.document(span)
        return Not(found) if self._is_excluded(span) else found

    def _value(self, span: ReadSpan) -> Expression:
        """The condition on a value; the field is the reader's, the value is read exactly."""
        currency = self._of_currency(span)
        if currency is not None:
            return currency
        fields, entry = self._field(span), self._entry(span)
        if entry.name == KIND:
            return self._of_kind(span, fields)
        text = self._with_places(in_plain_words(in_written_words(self._with_bounds(span))), entry)
        if entry.type is FieldType.DATE:
            text = _OVER_BY.sub(" ", text)
        if entry.type is FieldType.DATE and set(text.casefold().split()) & _STATES:
            raise UnreadableError  # "in force on 1 July" is between two days of a document
        mentions = mentions_of(text, self._known, self._today)
        pieces = joined(mentions.pieces, self._lexicon, self._today)
        if entry.type is FieldType.TEXT:
            pieces = tuple(p for p in pieces if not isinstance(p.meaning, (Noun, DocumentSet)))
        parser = ConditionParser(pieces)
        parsed = parser.parse()
        found = _of_field(parsed, fields, entry) if parsed is not None else None
        unknown = [p for p in parser.leftover if _is_unknown_name(p)]
        if entry.type is FieldType.TEXT and unknown:  # "Quebec or Texas law": nothing is under Quebec's
            others = tuple(Test((p,), fields, None, UnknownWord()) for p in unknown)
            found = Any((*others, found)) if found is not None else Any(others) if others[1:] else others[0]
        if found is None and entry.type is FieldType.DATE and self._is_over(span, entry):
            over = Period(None, self._today - timedelta(days=1), is_relative=True)
            found = Test((piece_of(self._reading, span, fields),), fields, None, over)
        if found is None:
            raise UnreadableError
        is_negated = span.is_negated and not isinstance(found, Not)
        return Not(found) if is_negated else found

    def _is_over(self, span: ReadSpan, entry: FieldEntry) -> bool:
        """True of "have run out" and its like, of a day on which something ends."""
        is_end = bool(set(stems(entry.title)) & _ENDS)
        return is_end and says_over(self._reading.text(span), self._reading.question)

    def _of_currency(self, span: ReadSpan) -> Expression | None:
        """The condition that amounts are in a currency, where words say no more: "not in euros"."""
        pieces = mentions_of(self._reading.text(span), self._known, self._today).pieces
        found = [piece.meaning for piece in pieces if isinstance(piece.meaning, Currency)]
        says_more = (Quantity, Comparator, FieldSenses)  # "a USD cap of more than half a million"
        if len(found) != 1 or any(isinstance(piece.meaning, says_more) for piece in pieces):
            return None
        op = Operator.NOT_EQUAL if span.is_negated else Operator.EQUAL
        return Test((piece_of(self._reading, span, found[0]),), None, op, found[0])

    def _with_places(self, text: str, entry: FieldEntry) -> str:
        """The text with postal abbreviations of states as their names, where the field has such values."""
        values = self._lexicon.catalogue.values
        own = {each.text for each in values if (each.schema, each.field) == (entry.schema, entry.name)}
        if entry.type is not FieldType.TEXT or not any(canonical_place(each) for each in own):
            return text
        return _POSTAL.sub(lambda match: POSTAL[match[0]], text)

    def _with_bounds(self, span: ReadSpan) -> str:
        """The words of a span, and those that compare right before or behind it: "stuff under [44 lbs]"."""
        question, tokens = self._reading.question, self._mentions.tokens
        start, end = span.start, span.end
        for piece in self._mentions.pieces:
            if isinstance(piece.meaning, Comparator):
                first, last = tokens[piece.first].start, tokens[piece.end - 1].end
                if last <= span.start and not question[last : span.start].strip():
                    start = first
                is_next = any(not question[last : each.start].strip() for each in self._reading.spans if
                              each.start >= last)  # fmt: skip
                if first >= span.end and not question[span.end : first].strip() and not is_next:
                    end = last
        onward = _ONWARD.match(question, end)
        return question[start : onward.end() if onward else end]

    def _of_kind(self, span: ReadSpan, fields: FieldSenses) -> Expression:
        """The condition that a document is of a kind, or is not."""
        noun = self._kind(span)
        if noun.title_words:
            found = test_of(self._reading, span, noun)
        else:
            kinds = tuple(ValueEntry(self.schema.name, KIND, each) for each in noun.kind.split("|") if each)
            if not kinds:
                raise UnreadableError
            found = Test((piece_of(self._reading, span, fields),), fields, None, Values(kinds))
        return Not(found) if span.is_negated else found


_IDLE = word_list("reading", "idle_in_kinds")
_EXCLUDING = word_list("reading", "excluding")
_LACKING = word_list("reading", "lacking")
_STATES = frozenset(("force", "active", "valid", "running", "live"))
_ENDS = frozenset(stems("expiration expiry expires end until termination valid due"))
_JOINING = frozenset(("and", "or", "but", "nor", ","))
_BESIDE_NAMES = word_list("reading", "beside_names")


def _is_unknown_name(piece: Piece) -> bool:
    return (
        isinstance(piece.meaning, UnknownWord)
        and piece.text[:1].isupper()
        and piece.text.casefold() not in STOP_WORDS
    )


def _is_near(start: int, end: int, span: ReadSpan) -> bool:
    """True where words stand so close to a span that they may negate it."""
    return span.start - _REACH <= end <= span.start or span.end <= start <= span.end + _REACH


def _is_pair(before: ReadSpan, span: ReadSpan, between: str) -> bool:
    """True where "or" stands between two conditions alone: it then binds these two, and no more."""
    return before.role is span.role or len(between.split()) <= 3


def _of_field(expression: Expression, fields: FieldSenses, entry: FieldEntry) -> Expression | None:
    """The conditions with values, on one field; None where a value cannot be of it, or none is there."""
    if isinstance(expression, Test):
        return _on_field(expression, fields, entry)
    if isinstance(expression, Not):
        part = _of_field(expression.part, fields, entry)
        return replace(expression, part=part) if part is not None else None
    known = [each for each in expression.parts if not _is_plain_unknown(each)]
    chosen = known or expression.parts  # "fall under the law of Iowa": "fall" is no law beside one
    parts = tuple(p for each in chosen if (p := _of_field(each, fields, entry)) is not None)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else replace(expression, parts=parts)


def _is_plain_unknown(part: Expression) -> bool:
    return (
        isinstance(part, Test)
        and isinstance(part.operand, UnknownWord)
        and all(piece.text.islower() for piece in part.pieces)
    )


def _on_field(test: Test, fields: FieldSenses, entry: FieldEntry) -> Test | None:
    operand = test.operand
    if not isinstance(operand, (*_LITERALS, Parties)):
        return None
    if isinstance(operand, Period) and operand.hint:
        operand = replace(operand, hint="")
    if isinstance(operand, Period) and entry.type is FieldType.DURATION and operand.length is None:
        return None
    if isinstance(operand, Values):
        own = tuple(v for v in operand.values if v.schema == entry.schema and v.field == entry.name)
        if not own:
            return None
        operand = replace(operand, values=own)
    if test.span is not None:
        return test
    piece = Piece(0, 1, entry.title, fields, "as the reader reads it")
    return replace(test, fields=fields, operand=operand, hint="", pieces=(piece, *test.pieces))
