"""Questions for the documents that mention words, and their answer, which is exact over all text."""

from __future__ import annotations

import re

from core.answer.cite import Verifier, list_sources
from core.answer.computed.compose import conclude
from core.answer.computed.mentions import MentionQuestion, mentions
from core.answer.computed.scope import with_said_scope
from core.answer.standing import MEDIUM
from core.ask.request import QuestionRequest, answer_to
from core.domain.answer import Answer, Kind, Status
from core.plan.catalogue import Catalogue
from core.plan.compile.context import one_of
from core.plan.ir.nodes import Plan, Scope, Select
from core.plan.ir.verbalise import KIND
from core.plan.kinds import KindName
from core.store.base import DocumentQuery
from core.store.store import Records

_ASKING = (
    r"(?P<asks>(?:in )?(?:how many|which|what)(?: of (?:the|these|our|my))?|"
    r"(?:please )?(?:list|show|find|give|count)(?: me)?(?: all| every)?(?: the| of the)?|all(?: the)?)"
)
_NOUN = r"(?P<noun>\w+(?: \w+){0,2}?)(?: (?:are )?(?:that|which|there))*"
_NOT = r"(?P<not> (?:do not|does not|don't|doesn't|don’t|doesn’t|never|not))?"
_SPEAKS = r"(?:mention(?:s|ed|ing)?|refer(?:s|ring)? to|(?:speak|talk)(?:s|ing)? (?:of|about))"
_HOLDS = r"(?:contain(?:s|ing)?|use[sd]?|using|includ(?:es?|ing)|ha(?:ve|s)|with)"
_WORD = r"(?:the )?(?:exact )?(?:words?|terms?|phrases?|names?|expressions?)"
_OBJECT = rf"(?:(?P<speaks>{_SPEAKS})(?: {_WORD})?|{_HOLDS} {_WORD}) (?P<words>.+)"
_ACTIVE = re.compile(rf"{_ASKING} {_NOUN}{_NOT} {_OBJECT}", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"{_ASKING} {_NOUN} (?:is|are|was|were)(?P<not> not)? (?P<words>.+?)(?P<speaks> )"
    r"(?:mentioned|named|spoken of|talked about)(?: at all)?",
    re.IGNORECASE,
)
_EVERY = frozenset({"document", "documents", "file", "files", "text", "texts"})
_MARKS = "\"“”„«»'‘’"
_ARTICLES = ("the", "a", "an")


def read_mentions(question: str) -> MentionQuestion | None:
    """The question, where it asks which or how many documents mention something; None for any other."""
    text = " ".join(question.split()).rstrip(" ?.!")
    match = _ACTIVE.fullmatch(text) or _PASSIVE.fullmatch(text)
    if match is None:
        return None
    said = match["words"].strip()
    words = said.strip(_MARKS + " ")
    if said == words:
        first, _, more = words.partition(" ")
        words = more if more and first.casefold() in _ARTICLES else words
    if not any(map(str.isalnum, words)):
        return None
    noun = "" if match["noun"].casefold() in _EVERY else match["noun"]
    return MentionQuestion(
        words,
        noun,
        any(each in match["asks"].casefold() for each in ("how many", "count")),
        bool(match["not"]),
    )


def answer_mentions(
    wanted: MentionQuestion,
    asked: QuestionRequest,
    plan: Plan,
    records: Records,
    kind: KindName,
    catalogue: Catalogue,
) -> Answer:
    """The answer, exact over the text of every document that may be seen; it says how it was counted.

    kind: of the documents that are asked for. What could not be read at all is unreadable, and what holds a
    part that was not read is uncertain where the rest does not have the words.
    """
    node = Select(
        id="mentions",
        purpose="",
        scope=Scope(schema_name=kind.schema),
        conditions=(one_of(KIND, kind.kinds, narrows=True),) if kind.kinds else (),
    )
    every = [each for each in catalogue.documents if kind.schema and each.schema == kind.schema]
    of_kind = {each.id for each in every if not kind.kinds or each.kind in ("", *kind.kinds)}
    seen = records.copies.counted_once(asked.visibility, of_kind)
    listed = [each for each in records.documents.list(seen, DocumentQuery()) if not each.is_gone]
    inside = {str(each.id): each for each in listed if not kind.schema or each.id in of_kind}
    alike = records.copies.beside(inside, asked.visibility)
    copies = {str(id): [each.source for each in of] for id, of in alike.items()}
    draft = mentions(wanted, inside, records.mentions.pages(seen), copies)
    draft = with_said_scope(draft, node, {}, catalogue)
    concluded = conclude(draft, Verifier(records.documents, asked.visibility, asked.question))
    return answer_to(
        asked,
        plan,
        status=Status.ANSWERED,
        kind=Kind.AGGREGATE,
        text=concluded.text,
        claims=concluded.claims,
        value=draft.value,
        table=concluded.table,
        ledger=draft.ledger,
        gaps=draft.gaps,
        confidence=MEDIUM if draft.gaps else 1.0,
        sources=list_sources(concluded.claims),
    )
