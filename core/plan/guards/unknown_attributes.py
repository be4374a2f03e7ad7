"""Unknown attributes in a question, of which no field and no text speaks: a salary, a headcount."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Attempt
from core.domain.fields import FieldType
from core.plan.clarify import AskBackError, Clarify, option_for
from core.plan.language.lexicon.meaning import NEAR, Known
from core.plan.language.lexicon.words import SEVERAL_MEANINGS
from core.plan.language.pieces import (
    Ask,
    DocumentSet,
    FieldSenses,
    Filler,
    Mentions,
    Noun,
    Parties,
    Piece,
    Quantity,
    UnknownWord,
    stem,
)
from core.text.words import word_list

_OF_TALK = frozenset(map(stem, word_list("asking", "talk")))
"""What is asked about anything: no document has to use the word."""

_MEASURED = (FieldType.NUMBER, FieldType.MONEY, FieldType.DURATION, FieldType.DATE)
_ALL = ("much", "long")
_OF = frozenset(["of", "for", "in", "at", "on", "under", "from", "to"])
_NUMBERS = frozenset(["number", "no", "nr", "num"])


def check_attribute(mentions: Mentions, known: Known) -> None:
    """Raises AskBackError where what is asked for is written nowhere in the collection.

    Of a document, the nearest fields are offered: another word may be meant. Of anything else it is absent.
    """
    run = asked_run(mentions)
    if not run:
        return
    head = mentions.tokens[run[-1].end - 1]
    words = [mentions.tokens[piece.first].word for piece in run]
    if (
        any(stem(word) in _OF_TALK for word in words)
        or head.word in SEVERAL_MEANINGS
        or any(char.isdigit() for char in "".join(words))
    ):
        return
    ask = mentions.pieces[0].meaning
    needs_all = isinstance(ask, Ask) and ask.how in _ALL
    heads = words if needs_all else [head.word if head.word not in _NUMBERS else words[0]]
    if any(known.texts.holds(word, known.buckets) for word in heads):
        return
    phrase = mentions.question[mentions.tokens[run[0].first].start : head.end]
    of_paper = next((p for p in mentions.pieces if isinstance(p.meaning, (DocumentSet, Noun))), None)
    raise AskBackError(_nearest(mentions, phrase, of_paper, known) or _absent(mentions.question, phrase))


def asked_words(mentions: Mentions) -> str:
    """The words for what is asked for, where nothing is called by them; "" where something is."""
    run = asked_run(mentions)
    words = [mentions.tokens[piece.first].word for piece in run]
    ask = mentions.pieces[0].meaning if mentions.pieces else None
    if not run or any(stem(word) in _OF_TALK for word in words) or (isinstance(ask, Ask) and ask.how in _ALL):
        return ""
    return mentions.question[mentions.tokens[run[0].first].start : mentions.tokens[run[-1].end - 1].end]


def counts_something(mentions: Mentions) -> bool:
    """True where no document is counted: "how many employees does Zeta have", "telephone number of"."""
    pieces = mentions.pieces
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Ask) or piece.meaning.how != "count":
            continue
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        if piece.text.casefold().startswith("how many"):
            return after is not None and isinstance(after.meaning, UnknownWord)
        before = pieces[at - 1] if at else None
        return before is not None and isinstance(before.meaning, UnknownWord)
    return False


def asked_run(mentions: Mentions) -> Sequence[Piece]:
    """The unknown words that say what is asked for: "annual salary" of "what is the annual salary of"."""
    pieces = mentions.pieces
    at = 0
    ask = pieces[0].meaning if pieces else None
    if isinstance(ask, Ask):
        if ask.how in _ALL:
            return _all_unknown(pieces[1:])
        if ask.how not in ("what", "count", "list"):
            return ()
        at = 1
    elif any(isinstance(each.meaning, Ask) and not _is_part(each) for each in pieces):
        return ()  # "for which company ..."
    while at < len(pieces) and isinstance(pieces[at].meaning, (Filler, Parties, Ask)):
        at += 1
    end = at
    while end < len(pieces) and _is_part(pieces[end]) and _is_beside(mentions, pieces, end, at):
        end += 1
    run = [piece for piece in pieces[at:end] if isinstance(piece.meaning, UnknownWord)]
    after = pieces[end] if end < len(pieces) else None
    if not run or (after is not None and isinstance(after.meaning, (FieldSenses, Noun, Quantity))):
        return ()
    if any(mentions.tokens[piece.first].word.endswith(("ed", "ing")) for piece in run):
        return ()  # "what happened to ..."
    is_order = at == 0 and after is not None and after.text.casefold() not in _OF
    return () if is_order else run


def _is_part(piece: Piece) -> bool:
    """An unknown word, or the "number of" that one stands before."""
    is_number = isinstance(piece.meaning, Ask) and piece.text.casefold().startswith("number")
    return isinstance(piece.meaning, UnknownWord) or is_number


def _is_beside(mentions: Mentions, pieces: Sequence[Piece], at: int, first: int) -> bool:
    if at == first:
        return True
    between = mentions.question[
        mentions.tokens[pieces[at - 1].end - 1].end : mentions.tokens[pieces[at].first].start
    ]
    return between == " "


def _all_unknown(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """ "How much does the CFO earn": the words that are unknown, where nothing else says what is meant."""
    if any(isinstance(piece.meaning, (FieldSenses, DocumentSet, Noun, Parties)) for piece in pieces):
        return ()
    return [piece for piece in pieces if isinstance(piece.meaning, UnknownWord)]


def _nearest(mentions: Mentions, phrase: str, paper: Piece | None, known: Known) -> Clarify | None:
    """A question back with the measured fields that are near, where something of a document is asked for."""
    if paper is None or known.meanings is None:
        return None
    meaning = paper.meaning
    name = meaning.schema if isinstance(meaning, Noun) else ""
    if isinstance(meaning, DocumentSet):
        name = next((each.schema for each in meaning.documents if each.schema), "")
    schema = known.lexicon.catalogue.schema(name)
    near = known.meanings.nearest(phrase, schema) if schema is not None else []
    close = [field for field, score in near if score >= NEAR and field.type in _MEASURED and field.documents]
    if schema is None or not close:
        return None
    return Clarify(
        type="no_match",
        question=mentions.question,
        phrase=phrase,
        reason=f"Neither a field nor the text speaks of “{phrase}”. Do you mean one of these?",
        attempts=_tried(phrase),
        options=tuple(
            option_for(mentions.question, phrase, each.title.lower(), each.documents) for each in close
        ),
    )


def _absent(question: str, phrase: str) -> Clarify:
    return Clarify(
        type="absent",
        question=question,
        phrase=phrase,
        reason=f"No field and no text that you may see speaks of “{phrase}”.",
        attempts=_tried(phrase),
    )


def _tried(phrase: str) -> tuple[Attempt, ...]:
    return (
        Attempt(tool="fields", args={"name": phrase}, hits=0),
        Attempt(tool="search_text", args={"text": phrase}, hits=0),
    )
