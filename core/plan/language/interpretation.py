"""Interpretation of a question over a catalogue: its frame, and its words in pieces, from its text alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from core.cache import Cache
from core.plan.catalogue import Catalogue
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import Policy
from core.plan.language.reading.composition import (
    joined,
    of_either_party,
    of_titled_kinds,
    without_amending,
    without_included,
    without_light,
)
from core.plan.language.reading.documents import with_named_documents
from core.plan.language.reading.joint_kinds import with_joint_kinds
from core.plan.language.reading.policies import required
from core.plan.language.reading.read import ParsedQuestion, read
from core.plan.language.reading.roles import described, numbered, without_prepositions
from core.plan.language.rewriting.framing import Framed, framed, without_preamble
from core.plan.language.rewriting.rewording import in_plain_words, in_written_words, rewordings
from core.plan.language.rewriting.shares import as_number
from core.plan.text.classify import clean_question

_KEPT = 8  # lexicons of catalogues: one for each visibility that asks

_lexicons: Cache[str, Lexicon] = Cache(_KEPT)


def lexicon_of(catalogue: Catalogue) -> Lexicon:
    """The vocabulary of a catalogue, made once for each fingerprint."""
    known = _lexicons.get(catalogue.fingerprint)
    if known is not None and catalogue.fingerprint and known.catalogue == catalogue:
        return known
    return _lexicons.put(catalogue.fingerprint, Lexicon(catalogue))


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A question as it is read. frame: what it says about itself; reading: the rest, in pieces."""

    frame: Framed
    reading: ParsedQuestion


def interpret(question: str, known: Known, today: date) -> Interpretation:
    """The interpretation of a cleaned question on a day; equal for equal arguments."""
    lexicon = known.lexicon
    frame = without_preamble(framed(question, today), lexicon)
    plain = in_plain_words(as_number(in_written_words(frame.text)))
    frame = replace(frame, notes=(*frame.notes, *_reworded(frame.text, plain)))
    reading = read(plain, lexicon, frame.today, known.words)
    reading = with_named_documents(reading, lexicon, known.words)
    reading = described(without_prepositions(without_included(without_amending(reading))), lexicon)
    reading = numbered(reading, lexicon)
    if any(isinstance(piece.meaning, Policy) for piece in reading.pieces):
        reading = required(reading, lexicon, known.texts)
    whole = of_titled_kinds(joined(reading.pieces, lexicon, frame.today), lexicon)
    whole = with_joint_kinds(whole, lexicon)
    pieces = without_light(of_either_party(whole), reading.tokens)
    return Interpretation(frame, replace(reading, pieces=pieces))


SAYS_NOTHING = "says nothing of its own"
"""Note on words that were left out of what is read."""


def framed_text(question: str, known: Known, today: date) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A question without its frame, in plain words, and what was taken out or reworded, with its meaning."""
    frame = without_preamble(framed(question, today), known.lexicon)
    plain = in_plain_words(in_written_words(frame.text))
    return plain, (*frame.notes, *_reworded(frame.text, plain))


def _reworded(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """The words that were put in others, with these."""
    return tuple(
        (said, f"read as “{meant}”" if meant else SAYS_NOTHING) for said, meant in rewordings(before, after)
    )


def read_over(catalogue: Catalogue, question: str) -> ParsedQuestion:
    """A question in the pieces that it has over a catalogue."""
    return read(clean_question(question), lexicon_of(catalogue), date.today())
