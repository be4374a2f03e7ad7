"""Documents that a question names as people name them: "the Sonos hosting deal", "our 2004 paper with X".

A run of words around a name is resolved by joint evidence over all documents. Where it is the name of one,
these words are that document, whatever single ones of them may be called besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.encode.base import TokenCounter
from core.plan.catalogue import DocumentEntry
from core.plan.language.lexicon.lexicon import GENERIC, Lexicon
from core.plan.language.pieces import (
    Comparator,
    Comparing,
    Connective,
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Meaning,
    Noun,
    Parties,
    Piece,
    Quantity,
    Token,
    UnknownWord,
    Values,
    singular,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.names.index import NameIndex, names_of
from core.plan.names.resolve import NameDecision, NameResolution, resolve
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.naming.words import ALIKE, SHORT, key_of, list_keys

_JOINTS = word_list("naming", "joints")
_PAPERS = list_keys("papers", "titles")
_HEADS = _PAPERS | list_keys("things")
_CHANGES = list_keys("amendments")
_ARTICLES = frozenset(["the", "our", "that", "this", "my", "your", "their", "its"])
_INNER = frozenset(["between", "with", "and", "&"])
_APART = frozenset(["and", "or", "vs", "versus", ",", "&"])
_MAY_NAME = (
    UnknownWord, Filler, Parties, DocumentSet, Noun, Values, Connective, FieldSenses, HavingWord, DayRange,
    Quantity,
)  # fmt: skip
_SMALL = (Filler, Connective, HavingWord, Comparator)
_RARE = 0.45  # of a word: from it on, it may be why a run is a name
_SURE = 0.8  # probability of a document from which words that mean something else become its name
_CERTAIN = 0.95  # probability from which a word that the document has nowhere is passed over
_TELLING = 0.75  # rarity of a name without capitals that says a document where nothing has capitals
_LONGEST = 14  # words of a name
_OF_MANY = frozenset(("every", "each", "any", "all"))
_MOST_BETWEEN = 2  # words of the text before the kind of a paper
_DASHES = frozenset(["-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014"])
PARTIES = "parties"
"""The field by which a document knows all its sides."""
_MOST = 4  # names of one question


def with_named_documents(
    reading: ParsedQuestion, lexicon: Lexicon, counter: TokenCounter | None, *, even_told: bool = False
) -> ParsedQuestion:
    """The reading in which words that name one document are that document.

    even_told: also where parties and a kind, each by itself, tell as much.
    """
    index = names_of(lexicon.catalogue)
    pieces = list(reading.pieces)
    found: list[Piece] = []
    for quoted in _quoted_names(reading, lexicon):
        pieces = _put(reading, pieces, quoted)
        found.append(quoted)
    if found:
        return replace(reading, pieces=tuple(_unless_said(each, found) for each in pieces))
    for first, end in list(_runs(reading, index))[:_MOST]:
        named = _named(reading, pieces, first, end, lexicon, counter, even_told)
        if named is not None:
            pieces = _put(reading, pieces, named)
            found.append(named)
    if found:
        pieces = [_unless_said(each, found) for each in pieces]
    return replace(reading, pieces=tuple(pieces))


_QUOTED = re.compile(r"“(?P<curly>[^“”]{3,300})”|\"(?P<plain>[^\"]{3,300})\"")


def _quoted_names(reading: ParsedQuestion, lexicon: Lexicon) -> Iterator[Piece]:
    """Documents by their whole name in quotation marks, as answers and choices write it."""
    for match in _QUOTED.finditer(reading.question):
        group = "curly" if match["curly"] else "plain"
        called = match[group].strip().casefold()
        named = [each for each in lexicon.catalogue.documents if each.name.casefold() == called]
        inside = [
            at
            for at, token in enumerate(reading.tokens)
            if match.start(group) <= token.start and token.end <= match.end(group)
        ]
        if len(named) != 1 or not inside:
            continue
        meaning = DocumentSet((named[0],), is_exact=True)
        first, end = inside[0], inside[-1] + 1
        yield Piece(first, end, _text(reading, first, end), meaning, f"is called {named[0].name}")


@dataclass(frozen=True, slots=True)
class ReadDocumentName:
    """A document and the words of a question that name it."""

    entry: DocumentEntry
    text: str


def named_document(
    reading: ParsedQuestion, lexicon: Lexicon, counter: TokenCounter | None
) -> ReadDocumentName | None:
    """The one document that a question is about by its name; None where it is about none, or several."""
    if any(isinstance(each.meaning, Comparing) for each in reading.pieces):
        return None
    pieces = with_named_documents(reading, lexicon, counter, even_told=True).pieces
    named = {
        meaning.documents: piece
        for piece in pieces
        if isinstance(meaning := piece.meaning, DocumentSet) and meaning.is_exact
    }
    if len(named) != 1:
        return None
    ((document, *others), piece) = named.popitem()
    is_one = not others and document.schema not in ("", GENERIC)
    return ReadDocumentName(document, piece.text) if is_one else None


def _unless_said(piece: Piece, named: Sequence[Piece]) -> Piece:
    """A piece, but a word that only stands in titles where the document is named otherwise."""
    is_loose = isinstance(piece.meaning, DocumentSet) and not piece.meaning.is_exact and piece not in named
    if not is_loose or not piece.text.islower() or piece.end - piece.first > 1:
        return piece
    return replace(piece, meaning=UnknownWord(), reason="nothing here is called so")


def _runs(reading: ParsedQuestion, index: NameIndex) -> Iterator[tuple[int, int]]:
    """The places of words that may name one document: around a name, as far as such words go."""
    tokens, pieces = reading.tokens, _by_token(reading)
    at = 0
    while at < len(tokens):
        end = at
        while (
            end < len(tokens)
            and end - at < _LONGEST
            and (_may_name(tokens[end], pieces[end], index) or _leads_on(tokens, pieces, at, end, index))
        ):
            if end > at and _ends(tokens, at, end, index):
                break
            end += 1
        first, last = at, end
        while first < last and tokens[first].word in _JOINTS - _ARTICLES:
            first += 1
        while last > first and (tokens[last - 1].word in _JOINTS or not tokens[last - 1].is_word):
            last -= 1
        run = tokens[first:last]
        if any(_is_anchor(token, index) for token in run) and not any(_is_many(token) for token in run):
            yield first, last
        at = max(end, at + 1)


def _ends(tokens: Sequence[Token], first: int, at: int, index: NameIndex) -> bool:
    """True where a name that begins at `first` ends before a word: another one begins there."""
    token, before = tokens[at], tokens[at - 1]
    has_head = any(_is_head(each) for each in tokens[first:at])
    if token.word in _APART:
        return has_head and _begins_another(tokens, at + 1, index)
    is_inner = before.word == "between" or (before.word in _INNER and not has_head)
    if token.word in _ARTICLES and before.word == "with" and at + 1 < len(tokens):
        is_inner = is_inner or _is_anchor(tokens[at + 1], index)
    if token.word in _ARTICLES and before.word == "to":
        is_inner = is_inner or any(key_of(each.text) in _CHANGES for each in tokens[max(first, at - 4) : at])
    return token.word in _ARTICLES and not is_inner


def _leads_on(
    tokens: Sequence[Token], pieces: Sequence[Piece], first: int, at: int, index: NameIndex
) -> bool:
    """True for a word of the text before the kind of a paper: "Zynga's poker content license"."""
    if any(_is_head(each) for each in tokens[first:at]):
        return False
    for place in range(at, min(at + _MOST_BETWEEN + 1, len(tokens))):
        token = tokens[place]
        key = key_of(token.text)
        if place > at and (_is_head(token) or index.is_kind(key) or key in ALIKE):
            return True
        is_plain = isinstance(pieces[place].meaning, UnknownWord) and token.word not in STOP_WORDS
        if not is_plain or not token.is_word or not index.has(key):
            return False
    return False


def _may_name(token: Token, piece: Piece, index: NameIndex) -> bool:
    if token.word in _JOINTS or _is_head(token):
        return True
    if not isinstance(piece.meaning, _MAY_NAME):
        return False
    if isinstance(piece.meaning, Filler) and token.word in STOP_WORDS and not token.is_capital:
        return False
    key = key_of(token.text)
    is_kind = index.is_kind(key) or key in ALIKE or token.word in SHORT or key in _CHANGES
    if isinstance(piece.meaning, FieldSenses):
        is_one = piece.end - piece.first == 1
        return is_kind or (is_one and token.text[0].isupper() and index.is_name(key))
    if index.is_name(key) or is_kind:
        return True
    if isinstance(piece.meaning, (DayRange, Quantity)):
        return token.text.isdigit() or token.is_capital
    if isinstance(piece.meaning, Connective):
        return False
    return (
        token.is_capital or index.is_named(key) or (token.word not in STOP_WORDS and _is_near(token, index))
    )


def _is_near(token: Token, index: NameIndex) -> bool:
    return len(token.word) > 4 and not index.has(key_of(token.text)) and bool(index.near(token.word))


def _is_head(token: Token) -> bool:
    return key_of(token.text) in _HEADS


def _is_many(token: Token) -> bool:
    """True for several documents: "agreements"."""
    word = token.word
    return singular(word) != word and key_of(word) in _HEADS and key_of(word) != "terms"


def _is_anchor(token: Token, index: NameIndex) -> bool:
    """True where a word may be why a run is a name."""
    key = key_of(token.text)
    if token.word in _JOINTS or key in _HEADS or not any(map(str.isalpha, token.text)):
        return False
    if index.is_name(key):
        return index.rarity(key) >= _RARE
    return token.is_capital and not index.is_kind(key)


def _begins_another(tokens: Sequence[Token], at: int, index: NameIndex) -> bool:
    """True where another document is named from a place on: "the X lease and the Y lease"."""
    while at < len(tokens) and tokens[at].word in _ARTICLES:
        return True
    rest = tokens[at : at + 6]
    return any(_is_anchor(token, index) for token in rest) and any(_is_head(token) for token in rest)


def _by_token(reading: ParsedQuestion) -> list[Piece]:
    found: list[Piece] = []
    for piece in reading.pieces:
        found += [piece] * (piece.end - piece.first)
    return found


def _named(
    reading: ParsedQuestion,
    pieces: Sequence[Piece],
    first: int,
    end: int,
    lexicon: Lexicon,
    counter: TokenCounter | None,
    even_told: bool,
) -> Piece | None:
    """The document that a run names, in the fewest of its words; None where it names none, or several."""
    index = names_of(lexicon.catalogue)
    first, end = _whole(pieces, first, end)
    if end <= first or _is_known(pieces, first, end) or _is_of_many(reading, first):
        return None
    found = resolve(_text(reading, first, end), index, counter=counter)
    while found.unheld and found.decision is not NameDecision.NONE and end > first + 1:
        first, end, is_cut = _without_unheld(reading, first, end, found)
        if not is_cut or end <= first:
            break
        found = resolve(_text(reading, first, end), index, counter=counter)
    if end <= first or not _is_one(found):
        return None
    if not any(_is_anchor(token, index) for token in reading.tokens[first:end]):
        return None
    (document,) = found.documents
    while end > first + 1 and _is_asked(reading, pieces, end):
        shorter = resolve(_text(reading, first, end - 1), index, counter=counter)
        if not _is_one(shorter) or shorter.documents != (document,):
            break
        end -= 1
    inside = [p for p in pieces if p.first < end and p.end > first and not isinstance(p.meaning, _SMALL)]
    if found.unheld and not _may_pass(reading, first, end, found, inside, index):
        return None
    probability = found.candidates[0].probability
    if not _says_document(reading, first, end, inside, index, probability) or not _fits(
        document, inside, lexicon
    ):
        return None
    are_sides = _are_sides(inside) or _are_joined(reading, inside)
    is_certain = are_sides and probability >= _CERTAIN
    if not even_told and not is_certain and _is_told(document, inside, lexicon):
        return None
    meaning = DocumentSet((document,), is_exact=True)
    return Piece(first, end, _text(reading, first, end), meaning, f"names {document.title}")


def _is_one(found: NameResolution) -> bool:
    return found.decision is NameDecision.ONE and found.candidates[0].probability >= _SURE


def _is_of_many(reading: ParsedQuestion, first: int) -> bool:
    """True behind a word that says that any document of a kind is meant: "every tyre purchase receipt"."""
    return first > 0 and reading.tokens[first - 1].word in _OF_MANY


def _whole(pieces: Sequence[Piece], first: int, end: int) -> tuple[int, int]:
    """The run without words that belong to a piece which goes on beyond it."""
    for piece in pieces:
        if piece.first < end < piece.end and not isinstance(
            piece.meaning, (Parties, DocumentSet, UnknownWord)
        ):
            end = piece.first
        if piece.first < first < piece.end and not isinstance(
            piece.meaning, (Parties, DocumentSet, UnknownWord)
        ):
            is_day = isinstance(piece.meaning, DayRange) and piece.end < end
            first = first if is_day and first - piece.first == 1 else piece.end
    return first, end


def _is_known(pieces: Sequence[Piece], first: int, end: int) -> bool:
    """True where the run is one document already, or a name of a party alone."""
    inside = [p for p in pieces if p.first < end and p.end > first and not isinstance(p.meaning, Filler)]
    if len(inside) != 1:
        return False
    meaning = inside[0].meaning
    is_one = isinstance(meaning, DocumentSet) and len(meaning.documents) == 1
    return is_one or isinstance(meaning, (Parties, Values))


def _unheld(reading: ParsedQuestion, first: int, end: int, found: NameResolution) -> set[int]:
    """The places of words in a run that the document has nowhere."""
    start = reading.tokens[first].start
    return {
        at
        for at in range(first, end)
        for left, right in found.unheld
        if left <= reading.tokens[at].start - start < right
    }


def _without_unheld(
    reading: ParsedQuestion, first: int, end: int, found: NameResolution
) -> tuple[int, int, bool]:
    """The run without the words at its end or beginning that the document has nowhere."""
    unheld = _unheld(reading, first, end, found)
    cut = end
    while cut > first and (cut - 1 in unheld or reading.tokens[cut - 1].word in _JOINTS):
        cut -= 1
    begin = first
    while begin < cut and (begin in unheld or reading.tokens[begin].word in _JOINTS - _ARTICLES):
        begin += 1
    return begin, cut, cut < end or begin > first


def _is_asked(reading: ParsedQuestion, pieces: Sequence[Piece], end: int) -> bool:
    """True where the last word of a run may be what is asked of the document."""
    piece = next(each for each in pieces if each.first < end <= each.end)
    return isinstance(piece.meaning, FieldSenses) and not _is_head(reading.tokens[end - 1])


def _may_pass(
    reading: ParsedQuestion,
    first: int,
    end: int,
    found: NameResolution,
    inside: Sequence[Piece],
    index: NameIndex,
) -> bool:
    """True where words that the document has nowhere are said in passing: no names, and nothing asked."""
    if found.candidates[0].probability < _CERTAIN or any(isinstance(p.meaning, FieldSenses) for p in inside):
        return False
    return not any(_is_anchor(reading.tokens[at], index) for at in _unheld(reading, first, end, found))


def _are_sides(inside: Sequence[Piece]) -> bool:
    """True where words name two or more organisations and, if at all, one paper."""
    nouns = [each.meaning for each in inside if isinstance(each.meaning, Noun)]
    named = [m.parties for each in inside if isinstance(m := each.meaning, Parties)]
    return len(set(named)) > 1 and len(nouns) == 1 and not nouns[0].is_plural


def _are_joined(reading: ParsedQuestion, inside: Sequence[Piece]) -> bool:
    """True for two names with only a dash between them, where one document is asked: "Magenta–Bachem"."""
    if any(isinstance(each.meaning, Noun) and each.meaning.is_plural for each in reading.pieces):
        return False
    named = sorted(
        (each.first, each.end)
        for each in inside
        if isinstance(each.meaning, (Parties, DocumentSet, UnknownWord))
    )
    return any(
        reading.question[reading.tokens[one_end - 1].end : reading.tokens[other].start].strip() in _DASHES
        or (other == one_end + 1 and reading.tokens[one_end].text in _DASHES)
        for (_, one_end), (other, _) in pairwise(named)
        if reading.tokens[one_end - 1].is_capital and reading.tokens[other].is_capital
    )


def _is_said(tokens: Sequence[Token], inside: Sequence[Piece], index: NameIndex) -> bool:
    """True where a name and a kind of paper are said: "Allscripts's alliance", "the X joint filing"."""
    if any(isinstance(each.meaning, (FieldSenses, Quantity)) for each in inside):
        return False
    keys = [(token, key_of(token.text)) for token in tokens]
    has_kind = any(key in ALIKE and token.word == token.text for token, key in keys)
    has_kind = has_kind or any(isinstance(m := each.meaning, Noun) and not m.is_plural for each in inside)
    return has_kind and any(token.is_capital and index.is_name(key) for token, key in keys)


def _says_document(
    reading: ParsedQuestion,
    first: int,
    end: int,
    inside: Sequence[Piece],
    index: NameIndex,
    probability: float,
) -> bool:
    """True where words say a document, and not only a party, a field or a time."""
    tokens = reading.tokens[first:end]
    keys = {key_of(token.text) for token in tokens}
    if all(isinstance(each.meaning, (FieldSenses, Noun, DayRange, Quantity)) for each in inside):
        return False
    if keys & (_PAPERS | _CHANGES):
        return True
    if probability >= _CERTAIN and (_are_joined(reading, inside) or _is_said(tokens, inside, index)):
        return True
    if any(isinstance(each.meaning, (DayRange, Quantity)) for each in inside):
        return False
    is_proper = any(token.is_capital and index.is_named(key_of(token.text)) for token in tokens)
    if not is_proper and not any(token.is_capital for token in reading.tokens[1:]):
        is_proper = any(index.is_proper(key) and index.rarity(key) > _TELLING for key in keys)
    if not is_proper:
        return False
    if not all(isinstance(each.meaning, (FieldSenses, Noun, Parties, Values)) for each in inside):
        return True
    return bool(keys & _HEADS) or _has_kind(reading, first, end, inside, index)


def _has_kind(
    reading: ParsedQuestion, first: int, end: int, inside: Sequence[Piece], index: NameIndex
) -> bool:
    """True where words name a party and the kind of a paper, and something else is asked."""
    kinds = [
        each
        for each in inside
        if not isinstance(each.meaning, (Parties, Values))
        and all(index.is_kind(key_of(t.text)) for t in reading.tokens[each.first : each.end])
    ]
    outside = (p for p in reading.pieces if p.end <= first or p.first >= end)
    is_asked = any(isinstance(each.meaning, (FieldSenses, UnknownWord)) for each in outside)
    return bool(kinds) and (is_asked or not any(isinstance(each.meaning, FieldSenses) for each in kinds))


def _fits(document: DocumentEntry, inside: Sequence[Piece], lexicon: Lexicon) -> bool:
    """True where a document is of the kind that is said, and may be named so: no table, and no several."""
    nouns = [each.meaning for each in inside if isinstance(each.meaning, Noun)]
    if any(noun.is_plural or (noun.schema and document.schema not in ("", noun.schema)) for noun in nouns):
        return False
    return not any(document.id in table.documents for table in lexicon.catalogue.tables)


def _is_told(document: DocumentEntry, inside: Sequence[Piece], lexicon: Lexicon) -> bool:
    """True where what the words mean one by one says this document already."""
    sets = [each.meaning for each in inside if isinstance(each.meaning, DocumentSet)]
    if any(each.documents == (document,) for each in sets):
        sides = {party.normal for p in inside if isinstance(m := p.meaning, Parties) for party in m.parties}
        is_other = any(each.documents != (document,) for each in sets) or bool(sides - set(document.parties))
        return not is_other and not any(isinstance(each.meaning, UnknownWord) for each in inside)
    named = [{party.normal for party in m.parties} for p in inside if isinstance(m := p.meaning, Parties)]
    nouns = [each for each in inside if isinstance(each.meaning, Noun)]
    if sets or len(named) + len(nouns) < len(inside):
        return False
    has_parties = lexicon.catalogue.field(PARTIES, document.schema) is not None
    return not has_parties or all(each & set(document.parties) for each in named)


def _text(reading: ParsedQuestion, first: int, end: int) -> str:
    return reading.question[reading.tokens[first].start : reading.tokens[end - 1].end]


def _put(reading: ParsedQuestion, pieces: Sequence[Piece], named: Piece) -> list[Piece]:
    """The pieces with one in place of those that it covers; beyond it, these are single words again."""
    made: list[Piece] = []
    for piece in pieces:
        if piece.end <= named.first or piece.first >= named.end:
            made.append(piece)
            continue
        made += [_single(reading, at) for at in range(piece.first, min(piece.end, named.first))]
        if named not in made:
            made.append(named)
        made += [_single(reading, at) for at in range(max(piece.first, named.end), piece.end)]
    return made


def _single(reading: ParsedQuestion, at: int) -> Piece:
    token = reading.tokens[at]
    is_idle = not token.is_word or token.word in STOP_WORDS
    meaning: Meaning = Filler() if is_idle else UnknownWord()
    return Piece(at, at + 1, token.text, meaning, "" if is_idle else "nothing here is called so")
