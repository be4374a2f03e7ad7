"""Readings over documents that a question does not speak of: the text answers what is asked there.

Words such as "paid", "joins" or "first" are those of a schema's fields, too. Where the scope holds no
document of that schema and nothing names it, they are no question about it. And "which tokenizers does the
page on FTS5 list" asks for tokenizers: the documents that its other words name are no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from core.domain.annotation import Calculation
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    ClauseNoun,
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    Meaning,
    Mentions,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    UnknownWord,
    Values,
    singular,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.parse import parse
from core.plan.language.syntax.tree import elect
from core.text.words import word_list

_AUXILIARIES = word_list("asking", "auxiliaries")
_STATED = (FieldSenses, Parties, Values, ClauseNoun, DayRange, Quantity, Policy)
_LISTING = ("what", "which", "list", "count")
_OF_ONE = ("who", "what", "where", "when")
_RELATING = frozenset(["of", "in", "at", "for"])


def is_of_absent_schema(reading: ParsedQuestion, lexicon: Lexicon, buckets: Sequence[str]) -> bool:
    """True where a question would be read over a schema of which the scope holds nothing, and names none.

    A scope without any document is none to judge by.
    """
    catalogue = lexicon.catalogue
    name = elect(parse(reading), lexicon)
    if not name or _holds(catalogue, name, buckets) or not _holds(catalogue, "", buckets):
        return False
    nouns = (piece.meaning for piece in reading.pieces)
    return not any(isinstance(noun, Noun) and noun.schema == name for noun in nouns)


def field_words(reading: Mentions) -> str:
    """The words right behind the question word that name a field: `discount` of "what discount do ..."."""
    said = [piece for piece in reading.pieces if not isinstance(piece.meaning, Filler)]
    if len(said) < 2 or not isinstance(said[0].meaning, Ask) or not isinstance(said[1].meaning, FieldSenses):
        return ""
    return said[1].text


def _holds(catalogue: Catalogue, schema: str, buckets: Sequence[str]) -> bool:
    """True where the scope has a document of the schema; "" for any."""
    if not buckets and schema:
        entry = catalogue.schema(schema)
        return entry is not None and entry.documents > 0
    return any(
        (not schema or each.schema == schema) and (not buckets or each.bucket in buckets)
        for each in catalogue.documents
    )


def lists_other_things(reading: Mentions, plan: Plan) -> bool:
    """True where a plan gives documents, or the last of them by day, and the question asks for other things.

    It has no noun for documents, no field and no condition, only a name that stands in titles, and words that
    the plan leaves out; or what it asks for is a noun that nothing is called by ("which tokenizers do ...").
    """
    select = plan.nodes[0] if plan.nodes else None
    if not isinstance(select, SelectionNode) or select.of != "documents" or len(plan.nodes) > 2:
        return False
    counts = plan.nodes[1:]
    if any(not isinstance(n, ComputationNode) or n.function is not Calculation.COUNT for n in counts):
        return False
    if not plan.uncovered:
        return False
    if _asks_for_unknown(reading) or _asks_relation(reading):
        return True
    if select.conditions:
        return False
    said = [piece.meaning for piece in reading.pieces if not _is_inside_a_word(piece, reading)]
    is_named = any(isinstance(meaning, DocumentSet) for meaning in said)
    schema = select.scope.schema_name
    return is_named and not any(_says_documents(meaning, schema) for meaning in said)


def _says_documents(meaning: Meaning, schema: str) -> bool:
    """True where a piece says which documents are wanted: a noun for them, or something that they state."""
    if isinstance(meaning, Noun):
        return meaning.schema in ("", schema)
    return isinstance(meaning, _STATED)


def _is_inside_a_word(piece: Piece, reading: Mentions) -> bool:
    """True of "text" in "full-text": a part of a compound names no documents."""
    start, end = reading.tokens[piece.first].start, reading.tokens[piece.end - 1].end
    return reading.question[:start][-1:] == "-" or reading.question[end:][:1] == "-"


def _asks_relation(reading: Mentions) -> bool:
    """True of "who is the mayor of Lisbon": what somebody is to a name, where no field is called so."""
    pieces = reading.pieces
    ask = pieces[0].meaning if pieces else None
    if not isinstance(ask, Ask) or ask.how not in _OF_ONE:
        return False
    said = [piece for piece in pieces[1:] if not isinstance(piece.meaning, Filler)]
    if not said or any(isinstance(piece.meaning, (FieldSenses, Noun)) for piece in said):
        return False
    run = list(takewhile(lambda piece: isinstance(piece.meaning, UnknownWord), said))
    if not run:
        return False
    after = reading.tokens[run[-1].end].word if run[-1].end < len(reading.tokens) else ""
    return after in _RELATING


def _asks_for_unknown(reading: Mentions) -> bool:
    """True where a plural that nothing is called by stands between the question word and its auxiliary."""
    pieces = [piece for piece in reading.pieces if piece.text]
    ask = pieces[0].meaning if pieces else None
    if not isinstance(ask, Ask) or ask.how not in _LISTING:
        return False
    run: list[Piece] = []
    for piece in pieces[1:]:
        if isinstance(piece.meaning, UnknownWord) or (not run and isinstance(piece.meaning, Filler)):
            run.append(piece)
            continue
        break
    unknown = [piece for piece in run if isinstance(piece.meaning, UnknownWord)]
    if not unknown:
        return False
    last = unknown[-1]
    word = reading.tokens[last.end - 1].word
    after = reading.tokens[last.end].word if last.end < len(reading.tokens) else ""
    return singular(word) != word and after in _AUXILIARIES
