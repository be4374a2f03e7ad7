"""Readings that would answer another question than the one asked: they are corrected, or asked back.

"The number of the certificate" is what stands on it and counts nothing; "the cap" is that of one document;
"big" is no name and says no measure; who did something is nobody's date; and what was paid "for electricity"
is nothing where no paper speaks of electricity.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.answer import Attempt, Kind
from core.domain.fields import PLAIN_TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, option_for, which_of
from core.plan.guards.ambiguity import WORTH, by_what
from core.plan.guards.unknown_names import no_name
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode, flattened
from core.plan.language.lexicon.lexicon import KIND, Lexicon
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Ask,
    FieldSenses,
    Filler,
    HavingWord,
    Mentions,
    Noun,
    Parties,
    Piece,
    UnknownWord,
    singular,
    stems,
)
from core.text.words import word_list

SIZES = word_list("asking", "sizes")
"""Words that measure without saying what."""

_DEFINITE = frozenset(["the", "its", "it", "this", "that"])
_IDLE = (Filler, HavingWord)
_NAMES = (FieldType.PARTY, FieldType.TEXT, FieldType.ENUM)
_DAYS = (FieldType.DATE, FieldType.DURATION, FieldType.TEXT)
_ANSWERING = {"who": _NAMES, "when": _DAYS}
_EQUALS = (Operator.EQUAL, Operator.IN)
_NAMING = (Operator.EQUAL, Operator.NOT_EQUAL, Operator.CONTAINS)
_FOR = frozenset(["for", "on", "towards", "toward", "regarding", "concerning"])
_READ = 400  # documents of a kind that are read for a word: of more nobody can say that none has it


def check_meant(mentions: Mentions, lexicon: Lexicon) -> None:
    """Raises AskBackError for a value of a document that nothing names, and for sizes without a measure."""
    _check_definite(mentions, lexicon)
    _check_size(mentions, lexicon)


def _check_definite(mentions: Mentions, lexicon: Lexicon) -> None:
    """ "What is the cap?": a value of one document, where several state it and nothing says which."""
    said = [piece for piece in mentions.pieces if not isinstance(piece.meaning, (*_IDLE, Ask))]
    if (
        len(said) != 1
        or not isinstance(said[0].meaning, FieldSenses)
        or said[0].meaning.matches[0].weight < 0.5
    ):
        return
    piece, meaning = said[0], said[0].meaning
    if not _is_asked_for_one(mentions, piece):
        return
    first = meaning.matches[0].field
    schema = lexicon.catalogue.schema(first.schema)
    if schema is None or first.documents == 1:
        return
    fitting = [each for each in lexicon.catalogue.documents if _states(each, schema)]
    if len(fitting) < 2:
        return
    text = mentions.question[
        mentions.tokens[max(0, piece.first - 1)].start : mentions.tokens[piece.end - 1].end
    ]
    text = text if mentions.tokens[max(0, piece.first - 1)].word == "the" else piece.text
    asked = which_of(mentions.question, text, schema.title.lower(), fitting)
    raise AskBackError(
        asked.model_copy(
            update={
                "options": tuple(
                    each.model_copy(
                        update={"question": f"What is the {first.title.lower()} of {each.label}?"}
                    )
                    for each in asked.options
                )
            }
        )
    )


def _is_asked_for_one(mentions: Mentions, piece: Piece) -> bool:
    words = [token.word for token in mentions.tokens]
    ask = mentions.pieces[0].meaning
    if not isinstance(ask, Ask) or ask.how not in ("what", "much", "long", "when", "who", "whether", "list"):
        return False
    last = words[piece.end - 1]
    if ask.how in ("list",) and words[piece.first - 1 : piece.first] != ["the"]:
        return False
    is_plural = singular(last) != last or "are" in words or "were" in words
    return not is_plural and bool(_DEFINITE & set(words)) and not {"all", "each", "every"} & set(words)


def _states(document: DocumentEntry, schema: SchemaEntry) -> bool:
    is_kind = schema.field(KIND) is None or document.kind not in ("policy", "amendment")
    return document.schema == schema.name and is_kind


def _check_size(mentions: Mentions, lexicon: Lexicon) -> None:
    """ "The big contracts", "are any of our suppliers expensive": by what, only the person knows."""
    pieces = mentions.pieces
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, (UnknownWord, Parties, Filler)) or piece.end - piece.first != 1:
            continue
        token = mentions.tokens[piece.first]
        if token.text not in SIZES | WORTH:  # a name is written with a capital
            continue
        noun = _judged(mentions, pieces, at)
        if noun is None or _has_measure(pieces):
            continue
        schema = lexicon.catalogue.schema(_schema_of(noun))
        if schema is None:
            continue
        raise AskBackError(by_what(mentions.question, token.text, schema))


def _judged(mentions: Mentions, pieces: Sequence[Piece], at: int) -> Piece | None:
    """Piece that a size is said of: the kind of document right behind it, or what "is big" at the end."""
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    if after is not None and _is_judgeable(after):
        return after
    if after is not None and not isinstance(after.meaning, Filler):
        return None
    before = mentions.tokens[pieces[at].first - 1].word if pieces[at].first else ""
    asks = pieces[0].meaning
    is_checked = isinstance(asks, Ask) and asks.how == "whether"
    if not is_checked and before not in ("is", "are", "was", "were", "too", "very", "really"):
        return None
    return next((p for p in reversed(pieces[:at]) if _is_judgeable(p)), None)


def _is_judgeable(piece: Piece) -> bool:
    if isinstance(piece.meaning, Noun):
        return bool(piece.meaning.schema)
    return isinstance(piece.meaning, FieldSenses) and piece.meaning.matches[0].field.type is FieldType.PARTY


def _has_measure(pieces: Sequence[Piece]) -> bool:
    return any(
        isinstance(p.meaning, FieldSenses) and p.meaning.matches[0].field.type is not FieldType.PARTY
        for p in pieces
    )


def _schema_of(piece: Piece) -> str:
    if isinstance(piece.meaning, Noun):
        return piece.meaning.schema
    assert isinstance(piece.meaning, FieldSenses)  # as `_is_judgeable` has it
    return piece.meaning.matches[0].field.schema


def gives_another_thing(mentions: Mentions, plan: Plan, lexicon: Lexicon) -> str:
    """The words that ask for somebody or a day where the plan of a look-up gives neither; "" otherwise.

    "Who signs for the supplier": a day of signing is nobody, and the supplier is only for whom it is done.
    """
    said = [piece for piece in mentions.pieces if not isinstance(piece.meaning, Filler)]
    how = said[0].meaning.how if said and isinstance(said[0].meaning, Ask) else ""
    node = plan.nodes[-1] if plan.nodes else None
    if how not in _ANSWERING:
        return ""
    shown = _shown_of(node, plan)
    if not shown:
        return ""
    select = next((each for each in plan.nodes if isinstance(each, SelectionNode)), None)
    schema = lexicon.catalogue.schema(select.scope.schema_name) if select is not None else None
    fields = [schema.field(name) for name in shown] if schema is not None else []
    named = [piece.text for piece in said if isinstance(piece.meaning, FieldSenses)]
    if how == "who" and _does_something(said, [each for each in fields if each is not None]):
        return said[1].text
    if not fields or any(each is None or each.type in _ANSWERING[how] for each in fields):
        return ""
    return " ".join(named) or how


def _shown_of(node: object, plan: Plan) -> tuple[str, ...]:
    """The fields that a plan shows of the documents of a look-up, or by which it puts documents in groups."""
    if isinstance(node, ComputationNode):
        return node.group_by
    is_shown = plan.kind is Kind.LOOKUP and isinstance(node, SelectionNode)
    return node.fields if is_shown and isinstance(node, SelectionNode) else ()


def _does_something(said: Sequence[Piece], fields: Sequence[FieldEntry]) -> bool:
    """True where the verb behind "who" is that of a field which names nobody, and is among those shown."""
    verb = said[1].meaning if len(said) > 1 else None
    if not isinstance(verb, FieldSenses) or not verb.is_verb:
        return False
    own = {match.field.name for match in verb.matches}
    return any(each.name in own and each.type not in _NAMES for each in fields)


def check_places(plan: Plan, catalogue: Catalogue) -> None:
    """Raises AskBackError where a plan asks a field for a text that only other fields of the kind have."""
    for node in plan.nodes:
        schema = catalogue.schema(node.scope.schema_name) if isinstance(node, SelectionNode) else None
        for condition in flattened(node.conditions) if isinstance(node, SelectionNode) else ():
            field = schema.field(condition.field) if schema is not None else None
            if field is None or field.type not in PLAIN_TEXTS or condition.op not in _EQUALS:
                continue
            wanted = (condition.value,) if isinstance(condition.value, str) else condition.value
            for text in wanted if isinstance(wanted, tuple) else ():
                _check_place(plan.question, text, field, catalogue)


def _check_place(question: str, text: str, field: FieldEntry, catalogue: Catalogue) -> None:
    """ "Governed by Orion", where Orion is only a title: the field would be asked for what it never says."""
    folded = text.casefold()
    if folded in (option.casefold() for option in field.options):
        return
    same = [v for v in catalogue.values if v.schema == field.schema and v.text.casefold() == folded]
    if not same or any(value.field == field.name for value in same):
        return
    if any(folded in v.text.casefold() for v in catalogue.values if v.field == field.name):
        return
    others = [catalogue.field(value.field, value.schema) for value in same]
    titles = list(dict.fromkeys(each.title.lower() for each in others if each is not None))
    stands = f"It stands as {' and '.join(titles)}."
    raise AskBackError(
        Clarify(
            type="no_match",
            question=question,
            phrase=text,
            reason=f"“{text}” is no {field.title.lower()} of any document. {stands}",
            attempts=(Attempt(tool="fields", args={"name": field.name, "value": text}, hits=0),),
            options=tuple(option_for(question, field.title.lower(), each) for each in titles),
        )
    )


def check_parties(plan: Plan, known: Known) -> None:
    """Raises AskBackError where a plan asks for an organisation that nothing names."""
    for node in plan.nodes:
        for condition in flattened(node.conditions) if isinstance(node, SelectionNode) else ():
            field = known.lexicon.catalogue.field(condition.field)
            name = condition.value
            if field is None or field.type is not FieldType.PARTY or condition.op not in _NAMING:
                continue
            if not isinstance(name, str) or not name:
                continue
            if any(name.casefold() in each.normal for each in known.lexicon.catalogue.parties):
                continue
            if not known.texts.holds(name, known.buckets):
                raise AskBackError(no_name(plan.question, name, known.lexicon))


def check_purpose(mentions: Mentions, plan: Plan, known: Known) -> None:
    """ "What did we pay for electricity?": nothing, where no paper of that kind has the word.

    Raises AskBackError.
    """
    answer = next((node for node in plan.nodes if node.id == plan.answer_node), None)
    if not isinstance(answer, ComputationNode) or answer.field is None:
        return
    select = next((node for node in plan.nodes if node.id in answer.inputs), None)
    if not isinstance(select, SelectionNode):
        return
    papers = [each for each in known.lexicon.catalogue.documents if each.schema == select.scope.schema_name]
    if len(papers) > _READ:
        return
    others = [p.text for p in mentions.pieces if _is_of_others(p, select.scope.schema_name)]
    for phrase in (*plan.uncovered, *others):
        match = re.search(rf"(\w+)\s+(?:the\s+|our\s+)?{re.escape(phrase)}\b", plan.question)
        if match is None or match[1].casefold() not in _FOR or not phrase.isalpha():
            continue
        wanted = set(stems(phrase))
        read = [known.texts.of(each.id) for each in papers]
        if not any(read) or any(wanted <= set(stems(text)) for text in read):
            continue
        raise AskBackError(_no_purpose(plan.question, phrase, len(papers)))


def _is_of_others(piece: Piece, schema: str) -> bool:
    """True where a word is only called by a field of other documents ("insurance" is one of contracts)."""
    meaning = piece.meaning
    return isinstance(meaning, FieldSenses) and all(each.field.schema != schema for each in meaning.matches)


def _no_purpose(question: str, phrase: str, count: int) -> Clarify:
    return Clarify(
        type="absent",
        question=question,
        phrase=phrase,
        reason=f"None of the {count} documents that state amounts of this kind speaks of “{phrase}”.",
        attempts=(Attempt(tool="search_text", args={"text": phrase}, hits=0),),
        options=(option_for(question, f" for {phrase}", ""),) if f" for {phrase}" in question else (),
    )
