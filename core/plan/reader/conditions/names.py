"""Documents, organisations and things that the words of a span name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.fields import FieldType
from core.plan.catalogue import DocumentEntry, ValueEntry
from core.plan.clarify import AskBackError, which_document
from core.plan.language.lexicon.lexicon import NAME
from core.plan.language.pieces import (
    DocumentSet,
    FieldSenses,
    Noun,
    Parties,
    UnknownWord,
    Values,
    singular,
    tokens_of,
)
from core.plan.language.reading.composition import of_titled_kinds
from core.plan.language.syntax.tree import All, Any, Expression, Test
from core.plan.names.index import NameIndex, names_of
from core.plan.names.resolve import NameDecision, resolve
from core.plan.reader.conditions.base import SURE_OF_LINK, SchemaReading
from core.plan.reader.exact_reading import UnreadableError, senses_of_field
from core.plan.reader.reading import Operation, ReadSpan, SpanRole
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.naming.words import key_of, list_keys

_MOST_NAMESAKES = 12
_OF_SEVERAL = (Operation.LIST, Operation.COUNT, Operation.RANK, Operation.GROUP, Operation.COMPUTE)
_IDLE = word_list("reading", "idle_in_kinds")
_PAPERS = list_keys("papers", "titles")


@dataclass(frozen=True, slots=True)
class SpanNames(SchemaReading):
    """Names in the spans of one reading over one schema. Raises UnreadableError, AskBackError."""

    def things(self, span: ReadSpan) -> tuple[DocumentEntry, ...]:
        """The papers that are about a kind of thing, by its word, where no field says the kind: "pumps"."""
        if self.schema.field(NAME) is not None:
            return ()
        pieces = self.mentions_in(self.reading.text(span))
        nouns = [
            t for p in pieces.pieces if isinstance(p.meaning, Noun) for t in pieces.tokens[p.first : p.end]
        ]
        words = [
            t.word for t in pieces.tokens if t.is_word and t not in nouns and t.word not in _IDLE | STOP_WORDS
        ]
        if not words:
            return ()
        index = names_of(self.known.lexicon.catalogue)
        holders = [self._holding(index, word) for word in words]
        entries = [index.entries[row] for row in sorted(set.intersection(*holders))]
        return tuple(each for each in entries if each.schema == self.schema.name)

    @staticmethod
    def _holding(index: NameIndex, word: str) -> set[int]:
        forms = {word, singular(word)}
        return {row for form in forms for row in index.holders(form)[0].tolist()}

    def party(self, span: ReadSpan) -> Expression:
        """The organisations of a name; where several have it, any of them."""
        pieces = self.mentions_in(self.reading.text(span)).pieces
        named = [p.meaning for p in pieces if isinstance(p.meaning, Parties)]
        if not named:
            return self._calling(span)
        role = self._role(span)
        if role is not None:
            said = (self.piece(span, role), self.piece(span, named[0]))
            return Test(said, role, None, named[0])
        tests: list[Expression] = []
        for each in named:
            one = [self.test(span, replace(each, parties=(party,))) for party in each.parties]
            is_one = len(one) == 1 or len(one) > _MOST_NAMESAKES
            tests.append(self.test(span, each) if is_one else Any(tuple(one)))
        return tests[0] if len(tests) == 1 else All(tuple(tests))

    def _role(self, span: ReadSpan) -> FieldSenses | None:
        """The side on which an organisation is said to be: "[ACME supplies]", "[Northwind] as customer"."""
        tokens = self.mentions.tokens
        for piece in self.mentions.pieces:
            start = tokens[piece.first].start
            between = self.reading.question[span.end : start].split() if start >= span.end else []
            is_near = span.start <= start < span.end or between in (["as"], ["as", "the"], ["is", "the"])
            if is_near and isinstance(piece.meaning, FieldSenses):
                own = [m.field for m in piece.meaning.matches if m.field.schema == self.schema.name]
                if len(own) == 1 and own[0].type is FieldType.PARTY and not own[0].many:
                    return senses_of_field(own[0])
        return None

    def _calling(self, span: ReadSpan) -> Expression:
        """The documents whose title, file or opening has a name that no field has as a party."""
        index = names_of(self.known.lexicon.catalogue)
        words = [t.word for t in tokens_of(self.reading.text(span)) if index.is_name(t.word)]
        holders = [set(index.holders(word)[0].tolist()) for word in words]
        rows = set.intersection(*holders) if holders else set()
        if rows:
            return self.test(span, DocumentSet(tuple(index.entries[row] for row in sorted(rows))))
        return self._unheard_of(span)

    def _unheard_of(self, span: ReadSpan) -> Expression:
        """The documents in whose parties a name stands that nothing is known by: are there any?"""
        text = self.reading.text(span)
        entry = next(
            (each for each in self.schema.fields if each.type is FieldType.PARTY and each.many), None
        )
        is_whether = self.reading.operation is Operation.EXISTS
        if entry is None or not is_whether or not text[:1].isupper() or span.probability < SURE_OF_LINK:
            raise UnreadableError
        value = Values((ValueEntry(self.schema.name, entry.name, text),), is_part=True)
        fields = senses_of_field(entry)
        said = (self.piece(span, fields), self.piece(span, value))
        return Test(said, fields, None, value)

    def document(self, span: ReadSpan) -> Expression:
        """The document that words name. Raises AskBackError where they name several alike."""
        text = self.reading.text(span)
        several = self._called_alike(span)
        if len(several) > 1:
            return self.test(span, DocumentSet(several))
        index, counter = names_of(self.known.lexicon.catalogue), self.known.words
        found = resolve(text, index, schemas=(self.schema.name,), counter=counter)
        if found.decision is NameDecision.NONE:
            found = resolve(text, index, counter=counter)
        if found.decision is NameDecision.ONE:
            if any(is_telling(text, start, end) for start, end in found.unheld):
                raise UnreadableError  # "the merger agreement with ..." of one that is no merger agreement
            return self.test(span, DocumentSet(found.documents, is_exact=True))
        if found.decision is NameDecision.SEVERAL:
            other = self._named_beside(span)
            other = other or self._named_with_party(span)
            if other is not None and other in found.documents:
                return self.test(span, DocumentSet((other,), is_exact=True))
            raise AskBackError(which_document(self.reading.question, text, found.documents))
        return self._described(span)

    def _called_alike(self, span: ReadSpan) -> tuple[DocumentEntry, ...]:
        """The documents that share a name, where words speak of several: "the [Tern pumps] by weight"."""
        words = tokens_of(self.reading.text(span))
        is_of_several = (
            self.reading.operation in _OF_SEVERAL
            and bool(words)
            and singular(words[-1].word) != words[-1].word
        )
        index = names_of(self.known.lexicon.catalogue)
        names = [each.word for each in words[:-1] if index.is_name(each.word)]
        if not is_of_several or not names:
            return ()
        rows = set.intersection(*(set(index.holders(word)[0].tolist()) for word in names))
        entries = [index.entries[row] for row in sorted(rows)]
        return tuple(each for each in entries if each.schema == self.schema.name)

    def _named_beside(self, span: ReadSpan) -> DocumentEntry | None:
        """The one document that other words name: "the warehouse lease for [Prairie Foods]"."""
        index, counter = names_of(self.known.lexicon.catalogue), self.known.words
        texts = [self.reading.text(each) for each in self.reading.of(SpanRole.DOCUMENT) if each != span]
        found = [resolve(text, index, schemas=(self.schema.name,), counter=counter) for text in texts]
        ones = [each.documents[0] for each in found if each.decision is NameDecision.ONE]
        return ones[0] if len(ones) == 1 else None

    def _named_with_party(self, span: ReadSpan) -> DocumentEntry | None:
        """The one document that its words name beside an organisation: "Whitesmoke's [deal]"."""
        names = [self.reading.text(each) for each in self.reading.of(SpanRole.PARTY)]
        text = " ".join((*names, self.reading.text(span)))
        index, counter = names_of(self.known.lexicon.catalogue), self.known.words
        found = resolve(text, index, schemas=(self.schema.name,), counter=counter) if names else None
        is_one = found is not None and found.decision is NameDecision.ONE
        return found.documents[0] if found is not None and is_one else None

    def _described(self, span: ReadSpan) -> Expression:
        """Documents by what they state, where none is called so: a model, or the organisations in them.

        Raises AskBackError where several are with all of these.
        """
        text = self.reading.text(span)
        pieces = of_titled_kinds(self.mentions_in(text).pieces, self.known.lexicon)
        told = [p.meaning for p in pieces if isinstance(p.meaning, (DocumentSet, Values))]
        parties = [p.meaning for p in pieces if isinstance(p.meaning, Parties)]
        if parties:
            found = self._with_all(parties, [each for each in told if isinstance(each, DocumentSet)])
            if len(found) > 1:
                raise AskBackError(which_document(self.reading.question, text, found))
            if found:
                return self.test(span, DocumentSet(found, is_exact=True))
        if parties or len(told) != 1 or any(isinstance(p.meaning, UnknownWord) for p in pieces):
            raise UnreadableError
        return self.test(span, told[0])

    def _with_all(
        self, parties: Sequence[Parties], titled: Sequence[DocumentSet]
    ) -> tuple[DocumentEntry, ...]:
        """The documents with each of these organisations; of several, those whose titles have the words."""
        names = [{party.normal for party in each.parties} for each in parties]
        own = [d for d in self.known.lexicon.catalogue.documents if d.schema == self.schema.name]
        found = [d for d in own if all(each & set(d.parties) for each in names)]
        called = {d.id for each in titled for d in each.documents}
        return tuple([d for d in found if d.id in called] or found)


def is_telling(text: str, start: int, end: int) -> bool:
    """True where a word tells documents apart: a name by its capital, a number, a kind of paper."""
    behind = tokens_of(text[end:])[:1]
    if any(sign.isdigit() for sign in text[start:end]):
        return True
    return text[start : start + 1].isupper() or bool(behind and key_of(behind[0].text) in _PAPERS)
