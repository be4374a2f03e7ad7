"""Questions that only a part was understood or found of: text is searched, and the answer is less sure."""

from __future__ import annotations

from core.agent.request import MOST_CONFIDENT_IN_PART, less_sure
from core.domain.answer import Answer, Kind, Route, Status
from core.plan.ir.graph_edits import over_documents
from core.plan.ir.nodes import Note, Plan, ScopedNode
from core.plan.reader.reading import OF_SEVERAL
from core.plan.reading import Operation
from core.plan.text.classify import Classification
from core.plan.text.text_plan import searches, text_plan
from core.text.language import foreign_language
from core.text.markdown import escape

MOST_CONFIDENT_IN_KIND = 0.6  # where what is cited is in the language of the question
UNMENTIONED = "no text that was searched mentions it"
"""Note on words of a question to which a likely reading over fields was given."""

_IN_PART = "The fields did not answer this: passages are quoted, and whether they are all is not known."


def text_of(plan: Plan, found: Classification, buckets: tuple[str, ...]) -> Plan:
    """The search of the text for the question of a plan, in the same documents."""
    notes = (*plan.notes, *_fallen_back(plan))
    return _in_documents(text_plan(found, plan.question, buckets, notes=notes), plan)


def with_understood(text: Plan, understood: Plan) -> Plan:
    """A search of the text with what was understood of its question, in the documents that it names."""
    noted = {name: getattr(understood, name) for name in ("single", "asked", "today")}
    notes = (*understood.notes, *_fallen_back(understood), *text.notes)
    found = _in_documents(text.model_copy(update={**noted, "notes": notes}), understood)
    own = [node for node in searches(understood.nodes) if node.scope.documents]
    if len(own) != 1 or len(understood.nodes) != 1 or found.kind is not Kind.LOOKUP:
        return found
    # one search of a document: in the words that were understood, without its name
    only = searches(found.nodes)[0].model_copy(update={"text": own[0].text, "scope": own[0].scope})
    return found.model_copy(update={"nodes": (only,), "answer_node": only.id})


def in_part(answer: Answer, understood: Plan | None) -> Answer:
    """An answer of quotes, no more than LOW where the question was read as one about a set over fields."""
    reading = understood.reading if understood is not None else None
    if reading is None or not (reading.kind or reading.is_rows) or answer.status is not Status.ANSWERED:
        return answer
    is_of_set = reading.operation in (*OF_SEVERAL, Operation.COMPARE)
    gaps = (*answer.gaps, _IN_PART)
    return less_sure(answer, MOST_CONFIDENT_IN_PART, gaps=gaps) if is_of_set else answer


def unmentioned(plan: Plan, nothing: Answer) -> Plan:
    """A plan that runs where no text answered, with words that none mentions; no surer than its reading."""
    said, sure = nothing.question.casefold(), plan.reading.probability if plan.reading is not None else 1.0
    gaps = (gap for gap in ("", *nothing.gaps) if gap.casefold() in said)
    notes = (Note(phrase=gap, reading=UNMENTIONED, confidence=sure) for gap in gaps)
    return plan.model_copy(update={"fallbacks": (), "notes": (*plan.notes, *notes)})


def _in_documents(text: Plan, understood: Plan) -> Plan:
    """A search of the text in the documents that the question was understood to name, if it names any."""
    documents = next((node.scope.documents for node in understood.nodes if isinstance(node, ScopedNode)), ())
    return over_documents(text, documents) or text if documents else text


def _fallen_back(understood: Plan) -> tuple[Note, ...]:
    """That the text is searched since the fields gave too little, where they were asked."""
    note = Note(phrase="", reading="The fields were asked first and state too little, so text is searched")
    return (note,) if understood.route is Route.STRUCTURED else ()


def as_understood(answer: Answer, language: str) -> Answer:
    """The answer to a question that is in this language; as it is where language is "".

    It is never sure and has no headline, unless all that it cites is in the same language.
    """
    if not language or answer.kind is Kind.GENERAL or answer.status in (Status.REFUSED, Status.FAILED):
        return answer
    note = (
        f"This question seems to be in {language}. Questions are read in English: of this one, only names, "
        "numbers and words that English shares were understood. Ask it in English to be sure."
    )
    if answer.status is Status.ABSTAINED and answer.route is Route.NONE:  # for words that are no names
        return answer.model_copy(update={"text": escape(note), "gaps": (note,), "clarification": None})
    is_answered, quotes = answer.status is Status.ANSWERED, [each.quote for each in answer.citations]
    gaps = (note, *answer.gaps)
    if is_answered and quotes and all(foreign_language(quote) == language for quote in quotes):
        return less_sure(answer, MOST_CONFIDENT_IN_KIND, gaps=gaps)
    status = Status.PARTIAL if is_answered else answer.status
    text = f"{escape(note)}\n\n{answer.text}"
    return less_sure(answer, MOST_CONFIDENT_IN_PART, text=text, gaps=gaps, value=None, status=status)
