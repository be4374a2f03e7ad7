"""Fit of what was found to what is asked: the thing, its form where it has one of its own, its names."""

from __future__ import annotations

import re

from core.answer.value import asked_words, counted_terms, stated_values
from core.search.classify import PAPERS
from core.search.evidence.base import Evidence
from core.search.evidence.pack import codes_of, has_code
from core.search.evidence.score import find_gaps
from core.search.names import WORD
from core.text.analyse import analyse, content_terms

_YES_OR_NO = re.compile(
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|may|must|shall|should|will|would)\b", re.I
)


def asks_yes_or_no(question: str) -> bool:
    """True where yes or no answers a question."""
    return _YES_OR_NO.match(question) is not None


TOP = 3
LEAST = 2
MOST = 0.7  # of the idf of a question; at .5, 15 % of mtrag_un's answerable turns were refused
_OWNED = re.compile(
    rf"(?:['’]s)?(?:\s{{1,8}}[\w'’-]{{1,40}}){{0,2}}?,?\s{{1,8}}(?:{'|'.join(PAPERS)}|licen[cs]e|"
    r"inc|corp|corporation|company|llc|ltd|limited|gmbh|plc|ag)\b",
    re.IGNORECASE,
)
REACH = 8  # sentences: what none of them has is not in the answer
_ACRONYM = re.compile(r"\b[A-Z]{4,}\b")  # of three letters and fewer, others are made of any text
_LETTERS = re.compile(r"[^\W\d_]+")
_OWN_FORMS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"\be-?mail (?:address|contact)|\bwhat(?:'s| is) the e-?mail\b", re.I), re.compile(r"\S@\S")),
    (
        re.compile(r"\b(?:tele)?phone (?:number|contact)|\bfax number", re.I),
        re.compile(r"\d(?:[\s()./-]*\d){5}"),
    ),
    (
        re.compile(r"\b(?:website|web address|url)\b", re.I),
        re.compile(r"\bwww\.|https?://|\.\w{2,4}\b", re.I),
    ),
)


def unknown_names(question: str, evidence: Evidence) -> list[str]:
    """Names of documents or companies, codes and long acronyms of the question that stand in nothing
    found, not even in a title or file name.

    Names only where a word for a document or a legal form follows ("the Zenith supply agreement"): a speech
    need not name its speaker. A name: a capitalised word inside a sentence, with a small letter; none where
    most words have capitals. Of acronyms only those of four letters and more that no words found spell out.
    """
    found = list(WORD.finditer(question))
    capitals = [match for match in found if match.group()[0].isupper()]
    is_title = len(capitals) > max(1, 0.6 * len(found))
    names = [
        match.group()
        for match in ([] if is_title else capitals)
        if match.start()
        and question[: match.start()].rstrip(" \"“'‘(")[-1:] not in ("", ".", "?", "!", ":", ";")
        if _OWNED.match(question, match.end())
        and len(match.group()) > 3
        and any(char.islower() for char in match.group()[1:])
    ]
    codes = codes_of(question)
    acronyms = [] if is_title else _ACRONYM.findall(question)
    if not names and not codes and not acronyms:
        return []
    texts = " ".join(
        f"{c.stored.title} {c.stored.source} {c.stored.passage.text}" for c in evidence.candidates
    )
    spelt = initials_of(texts) if acronyms else ""
    texts = texts.casefold()
    return [
        *(each for each in acronyms if each.casefold() not in texts and each not in spelt),
        *(name for name in names if not any(stem in texts for stem in _stems(name))),
        *(code for code in codes if not has_code(code, texts)),
    ]


def initials_of(text: str) -> str:
    """The first letters of the words of a text, one after the other, as acronyms are made."""
    return "".join(word[0].upper() for word in _LETTERS.findall(text))


def _stems(name: str) -> list[str]:
    whole = name.casefold().removesuffix("'s").removesuffix("’s")
    return [whole, *(term for term in content_terms(whole) if len(term) > 3)]


_WHO = re.compile(r"(?:by |with |for |to )?who(?:m|se)?\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w'\u2019-]+(?:\s+(?:[A-Z]\.|of|and|de|von|van))?\s+[A-Z][\w'\u2019-]+")


def lacks_form(question: str, evidence: Evidence) -> bool:
    """True where the thing asked for has a form of its own that none of the best sentences shows.

    An e-mail address has an @; "how many employees" needs a number beside employees.
    """
    texts = [sentence.text for sentence in evidence.sentences[:REACH]]
    if any(asked.search(question) and not any(form.search(t) for t in texts) for asked, form in _OWN_FORMS):
        return True
    return bool(counted_terms(question)) and not any(stated_values(question, text) for text in texts)


def lacks_asked(asked: str, evidence: Evidence, question: str = "") -> bool:
    """True where the thing asked for ("net profit") is in none of the best sentences, headings and titles.

    asked: its words; "" where fields are called by them, so that a text may say it in words of its own.
    question: what asks for a value of a kind is answered by such a value, too.
    """
    terms = set(analyse(asked)) if asked else set()
    if not terms:
        return False
    for sentence in evidence.sentences[:REACH]:
        stored = sentence.candidate.stored
        said = f"{sentence.text} {stored.title} {stored.source} {' '.join(stored.passage.section)}"
        if terms & set(analyse(said)) or (question and stated_values(question, sentence.text)):
            return False
    return True


def lacks_name(question: str, asked: str, evidence: Evidence) -> bool:
    """True where none of the best sentences on what somebody did ("who signed it") names anybody new."""
    terms = set(analyse(asked)) if asked and _WHO.match(question) else set()
    if not terms:
        return False
    known = question.casefold()
    for sentence in evidence.sentences[:REACH]:
        if terms & set(analyse(sentence.text)):
            names = (match[0] for match in _NAME.finditer(sentence.text))
            if any(name.casefold() not in known for name in names):
                return False
    return True


def is_unsaid(question: str, asked: str, evidence: Evidence) -> bool:
    """True where nothing says what is asked for, or nobody is named who did it. asked: see `lacks_asked`."""
    return lacks_asked(asked, evidence, question) or lacks_name(question, asked, evidence)


def lacks_shape(question: str, evidence: Evidence) -> bool:
    """True where nothing found has the form or the topic that an answer needs."""
    return lacks_form(question, evidence) or misses_topic(evidence)


def misses_thing(question: str, evidence: Evidence) -> bool:
    """True where the weightiest words of the question stand in none of the passages that would be cited.

    Weighed by rarity: MOST of the question ("the CEO of ACME" where only ACME is written about).
    """
    analysis = evidence.analysis
    own = set(analyse(analysis.search_text))
    total = sum(analysis.idf[term] for term, _ in analysis.terms if term in own)
    stored = [s.candidate.stored for s in evidence.sentences[:TOP]]
    texts = [f"{s.title} {s.source} {' '.join(s.passage.section)} {s.passage.text}" for s in stored]
    gaps = find_gaps(question, texts, answered=asked_words(question))
    missing = {term for gap in gaps for term in analyse(gap)} & own
    return total > 0 and sum(analysis.idf.get(term, 0.0) for term in missing) >= MOST * total


def misses_topic(evidence: Evidence) -> bool:
    """True where the best sentences share nothing with the question but the name of their document.

    Only where at least two of its words are no part of that name; other wordings of one thing are common.
    """
    best = evidence.sentences[0] if evidence.sentences else None
    if best is None:
        return False
    stored = best.candidate.stored
    named = set(analyse(f"{stored.title} {stored.source}"))
    asked = {term for term, _ in evidence.analysis.terms} - named
    is_all = len(asked) == len(evidence.analysis.terms) and not evidence.named_documents
    if len(asked) < LEAST or is_all:
        return False
    texts = (f"{' '.join(s.candidate.stored.passage.section)} {s.text}" for s in evidence.sentences[:TOP])
    return not any(asked & set(analyse(text)) for text in texts)
