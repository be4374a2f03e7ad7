"""Division of a text into whole questions that are answered one by one, where one plan does not answer all.

A part that leans on another is made whole from it: by the document that the other names, or by its documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.agent.question_parts import QuestionPart, adds_nothing, question_parts
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, kind_noun, listed, said_of
from core.domain.answer import Route
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, is_whole
from core.plan.conversation.subject import is_code
from core.plan.conversation_state import base_of
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode, clause_parts, is_about
from core.plan.language.pieces import (
    Connective,
    Described,
    DocumentSet,
    Filler,
    Noun,
    Parties,
    Piece,
    Values,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.names.alike import named_in
from core.plan.names.index import names_of
from core.plan.text.contrast import contrasted
from core.plan.text.document_nouns import PAPERS, plural

Planning = Callable[[str], Plan | Clarify]
Reading = Callable[[str], ParsedQuestion]

_NAMED = (DocumentSet, Parties)
_TELLING = (Noun, Values, Described)
_GAP = 2  # words between the pieces of one name
_NOUNS = "|".join(
    [*PAPERS, *map(plural, PAPERS), "deal", "deals", "licen[cs]e", "licen[cs]es", "document", "file", "guide"]
)
_PAPER = re.compile(
    rf"\b(?P<name>(?:the|our|this|that|my|your)\s+(?:(?!(?:of|for|in|with|under|to|the|our)\b)[\w&.'’/-]+\s+){{0,6}}?"
    rf"(?:{_NOUNS})\b(?:\s+(?:with|between|from|of|for|at)\s+(?:[A-Z][\w&.'’-]*(?:\s+(?:and|&)\s+)?\s*)+)?)"
)
_PARTY = re.compile(r"\b(?P<name>(?:with|from|by)\s+(?:[A-Z][\w&.'’-]*\s*)+)")
_OF_THEM = re.compile(r"\bwhich(?:\s+ones?)?\s+of\s+(?:them|those|these)\b(?:\s+ones)?", re.IGNORECASE)
_OWNED = re.compile(
    r"\b(?:its|their|his|her)\s+(?P<thing>[\w-]+(?:\s+[\w-]+){0,3}?)(?=\s*(?:[?.!,]|$))", re.IGNORECASE
)
_OWNER = re.compile(r"\b(?:its|their|his|her)\b", re.IGNORECASE)
_IT = re.compile(
    r"\b(?:it|they|them|he|she|him|these|those|this one|that one|the same)\b(?!\s+(?:\w+s)\b)", re.IGNORECASE
)
_ONE = re.compile(r"\b(?:it|its|this one|that one)\b", re.IGNORECASE)
_CHOOSING = re.compile(r"(?:and\s+)?(?:which|who|what)\s+of\b|.*\bor\b", re.IGNORECASE)
_LIFE = re.compile(  # of papers, and of nothing that they are about: "when does it expire?"
    r"\b(?:it|they)\s+(?:(?:expire|end|run|last|renew|lapse|terminate|start|begin)s?|come\s+into\s+(?:force|effect))\b"
    r"|\b(?:is|are)\s+(?:it|they)\s+(?:still\s+)?(?:valid|in\s+force|in\s+effect|binding|signed|dated)\b",
    re.IGNORECASE,
)
_ASKING = re.compile(r"\s*(?:who|whom|which|what)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:they|them|their|these|those)\b", re.IGNORECASE)
_CODE = re.compile(  # a name with a number in it: "AS-400", "the Cabinet B-120"; no quarters and years
    r"\b(?P<name>(?:[Tt]he\s+)?(?:(?<=\w\s)[A-Z][\w&’'-]*\s+)*(?!(?:Q|H|FY|CY)\d)[A-Z][A-Za-z]*-?\d[\w/-]*)"
)
_PERSONAL = re.compile(r"\b(?:its|their|his|her|it|they|them|he|she|him)\b", re.IGNORECASE)
_WHICH_ONE = re.compile(
    r"which(?:\s+ones?)?\s+(?=(?:is|are|was|were|has|have|had|ends?|runs?|expires?|costs?)\b)", re.I
)
_LEAD = re.compile(r"^(?:and|also|plus|what about|how about|same for|then|as well as)[,\s]+", re.IGNORECASE)
_NARROWED = " that "
_DEFINITE = re.compile(rf"\b(?:the|this|that)\s+(?:{_NOUNS})\b", re.IGNORECASE)


def divide(text: str, plan: Planning, read: Reading, catalogue: Catalogue) -> tuple[str, ...]:
    """Whole questions that a text is answered as; () where it is answered as it is, as one.

    One question alone is what a longer message asks for, or what a text asks for twice.
    """
    sides = contrasted(text)
    if sides:
        return sides if all(is_whole(plan(side)) for side in sides) else ()
    named = named_in(text, names_of(catalogue)) if ":" in text else None
    if named is not None and not named.start:
        return _headed(text[: named.end], text[named.end :].lstrip(": "))
    parts = question_parts(text)
    if not parts:
        return _counted_apart(text, plan)
    whole = plan(text)
    kept = _telling(parts)
    if len(kept) == 1:
        asked = kept[0].text
        return () if is_whole(whole) or asked == text.strip() else (_in_context(asked, text, read),)
    plans: list[Plan | Clarify] = []
    questions: list[str] = []
    for at, part in enumerate(kept):
        question = _completed(part, kept, at, plans, read, catalogue)
        questions.append(question)
        plans.append(plan(question))
    if is_whole(whole) and (_covers(whole, plans) or _is_led_in(whole, kept, plans)):
        return ()
    if all(isinstance(each, Clarify) for each in plans) and _may_answer(whole):
        return ()
    return tuple(questions)


def may_divide(text: str) -> bool:
    """True where a text may be several questions, as far as that is seen without a catalogue."""
    behind = text.partition(":")[2].strip()
    is_joined = contrasted(text) or _COUNTED.match(text.strip())
    return bool(question_parts(text) or question_parts(behind) or is_joined)


def _headed(head: str, rest: str) -> tuple[str, ...]:
    """The questions behind the name of a document, each of that: "Lease: when does it end, and who pays?"."""
    parts = question_parts(rest)
    if len(parts) < 2:
        return ()
    asked = (f"What is {part.text.rstrip(' ?.!')}" if part.is_phrase else part.text for part in parts)
    return tuple(f"{head}: {each.rstrip(' ?.!')}?" for each in asked)


def _counted_apart(text: str, plan: Planning) -> tuple[str, ...]:
    """A question for each kind that is counted: "how many invoices and contracts are there?"."""
    found = _COUNTED.match(text.strip())
    if found is None:
        return ()
    kinds = [each for each in _LISTED.split(found["kinds"]) if each]
    questions = tuple(f"How many {kind} {found['there']}?" for kind in kinds)
    plans = [plan(each) for each in questions]
    return questions if len(kinds) > 1 and all(map(is_whole, plans)) else ()


_LISTED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_COUNTED = re.compile(
    r"how\s+many\s+(?P<kinds>[\w-]+(?:\s*,\s*[\w-]+){0,3}\s*,?\s+and\s+(?:how\s+many\s+)?[\w-]+)\s+"
    r"(?P<there>are\s+there|do\s+we\s+have|have\s+we\s+got|are\s+(?:in|on)\s+\w+|exist)(?:\s+in\s+(?:all|total))?[?.!]*$",
    re.IGNORECASE,
)


def _telling(parts: Sequence[QuestionPart]) -> list[QuestionPart]:
    """The parts without those that ask once more for the same."""
    kept = [parts[0]]
    for part in parts[1:]:
        if not adds_nothing(part.text, " ".join(each.text for each in kept)):
            kept.append(part)
    return kept


def _may_answer(whole: Plan | Clarify) -> bool:
    """True of a plan that takes every word, and of one that searches the text."""
    return isinstance(whole, Plan) and (whole.route is not Route.STRUCTURED or is_whole(whole))


def _covers(whole: Plan | Clarify, plans: Sequence[Plan | Clarify]) -> bool:
    """True where one plan shows what each of the others does, of the same documents."""
    if not isinstance(whole, Plan):
        return False
    own = _content(whole)
    return all(is_whole(each) and _content(each).is_in(own) for each in plans)


def _is_led_in(whole: Plan | Clarify, parts: Sequence[QuestionPart], plans: Sequence[Plan | Clarify]) -> bool:
    """True where the first part only leads up to the last, which is all of the plan.

    "Are there gaps in the files? List the contracts that ..."
    """
    last = plans[-1]
    if len(parts) != 2 or not isinstance(whole, Plan) or not isinstance(last, Plan) or is_whole(plans[0]):
        return False
    is_request = not parts[-1].text.rstrip().endswith("?")
    return is_request and len(parts[0].text.split()) <= 8 and result_hash(whole) == result_hash(last)


@dataclass(frozen=True, slots=True)
class _Content:
    """Content of a plan: of which documents, what is shown of them and computed over them."""

    sets: frozenset[str]
    shown: frozenset[str]
    computed: frozenset[tuple[str, str, tuple[str, ...]]]

    def is_in(self, other: _Content) -> bool:
        """True where another plan gives this, too."""
        counts = {each for each in self.computed if each[0] == "count" and not each[2]}
        return (
            self.sets == other.sets
            and self.shown <= other.shown
            and self.computed - counts <= other.computed
            and (not counts or counts <= other.computed or not other.computed)
        )


def _content(plan: Plan) -> _Content:
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    computations = [node for node in plan.nodes if isinstance(node, ComputationNode)]
    sets = frozenset(
        f"{each.scope.model_dump_json()} {each.limit} "
        + "".join(sorted(c.model_dump_json() for c in each.conditions))
        for each in (node.model_copy(update={"conditions": _unmarked(node)}) for node in selects)
    )
    return _Content(
        sets,
        frozenset(name for each in selects for name in (*each.fields, each.order_by) if name),
        frozenset((each.function.value, each.field, each.group_by) for each in computations),
    )


def _unmarked(node: SelectionNode) -> tuple[object, ...]:
    return tuple(
        each.model_copy(update={"narrows": False}) if is_about(each) and hasattr(each, "narrows") else each
        for each in node.conditions
    )


def _in_context(question: str, text: str, read: Reading) -> str:
    """The question of a message; with the one document that the rest of it names, where it names none."""
    if _anchors(question, read):
        return question
    names = list(dict.fromkeys(_anchors(text, read)))
    return _with_name(question, names[0]) if len(names) == 1 else question


def _completed(
    part: QuestionPart,
    parts: Sequence[QuestionPart],
    at: int,
    plans: Sequence[Plan | Clarify],
    read: Reading,
    catalogue: Catalogue,
) -> str:
    """A part as a whole question, as far as the others tell what it is about."""
    question = _LEAD.sub("", part.text).strip() if at else part.text
    if part.is_phrase:
        question = f"What is {question.rstrip(' ?.!')}?"
    such = next((said for plan in reversed(plans) if (said := _such(plan, catalogue))), "")
    if such and _OF_THEM.search(question):
        return _with_set(question, such)
    chosen = _WHICH_ONE.match(question)
    if _NARROWED in such and chosen is not None:
        return f"Which of the {such} {question[chosen.end() :]}"
    value = _row_subject(plans, parts[at - 1].text) if at and _PERSONAL.search(question) else ""
    if value:
        return _with_name(question, value)
    if _speaks_of_documents(question, read):
        return question
    if _SEVERAL.search(question) and _gives_set(parts[at - 1], plans, read):
        narrowed = _such(plans[-1], catalogue)
        if _NARROWED in narrowed:
            return _with_set(question, narrowed)
    if _ONE.search(question) and _CHOOSING.match(parts[at - 1].text):
        return question  # which of several it is, the answer says
    if at and _LIFE.search(question) and _finds_document(parts[at - 1].text, read):
        return question  # which document it is, the answer says
    order = [*range(at - 1, -1, -1), *range(at + 1, len(parts))]
    named = next((found[-1] for other in order if (found := _anchors(parts[other].text, read))), "")
    if named:
        return _with_name(question, named)
    if _ONE.search(question):  # never of all: where nothing is named, the part goes on from the one before
        earlier = (each.text for each in reversed(parts[:at]))
        codes = next((found for text in earlier if (found := _codes(text, read))), [])
        return _with_name(question, codes[0]) if len(set(codes)) == 1 else question
    return _with_set(question, such) if such else question


def _finds_document(text: str, read: Reading) -> bool:
    """True of a question that names no document, but what is in it: "who hosts for ACME?"."""
    is_open = _ASKING.match(text) is not None and not _PAPER.search(text)
    names_kind = re.search(rf"\b(?:{_NOUNS})\b", text, re.IGNORECASE)
    kinds = (piece.meaning for piece in read(text).pieces)
    return is_open and names_kind is None and not any(isinstance(each, Noun) for each in kinds)


def _row_subject(plans: Sequence[Plan | Clarify], before: str) -> str:
    """The one value by which the part before chose rows of a table, and that it says: "Rex"; "" for none."""
    base = base_of(plans[-1]) if plans and isinstance(plans[-1], Plan) else None
    if base is None or base.of != "rows":
        return ""
    said = [
        part.value for clause in base.conditions for part in clause_parts(clause) if part.op is Operator.EQUAL
    ]
    told = [each for each in said if isinstance(each, str) and each.casefold() in before.casefold()]
    return told[0] if len(told) == 1 and not told[0][:1].isdigit() else ""


def _gives_set(part: QuestionPart, plans: Sequence[Plan | Clarify], read: Reading) -> bool:
    """True where the part before asks about a kind of document, several of them."""
    kinds = (piece.meaning for piece in read(part.text).pieces if isinstance(piece.meaning, Noun))
    return bool(plans) and any(each.is_plural for each in kinds)


def _codes(text: str, read: Reading) -> list[str]:
    """Names with a number in them, of a model or a file, as they stand in a text."""
    found = [match["name"].strip() for match in _CODE.finditer(text)]
    if found:
        return found
    reading = read(text)
    values = [piece for piece in reading.pieces if isinstance(piece.meaning, Values)]
    return [_text_of(reading, [each]) for each in values if is_code(each.text)]


def _in_full(name: str, text: str) -> str:
    """A name, or the longer one with a number that it is only a part of: "7" in "KX-7"."""
    codes = (match["name"].strip() for match in _CODE.finditer(text))
    return next((code for code in codes if re.search(rf"[\w-]{re.escape(name)}$", code)), name)


def _speaks_of_documents(question: str, read: Reading) -> bool:
    """True where a part says itself which documents it is about; "the lease" points at one named before."""
    if _anchors(question, read):
        return True
    if _DEFINITE.search(question):
        return False
    return any(isinstance(piece.meaning, _TELLING) for piece in read(question).pieces) or bool(
        re.search(rf"\b(?:{_NOUNS})\b", question, re.IGNORECASE)
    )


def _anchors(text: str, read: Reading) -> list[str]:
    """Names of documents in a text, as they stand there."""
    reading = read(text)
    found = [_in_full(name, text) for name in _named_pieces(reading)]
    phrases = [match["name"].strip(" ,") for match in _PAPER.finditer(text)]
    telling = [phrase for phrase in phrases if len(phrase.split()) > 2]
    if telling and (
        not found or any(len(phrase) > len(name) and name in phrase for phrase in telling for name in found)
    ):
        return telling
    return found or [match["name"].strip() for match in _PARTY.finditer(text)]


def _named_pieces(reading: ParsedQuestion) -> list[str]:
    """Runs of pieces that name documents, with the kind of document beside them."""
    groups: list[list[Piece]] = []
    for piece in reading.pieces:
        is_part = isinstance(piece.meaning, (*_NAMED, Noun))
        is_glue = isinstance(piece.meaning, (Filler, Connective)) and piece.end - piece.first <= _GAP
        if is_part and groups and groups[-1] and _is_near(groups[-1], piece):
            groups[-1].append(piece)
        elif is_part:
            groups.append([piece])
        elif not is_glue:
            groups.append([])
    named = [group for group in groups if any(isinstance(each.meaning, _NAMED) for each in group)]
    return [_text_of(reading, group) for group in named]


def _is_near(group: Sequence[Piece], piece: Piece) -> bool:
    return piece.first - group[-1].end <= _GAP


def _text_of(reading: ParsedQuestion, group: Sequence[Piece]) -> str:
    first, last = group[0].first, group[-1].end - 1
    if first and reading.tokens[first - 1].word in ("the", "our", "this"):
        first -= 1
    text = reading.question[reading.tokens[first].start : reading.tokens[last].end]
    return re.sub(r"['’]s$", "", text)


def _with_name(question: str, name: str) -> str:
    """A question about the document of that name."""
    bare = re.sub(r"^(?:with|from|by)\s+", "", name)
    for pattern, said in ((_OWNER, f"{bare}'s"), (_DEFINITE, bare), (_IT, bare)):
        if pattern.search(question):
            return pattern.sub(lambda _, said=said: said, question, count=1)  # type: ignore[misc]
    end = re.search(r"[\s?.!]*$", question)
    cut = end.start() if end is not None else len(question)
    behind = name if bare != name else f"in {name}"
    return f"{question[:cut]} {behind}?"


def _with_set(question: str, such: str) -> str:
    """A question about the documents of a set, said as a set says itself: `contracts that lack a cap`."""
    if _OF_THEM.search(question):
        return _OF_THEM.sub(f"which {such}", question, count=1)
    if _OWNED.search(question):
        return _OWNED.sub(lambda match: f"the {match['thing']} of {such}", question, count=1)
    if _IT.search(question):
        return _IT.sub(such, question, count=1)
    return question


def _such(planned: Plan | Clarify, catalogue: Catalogue) -> str:
    """The documents of a plan in words: `contracts that lack notice`; "" where a plan is of no such set."""
    if not is_whole(planned):
        return ""
    selects = [node for node in planned.nodes if isinstance(node, SelectionNode) and node.of == "documents"]
    if len(selects) != 1 or not selects[0].scope.schema_name or selects[0].scope.documents:
        return ""
    facts = AnswerFacts(catalogue, {}, selects[0].scope.schema_name)
    about = about_of(planned, selects[0], facts, False).removeprefix(" that ")
    words = listed([each for each in (about, said_of(planned, selects[0], facts)) if each])
    noun = kind_noun(catalogue, selects[0])
    return f"{noun}{_NARROWED}{words}" if words else noun
