"""Reply of a reading model: near `Reading`, flat, closed, with short ids instead of the collection's.

Servers that decode strictly write every part; a reply by hand may leave out what is empty. Nothing here is
bounded: what is too long or too many is said in a plain sentence by `conversion`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.domain.predicate import Operator
from core.plan.reading import (
    Combination,
    Function,
    Operation,
    Outcome,
    Output,
    ReadCondition,
    ReadField,
    Reading,
    ReadName,
    Step,
)
from core.text.analyse import STOP_WORDS, text_terms
from core.text.words import word_list

Need = Literal["collection", "general", "outside"]
ReplyOperator = Literal["=", "!=", ">", ">=", "<", "<=", "between", "in", "contains", "present", "missing"]
MOST_WORDINGS = 3
LONGEST_WORDING = 200  # characters
MOST_QUESTIONS = 6
LONGEST_QUESTION = 400  # characters
_NEGATIONS = word_list("checks", "negative")
_EDGES = ".,;:?!()[]\"'“”’‘"
COMBINING: dict[Combination, str] = {"less": "-", "plus": "+", "times": "*", "per": "/"}
"""Signs between two columns of a row, by what is made of them."""
_OPS = {Operator.IS: "present", Operator.MISSING: "missing"}
_PLAIN = {"id", "operation", "kind", "function", "within", "sides", "labels", "text", "sql"}
"""Parts of a step that are written alike."""
_JOINTS = re.compile(r"[\W_]+")
_OF_QUESTIONS = frozenset(
    (
        "most", "least", "more", "less", "than", "per", "over", "under", "between", "highest", "lowest",
        "biggest", "largest", "smallest", "many", "much", "list", "show", "give", "get", "every", "all",
        "any", "there", "one",
    )
)  # fmt: skip
_MOST_STEMS = 40  # of a question; a whole page that is pasted has more


class ReplyPart(BaseModel):
    """Base of what a reading model replies: closed; parts that are empty may be left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ReplyName(ReplyPart):
    """Words that name documents, an organisation, or a kind of document. documents: short ids, if known."""

    words: str = ""
    role: Literal["document", "party", "kind"]
    documents: list[str] = []
    negated: bool = Field(default=False, alias="not")


class ReplyCondition(ReplyPart):
    """A condition. field: "name", or "name.year" and the like; either: alternatives have the same number."""

    field: str
    op: ReplyOperator = "present"
    values: list[str] = []
    negated: bool = Field(default=False, alias="not")
    either: int = 0
    words: str = ""


class ReplyHaving(ReplyPart):
    """A condition on the figure of each group; value "" for none."""

    op: Literal["", "=", "!=", ">", ">=", "<", "<="] = ""
    value: str = ""
    words: str = ""


class ReplyOrder(ReplyPart):
    """An order; field "" with a limit orders groups by their figure, limit 0 keeps all."""

    field: str = ""
    descending: bool = False
    limit: int = 0
    skip: int = 0
    words: str = ""


class ReplyStep(ReplyPart):
    """One step, as `core.plan.reading.Step` has it.

    tables: short ids, where rows are asked about. words: those that said the operation; models write them for
    a step as for its parts.
    """

    id: str = "answer"
    operation: Operation
    kind: str = ""
    tables: list[str] = []
    names: list[ReplyName] = []
    conditions: list[ReplyCondition] = []
    asked: list[str] = []
    function: Function = Function.NONE
    groups: list[str] = []
    having: ReplyHaving = ReplyHaving()
    order: ReplyOrder = ReplyOrder()
    within: list[str] = []
    sides: list[str] = []
    labels: list[str] = []
    outcome: Outcome = Outcome.VALUES
    text: str = ""
    sql: str = ""
    words: str = ""


class ReplyDoubt(ReplyPart):
    """A question back; reason "" for none. options: whole questions to choose from."""

    reason: str = ""
    options: list[str] = []


class ReadingReply(ReplyPart):
    """A question as the model reads it.

    reading: it in other words. questions: whole ones, where several are asked. steps: the last is the answer.
    left_out: words that no step takes. wordings: of what is looked for in text. buckets: those it names.
    """

    need: Need = "collection"
    reading: str = ""
    ask_back: ReplyDoubt = ReplyDoubt()
    questions: list[str] = []
    steps: list[ReplyStep] = []
    left_out: list[str] = []
    wordings: list[str] = []
    buckets: list[str] = []
    output: Output = "any"


def words_in(words: str, question: str) -> str:
    """Some words as the question has them; where they stand apart in it, as they are; else ""."""
    said = " ".join(words.split())
    if not said:
        return ""
    whole = " ".join(question.split())
    at = whole.casefold().find(said.casefold())
    if at >= 0:
        return whole[at : at + len(said)]
    terms = text_terms(said)
    return said if terms and terms <= text_terms(question) else ""


def names_in(question: str) -> tuple[str, ...]:
    """Words with a figure, or with a capital that is not the first word's, in order."""
    return tuple(dict.fromkeys(word for at, word in _words(question) if _is_name(word, is_first=at == 0)))


def lost_from(question: str, text: str) -> tuple[str, ...]:
    """Names, figures and a negation of a question that a text leaves out."""
    said = text_terms(text)
    lost = [each for each in names_in(question) if text_terms(each) and not text_terms(each) & said]
    negation = next((word for _, word in _words(question) if _is_negation(word)), "")
    if negation and not any(_is_negation(word) for _, word in _words(text)):
        lost.append(negation)
    return tuple(lost)


def added_by(text: str, question: str, *, is_sentence: bool = True) -> tuple[str, ...]:
    """Names and figures of a text that the question has not; a sentence may begin with a capital."""
    known = text_terms(question)
    return tuple(
        word
        for at, word in _words(text)
        if _is_name(word, is_first=is_sentence and at == 0) and not text_terms(word) <= known
    )


def faithful_wordings(wordings: Sequence[str], question: str) -> tuple[str, ...]:
    """The wordings that may be searched beside a question: other words, without new names or figures."""
    own = text_terms(question)
    kept = [
        each
        for each in dict.fromkeys(" ".join(wording.split()) for wording in wordings)
        if text_terms(each)
        and text_terms(each) != own
        and len(each) <= LONGEST_WORDING
        and not added_by(each, question, is_sentence=False)
    ]
    return tuple(kept[:MOST_WORDINGS])


def unfaithful(questions: Sequence[str], question: str) -> str:
    """A sentence on why questions do not say together what one text asks; "" where they do."""
    if not 2 <= len(questions) <= MOST_QUESTIONS:
        return f"There are {len(questions)} questions, and 2 to {MOST_QUESTIONS} are possible."
    if any(len(each) > LONGEST_QUESTION for each in questions):
        return f"A question is longer than {LONGEST_QUESTION} characters."
    lost = lost_from(question, " ".join(questions))
    if lost:
        return f"The questions leave out “{lost[0]}”."
    added = next((found for each in questions for found in added_by(each, question)), "")
    return f"The questions add “{added}”, which was not asked." if added else ""


def _words(text: str) -> Iterator[tuple[int, str]]:
    for at, word in enumerate(text.split()):
        plain = word.strip(_EDGES)
        if plain:
            yield at, plain


def _is_name(word: str, *, is_first: bool) -> bool:
    return any(map(str.isdigit, word)) or any(map(str.isupper, word[1:] if is_first else word))


def _is_negation(word: str) -> bool:
    folded = word.casefold().replace("’", "'")
    return folded in _NEGATIONS or folded.endswith("n't")


def as_reply(
    reading: Reading, documents: Mapping[str, str], tables: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The steps of a reading as a model would have written them, without what is empty.

    documents, tables: short ids by ids; what has none is left out.
    """
    return [_step(each, documents, tables) for each in reading.all_steps]


def _step(step: Step, documents: Mapping[str, str], tables: Mapping[str, str]) -> dict[str, Any]:
    order, having = step.order, step.having
    by = {} if order is None else order.model_dump(include={"descending", "limit", "skip"})
    by |= {"field": _field(order.field)} if order is not None and order.field else {}
    parts = step.model_dump(mode="json", include=_PLAIN) | {
        "tables": list(dict.fromkeys(tables[each] for each in step.tables if each in tables)),
        "names": [_name(each, documents) for each in step.names],
        "conditions": list(map(_condition, step.conditions)),
        "asked": list(map(_field, step.asked)),
        "groups": list(map(_field, step.groups)),
        "having": {"op": having.op.value, "value": having.values[0]} if having and having.values else {},
        "order": _full(by),
        "outcome": step.outcome.value if step.sides else "",
    }
    return _full(parts)


def _full(parts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parts.items() if value not in ("", [], {}, 0, False)}


def _field(field: ReadField) -> str:
    """As a model writes it: "expiration_date.year", "Actual - Budget", "Fuel / Km * 100"."""
    scale = f" * {field.scale}" if field.scale > 1 else ""
    other = f" {COMBINING[field.combined]} {field.other}{scale}" if field.combined else ""
    return f"{field.name}.{field.part}" if field.part else f"{field.name}{other}"


def _name(name: ReadName, documents: Mapping[str, str]) -> dict[str, Any]:
    ids = [documents[each] for each in name.documents if each in documents]
    return _full({"words": name.words, "role": name.role, "documents": ids, "not": name.negated})


def _condition(read: ReadCondition) -> dict[str, Any]:
    is_plain = not read.values and read.of_field is None
    op = _OPS.get(read.op, read.op.value) if is_plain else read.op.value
    return _full(
        {
            "field": _field(read.field),
            "op": op,
            "values": list(read.values) if read.of_field is None else [f"@{_field(read.of_field)}"],
            "not": read.negated,
            "either": read.either,
            "words": read.words,
        }
    )


def _plain(text: str) -> str:
    """The words of a text between single blanks, with a blank before the first."""
    return " " + _JOINTS.sub(" ", text.casefold()).strip()


def stems_of(question: str) -> tuple[str, ...]:
    """Beginnings of the words of a question that tell something, each after a blank."""
    words = dict.fromkeys(_plain(question).split())
    telling = (
        each
        for each in words
        if each not in STOP_WORDS and each not in _OF_QUESTIONS and (len(each) > 1 or each.isdigit())
    )
    return tuple(dict.fromkeys(f" {_stem(each)}" for each in telling))[:_MOST_STEMS]


def _stem(word: str) -> str:
    if word[0].isdigit():
        return word
    if len(word) <= 4:
        return word.removesuffix("s") if len(word) > 3 else word
    return word[: max(4, min(6, len(word) - 2))]


class NearTexts:
    """Texts that are ranked by a question. Immutable."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(map(_plain, texts))

    def __len__(self) -> int:
        return len(self._texts)

    def scores(self, stems: Sequence[str], *, most: int | None = None) -> list[float]:
        """How near each text is, in order; 0 where no word is shared.

        most: of the texts that share a word; one that more share counts for nothing. None for any number.
        """
        scores = [0.0] * len(self._texts)
        for stem in stems:
            rows = [at for at, text in enumerate(self._texts) if stem in text]
            if not rows or (most is not None and len(rows) > most):
                continue
            weight = math.log(1 + (len(self._texts) + 1) / len(rows))
            for at in rows:
                scores[at] += weight
        return scores


def nearest(scores: Sequence[float], most: int) -> list[int]:
    """Rows with a score above 0, the highest first, those before in order among equals."""
    rows = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])
    return rows[:most]
