"""Composing an answer out of quoted spans: lookups, steps, summaries, comparisons, partial lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.answer.cite import Draft, Layout
from core.answer.fit import asks_yes_or_no
from core.answer.quotes import with_notes
from core.answer.table_rows import LabelledRow
from core.answer.value import asks_money, direct_value, stated_values
from core.domain.answer import Claim, Column, Table
from core.domain.ids import DocumentId
from core.domain.passage import Vector
from core.search.evidence.base import Evidence, Span, span_of
from core.search.evidence.pack import codes_of, has_code
from core.search.sentences import ScoredSentence
from core.text.analyse import analyse
from core.text.markdown import escape
from core.values.stated_years import written_years

STRONG = 0.8  # of the best sentence's score: what is weaker than that is not worth a second claim
MAX_ASIDE = 2
MAX_SENTENCE_CHARS = 1_200
NOT_COUNTED = (
    "A complete count or list needs a value that is read from every document, and no field states this one. "
    "The best search results are no substitute, so nothing is counted here."
)
LIST_FLOOR = 0.5  # of the best coverage: below it a document merely shares a word with the question
REST, NEAR = 0.15, 0.5  # of the question by rarity; of the best score, in another document
TELLING = 0.7  # of the question's words, of a sentence from which yes or no is plain
STATED_FLOOR = 0.6  # of the best score, of a sentence that says something
_PLAIN = re.compile(r"\bhow much\b|^when\b", re.IGNORECASE)
SEVERAL = "More than one document answers this, with different values; name one to be sure."
SEVERAL_READINGS = "The text states more than one; these are the nearest:"
NOT_COMPARED = "These are the values found, one line for each document; there may be others to compare with."
_SUPERLATIVE = re.compile(
    r"\b(?:highest|lowest|largest|smallest|biggest|longest|shortest|cheapest|most|least|latest|earliest|best)\b",
    re.IGNORECASE,
)
NOT_CALCULATED = "The figures that this takes, as they are stated; nothing was calculated:"
CALLED_ALIKE = "More than one row is called so, with different figures:"
ROW_CONFIDENCE = 0.8  # of a figure in a row that is all that is asked for
OWN_WORDS = 0.3  # of the best score, for a sentence that has every word of the question itself
RIVAL = 0.85  # of the first sentence's score and coverage: from there on, nothing tells which one is meant
SUBSTANCE = 0.25  # of a cosine: in a summary, duties, limits and figures go before descriptions
_RULE = re.compile(
    r"\b(?:shall|must|may not|at most|at least|not exceed|limited to|up to|no later than|entitled)\b", re.I
)
_FIGURES = ("What is the total price?", "When does it expire?")  # a summary without them says too little
DIVERSITY = 0.7  # Source: Carbonell & Goldstein 1998, maximal marginal relevance; lambda


def compose_lookup(question: str, evidence: Evidence, max_claims: int) -> Layout:
    """The best sentence, then at most two more that are nearly as good, best first.

    A further sentence has to speak of the same: half of what the best one shares with the question beyond
    the document's title. Where other documents state other values just as well, all are given by title.
    """
    if not evidence.sentences:
        return Layout(())
    sentences = _in_order(question, evidence)
    if sentences[0] is evidence.best:  # it was not chosen for a value that others do not state
        evidence = replace(evidence, sentences=by_words(evidence))
        sentences = _in_order(question, evidence)
    best = sentences[0]
    rivals = find_rivals(question, evidence, sentences)
    if rivals:
        stating = [best, *rivals[: max(1, max_claims - 1)]]
        drafts = tuple(Draft((span_of(s),), label=s.candidate.stored.name, marker="-") for s in stating)
        if _SUPERLATIVE.search(question):
            return Layout(drafts, lead=NOT_COMPARED, has_rivals=True, is_complete=False)
        return Layout(drafts, lead=SEVERAL, has_rivals=True)
    floor = STRONG * best.score
    topic = topic_of(best, evidence)
    others = [
        s
        for s in sentences[1:]
        if s.score >= floor and not s.is_heading and _speaks_of(topic, s, best, evidence)
    ]
    rest = complete(best, sentences[1:], evidence)
    others = [*rest, *(s for s in others if all(s is not each for each in rest))]
    chosen = [best, *others[: min(MAX_ASIDE, max_claims - 1)]]
    spans = [span_of(s) for s in chosen]
    named = [code for code in codes_of(question) if has_code(code, best.text)]
    meant = [s for s in chosen if _is_as_good(s, best) and all(has_code(code, s.text) for code in named)]
    values = [direct_value(question, s.text) for s in meant]
    if len({value for value in values if value is not None}) > 1 and values[0] is not None:
        drafts = tuple(Draft((span,), marker="-") for span in spans)
        return Layout(drafts, lead=SEVERAL_READINGS, is_in_doubt=True)
    quotes = [with_notes(span, evidence.sentences) for span in spans]
    drafts = tuple(Draft(each, marker="-" if at else "") for at, each in enumerate(quotes))
    aside = "Also relevant:" if len(spans) > 1 else ""
    is_in_doubt = (asks_yes_or_no(question) and best.coverage < TELLING) or _lacks_value(question, best)
    is_in_doubt = is_in_doubt or _lacks_year(question, best) or not _adds(question, best, evidence)
    return Layout(drafts, aside=aside, is_in_doubt=is_in_doubt)


def compose_rows(rows: Sequence[LabelledRow], evidence: Evidence) -> Layout:
    """Rows of a table with their heads; one that is all that is asked for gives its figure.

    Otherwise nothing is said to be the answer: what it takes has to be calculated, or chosen.
    """
    is_of_several = len({row.span.document for row in rows}) > 1
    drafts = tuple(
        Draft(row.spans, row.span.title if is_of_several else "", marker="-" if len(rows) > 1 else "")
        for row in rows
    )
    only = rows[0]
    if len(rows) > 1 and all((row.first, row.last) == (only.first, only.last) for row in rows):
        return Layout(drafts, lead=CALLED_ALIKE, is_complete=False)
    if len(rows) > 1 or only.value is None:
        return Layout(drafts, lead=NOT_CALCULATED, is_complete=False)
    said = [s for s in evidence.sentences[:MAX_ASIDE] if s.document == only.span.document]
    asides = [Draft((span_of(s),), marker="-") for s in said if only.span.quote not in s.text]
    return Layout((*drafts, *asides[:1]), aside="Also relevant:", value=only.value, confidence=ROW_CONFIDENCE)


def _in_order(question: str, evidence: Evidence) -> list[ScoredSentence]:
    return prefer_message(question, prefer_statement(question, evidence.sentences, evidence))


def prefer_statement(
    question: str, sentences: Sequence[ScoredSentence], evidence: Evidence
) -> list[ScoredSentence]:
    """The sentences with the first that says something before one that only repeats what is asked.

    A title or the heads of a table share the most words with a question, and what is asked stands below.
    """
    best = sentences[0]
    if _adds(question, best, evidence):
        return list(sentences)
    for at, each in enumerate(sentences[1:], 1):
        if each.score >= STATED_FLOOR * best.score and _adds(question, each, evidence):
            return [each, *sentences[:at], *sentences[at + 1 :]]
    return list(sentences)


def _adds(question: str, sentence: ScoredSentence, evidence: Evidence) -> bool:
    """True where a sentence is no heading and has a word of its own; of yes and no, repeating is enough."""
    if asks_yes_or_no(question):
        return True
    told = {*analyse(evidence.analysis.text), *(term for term, _ in evidence.analysis.terms)}
    return not (sentence.is_heading or sentence.kind == "label") and bool(set(analyse(sentence.text)) - told)


def complete(
    best: ScoredSentence, sentences: Sequence[ScoredSentence], evidence: Evidence
) -> list[ScoredSentence]:
    """The sentences that say most of what is asked and the best one does not: "who signed it, and when".

    Of the best one's document, or nearly as good; each has REST of the question by rarity that is new.
    """
    own = _own_terms(evidence) - _named(best)
    rest = own - set(analyse(f"{best.text} {' '.join(best.candidate.stored.passage.section)}"))
    least, found = REST * weight_of(own, evidence), list[ScoredSentence]()
    near = [
        s
        for s in sentences
        if not s.is_heading and (s.document == best.document or s.score >= NEAR * best.score)
    ]
    while near and len(found) < MAX_ASIDE:
        gains = [weight_of(rest & set(analyse(s.text)), evidence) for s in near]
        if not least or max(gains) < least:
            break
        found.append(near[gains.index(max(gains))])
        rest -= set(analyse(found[-1].text))
    return found


def prefer_message(question: str, sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences with what a message says itself before what it quotes, where both answer.

    Both state a value of the kind that is asked for, or share as much with the question.
    """
    best = sentences[0]
    if best.kind != "quoted":
        return list(sentences)
    is_value = bool(stated_values(question, best.text))
    for at, each in enumerate(sentences):
        answers = bool(stated_values(question, each.text)) if is_value else _is_as_good(each, best)
        if each.kind is None and each.document == best.document and not each.is_heading and answers:
            return [each, *sentences[:at], *sentences[at + 1 :]]
    return list(sentences)


def _lacks_value(question: str, best: ScoredSentence) -> bool:
    """True where an amount or a day is plainly asked for and the sentence states none."""
    if not _PLAIN.search(question) or stated_values(question, best.text):
        return False
    return asks_money(question) or not any(map(str.isdigit, best.text))


def _lacks_year(question: str, best: ScoredSentence) -> bool:
    """True where none of the years that a question names is in the sentence, its section or its names."""
    years = set(written_years(question))
    stored = best.candidate.stored
    said = f"{best.text} {stored.title} {stored.name} {stored.source} {' '.join(stored.passage.section)}"
    return bool(years) and not years & set(written_years(said))


def _is_as_good(sentence: ScoredSentence, best: ScoredSentence) -> bool:
    if best.kind is None and sentence.kind is not None:
        return False
    return sentence.score >= RIVAL * best.score and sentence.coverage >= RIVAL * best.coverage


def _speaks_of(topic: set[str], sentence: ScoredSentence, best: ScoredSentence, evidence: Evidence) -> bool:
    """True where a sentence stands beside the best one, or has half of what that shares with the question."""
    shared = weight_of(topic & set(analyse(sentence.text)), evidence)
    has_half = sentence.coverage >= best.coverage / 2 and shared >= weight_of(topic, evidence) / 2
    return sentence.candidate is best.candidate or has_half


def by_words(evidence: Evidence) -> tuple[ScoredSentence, ...]:
    """The sentences with those first that say more of the question in their own words.

    Measured on the first sentence being right: chunking_eval .645 -> .670, ContractNLI .583 -> .625, HotpotQA
    .72 -> .71; among three .808 -> .822, .764 -> .793, .93 -> .93.
    """
    most = max((each.score for each in evidence.sentences), default=0.0)
    return tuple(
        sorted(
            evidence.sentences,
            key=lambda each: -(each.score + OWN_WORDS * most * own_coverage(each, evidence)),
        )
    )


def own_coverage(sentence: ScoredSentence, evidence: Evidence) -> float:
    """The share of the question's own terms, by rarity, that a sentence has; 0 where it has none.

    Not of those that earlier turns, or words on how to answer, add.
    """
    own, analysis = _own_terms(evidence), evidence.analysis
    weights = {term: weight * analysis.idf[term] for term, weight in analysis.terms if term in own}
    shared = weights.keys() & set(analyse(sentence.text))
    return sum(weights[term] for term in shared) / (sum(weights.values()) or 1.0)


def find_rivals(
    question: str, evidence: Evidence, sentences: Sequence[ScoredSentence]
) -> list[ScoredSentence]:
    """The best sentence of each other document that states another value as plainly as the first one.

    [] where the question asks for no value or names one document, or where all state the same.
    """
    best = sentences[0]
    form, figures = _form(best.text)
    stated = {s.value for s in stated_values(question, best.text)}
    if not (stated or figures) or (len(evidence.named_documents) == 1 and not evidence.is_ambiguous):
        return []
    by_figures = not stated  # no value is asked: the same words with other figures are another answer, too
    told: set[object] = {figures} if by_figures else {*stated}
    found: dict[DocumentId, ScoredSentence] = {}
    for sentence in sentences[1:]:
        is_near = sentence.coverage_in_context >= RIVAL * best.coverage_in_context
        if is_near and _is_as_good(sentence, best) and sentence.document != best.document:
            own, others = _form(sentence.text)
            values: set[object] = {s.value for s in stated_values(question, sentence.text)}
            if by_figures:
                values = {others} if own == form else set()
            if values and not values & told:
                told |= values
                found.setdefault(sentence.document, sentence)
    return list(found.values())


def _form(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a sentence without figures, and those with; not the number before it."""
    words = text.lstrip("0123456789.()").casefold().split()
    figures = tuple(word for word in words if any(map(str.isdigit, word)))
    return tuple(word for word in words if word not in figures), figures


def topic_of(best: ScoredSentence, evidence: Evidence) -> set[str]:
    """Terms that the sentence shares with the question beyond its document's title."""
    return (_own_terms(evidence) - _named(best)) & set(analyse(best.text))


def _own_terms(evidence: Evidence) -> set[str]:
    """Terms of the question itself, not those that earlier turns add."""
    return {term for term, _ in evidence.analysis.terms} & set(analyse(evidence.analysis.search_text))


def _named(sentence: ScoredSentence) -> set[str]:
    """Terms that the document of a sentence is called by."""
    stored = sentence.candidate.stored
    return set(analyse(f"{stored.title} {stored.source}"))


def weight_of(terms: set[str], evidence: Evidence) -> float:
    """The idf of these terms of the question, summed."""
    return sum(evidence.analysis.idf.get(term, 0.0) for term in terms)


def equally_meant(evidence: Evidence, claims: Sequence[Claim]) -> list[str]:
    """The titles that fit an ambiguous name and answer about equally well; [] where one stands out."""
    first = claims[0].citations[0]
    shown = [s for s in evidence.sentences if (s.document, s.span.start) == (first.document, first.start)]
    best = shown[0] if shown else None
    if best is None or not evidence.is_ambiguous:
        return []
    topic = topic_of(best, evidence)
    least = RIVAL * weight_of(topic, evidence)
    near = [
        sentence.candidate.stored.name
        for sentence in evidence.sentences
        if sentence.document in evidence.named_documents
        and sentence.score >= RIVAL * best.score
        and least > 0
        and weight_of(topic & set(analyse(sentence.text)), evidence) >= least
    ]
    return list(dict.fromkeys(near))[:3]


def names_in(evidence: Evidence) -> str:
    """Names of the documents that the question names, as Markdown; "" for none."""
    of = {each.stored.passage.document: each.stored.name for each in evidence.candidates}
    named = dict.fromkeys(f"“{escape(of[id])}”" for id in evidence.named_documents if id in of)
    return " and ".join([*named][:3])


def compose_closest(evidence: Evidence, max_claims: int, where: str) -> Layout:
    """The closest sentences, presented as that and not as the answer; `where` names what was searched."""
    drafts = tuple(Draft((span_of(s),), marker="-") for s in evidence.sentences[: min(3, max_claims)])
    lead = f"The closest passages {where} are these; none of them clearly answers the question."
    return Layout(drafts, lead=lead, is_complete=False)


def compose_summary(evidence: Evidence, max_claims: int, idle: Collection[str] = ()) -> Layout:
    """Statements of the documents on the topic, or in general, in reading order, neighbours joined.

    With a topic beyond their titles and the `idle` terms, the question's ranking chooses. Without one
    ("summarise this contract") sentences near the middle of the documents are chosen, each unlike the others.
    """
    of_subject = _of_subject(evidence)
    pool = [s for s in of_subject if len(s.text) <= MAX_SENTENCE_CHARS]
    if not pool:
        return compose_lookup("", evidence, max_claims)
    titles = {f"{s.candidate.stored.title} {s.candidate.stored.source}" for s in of_subject}
    named = set(analyse(" ".join(titles))) if len(titles) <= MAX_ASIDE + 1 else set()
    topic = {term for term, _ in evidence.analysis.terms} - set(idle) - named
    chosen = pool[:max_claims] if topic else _central(evidence, pool, max_claims)
    spans = join_neighbours([span_of(s) for s in chosen], chosen)
    return Layout(tuple(Draft((span,), marker="-" if len(spans) > 1 else "") for span in spans))


def compose_steps(steps: Sequence[Span], marked: bool, heading: str, where: str) -> Layout:
    """A procedure: every step in order. marked: the steps carry their own numbers, kept."""
    heading = heading.lstrip("# ")  # of a plain text that is written as Markdown
    says_more = bool(heading) and heading.casefold() != where.casefold()
    lead = f"**{escape(heading)}** — {escape(where)}" if says_more else f"**{escape(where)}**"
    return Layout(tuple(Draft((span,), marker="1." if marked else "-") for span in steps), lead=lead)


@dataclass(frozen=True, slots=True)
class SubjectSentences:
    """One subject of a comparison with the sentences that speak of it, best first.

    is_all: no other document about the subject was left out or unread.
    """

    subject: str
    sentences: tuple[ScoredSentence, ...]
    is_all: bool = True


def compose_comparison(sides: Sequence[SubjectSentences]) -> Layout:
    """The sentences of every side; says for which nothing was found, and which may have more."""
    drafts = [Draft((span_of(s),), label=side.subject, marker="-") for side in sides for s in side.sentences]
    missing = [side.subject for side in sides if not side.sentences]
    closing = ""
    if missing:
        names = ", ".join(f"“{escape(name)}”" for name in missing)
        closing = f"Nothing was found for {names}, so this is one side of the comparison only."
    gaps = tuple(
        f"Further documents about “{side.subject}” may state it; name one to be sure."
        for side in sides
        if side.sentences and not side.is_all
    )
    return Layout(tuple(drafts), closing=closing, is_complete=not missing and not gaps, gaps=gaps)


def comparison_table(claims: Sequence[Claim], subjects: Sequence[str]) -> Table | None:
    """Subject, document and words of every claim of a comparison; None where no claim is left."""
    rows: list[tuple[str, str, str]] = []
    documents: list[str] = []
    for claim in claims:
        subject = next((name for name in subjects if claim.text.startswith(f"{name}: ")), "")
        citation = claim.citations[0]
        rows.append((subject, citation.title, citation.quote))
        documents.append(citation.document)
    if not rows:
        return None
    columns = tuple(Column(name=name, type="text") for name in ("Subject", "Document", "What it says"))
    return Table(columns=columns, rows=tuple(rows), documents=tuple(documents))


def compose_list(evidence: Evidence, max_claims: int, scope: str) -> Layout:
    """The best sentence of each document found: a beginning of the list asked for, and said to be one."""
    first: dict[str, ScoredSentence] = {}
    floor = LIST_FLOOR * max((s.coverage_in_context for s in evidence.sentences), default=0.0)
    for sentence in evidence.sentences:
        if sentence.coverage_in_context >= floor:
            first.setdefault(sentence.document, sentence)
    drafts = tuple(Draft((span_of(s),), marker="-") for s in list(first.values())[:max_claims])
    lead = f"{NOT_COUNTED} In {scope} these are the closest passages found; there may be more:"
    return Layout(drafts, lead=lead, is_complete=False)


def list_table(claims: Sequence[Claim]) -> Table | None:
    """The documents cited, in order, each once; None where there is none."""
    rows: dict[str, tuple[str, str, str]] = {}
    for claim in claims:
        for citation in claim.citations:
            rows.setdefault(citation.document, (citation.title, citation.source, citation.quote))
    if not rows:
        return None
    columns = tuple(Column(name=name, type="text") for name in ("Document", "Source", "Passage"))
    return Table(columns=columns, rows=tuple(rows.values()), documents=tuple(rows))


def join_neighbours(spans: Sequence[Span], sentences: Sequence[ScoredSentence]) -> list[Span]:
    """The spans in reading order, those that follow one another in one passage joined into one.

    Documents keep the order of their best sentence. Only white space may stand between joined spans.
    """
    order = {document: at for at, document in reversed(list(enumerate(s.document for s in sentences)))}
    pairs = sorted(
        zip(spans, sentences, strict=True),
        key=lambda pair: (order[pair[0].document], pair[0].page, pair[0].start),
    )
    joined: list[Span] = []
    for span, sentence in pairs:
        merged = _merge(joined[-1], span, sentence) if joined else None
        if merged is not None:
            joined[-1] = merged
        else:
            joined.append(span)
    return joined


def _merge(earlier: Span, later: Span, sentence: ScoredSentence) -> Span | None:
    """Both spans as one where the later one's passage shows only white space between them."""
    if (
        earlier.page_key != later.page_key
        or later.start < earlier.end
        or later.end - earlier.start > MAX_SENTENCE_CHARS
    ):
        return None
    passage = sentence.candidate.stored.passage
    base = 0
    for part in passage.parts:
        if part.page_no == later.page and part.start <= earlier.start and later.end <= part.end:
            offset = base - part.start
            if passage.text[earlier.end + offset : later.start + offset].strip():
                return None
            quote = passage.text[earlier.start + offset : later.end + offset]
            return replace(later, start=earlier.start, quote=quote)
        base += part.end - part.start + 1
    return None


def _of_subject(evidence: Evidence) -> Sequence[ScoredSentence]:
    """The sentences of the documents that are summarised: named, or titled in words of the question."""
    subject = set(evidence.named_documents)
    if not subject:
        asked = set(analyse(evidence.analysis.text))
        titles = {s.document: set(analyse(s.candidate.stored.title)) for s in evidence.sentences}
        subject = {document for document, title in titles.items() if title and title <= asked}
    return [s for s in evidence.sentences if s.document in subject] or evidence.sentences


def _substance(sentence: ScoredSentence) -> float:
    """Share of substance in a sentence, not description: a duty or a limit, and a figure, half each."""
    return (bool(_RULE.search(sentence.text)) + any(char.isdigit() for char in sentence.text)) / 2


def _central(evidence: Evidence, pool: Sequence[ScoredSentence], count: int) -> list[ScoredSentence]:
    """Sentences near the mean of their documents', of substance first, each unlike those chosen before."""
    documents = {sentence.document for sentence in pool}
    vectors = [
        c.sentence_vectors
        for c in evidence.candidates
        if len(c.sentence_vectors) and c.stored.passage.document in documents
    ]
    if not vectors:
        return list(pool[:count])
    centre = np.concatenate(vectors).mean(axis=0)
    centre /= max(float(np.linalg.norm(centre)), 1e-9)
    rows = np.stack([_vector_of(sentence) for sentence in pool])
    title = set(analyse(pool[0].candidate.stored.title))
    about = np.array([len(title & set(analyse(s.text))) / max(len(title), 1) for s in pool])
    substance = np.array([_substance(sentence) for sentence in pool])
    nearness = rows @ centre + SUBSTANCE * (substance + about)
    chosen = _figures(pool, nearness.tolist()) if count > len(_FIGURES) else []
    while len(chosen) < min(count, len(pool)):
        closeness = (rows @ rows[chosen].T).max(axis=1) if chosen else np.zeros(len(pool))
        gain = DIVERSITY * nearness - (1 - DIVERSITY) * closeness
        gain[chosen] = -np.inf
        chosen.append(int(gain.argmax()))
    return [pool[at] for at in chosen]


def _figures(pool: Sequence[ScoredSentence], nearness: Sequence[float]) -> list[int]:
    """The most central sentence for each of _FIGURES that any states: what it costs, and when it ends."""
    chosen: list[int] = []
    for question in _FIGURES:
        stating = [at for at, sentence in enumerate(pool) if stated_values(question, sentence.text)]
        if stating:
            chosen.append(max(stating, key=nearness.__getitem__))
    return list(dict.fromkeys(chosen))


def _vector_of(sentence: ScoredSentence) -> Vector:
    candidate = sentence.candidate
    for at, (start, end) in enumerate(candidate.stored.passage.sentences):
        if candidate.stored.passage.locate(start, end) == sentence.span:
            row: Vector = candidate.sentence_vectors[at]
            return row
    first: Vector = candidate.sentence_vectors[0]
    return first
