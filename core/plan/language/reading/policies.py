"""Questions that hold documents against our own rules: what a policy demands or limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from core.domain.fields import FieldType
from core.plan.catalogue import DocumentEntry, SchemaEntry, Texts
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    ClauseNoun,
    Comparator,
    Connective,
    FieldMatch,
    FieldSenses,
    Filler,
    Grouping,
    HavingWord,
    Meaning,
    Negator,
    Piece,
    Policy,
    Quantity,
    Statistic,
    UnknownWord,
    stems,
)
from core.plan.language.reading.read import ParsedQuestion, read

_REACH = 7  # pieces between what is limited and the policy
_LIMITS = frozenset(
    ["threshold", "limit", "amount", "value", "sum", "minimum", "maximum", "level", "ceiling", "upper",
     "lower", "highest", "lowest", "allowed", "permitted", "set", "stated", "figure", "number"]
)  # fmt: skip
_IDLE = (Filler, Statistic, Grouping, HavingWord)
_ONE = frozenset(["a", "an", "any", "one", "either"])


def limit_of_policy(reading: ParsedQuestion, pieces: Sequence[Piece], at: int) -> tuple[Piece, int] | None:
    """The field of money that is limited, and the place of the policy behind it; None where none follows."""
    field: Piece | None = None
    for place in range(at, min(len(pieces), at + _REACH)):
        piece = pieces[place]
        if isinstance(piece.meaning, Policy):
            return (field, place) if field is not None else None
        if isinstance(piece.meaning, FieldSenses) and piece.meaning.matches[0].field.type is FieldType.MONEY:
            field = field or piece
        elif not isinstance(piece.meaning, _IDLE) and not _is_limit(reading, piece):
            return None
    return None


def _is_limit(reading: ParsedQuestion, piece: Piece) -> bool:
    return reading.tokens[piece.first].word in _LIMITS


def asks_for_one(taken: Sequence[Piece]) -> bool:
    """True where one of the clauses is enough: "a clause that the policy requires", "any of the clauses"."""
    words = [word for piece in taken for word in piece.text.casefold().split()]
    noun = next((p.text for p in taken if isinstance(p.meaning, ClauseNoun)), "")
    return bool(_ONE & set(words)) and not (noun.endswith("s") and words[0] not in _ONE)


POLICY = "policy"
_AMOUNTS = frozenset(
    ["threshold", "limit", "amount", "value", "sum", "minimum", "maximum", "level", "ceiling"]
)
_OBLIGES = re.compile(
    r"\b(?:must|shall|has to|have to|requires?|required|contains?|needs?|includes?|obligatory|mandatory)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.;\n]*(?:\n(?!\s*\n)[^.;\n]*)*[.;]?")
_THEM = frozenset(["them", "these", "those", "all", "any", "one"])
_REACH_POLICY_CONDITIONS = 6  # pieces between a clause and the policy that requires it


def required(reading: ParsedQuestion, lexicon: Lexicon, texts: Texts) -> ParsedQuestion:
    """The reading with what a policy says in place of the words that leave it to the policy."""
    pieces = list(reading.pieces)
    named = next((piece for piece in pieces if isinstance(piece.meaning, Policy)), None)
    if named is None:
        return reading
    declared = _sentence_end(reading, named)
    pieces = _thresholds(reading, pieces, named, declared)
    pieces = _clauses(reading, pieces, named, lexicon, texts, declared)
    if declared:
        pieces = [_idle(p) if p.first < declared and not isinstance(p.meaning, Filler) else p for p in pieces]
    return replace(reading, pieces=tuple(pieces))


def _sentence_end(reading: ParsedQuestion, named: Piece) -> int:
    """The token where the next sentence begins, where the policy is told of before something is asked."""
    for at in range(named.end, len(reading.tokens)):
        gap = reading.question[reading.tokens[at - 1].end : reading.tokens[at].start]
        if "." in gap or ";" in gap or ":" in gap:
            asks = [p for p in reading.pieces if isinstance(p.meaning, Ask)]
            return at if asks and all(ask.first >= at for ask in asks) else 0
    return 0


def _thresholds(reading: ParsedQuestion, pieces: Sequence[Piece], named: Piece, declared: int) -> list[Piece]:
    """ "above the threshold in our policy", or "over that value" behind a sentence about the policy."""
    made: list[Piece] = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        made.append(piece)
        at += 1
        if not isinstance(piece.meaning, Comparator) or piece.first < declared:
            continue
        place = _past_fillers(pieces, at)
        limit = limit_of_policy(reading, pieces, place)
        if limit is not None:
            field, end = limit
            made[-1:] = [field, piece]
            made.append(replace(pieces[end], first=pieces[place].first))
            at = end + 1
            continue
        if place >= len(pieces) or reading.tokens[pieces[place].first].word not in _AMOUNTS:
            continue
        amount, policy = pieces[place], _past_fillers(pieces, place + 1)
        if policy < len(pieces) and isinstance(pieces[policy].meaning, Policy):
            made.append(replace(pieces[policy], first=amount.first))
            at = policy + 1
        elif declared:
            if isinstance(amount.meaning, FieldSenses):
                made.insert(len(made) - 1, amount)
            made.append(replace(amount, meaning=named.meaning, reason=named.reason))
            at = place + 1
    return made


def _clauses(
    reading: ParsedQuestion,
    pieces: Sequence[Piece],
    named: Piece,
    lexicon: Lexicon,
    texts: Texts,
    declared: int,
) -> list[Piece]:
    """ "lack a clause that the policy requires", "don't have all of them": the clauses that it names."""
    for at, piece in enumerate(pieces):
        is_said = isinstance(piece.meaning, Negator) or (
            isinstance(piece.meaning, HavingWord) and not declared
        )
        if not is_said or piece.first < declared:
            continue
        end = _clauses_end(reading, pieces, at + 1, declared)
        if not end:
            continue
        assert isinstance(named.meaning, Policy)  # as it was chosen
        policy = _policy(lexicon, named.meaning.words)
        schema = lexicon.catalogue.schema(policy.schema) if policy is not None else None
        text = texts.of(policy.id) if policy is not None else ""
        fields = _demanded(text, schema, lexicon) if policy is not None and schema else []
        if not fields:
            return list(pieces)
        assert policy is not None
        taken = pieces[at + 1 : end]
        if isinstance(piece.meaning, HavingWord):
            made = _all_of(fields, taken, policy, "or" if asks_for_one(taken) else "and")
            return [*pieces[:at], piece, *made, *pieces[end:]]
        only = _only_of(text, schema, lexicon, piece) if not _is_limited(pieces, declared) else []
        # "lack both A and B" has neither, "do not have both" lacks one of them, which is meant here
        denied = replace(piece, text="do not have")
        return [*pieces[:at], *only, denied, *_all_of(fields, taken, policy), *pieces[end:]]
    return list(pieces)


def _clauses_end(reading: ParsedQuestion, pieces: Sequence[Piece], at: int, declared: int) -> int:
    """End of the words that mean the clauses of the policy; 0 where none do."""
    for place in range(at, min(len(pieces), at + _REACH_POLICY_CONDITIONS)):
        if isinstance(pieces[place].meaning, ClauseNoun):
            policy = next(
                (
                    n
                    for n in range(place, min(len(pieces), place + _REACH_POLICY_CONDITIONS))
                    if isinstance(pieces[n].meaning, Policy)
                ),
                None,
            )
            if policy is None:
                return 0
            end = policy + 1
            while end < len(pieces) and _OBLIGES.fullmatch(pieces[end].text):
                end += 1
            if end == policy + 1 and end < len(pieces) and isinstance(pieces[end].meaning, UnknownWord):
                end += 1  # "that the policy wants"
            return end
        word = reading.tokens[pieces[place].first].word
        if declared and word in ("them", "these", "those"):
            return place + 1
        if not isinstance(pieces[place].meaning, Filler) and word not in _THEM:
            return 0
    return 0


def _policy(lexicon: Lexicon, words: Sequence[str]) -> DocumentEntry | None:
    found = [each for each in lexicon.catalogue.documents if each.kind == POLICY]
    scored = {each.id: sum(word in stems(each.title) for word in words) for each in found}
    best = [each for each in found if scored[each.id] == max(scored.values())]
    return best[0] if len(best) == 1 else None


def _demanded(text: str, schema: SchemaEntry | None, lexicon: Lexicon) -> list[FieldMatch]:
    """The clauses that the sentences of a policy oblige to."""
    found: dict[str, FieldMatch] = {}
    for match in _SENTENCE.finditer(text):
        sentence = " ".join(match[0].split())
        if schema is None or not sentence or not _OBLIGES.search(sentence):
            continue
        said = read(sentence, lexicon, date.today()).pieces
        if not any(isinstance(piece.meaning, ClauseNoun) for piece in said):
            continue
        for piece in said:
            own = (
                [m for m in piece.meaning.matches if m.field.schema == schema.name]
                if isinstance(piece.meaning, FieldSenses)
                else []
            )
            if own and own[0].field.type is FieldType.BOOLEAN:
                because = f"the policy requires it: “{sentence[:200]}”"
                found.setdefault(own[0].field.name, replace(own[0], because=because))
    return list(found.values())


def _is_limited(pieces: Sequence[Piece], declared: int) -> bool:
    """True where the question itself says of which amounts it asks."""
    return bool(declared) or any(isinstance(piece.meaning, (Comparator, Quantity)) for piece in pieces)


def _only_of(text: str, schema: SchemaEntry | None, lexicon: Lexicon, before: Piece) -> list[Piece]:
    """ "With a value above $100,000": the documents of which the policy requires clauses; [] for all."""
    for match in _SENTENCE.finditer(text):
        sentence = " ".join(match[0].split())
        if schema is None or not _demanded(sentence, schema, lexicon):
            continue
        said = [p for p in read(sentence, lexicon, date.today()).pieces if not isinstance(p.meaning, Filler)]
        for field, sign, amount in zip(said, said[1:], said[2:], strict=False):
            own = _of_schema(field, schema)
            if own and isinstance(sign.meaning, Comparator) and isinstance(amount.meaning, Quantity):
                because = f"the policy requires it of these only: “{sentence[:200]}”"
                meanings: tuple[Meaning, ...] = (HavingWord(), FieldSenses(own), sign.meaning, amount.meaning)
                texts = ("with", own[0].field.title, sign.text, amount.text)
                return [
                    replace(before, meaning=each, text=words, reason=because)
                    for each, words in zip(meanings, texts, strict=True)
                ]
    return []


def _of_schema(piece: Piece, schema: SchemaEntry) -> tuple[FieldMatch, ...]:
    if not isinstance(piece.meaning, FieldSenses):
        return ()
    return tuple(match for match in piece.meaning.matches if match.field.schema == schema.name)


def _all_of(
    fields: Sequence[FieldMatch],
    taken: Sequence[Piece],
    policy: DocumentEntry,
    joint: Literal["and", "or"] = "and",
) -> list[Piece]:
    """Pieces that say "both A and B", in place of those that left it to the policy."""
    first = taken[0]
    made = [replace(first, meaning=Filler(), text="both", reason=f"all that “{policy.title}” requires")]
    for match in fields:
        if len(made) > 1:
            made.append(replace(first, meaning=Connective(joint), text=joint, reason="joins"))
        made.append(
            replace(first, meaning=FieldSenses((match,)), text=match.field.title, reason=match.because)
        )
    return made


def _past_fillers(pieces: Sequence[Piece], at: int) -> int:
    while at < len(pieces) and isinstance(pieces[at].meaning, Filler):
        at += 1
    return at


def _idle(piece: Piece) -> Piece:
    return replace(piece, meaning=Filler(), reason="tells of the policy, which is read")
