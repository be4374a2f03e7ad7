"""A list of the documents that fit a question by what they are called and what they say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.answer.cite import Draft, Layout
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.search.classify import Listing
from core.search.evidence.base import Evidence, PageSource, Span, page_at, span_of
from core.search.names import WORD
from core.search.sentences import ScoredSentence, rank_sentences
from core.store.database.visibility import Visibility
from core.text.analyse import analyse, content_terms
from core.text.markdown import escape

TELLING = 4  # words of a line that tells something
MAX_LISTED = 30
MAX_READ = 200  # documents whose first page is looked at
HEAD_CHARS = 300  # a document says what it is at its top
LINE_CHARS = 240
FLOOR = 0.5  # of the best share of the subject: a receipt for tyres need not say "purchase"
_LINE = re.compile(r"[^\n]*\S[^\n]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A document that may be listed; one without a text can only be told by its name."""

    id: DocumentId
    version: int
    title: str
    source: str
    has_text: bool


@dataclass(frozen=True, slots=True)
class _Fit:
    """A document of the kind asked for: share of the subject's rarity that it has, and what to quote."""

    summary: Entry
    page: Page
    share: float


def compose_documents(
    listing: Listing,
    evidence: Evidence,
    summaries: Sequence[Entry],
    pages: PageSource,
    visibility: Visibility,
) -> Layout | None:
    """One line for each document that fits, best first; None where none does.

    A word of the subject in lower case is not found in a name: "Big Sky Tire and Brake" sells brakes too.
    """
    rarity = _rarity(listing.subject, evidence)
    fits = [
        _Fit(summary, page, _share(rarity, summary, page.text))
        for summary in [s for s in summaries if s.has_text][:MAX_READ]
        if (page := page_at(pages, summary.id, summary.version, 1, visibility))
        and _is_kind(listing, summary, page.text)
    ]
    best = max((fit.share for fit in fits), default=0.0)
    chosen = [fit for fit in fits if fit.share >= FLOOR * best and (best > 0 or not rarity)]
    if not chosen:
        return None
    said = _said(listing.condition, evidence) if listing.condition else {}
    found = {c.stored.passage.document: at for at, c in reversed(list(enumerate(evidence.candidates)))}
    chosen.sort(key=lambda fit: (-fit.share, found.get(fit.summary.id, len(found)), fit.summary.title))
    drafts = tuple(
        Draft((_quote(fit, rarity, said),), label=fit.summary.title, marker="-")
        for fit in chosen[:MAX_LISTED]
        if _quote(fit, rarity, said).quote
    )
    return Layout(
        drafts, _lead(listing, len(drafts)), closing=_unread(listing, rarity, summaries), is_complete=False
    )


def _rarity(subject: str, evidence: Evidence) -> Mapping[str, float]:
    """The words of the subject as they are written, each with the rarity of its rarest term."""
    idf = evidence.analysis.idf
    found = {}
    for word in WORD.findall(subject):
        terms = content_terms(word)
        if terms:
            found[word] = max((idf.get(term, 1.0) for term in terms), default=1.0)
    return found


def _share(rarity: Mapping[str, float], summary: Entry, text: str) -> float:
    total = sum(rarity.values())
    if total <= 0:
        return 0.0
    named = set(analyse(_file_name(summary.source)))
    body = f"{summary.title}\n{text}"
    held = 0.0
    for word, weight in rarity.items():
        terms = set(content_terms(word))
        if terms <= named or _stands(word, terms, body):
            held += weight
    return held / total


def _stands(word: str, terms: set[str], body: str) -> bool:
    """True where a word stands in a text; one in lower case only outside of longer names."""
    if not word.islower():
        return terms <= set(analyse(body))
    words = list(WORD.finditer(body))
    for at, match in enumerate(words):
        if terms <= set(analyse(match.group())):
            beside = [words[near] for near in (at - 1, at + 1) if 0 <= near < len(words)]
            if match.group().islower() or not any(_is_joined(body, match, other) for other in beside):
                return True
    return False


def _is_joined(body: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """True where two words stand side by side in one line, both with a capital."""
    first, second = (one, other) if one.start() < other.start() else (other, one)
    return body[first.end() : second.start()] == " " and other.group()[:1].isupper()


def _is_kind(listing: Listing, summary: Entry, text: str) -> bool:
    if not listing.kinds:
        return True
    folder = summary.source.rpartition("/")[0].rpartition("/")[2]
    head = set(analyse(f"{summary.title} {_file_name(summary.source)} {folder} {text[:HEAD_CHARS]}"))
    return any(set(analyse(kind)) <= head for kind in listing.kinds)


def _file_name(source: str) -> str:
    return source.rsplit("/", 1)[-1].rsplit(".", 1)[0].replace("_", " ").replace("-", " ")


def _said(condition: str, evidence: Evidence) -> dict[DocumentId, ScoredSentence]:
    """The sentence of each document that has most of the condition's words, weighed by rarity."""
    asked = {term for word in WORD.findall(condition) for term in content_terms(word)}
    found: dict[DocumentId, tuple[float, ScoredSentence]] = {}
    for sentence in rank_sentences(evidence.analysis, evidence.candidates, passages=len(evidence.candidates)):
        if sentence.is_heading or len(sentence.text) > 2 * LINE_CHARS:
            continue
        shared = asked & set(analyse(sentence.text))
        weight = sum(evidence.analysis.idf.get(term, 0.0) for term in shared)
        if weight > found.get(sentence.document, (0.0, sentence))[0]:
            found[sentence.document] = (weight, sentence)
    return {document: sentence for document, (_, sentence) in found.items()}


def _quote(fit: _Fit, rarity: Mapping[str, float], said: Mapping[DocumentId, ScoredSentence]) -> Span:
    """The sentence on the condition; else the line that has most of the subject, else the first one."""
    summary, text = fit.summary, fit.page.text
    sentence = said.get(summary.id)
    if sentence is not None:
        return span_of(sentence)
    lines = [m for m in _LINE.finditer(text) if len(m.group().strip()) <= LINE_CHARS]
    telling = [m for m in lines if _is_telling(m, fit.page)] or lines
    if telling:
        line = max(telling, key=lambda m: (_shared(rarity, m.group()), -m.start()))
        start = line.start() + len(line.group()) - len(line.group().lstrip())
        end = line.start() + len(line.group().rstrip())
    else:
        start = len(text) - len(text.lstrip())
        end = min(start + LINE_CHARS, len(text.rstrip()))
    return Span(
        document=summary.id,
        version=summary.version,
        page=1,
        start=start,
        end=end,
        quote=text[start:end],
        title=summary.title,
        source=summary.source,
    )


def _is_telling(line: re.Match[str], page: Page) -> bool:
    """True where a line says more than a heading: it has a few words and no heading stands in it."""
    has_heading = any(h.start < line.end() and line.start() < h.end for h in page.headings)
    return not has_heading and len(line.group().split()) >= TELLING and not line.group().isupper()


def _shared(rarity: Mapping[str, float], line: str) -> int:
    return sum(_stands(word, set(content_terms(word)), line) for word in rarity)


def _lead(listing: Listing, count: int) -> str:
    documents = f"{count:,} document{'' if count == 1 else 's'}"
    if not listing.condition:
        fit = "fits" if count == 1 else "fit"
        return f"{documents} {fit} by name and text. Not every document was judged, so there may be more:"
    words = [word for word in (listing.subject, *listing.kinds[:1]) if word]
    match = f"{'it matches' if count == 1 else 'they match'} " + " and ".join(f"“{escape(w)}”" for w in words)
    by_name = f"{match} by name; " if words else ""
    return (
        f"{documents} may fit: {by_name}“{escape(listing.condition)}” was not checked. "
        "There may be others as well:"
    )


def _unread(listing: Listing, rarity: Mapping[str, float], summaries: Iterable[Entry]) -> str:
    """Files that fit by name but hold no text to be read."""
    blind = [s for s in summaries if not s.has_text and listing.kinds and _is_kind(listing, s, "")]
    fitting = [s for s in blind if not rarity or _share(rarity, s, "") > 0]
    if not fitting:
        return ""
    names = ", ".join(f"“{escape(s.source)}”" for s in fitting[:5])
    them = "it" if len(fitting) == 1 else "them"
    return f"By name, {names} may belong here too, but no text could be read from {them}."
