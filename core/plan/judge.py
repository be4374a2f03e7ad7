"""The judge between two readers of questions, rules and trained reader: it decides what may be answered.

Where both come to the same result, it is taken; where one of them has nothing, the other has to be sure
enough; where they differ, the surer one answers and the other is offered, or both are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date

from core.cache import Cache
from core.domain.annotation import Calculation
from core.domain.answer import Route
from core.domain.predicate import Operator
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue, KnownCatalogue, NoTexts, Texts
from core.plan.clarify import ABSENCES, Clarify, Option, QuestionPlanner
from core.plan.guards.lost_words import with_lost_words
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import (
    ComputationNode,
    Note,
    Plan,
    ScopedNode,
    SelectionNode,
    SidesNode,
    flattened,
)
from core.plan.ir.verbalise import KIND
from core.plan.language.interpretation import lexicon_of
from core.plan.language.lexicon.meaning import FieldMeanings, Known
from core.plan.reader.contrary import contrary_fields, is_told
from core.plan.reader.proposal import Proposal, propose
from core.plan.reader.reading import (
    PROBABLY_KNOWN,
    SURE_OF_FIELD,
    QuestionReader,
    QuestionReading,
    ReadSpan,
    SpanRole,
)
from core.plan.tables.absent_columns import holds_sheets_alone, without_column
from core.plan.tables.planner import plan_tables
from core.plan.text.classify import CollectionNeed, classify, clean_question
from core.text.analyse import content_terms

_KEPT = 8  # questions


READ_ALONE = "Read by the trained reader; the rules have no such plan."
DISPUTED = "Read by the rules; the trained reader reads it in another way."
SURE_THOUGH_DISPUTED = 0.7
"""Sureness of a whole plan of the rules that the reader does not come to: of writers' questions none of 23
was right, of those that the rules were made with nearly all."""

SURELY_KNOWN = 0.85
"""Probability that words mean any field from which on they do: of writers' conditions .97 were right."""

POSSIBLY_KNOWN = 0.2
"""The same as PROBABLY_KNOWN, below which a reading is nothing to be shown: "let us skedaddle"."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Probabilities of a reading from which on it is taken; learnt on writers that nothing was trained on.

    alone: where the rules have no plan. over_meanings: where they ask which of several meanings or documents
    is meant; over_unknown: where they know of nothing that is called so, over_bare_word: and the reading
    rests on no other words; over_absence: where they say that something is not there, of words that no span
    took. over_partial: where their plan lacks words; over_whole: where it is whole, and has less than the
    reading is sure of, and from beside_whole on a person is asked; over_other: where it has as much, on other
    fields. offered: from which on a reading is worth showing; as_partial: from which on one that lacks words
    is taken, too.
    """

    alone: float = 0.45
    over_meanings: float = 0.90
    over_unknown: float = 0.45
    over_bare_word: float = 0.87
    over_absence: float = 0.45
    over_partial: float = 0.35
    over_whole: float = 0.60
    beside_whole: float = 0.40
    over_other: float = 0.90
    offered: float = 0.20
    as_partial: float = 0.60


@dataclass(frozen=True, slots=True)
class Judgement:
    """The plan or the question back, and other plausible plans. agree: both readers came to the same."""

    planned: Plan | Clarify
    others: tuple[Plan, ...] = ()
    agree: bool = False


class JudgedPlanner:
    """Plans by rules and by a trained reader, and judges between them. Thread-safe."""

    def __init__(
        self,
        catalogue: Catalogue,
        rules: QuestionPlanner,
        reader: QuestionReader,
        meanings: FieldMeanings | None = None,
        *,
        today: date | None = None,
        words: TokenCounter | None = None,
        texts: Texts | None = None,
        bars: Bars | None = None,
    ) -> None:
        self._catalogue = catalogue
        fingerprint = f"{catalogue.fingerprint} columns" if catalogue.fingerprint else ""
        self._columns = KnownCatalogue(fingerprint, tables=tuple(catalogue.tables))
        self._rules = rules
        self._reader = reader
        self._meanings = meanings
        self._today = today
        self._words = words
        self._texts = texts or NoTexts()
        self._bars = bars or Bars()
        self._judged: Cache[tuple[str, tuple[str, ...]], Judgement] = Cache(_KEPT)

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back."""
        return self.judged(question, buckets).planned

    def readings(self, question: str, buckets: tuple[str, ...] = ()) -> tuple[Plan, ...]:
        """Other plausible plans of a question, best first."""
        return self.judged(question, buckets).others

    def judged(self, question: str, buckets: tuple[str, ...] = ()) -> Judgement:
        """The judgement on a question; kept, since a plan and its other readings are asked for."""
        return self._judged.get_or_make((question, buckets), lambda: self._judge(question, buckets))

    def _judge(self, question: str, buckets: tuple[str, ...]) -> Judgement:
        ruled = self._rules.plan(question, buckets)
        cleaned = clean_question(question)
        if not cleaned or classify(cleaned).intent is CollectionNeed.GENERAL:
            return Judgement(ruled)
        proposal = self.proposal(cleaned, buckets)
        over_rows = self._over_rows(cleaned, ruled, buckets)
        if over_rows:
            best, *others = over_rows
            if isinstance(ruled, Plan) and result_hash(ruled) == result_hash(best):
                return Judgement(best, tuple(others), agree=True)
            return Judgement(
                _alone(best, 1.0), (*others, ruled) if isinstance(ruled, Plan) else tuple(others)
            )
        if _says_nothing(ruled) and holds_sheets_alone(self._catalogue, buckets):
            return Judgement(without_column(cleaned, self._catalogue, buckets))
        judged = judge(cleaned, ruled, proposal, self._bars)
        judged = replace(judged, planned=with_lost_words(cleaned, judged.planned, self._catalogue))
        if _computes_with_fields(judged.planned) and holds_sheets_alone(self._catalogue, buckets):
            return Judgement(without_column(cleaned, self._catalogue, buckets))
        return judged

    def _over_rows(self, question: str, ruled: Plan | Clarify, buckets: tuple[str, ...]) -> tuple[Plan, ...]:
        """Plans over rows of a spreadsheet, best first; () where the rules have a whole one over fields.

        Among papers only of a spreadsheet that is named: likeness finds a column for "telephone number", too.
        """
        is_whole = isinstance(ruled, Plan) and ruled.route is Route.STRUCTURED and not ruled.uncovered
        if not self._catalogue.tables:
            return ()
        if is_whole and not _is_over_rows(ruled) and not holds_sheets_alone(self._catalogue, buckets):
            return ()
        today = self._today or date.today()
        reading = self._reader.read(
            question, self._columns
        )  # its words mean columns, and no fields of papers
        found = plan_tables(question, lexicon_of(self._catalogue), buckets, today, reading, self._reader)
        if found is None or not found.is_sheet or isinstance(found.planned, Clarify):
            return ()
        if not (found.is_alone or found.named):
            return ()
        is_told = found.is_sure or (found.is_doubtful and (_is_over_rows(ruled) or found.is_alone))
        return (found.planned, *found.others) if is_told else ()

    def proposal(self, question: str, buckets: tuple[str, ...] = ()) -> Proposal:
        """The trained reader's plan of a cleaned question, or its question back."""
        today = self._today or date.today()
        known = Known(lexicon_of(self._catalogue), self._meanings, self._texts, buckets, self._words)
        return propose(self._reader.read(question, self._catalogue), known, today)


def _says_nothing(ruled: Plan | Clarify) -> bool:
    """True where rules know of nothing that is asked, or have words left that are about no rows."""
    if isinstance(ruled, Clarify):
        return ruled.type in (*ABSENCES, "no_match")
    return not _is_over_rows(ruled) and (ruled.route is not Route.STRUCTURED or bool(ruled.uncovered))


def _computes_with_fields(planned: Plan | Clarify) -> bool:
    """True where a number is computed of fields of documents, or of documents that fulfil a condition."""
    if isinstance(planned, Clarify) or _is_over_rows(planned):
        return False
    computes = [node for node in planned.nodes if isinstance(node, ComputationNode)]
    selects = [node for node in planned.nodes if isinstance(node, SelectionNode)]
    conditions = [each for node in selects for each in flattened(node.conditions) if each.field != KIND]
    return bool(computes) and (bool(conditions) or any(node.field for node in computes))


def _is_over_rows(plan: Plan | Clarify) -> bool:
    return isinstance(plan, Plan) and any(
        isinstance(node, SelectionNode) and node.of == "rows" for node in plan.nodes
    )


def judge(question: str, ruled: Plan | Clarify, proposal: Proposal, bars: Bars) -> Judgement:
    """Choose between the plans that the rules and the reader made of a question."""
    read, probability = proposal.plan, proposal.reading.probability
    if read is None:
        return _without_plan(ruled, proposal, bars)
    if isinstance(ruled, Clarify):
        return _instead_of_asking(ruled, read, proposal, bars)
    if ruled.route is not Route.STRUCTURED:
        if classify(question).is_procedure:
            return Judgement(ruled, (read,) if proposal.is_whole else ())
        is_likely = probability >= (bars.alone if proposal.is_whole else bars.as_partial)
        if is_likely and (not _scopes(read) or proposal.reading.asks_for_known()):
            return Judgement(_alone(read, probability), (ruled,))
        means_fields = all(span.known >= POSSIBLY_KNOWN for span in proposal.reading.spans)
        is_offered = proposal.is_whole and probability >= bars.offered and means_fields
        return Judgement(ruled, (_alone(read, probability),) if is_offered else ())
    if result_hash(ruled) == result_hash(read):
        best = min(ruled, read, key=lambda each: (len(each.uncovered), not each.decides))
        return Judgement(best, agree=True)
    if ruled.uncovered:
        if probability >= (bars.over_partial if proposal.is_whole else bars.as_partial):
            return Judgement(_alone(read, probability), (ruled,))
        return Judgement(ruled, (read,) if proposal.is_whole else ())
    if not proposal.is_whole or probability < bars.offered:
        return Judgement(ruled)
    selects = [node for node in ruled.nodes if isinstance(node, SelectionNode)]
    if len(selects) > 1 or not all(isinstance(node, _READ_STEPS) for node in ruled.nodes):
        return Judgement(ruled, (read,))  # the reader knows of no other steps, and reads one as a condition
    if read.decides and not ruled.decides and probability >= bars.over_whole:
        return Judgement(_alone(read, probability), (ruled,))
    contrary = contrary_fields(ruled, read)
    if contrary:
        told = is_told(proposal.reading, contrary)
        if told is None and probability >= bars.beside_whole:
            return Judgement(_between(question, ruled, read))
        if told and probability >= bars.beside_whole:
            return Judgement(_alone(read, probability), (ruled,))
        return Judgement(_disputed(ruled, probability, bars), (read,))
    if not leaves_out(ruled, proposal.reading) and (_is_of_documents(ruled, read) or not _named(read)):
        if probability >= bars.over_other:
            return Judgement(_alone(read, probability), (ruled,))
        return Judgement(_disputed(ruled, probability, bars), (read,))
    if probability >= bars.over_whole:
        return Judgement(_alone(read, probability), (ruled,))
    if probability < bars.beside_whole:
        return Judgement(_disputed(ruled, probability, bars), (read,))
    return Judgement(_between(question, ruled, read))


def leaves_out(plan: Plan, reading: QuestionReading) -> bool:
    """True where a plan over documents has fewer conditions than a reading is sure of, or no group or order.

    Fields that only differ are no loss: both readers saw something there.
    """
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    if any(getattr(node, "of", "") == "rows" for node in selects):
        return False
    sure = [span for span in reading.spans if span.sureness >= SURE_OF_FIELD]
    roles = Counter(span.role for span in sure)
    conditions = [each for node in selects for each in flattened(node.conditions) if each.field != KIND]
    presence = {each.field for each in conditions if each.op in _PRESENCE or each.value == "true"}
    shown = {name for node in selects for name in node.fields}
    stated = len({each.field for each in conditions}) - len(presence)
    said = {span.links[0].field for span in sure if span.role is SpanRole.CONDITION}
    is_grouped = any(isinstance(node, ComputationNode) and node.group_by for node in plan.nodes)
    is_ordered = any(node.order_by for node in selects) or any(
        isinstance(node, ComputationNode) and (node.top or node.function in _EXTREMES) for node in plan.nodes
    )
    values = " ".join(str(each.value).casefold() for each in conditions)
    parties = [reading.text(span) for span in reading.of(SpanRole.PARTY) if span.probability >= SURE_OF_FIELD]
    return (
        (not _named(plan) and any(not _is_in(name, values) for name in parties))
        or len(said - shown) > len(presence - shown)
        or roles[SpanRole.VALUE] > stated
        or (roles[SpanRole.GROUP] > 0 and not is_grouped)
        or (roles[SpanRole.ORDER] > 0 and not is_ordered)
    )


def _is_of_documents(ruled: Plan, read: Plan) -> bool:
    """True where a plan is about documents that are named, as surely as the other plan is."""
    return _named(ruled) and (_scopes(ruled) or not _scopes(read))


def _scopes(plan: Plan) -> bool:
    return any(isinstance(node, ScopedNode) and node.scope.documents for node in plan.nodes)


def _named(plan: Plan) -> bool:
    """True where a plan is about documents that are named: by themselves, as sides, or by two parties."""
    if _scopes(plan) or any(isinstance(node, SidesNode) for node in plan.nodes):
        return True
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    conditions = [each for node in selects for each in flattened(node.conditions)]
    parties = {str(c.value) for c in conditions if c.field == _PARTIES and c.op is Operator.EQUAL}
    return len(parties) > 1


def _is_in(name: str, values: str) -> bool:
    """True where a word of a name stands in the values of conditions."""
    return any(word in values for word in name.casefold().split() if len(word) > 2)


_PARTIES = "parties"
_READ_STEPS = (SelectionNode, ComputationNode, SidesNode)
_PRESENCE = (Operator.MISSING, Operator.IS)
_EXTREMES = (Calculation.MIN, Calculation.MAX)


def _instead_of_asking(ruled: Clarify, read: Plan, proposal: Proposal, bars: Bars) -> Judgement:
    """The reader's plan where it is surer than the doubt for which the rules ask back."""
    probability = proposal.reading.probability
    if ruled.type not in ABSENCES and _has_figure(ruled.phrase):
        return Judgement(ruled)  # a day or an amount is read by its own readers, and by no likelihood
    if ruled.type == "unreadable" or (ruled.type in ABSENCES and not ruled.phrase):
        return Judgement(ruled)
    bar = _bar_over(ruled, proposal.reading, bars)
    if proposal.is_whole and probability >= bar:
        return Judgement(_alone(read, probability))
    if _restricts(read) and not _named(read) and probability >= max(bar, bars.as_partial):
        return Judgement(_alone(read, probability))  # a set, and what is left uncovered is said
    if probability >= (bars.offered if proposal.is_whole else bars.alone):
        return Judgement(_offering(ruled, (read,)))
    return Judgement(ruled)


def _restricts(plan: Plan) -> bool:
    """True where a plan asks for more than documents of some kind."""
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    return any(each.field != KIND for node in selects for each in flattened(node.conditions))


def _bar_over(ruled: Clarify, reading: QuestionReading, bars: Bars) -> float:
    """The bar over a doubt of the rules; lower where the words in doubt are only part of what was read.

    "Enforced by an outsider who never signed" says more than "outsider"; of a "termination bonus" there is
    nothing but these words.
    """
    span = next((each for each in reading.spans if _is_in_span(ruled.phrase, each, reading)), None)
    is_more = span is not None and not _terms(reading.text(span)) <= _terms(ruled.phrase)
    says_more = span is not None and (_is_known(span) or (is_more and span.known >= PROBABLY_KNOWN))
    if ruled.type in ABSENCES:
        return bars.over_absence if says_more or span is None else bars.over_bare_word
    if span is not None and says_more and span.role in (SpanRole.DOCUMENT, SpanRole.PARTY):
        return bars.alone
    if ruled.type == "no_match":
        return bars.over_unknown if says_more or span is None else bars.over_bare_word
    return bars.over_unknown if says_more else bars.over_meanings


def _is_known(span: ReadSpan) -> bool:
    """True of words for a clause that surely mean one: "a best-price promise", and not "a dress code".

    What is asked of a document may be near a field and another thing still: "the annual salary".
    """
    return span.role is SpanRole.CONDITION and span.known >= SURELY_KNOWN


def _has_figure(phrase: str) -> bool:
    return any(sign.isdigit() for sign in phrase)


def _terms(text: str) -> set[str]:
    return {term for word in text.split() for term in content_terms(word)}


def _is_in_span(phrase: str, span: ReadSpan, reading: QuestionReading) -> bool:
    return bool(phrase) and phrase.casefold() in reading.text(span).casefold()


def _without_plan(ruled: Plan | Clarify, proposal: Proposal, bars: Bars) -> Judgement:
    """The rules alone, but for documents that the reader knows to be several."""
    is_sure = proposal.reading.probability >= bars.over_whole
    is_weak = isinstance(ruled, Plan) and (ruled.route is not Route.STRUCTURED or bool(ruled.uncovered))
    if proposal.clarify is not None and is_sure and is_weak:
        return Judgement(proposal.clarify)
    return Judgement(ruled)


def _alone(plan: Plan, probability: float) -> Plan:
    note = Note(phrase="", reading=READ_ALONE, confidence=round(probability, 4))
    return plan.model_copy(update={"notes": (*plan.notes, note), "by": "reader"})


def _disputed(plan: Plan, probability: float, bars: Bars) -> Plan:
    """The plan of the rules, no surer than it is where the reader has another whole plan."""
    if probability < bars.beside_whole:
        return plan
    note = Note(phrase="", reading=DISPUTED, confidence=SURE_THOUGH_DISPUTED)
    return plan.model_copy(update={"notes": (*plan.notes, note)})


def _between(question: str, *plans: Plan) -> Clarify:
    """Asks which of several whole readings is meant."""
    return Clarify(
        type="several_meanings",
        question=question,
        reason="This can be read in two ways. Which do you mean?",
        options=tuple(Option(label=_in_words(each), question=question, plan=each) for each in plans),
    )


def _offering(clarify: Clarify, plans: tuple[Plan, ...]) -> Clarify:
    options = tuple(Option(label=_in_words(each), question=clarify.question, plan=each) for each in plans)
    return clarify.model_copy(update={"options": (*options, *clarify.options)})


def _in_words(plan: Plan) -> str:
    """A plan by the purposes of its steps."""
    return " · ".join(node.purpose for node in plan.nodes)[:200]
