"""Questions that fit everything, or say no criterion: what there is to choose from is offered instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from core.domain.answer import Attempt
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option, option_for, which_of
from core.plan.language.lexicon.lexicon import KIND, Lexicon
from core.plan.language.pieces import (
    Ask,
    Comparing,
    Documents,
    Fields,
    Noun,
    Parties,
    Period,
    Piece,
    Unknown,
    Values,
)
from core.plan.language.reading.read import CONTENT, Reading
from core.plan.language.syntax.tree import COMPUTED, Intent, Tree, tests

_UNIVERSAL = frozenset(
    ["everything", "anything", "all", "stuff", "lot", "whatever", "complete", "whole", "entire", "collection",
     "archive", "contents"]
)  # fmt: skip
WORTH = frozenset(
    ["best", "good", "better", "great", "nice", "fine", "worst", "bad", "worse", "poor", "interesting",
     "important", "relevant", "useful", "favourite", "favorite", "ideal", "perfect", "suitable", "attractive",
     "noteworthy", "notable", "special", "strange", "unusual", "risky", "safe"]
)  # fmt: skip
"""Words that judge: by what, only the person who asks knows."""

_ENDS = frozenset(
    ["top", "bottom", "first", "last", "best", "worst", "highest", "lowest", "largest", "smallest"]
)
_POINTED = frozenset(["it", "they", "this", "that", "these", "those"])
_AHEAD = ("within 30 days", "within 90 days", "within 1 year")
_BACK = ("in the last 30 days", "in the last 90 days", "in the last 12 months")
_LENGTHS = {
    **dict.fromkeys(("soon", "shortly", "imminently"), _AHEAD),
    **dict.fromkeys(("recently", "lately"), _BACK),
}
_POINTING = frozenset(["the", "this", "that"])
_CRITERIA = 4
_FIRST = {FieldType.MONEY: 0, FieldType.DATE: 2}  # what is mostly meant by "big" and "best" is offered first
_DESCENDING = {FieldType.DATE: "latest", FieldType.DURATION: "longest"}


def check_vague(reading: Reading, catalogue: Catalogue) -> None:
    """Raises AskBackError where the question names nothing, or asks for the whole collection."""
    content = [piece for piece in reading.pieces if isinstance(piece.meaning, CONTENT)]
    if all(_word(reading, piece) in _UNIVERSAL for piece in content):
        said = [token.text for token in reading.tokens if token.word in _UNIVERSAL]
        if said or not content:
            raise AskBackError(_overload(reading.question, catalogue, said))


def check_criterion(reading: Reading, tree: Tree, schema: SchemaEntry | None) -> None:
    """Raises AskBackError where documents are to be judged and nothing says by what."""
    judged = next(
        (p for p in reading.pieces if isinstance(p.meaning, Unknown) and _word(reading, p) in WORTH), None
    )
    if judged is None or (tree.subject is None and tree.entity is None) or schema is None:
        return
    if tree.measure is not None or tree.groups or (tree.order is not None and tree.order.fields is not None):
        return
    raise AskBackError(by_what(reading.question, judged.text, schema))


def by_what(question: str, phrase: str, schema: SchemaEntry) -> Clarify:
    """Asks by which of what they state documents of a schema are to be judged."""
    noun = schema.title.lower()
    return Clarify(
        type="vague",
        question=question,
        phrase=phrase,
        reason=f"“{phrase}” says no criterion. By what of what the {noun} state?",
        options=tuple(_by(each, noun) for each in _criteria(schema)),
    )


def definite(reading: Reading) -> Piece | None:
    """The noun that means one document: "the invoice", "this contract"; None where there is none."""
    for piece in reading.pieces:
        if isinstance(piece.meaning, Noun) and not piece.meaning.is_plural and piece.meaning.schema:
            before = reading.tokens[piece.first - 1].word if piece.first else ""
            if before in _POINTING:
                return piece
    return None


def check_nothing_asked(reading: Reading, tree: Tree, lexicon: Lexicon) -> None:
    """ "What about the contract?": one document is meant, and nothing of it is asked. Raises AskBackError."""
    noun = definite(reading)
    asks_nothing = tree.where is None and tree.measure is None and not tree.shown and not tree.groups
    if (
        noun is None
        or not asks_nothing
        or tree.order is not None
        or tree.leftover
        or tree.function is not None
    ):
        return
    if tree.intent not in (Intent.LIST, Intent.LOOKUP) or tree.entity is not None:
        return
    meaning = noun.meaning
    assert isinstance(meaning, Noun)  # as `definite` has it
    fitting = [
        each
        for each in lexicon.catalogue.documents
        if each.schema == meaning.schema and each.kind in ("", *meaning.kind.split("|"))
    ]
    if len(fitting) > 1:
        said = f"the {noun.text}"
        title = lexicon.catalogue.schema(meaning.schema)
        raise AskBackError(
            which_of(reading.question, said, title.title.lower() if title else "them", fitting)
        )


def check_pointing(reading: Reading) -> None:
    """ "Is it still valid?": a word that points at something, where nothing is named. Raises AskBackError."""
    pieces = reading.pieces
    asks = pieces[0].meaning if pieces else None
    said = reading.tokens[1 : pieces[0].end + 1] if pieces else ()
    token = next((each for each in said if each.word in _POINTED), None)
    if not isinstance(asks, Ask) or asks.how != "whether" or token is None:
        return
    content = [piece.meaning for piece in pieces if isinstance(piece.meaning, CONTENT)]
    if content and all(isinstance(each, (Fields, Period)) for each in content):
        raise AskBackError(
            Clarify(
                type="vague",
                question=reading.question,
                phrase=token.text,
                reason=f"“{token.text}” points at nothing that the question names. Which document is meant?",
            )
        )


def check_when(reading: Reading) -> None:
    """ "Expiring soon", "recently signed": within how long, only the person knows. Raises AskBackError."""
    if not any(_is_day(piece) for piece in reading.pieces):
        return
    for piece in reading.pieces:
        token = reading.tokens[piece.first]
        before = reading.tokens[piece.first - 1].word if piece.first else ""
        lengths = _LENGTHS.get(token.word)
        if lengths is None or not isinstance(piece.meaning, Unknown) or before in ("as", "so", "how", "too"):
            continue
        reason = f"“{token.text}” says no period. Within how long?"
        options = tuple(option_for(reading.question, token.text, each) for each in lengths)
        raise AskBackError(
            Clarify(
                type="vague", question=reading.question, phrase=token.text, reason=reason, options=options
            )
        )


def _is_day(piece: Piece) -> bool:
    fields = piece.meaning
    return isinstance(fields, Fields) and any(each.field.type is FieldType.DATE for each in fields.matches)


def check_counts(reading: Reading) -> None:
    """ "top 0", "the first -5": no number of documents. Raises AskBackError."""
    question = reading.question
    for before, token in pairwise(reading.tokens):
        if before.word not in _ENDS or not token.word.isdecimal():
            continue
        sign = question[before.end : token.start].strip()
        if int(token.word) > 0 and sign not in ("-", "−", "–"):
            continue
        said = question[before.start : token.end]
        options = tuple(option_for(question, said, f"{before.text} {count}") for count in (3, 5, 10))
        reason = f"“{said}” asks for no number of documents. How many are wanted?"
        raise AskBackError(
            Clarify(type="vague", question=question, phrase=said, reason=reason, options=options)
        )


def check_compared(reading: Reading, tree: Tree, lexicon: Lexicon) -> None:
    """ "Compare the two agreements": which, and on what, where nothing says so. Raises AskBackError."""
    says = next((p for p in reading.pieces if isinstance(p.meaning, Comparing)), None)
    noun = next((p for p in reading.pieces if isinstance(p.meaning, Noun) and p.meaning.schema), None)
    if says is None or noun is None or tree.where is not None or tree.measure is not None or tree.shown:
        return
    if tree.groups or tree.entity is not None or tree.leftover or tree.function is not None:
        return
    meaning = noun.meaning
    assert isinstance(meaning, Noun)  # chosen for it
    fitting = [
        each
        for each in lexicon.catalogue.documents
        if each.schema == meaning.schema and each.kind in ("", *meaning.kind.split("|"))
    ]
    title = lexicon.catalogue.schema(meaning.schema)
    if len(fitting) > 1:
        name = title.title.lower() if title else "them"
        raise AskBackError(which_of(reading.question, noun.text, name, fitting))


def by_length(question: str, phrase: str, noun: str, begins: FieldEntry, ends: FieldEntry) -> Clarify:
    """Asks what an order by how long something runs is to be by: no field states that length."""
    begin, end = begins.title.lower(), ends.title.lower()
    return Clarify(
        type="vague",
        question=question,
        phrase=phrase,
        reason=f"No field of the {noun} states how long they run. The time from {begin} to {end} can be held "
        f"against a length, but not put in order. What is wanted?",
        options=(
            *(
                Option(label=f"Longer than {years}", question=f"Which {noun} run longer than {years}?")
                for years in ("1 year", "2 years", "5 years")
            ),
            Option(label=f"By {end}", question=f"Sort the {noun} by {end}, latest first"),
        ),
    )


def means_one(reading: Reading, tree: Tree) -> str:
    """The words that mean one document where nothing says which: "the invoice"; "" where something does."""
    noun = definite(reading)
    if noun is None or tree.intent not in (Intent.LOOKUP, Intent.CHECK):
        return ""
    if any(isinstance(test.operand, (Documents, Parties, Values)) for test in tests(tree.where)):
        return ""
    if any(test.operand is not None and test.fields is None for test in tests(tree.where)):
        return ""
    return f"the {noun.text}"


def _word(reading: Reading, piece: Piece) -> str:
    return reading.tokens[piece.first].word if piece.end - piece.first == 1 else ""


def _overload(question: str, catalogue: Catalogue, said: list[str]) -> Clarify:
    total = len(catalogue.documents)
    reason = "The question names nothing that could be looked for. What should it be about?"
    if said:
        reason = f"“{' '.join(said)}” is the whole collection: {total:,} documents. Which of them?"
    return Clarify(
        type="overload" if said else "vague",
        question=question,
        phrase=" ".join(said),
        reason=reason,
        attempts=(Attempt(tool="documents", args={}, hits=total),) if said else (),
        options=tuple(
            Option(label=f"All {noun}", question=f"List all {noun}", documents=count)
            for noun, count in _kinds(catalogue)
        ),
    )


def _kinds(catalogue: Catalogue) -> Iterator[tuple[str, int]]:
    for schema in catalogue.schemas:
        if not schema.documents or (not schema.buckets and schema.field(KIND) is None):
            continue
        yield (schema.words[0] if schema.words else schema.name), schema.documents


def _criteria(schema: SchemaEntry) -> list[FieldEntry]:
    stated = [each for each in schema.fields if each.type in COMPUTED and each.documents]
    return sorted(stated, key=lambda each: (_FIRST.get(each.type, 1), -each.documents))[:_CRITERIA]


def _by(field: FieldEntry, noun: str) -> Option:
    title = field.title.lower()
    first = _DESCENDING.get(field.type, "highest")
    return Option(
        label=f"by {title}, the {first} first",
        question=f"Sort the {noun} by {title}, {first} first",
        documents=field.documents,
    )
