"""Kinds of documents that the words of a span name, and conditions on the kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.plan.catalogue import ValueEntry
from core.plan.language.lexicon.lexicon import KIND, NAME
from core.plan.language.pieces import Noun, Values, stems, tokens_of
from core.plan.language.reading.composition import is_included, of_titled_kinds, with_kinds_of
from core.plan.language.reading.joint_kinds import either_kind, with_joint_kinds
from core.plan.language.syntax.tree import Expression, Not, Test
from core.plan.reader.conditions.base import SchemaReading
from core.plan.reader.conditions.conjunction import LACKING
from core.plan.reader.conditions.exclusion import EXCLUDING
from core.plan.reader.exact_reading import UnreadableError
from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole
from core.text.analyse import STOP_WORDS
from core.text.words import word_list

_JOINT = re.compile(
    r"\s*(?:,|/|&|(?:,\s*)?(?:and/or|and|or|plus|as well as))\s*(?:(?:the|all|any)\s+)?", re.I
)
_IDLE = word_list("reading", "idle_in_kinds")


def included_kinds(reading: QuestionReading) -> tuple[ReadSpan, ...]:
    """The spans of kinds that a question asks for beside its own: "contracts, including [amendments]"."""
    return tuple(
        each
        for each in reading.of(SpanRole.KIND, SpanRole.CONDITION, SpanRole.VALUE)
        if (each.role is SpanRole.KIND or (each.links[:1] and each.links[0].field == KIND))
        and is_included(reading.question, each.start, each.end)
    )


@dataclass(frozen=True, slots=True)
class SpanKinds(SchemaReading):
    """Kinds in the spans of one reading over one schema. beside: the kinds that are asked for, too.

    Raises UnreadableError where words name no kind of the schema.
    """

    beside: tuple[Noun, ...] = ()

    def kind(self, span: ReadSpan) -> Noun:
        """The kind that a span names, with the words that its titles have to have: "tyre receipts"."""
        text = self.reading.text(span)
        lexicon = self.known.lexicon
        pieces = with_joint_kinds(of_titled_kinds(self.mentions_in(text).pieces, lexicon), lexicon)
        nouns = [p for p in pieces if isinstance(p.meaning, Noun) and p.meaning.schema == self.schema.name]
        idle = _IDLE | EXCLUDING | LACKING | STOP_WORDS
        words = [t.text for t in tokens_of(text) if t.is_word and t.word not in idle and "'" not in t.word]
        base = nouns[-1].meaning if nouns else self.any_noun()
        if not isinstance(base, Noun):
            raise UnreadableError
        covered = {t.casefold() for p in nouns for t in p.text.split()}
        rest = [word for word in words if word.casefold() not in covered]
        if not rest:
            return replace(base, is_plural=True)
        if self.schema.field(NAME) is None:
            raise UnreadableError  # papers of this schema have no names that could say "tyre receipts"
        return replace(base, title_words=(" ".join(rest),), is_plural=True)

    def either(self, spans: Sequence[ReadSpan]) -> Noun:
        """The kind of the first span, or of any that is joined to it: "[hosting] or [agency deals]"."""
        noun, last = self.kind(spans[0]), spans[0]
        for span in spans[1:]:
            if not _JOINT.fullmatch(self.reading.question[last.end : span.start]):
                break
            either = either_kind(noun, self.kind(span))
            if either is None:
                break
            noun, last = either, span
        return noun

    def any_noun(self) -> Noun | None:
        """The plain noun of the schema: contracts are agreements where nothing else is said."""
        for word in (self.schema.name.removesuffix("s"), *self.schema.words):
            nouns = self.known.lexicon.nouns(stems(word))
            found = [each for each in nouns if each.schema == self.schema.name]
            if found:
                return with_kinds_of(replace(found[0], is_plural=True), self.beside)
        return None

    def is_said_by_field(self, span: ReadSpan) -> bool:
        """True for a kind that a condition names itself: "licences that affiliates may use, too"."""
        words = {word for word in stems(self.reading.text(span)) if word not in STOP_WORDS}
        asked = [self.entry(each) for each in self.reading.of(SpanRole.CONDITION) if self._knows(each)]
        return bool(words) and any(words <= set(stems(entry.title)) for entry in asked)

    def _knows(self, span: ReadSpan) -> bool:
        return any(link.schema == self.schema.name and self.schema.field(link.field) for link in span.links)

    def condition(self, span: ReadSpan) -> Expression:
        """The condition that a document is of a kind, or is not."""
        noun = self.kind(span)
        if noun.title_words:
            found = self.test(span, noun)
        else:
            kinds = tuple(ValueEntry(self.schema.name, KIND, each) for each in noun.kind.split("|") if each)
            if not kinds:
                raise UnreadableError
            fields = self.senses(span)
            found = Test((self.piece(span, fields),), fields, None, Values(kinds))
        return Not(found) if span.is_negated else found
