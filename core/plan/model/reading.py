"""Reading of a question by the planning model: what it said of it, as far as the guards let it count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.answer import Route
from core.domain.llm.statement import ModelStatement
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Plan
from core.plan.ir.nodes.search import LONGEST_WORDING, MOST_WORDINGS
from core.plan.model.coverage import invented, unsaid_words
from core.plan.model.reply import MOST_QUESTIONS, Output, PlanReply, TextForm
from core.plan.text.classify import Classification
from core.text.analyse import text_terms

_WITH_STEPS = ("procedural", "troubleshooting")
_LONGEST_QUESTION = 400  # characters
_NEW_NAMES = "it has a name or a figure that the question has not"


@dataclass(frozen=True, slots=True)
class QuestionSorting:
    """What counts of a reply; a reading without parts is none. plan: None where it has none that could run.

    decides_text: it says that text answers. is_general: no document could answer. buckets: those to which the
    question is narrowed, () for none. questions: those that it is, () where it is one.
    """

    plan: Plan | None = None
    decides_text: bool = False
    is_general: bool = False
    form: TextForm = "other"
    buckets: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    output: Output = "any"
    wordings: tuple[str, ...] = ()
    parts: tuple[ModelStatement, ...] = ()

    def followed(self, *, plan: bool, is_divided: bool) -> QuestionSorting:
        """The reading as it was used. plan: the model's is run. is_divided: its questions are answered."""
        return replace(
            self,
            questions=self.questions if is_divided else (),
            parts=tuple(_followed(each, plan=plan, is_divided=is_divided) for each in self.parts),
        )


_PLAN, _QUESTIONS = "Plan", "Questions"


def _followed(each: ModelStatement, *, plan: bool, is_divided: bool) -> ModelStatement:
    if each.part == _PLAN and each.is_used and not plan:
        return each.model_copy(update={"is_used": False, "why": "it is one to choose; rules had a whole one"})
    if each.part == _QUESTIONS and each.is_used and not is_divided:
        return each.model_copy(update={"is_used": False, "why": "one plan answers all of it"})
    return each


def reading_of(
    reply: PlanReply,
    question: str,
    plan: Plan | None,
    catalogue: Catalogue,
    known_buckets: Sequence[str],
) -> QuestionSorting:
    """The reading of a reply. plan: that of its steps, checked. known_buckets: those that may be named."""
    named = _buckets(reply, question, catalogue, known_buckets)
    questions = _questions(reply, question)
    wordings, dropped = checked_wordings(reply.wordings, question)
    is_general = reply.need == "general" and plan is None and not unsaid_words(question, "")
    kind = catalogue.schema(reply.document_kind)
    told = [
        ModelStatement(
            part="Need",
            said=reply.need,
            is_used=is_general or reply.need == "collection",
            why="" if is_general or reply.need == "collection" else "the question names something",
        ),
        ModelStatement(
            part="Form of a text answer",
            said=reply.form,
            is_used=reply.form != "other",
            why="only where text is searched" if reply.form != "other" else "",
        ),
    ]
    if reply.document_kind:
        why = "scope of steps without a kind" if kind else "there is no such kind"
        told.append(
            ModelStatement(part="Kind", said=reply.document_kind[:200], is_used=kind is not None, why=why)
        )
    if reply.buckets:
        why = "" if named else "the question does not name it, or it is not among those asked"
        told.append(
            ModelStatement(part="Buckets", said=", ".join(reply.buckets)[:300], is_used=bool(named), why=why)
        )
    if reply.constraints:
        said = "; ".join(reply.constraints)[:500]
        told.append(ModelStatement(part="Constraints", said=said, is_used=True, why="held against the plan"))
    if reply.questions:
        why = "" if questions else "they leave out or add something, or are not 2 to 4"
        said = " · ".join(reply.questions)[:1_000]
        told.append(ModelStatement(part=_QUESTIONS, said=said, is_used=bool(questions), why=why))
    if reply.output != "any":
        told.append(ModelStatement(part="Form that is asked for", said=reply.output, is_used=True))
    if reply.fallback:
        why = "fields that state nothing are followed by text, and text by counts and sets of fields alone"
        said = ", then ".join(reply.fallback)
        told.append(ModelStatement(part="Where to look next", said=said, is_used=plan is not None, why=why))
    if reply.wordings:
        why = f"not all: {dropped}" if dropped else "only where text is searched"
        said = " · ".join(reply.wordings)[:700]
        told.append(ModelStatement(part="Further wordings", said=said, is_used=bool(wordings), why=why))
    told.append(ModelStatement(part=_PLAN, said=reply.reading[:500], is_used=plan is not None))
    return QuestionSorting(
        plan=plan,
        decides_text=reply.decision == "text",
        is_general=is_general,
        form=reply.form,
        buckets=named,
        questions=questions,
        output=reply.output,
        wordings=wordings,
        parts=tuple(told),
    )


def checked_wordings(wordings: Sequence[str], question: str) -> tuple[tuple[str, ...], str]:
    """Wordings that may be searched, at most three, and why others may not; "" where all may."""
    kept: list[str] = []
    why = ""
    for each in (" ".join(wording.split()) for wording in wordings):
        if invented(each, question, is_sentence=False):
            why = _NEW_NAMES
        elif not text_terms(each) or text_terms(each) == text_terms(question):
            why = "it says nothing else"
        elif len(each) > LONGEST_WORDING:
            why = "it is too long"
        elif len(kept) == MOST_WORDINGS:
            why = f"{MOST_WORDINGS} are enough"
        elif each not in kept:
            kept.append(each)
    return tuple(kept), why


def as_read(found: Classification, reading: QuestionSorting) -> Classification:
    """The classification of rules with the form that the model read; what rules guard stays guarded.

    A list over the collection and a comparison stay what they are, and a look-up keeps its checks, also where
    steps are wanted.
    """
    if found.over_collection:
        return found
    if reading.form in _WITH_STEPS and not found.is_procedure:
        return replace(found, wants_steps=True)
    if reading.form == "faq" and found.is_procedure:
        return replace(found, is_procedure=False, wants_steps=False, route=Route.HYBRID)
    return found


def _buckets(reply: PlanReply, question: str, catalogue: Catalogue, known: Sequence[str]) -> tuple[str, ...]:
    """The buckets that are named; () where one is unknown, or the question says no word of it.

    A word that documents of a kind are called by names the kind, wherever these documents are.
    """
    wanted = tuple(dict.fromkeys(reply.buckets))
    kinds = text_terms(" ".join(word for each in catalogue.schemas for word in (each.title, *each.words)))
    said = text_terms(question) - kinds
    is_named = all(each in known and text_terms(each) & said for each in wanted)
    return wanted if wanted and is_named else ()


def _questions(reply: PlanReply, question: str) -> tuple[str, ...]:
    """Whole questions that together say what the text does, no more and no less; () where they do not."""
    found = tuple(dict.fromkeys(" ".join(each.split()) for each in reply.questions if each.strip()))
    if not 2 <= len(found) <= MOST_QUESTIONS or any(len(each) > _LONGEST_QUESTION for each in found):
        return ()
    together = " ".join(found)
    if unsaid_words(question, together) or any(invented(each, question) for each in found):
        return ()
    return found
