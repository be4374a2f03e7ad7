"""Unknown names of a question: names, model numbers and documents with an identity of their own.

Absence is no ambiguity: nobody can be asked which Contoso is meant where there is none, and an answer about
another company would be wrong. So the answer abstains, says so, and names the nearest that exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.domain.answer import Attempt
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue, DocumentEntry, Texts
from core.plan.clarify import AskBackError, Clarify, Option, option_for
from core.plan.language.lexicon.lexicon import FORMS, Lexicon
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Comparing,
    DocumentSet,
    Filler,
    Mentions,
    Negator,
    Noun,
    Parties,
    Piece,
    UnknownWord,
    singular,
)
from core.plan.text.document_nouns import plural

_CODE = re.compile(
    r"(?<![\w-])(?!fy\d)([a-z]{1,5})[-\u2010\u2011/]?(\d{2,}[a-z]?)(?![\w%]|[.,]\d)", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"\b(?P<of>ISO|IEC|EN|DIN|UL|invoice|inv\.?|receipt|order|certificate|contract|agreement|model|policy|po)"
    r"\s+(?:no\.?\s*|number\s+|nr\.?\s*|#\s*)?(?P<number>\d{2,}[\w/-]*)(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
_JOINTS = re.compile(r"[\s\-\u2010\u2011/_.]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PERIODS = frozenset(
    ["q", "h", "fy", "cy", "no", "mid", "top", "usd", "eur", "gbp", "chf", "jpy", "rm", "us"]
)
_NEAREST = 5
_NAME_CUTOFF = 60
_READ = 20  # papers without known parties that are read; of more nobody can say that none is between two
_ACRONYM = 5  # letters: longer words in capitals are names rather than short for something


def check_absent(mentions: Mentions, known: Known) -> None:
    """Raises AskBackError where the question is about something that does not exist or cannot be read."""
    lexicon, texts, buckets = known.lexicon, known.texts, known.buckets
    _check_readable(mentions)
    for _, code in _coded(mentions.question):
        if not _is_known(code, lexicon.catalogue) and not texts.holds(code, buckets):
            raise AskBackError(_no_code(mentions.question, code, lexicon.catalogue))
    for name in _names(mentions, known.words):
        if not texts.holds(_without_form(name), buckets):
            raise AskBackError(no_name(mentions.question, name, lexicon))
    _check_common(mentions, lexicon, texts)


def _check_readable(mentions: Mentions) -> None:
    """One document that the question names, of which nothing can be read."""
    if any(isinstance(piece.meaning, (Comparing, Negator)) for piece in mentions.pieces):
        return
    for piece in mentions.pieces:
        meaning = piece.meaning
        if not isinstance(meaning, DocumentSet) or len(meaning.documents) != 1 or piece.end - piece.first < 2:
            continue
        (document,) = meaning.documents
        if document.unreadable:
            raise AskBackError(
                Clarify(
                    type="unreadable",
                    question=mentions.question,
                    phrase=piece.text,
                    reason=f"“{document.title}” cannot be read, so it answers nothing. {document.unreadable}",
                    attempts=(Attempt(tool="documents", args={"name": piece.text}, hits=1),),
                )
            )


def _coded(text: str) -> Iterator[tuple[str, str]]:
    """Model numbers and numbers of papers, as written, with what they begin with or are of.

    "AS-700" is (as, AS-700), "invoice 99999" is (invoice, 99999).
    """
    for match in _CODE.finditer(text):
        if match[1].casefold() not in _PERIODS and not _YEAR.fullmatch(match[2]):
            yield match[1].casefold(), match[0]
    for match in _NUMBERED.finditer(text):
        if not _YEAR.fullmatch(match["number"]):
            yield match["of"].casefold(), match["number"]


def _is_known(code: str, catalogue: Catalogue) -> bool:
    wanted = _JOINTS.sub("", code.casefold())
    return any(wanted in _JOINTS.sub("", text.casefold()) for text in _written(catalogue))


def _written(catalogue: Catalogue) -> Iterator[str]:
    for document in catalogue.documents:
        yield f"{document.title} {document.source}"
    yield from (value.text for value in catalogue.values)
    yield from (party.name for party in catalogue.parties)


def _no_code(question: str, code: str, catalogue: Catalogue) -> Clarify:
    from rapidfuzz import fuzz, process

    own = next((kind for kind, each in _coded(question) if each == code), "")
    known: dict[str, set[str]] = {}
    for document in catalogue.documents:
        for kind, found in _coded(document.title):
            if kind == own:
                known.setdefault(found, set()).add(document.id)
    near = process.extract(code, list(known), scorer=fuzz.ratio, score_cutoff=40, limit=_NEAREST)
    return _absent(
        question, code, [option_for(question, code, each, len(known[each])) for each, _, _ in sorted(near)]
    )


def _names(mentions: Mentions, words: TokenCounter | None) -> Iterator[str]:
    """Unknown words that are written as names are: with a legal form, several together, or no word at all."""
    capitals = [t for t in mentions.tokens if t.is_word and t.text[0].isupper()]
    if len(capitals) > max(2, 0.6 * sum(t.is_word for t in mentions.tokens)):
        return  # a title, in which every word has a capital
    pieces = mentions.pieces
    at = 0
    while at < len(pieces):
        end = at
        while end < len(pieces) and _may_name(mentions, pieces[end]):
            end += 1
        if end > at:
            run = pieces[at:end]
            if _is_name(mentions, run, pieces[end:], words):
                yield _text(mentions, run)
            at = end
        else:
            at += 1


def _may_name(mentions: Mentions, piece: Piece) -> bool:
    token = mentions.tokens[piece.first]
    return isinstance(piece.meaning, UnknownWord) and (token.text[0].isupper() or token.word in FORMS)


def _is_name(
    mentions: Mentions, run: Sequence[Piece], rest: Sequence[Piece], words: TokenCounter | None
) -> bool:
    tokens = [mentions.tokens[piece.first] for piece in run]
    if tokens[0].word in FORMS:
        return False  # "the GmbH" says a form and names nobody
    has_form = any(token.word in FORMS for token in tokens[1:])
    after = next((piece for piece in rest if not isinstance(piece.meaning, Filler)), None)
    is_of_paper = after is not None and after.first == run[-1].end and isinstance(after.meaning, Noun)
    if has_form:
        return True
    first = tokens[0]
    if first.text.isupper() and len(first.text) <= _ACRONYM and not is_of_paper:
        return False
    is_word = words is None or len(words.offsets(first.word)) == 1
    if _begins_sentence(mentions, run[0].first):
        return is_of_paper and (words is None or not is_word)
    owns = mentions.question[tokens[-1].start : tokens[-1].end].casefold().endswith(("'s", "’s"))
    return len(tokens) > 1 or is_of_paper or owns or not is_word


def _begins_sentence(mentions: Mentions, at: int) -> bool:
    return at == 0 or mentions.tokens[at - 1].text in (".", "!", "?", ";", ":")


def _text(mentions: Mentions, run: Sequence[Piece]) -> str:
    text = mentions.question[mentions.tokens[run[0].first].start : mentions.tokens[run[-1].end - 1].end]
    return text[:-2] if text.endswith(("'s", "’s")) else text


def _without_form(name: str) -> str:
    words = name.split()
    while len(words) > 1 and words[-1].strip(".,").casefold() in FORMS:
        words.pop()
    return " ".join(words)


def no_name(question: str, phrase: str, lexicon: Lexicon) -> Clarify:
    """Clarification of an unknown name; the nearest names of organisations can be chosen."""
    from rapidfuzz import fuzz, process

    names = {party.name: party.documents for party in lexicon.catalogue.parties}
    close = process.extract(
        phrase, list(names), scorer=fuzz.WRatio, score_cutoff=_NAME_CUTOFF, limit=_NEAREST
    )
    return _absent(
        question, phrase, [option_for(question, phrase, name, names[name]) for name, _, _ in close]
    )


def _absent(question: str, phrase: str, near: Iterable[Option]) -> Clarify:
    options = tuple(near)
    nearest = f" The nearest are: {', '.join(each.label for each in options)}." if options else ""
    return Clarify(
        type="absent",
        question=question,
        phrase=phrase,
        reason=f"Nothing that you may see is called “{phrase}”: no organisation, no document, no value and "
        f"no text.{nearest}",
        attempts=(
            Attempt(tool="names", args={"name": phrase}, hits=0),
            Attempt(tool="search_text", args={"text": phrase}, hits=0),
        ),
        options=options,
    )


def _check_common(mentions: Mentions, lexicon: Lexicon, texts: Texts) -> None:
    """ "the agreement between Beta and Gamma" where no document names both of them."""
    pieces = mentions.pieces
    noun = next((each for each in pieces if isinstance(each.meaning, Noun)), None)
    named = [each for each in pieces if isinstance(each.meaning, Parties)]
    if noun is None or not isinstance(noun.meaning, Noun) or noun.meaning.is_plural or len(named) != 2:
        return
    if any(isinstance(each.meaning, (Comparing, DocumentSet)) for each in pieces) or not noun.meaning.schema:
        return
    first, last = sorted(named, key=lambda each: each.first)
    between = [p.text.casefold() for p in pieces if first.end <= p.first < last.first]
    if not between or any(word not in ("and", "/", "with", "&") for word in between):
        return
    sides = [
        {each.normal for each in side.meaning.parties} for side in named if isinstance(side.meaning, Parties)
    ]
    papers = [each for each in lexicon.catalogue.documents if each.schema == noun.meaning.schema]
    if any(all(side & set(each.parties) for side in sides) for each in papers):
        return
    unnamed = [each for each in papers if not each.parties and not each.unreadable]
    if len(unnamed) > _READ or any(_mentions(texts.of(each.id), named) for each in unnamed):
        return
    name = singular(noun.text.split()[-1].casefold())
    who = " and ".join(side.text.removesuffix("'s").removesuffix("’s") for side in (first, last))
    raise AskBackError(
        Clarify(
            type="absent",
            question=mentions.question,
            phrase=f"{name} between {who}",
            reason=f"No {name} that you may see is between {who}.",
            attempts=(Attempt(tool="documents", args={"parties": who, "kind": name}, hits=0),),
            options=tuple(_of_side(side, papers, name) for side in (first, last)),
        )
    )


def _of_side(side: Piece, papers: Sequence[DocumentEntry], name: str) -> Option:
    assert isinstance(side.meaning, Parties)  # as they were chosen
    normals = {each.normal for each in side.meaning.parties}
    said = side.text.removesuffix("'s").removesuffix("’s")
    count = sum(bool(normals & set(each.parties)) for each in papers)
    question = f"Which {plural(name)} are with {said}?"
    return Option(label=f"{plural(name)} with {said}", question=question, documents=count)


def _mentions(text: str, named: Sequence[Piece]) -> bool:
    folded = text.casefold()
    return all(
        any(each.normal.split()[0] in folded for each in side.meaning.parties)
        for side in named
        if isinstance(side.meaning, Parties)
    )
