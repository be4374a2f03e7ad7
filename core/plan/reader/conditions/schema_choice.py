"""The schema that a reading is about, by what its fields and its nouns speak for."""

from __future__ import annotations

from collections import defaultdict

from core.domain.fields import FieldType
from core.plan.catalogue import SchemaEntry
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import DocumentSet, Noun
from core.plan.language.reading.read import ParsedQuestion
from core.plan.reader.reading import QuestionReading, SpanRole

_WITH_FIELDS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
_NOUN_VOTE = 2.0
_DOCUMENT_VOTE = 0.3


def schema_of(reading: QuestionReading, mentions: ParsedQuestion, lexicon: Lexicon) -> SchemaEntry | None:
    """The schema that fits what a question links to, and what it calls the documents; None for none."""
    votes: dict[str, float] = defaultdict(float)
    fields = reading.of(*_WITH_FIELDS)
    for span in fields:
        best: dict[str, float] = {}
        for link in span.links:
            best[link.schema] = max(best.get(link.schema, 0.0), link.probability)
        for name, probability in best.items():
            votes[name] += probability
    for piece in mentions.pieces:
        start, end = mentions.tokens[piece.first].start, mentions.tokens[piece.end - 1].end
        is_of_field = any(start < span.end and end > span.start for span in fields)  # "sell the product line"
        if isinstance(piece.meaning, Noun) and piece.meaning.schema and not is_of_field:
            votes[piece.meaning.schema] += _NOUN_VOTE
        if isinstance(piece.meaning, DocumentSet):
            for name in {each.schema for each in piece.meaning.documents if each.schema}:
                votes[name] += _DOCUMENT_VOTE
    order = {each.name: at for at, each in enumerate(lexicon.catalogue.schemas)}
    if not votes and reading.of(SpanRole.PARTY):
        votes = _votes_of_parties(lexicon)
    known = [name for name in votes if name in order]
    return lexicon.catalogue.schema(min(known, key=lambda n: (-votes[n], order[n]))) if known else None


def _votes_of_parties(lexicon: Lexicon) -> dict[str, float]:
    """Numbers of documents by schema, of those that say who they are with."""
    votes: dict[str, float] = defaultdict(float)
    for schema in lexicon.catalogue.schemas:
        if any(entry.type is FieldType.PARTY and entry.many for entry in schema.fields):
            votes[schema.name] = sum(each.schema == schema.name for each in lexicon.catalogue.documents)
    return votes
