"""Questions that fit everything, or say no criterion: what there is to choose from is offered instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.domain.answer import Attempt
from core.domain.fields import ORDERED, FieldType
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option, option_for, which_of
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode
from core.plan.language.lexicon.lexicon import KIND
from core.plan.language.pieces import (
    Ask,
    Bridge,
    ClauseNoun,
    Comparing,
    Connective,
    DayRange,
    Described,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Mentions,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    UnknownWord,
    Values,
)
from core.plan.language.reading.dates import ambiguous_date, impossible_date
from core.plan.text.collection_question import asks_for_everything
from core.text.words import word_list

_CONTENT = (
    Quantity,
    DayRange,
    Policy,
    Bridge,
    Described,
    Noun,
    FieldSenses,
    Parties,
    DocumentSet,
    Values,
    UnknownWord,
)
_UNIVERSAL = word_list("asking", "universal")
WORTH = word_list("asking", "worth")
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
_IDLE = (Ask, ClauseNoun, Connective, Filler, HavingWord)
_OPEN = ("list", "which", "what", "one")
_POINTING = frozenset(["the", "this", "that"])
_CRITERIA = 4
_FIRST = {FieldType.MONEY: 0, FieldType.DATE: 2}  # what is mostly meant by "big" and "best" is offered first
_DESCENDING = {FieldType.DATE: "latest", FieldType.DURATION: "longest"}


def check_dates(question: str) -> None:
    """Raises AskBackError for a day that no calendar has, and for one that can be read as two."""
    wrong, twofold = impossible_date(question), ambiguous_date(question)
    if wrong:
        reason = f"No calendar has the date “{wrong}”. Which day do you mean?"
        raise AskBackError(Clarify(type="no_match", question=question, phrase=wrong, reason=reason))
    if twofold is not None:
        written, readings = twofold
        raise AskBackError(
            Clarify(
                type="ambiguous",
                question=question,
                phrase=written,
                reason=f"“{written}” can be read as {' or '.join(readings)}. Which day do you mean?",
                options=tuple(option_for(question, written, each) for each in readings),
            )
        )


def check_vague(mentions: Mentions, catalogue: Catalogue) -> None:
    """Raises AskBackError where the question names nothing, or asks something of the whole collection.

    The list of all documents is an answer.
    """
    if asks_for_everything(mentions.question):
        return
    content = [piece for piece in mentions.pieces if isinstance(piece.meaning, _CONTENT)]
    if all(_word(mentions, piece) in _UNIVERSAL for piece in content):
        said = [token.text for token in mentions.tokens if token.word in _UNIVERSAL]
        if said or not content:
            raise AskBackError(_overload(mentions.question, catalogue, said))


def check_criterion(mentions: Mentions, plan: Plan, catalogue: Catalogue) -> None:
    """Raises AskBackError where documents are to be judged and the plan has nothing to judge them by."""
    judged = next(
        (p for p in mentions.pieces if isinstance(p.meaning, UnknownWord) and _word(mentions, p) in WORTH),
        None,
    )
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode) and node.of == "documents"]
    schema = catalogue.schema(selects[-1].scope.schema_name) if selects else None
    if judged is None or schema is None or any(node.order_by for node in selects):
        return
    if any(isinstance(node, ComputationNode) and (node.field or node.group_by) for node in plan.nodes):
        return
    raise AskBackError(by_what(mentions.question, judged.text, schema))


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


def definite(mentions: Mentions) -> Piece | None:
    """The noun that means one document: "the invoice", "this contract"; None where there is none."""
    for piece in mentions.pieces:
        if isinstance(piece.meaning, Noun) and not piece.meaning.is_plural and piece.meaning.schema:
            before = mentions.tokens[piece.first - 1].word if piece.first else ""
            if before in _POINTING:
                return piece
    return None


def check_nothing_asked(mentions: Mentions, catalogue: Catalogue) -> None:
    """ "What about the contract?": one document is meant, and nothing of it is asked. Raises AskBackError."""
    noun = definite(mentions)
    if noun is None or not _says_only(mentions, (noun,)):
        return
    if all(not isinstance(p.meaning, Ask) or p.meaning.how in _OPEN for p in mentions.pieces):
        _ask_which(mentions.question, f"the {noun.text}", noun, catalogue)


def check_pointing(mentions: Mentions) -> None:
    """ "Is it still valid?": a word that points at something, where nothing is named. Raises AskBackError."""
    pieces = mentions.pieces
    asks = pieces[0].meaning if pieces else None
    said = mentions.tokens[1 : pieces[0].end + 1] if pieces else ()
    token = next((each for each in said if each.word in _POINTED), None)
    if not isinstance(asks, Ask) or asks.how != "whether" or token is None:
        return
    content = [piece.meaning for piece in pieces if isinstance(piece.meaning, _CONTENT)]
    if content and all(isinstance(each, (FieldSenses, DayRange)) for each in content):
        raise AskBackError(
            Clarify(
                type="vague",
                question=mentions.question,
                phrase=token.text,
                reason=f"“{token.text}” points at nothing that the question names. Which document is meant?",
            )
        )


def check_when(mentions: Mentions) -> None:
    """ "Expiring soon", "recently signed": within how long, only the person knows. Raises AskBackError."""
    if not any(_is_day(piece) for piece in mentions.pieces):
        return
    for piece in mentions.pieces:
        token = mentions.tokens[piece.first]
        before = mentions.tokens[piece.first - 1].word if piece.first else ""
        lengths = _LENGTHS.get(token.word)
        if (
            lengths is None
            or not isinstance(piece.meaning, UnknownWord)
            or before in ("as", "so", "how", "too")
        ):
            continue
        reason = f"“{token.text}” says no period. Within how long?"
        options = tuple(option_for(mentions.question, token.text, each) for each in lengths)
        raise AskBackError(
            Clarify(
                type="vague", question=mentions.question, phrase=token.text, reason=reason, options=options
            )
        )


def _is_day(piece: Piece) -> bool:
    fields = piece.meaning
    return isinstance(fields, FieldSenses) and any(
        each.field.type is FieldType.DATE for each in fields.matches
    )


def check_counts(mentions: Mentions) -> None:
    """ "top 0", "the first -5": no number of documents. Raises AskBackError."""
    question = mentions.question
    for before, token in pairwise(mentions.tokens):
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


def check_compared(mentions: Mentions, catalogue: Catalogue) -> None:
    """ "Compare the two agreements": which, and on what, where nothing says so. Raises AskBackError."""
    says = [p for p in mentions.pieces if isinstance(p.meaning, (Comparing, Quantity))]
    noun = next((p for p in mentions.pieces if isinstance(p.meaning, Noun) and p.meaning.schema), None)
    if noun is None or not any(isinstance(p.meaning, Comparing) for p in says):
        return
    if _says_only(mentions, (*says, noun)):
        _ask_which(mentions.question, noun.text, noun, catalogue)


def _says_only(mentions: Mentions, pieces: Sequence[Piece]) -> bool:
    """True where nothing else of a question says anything."""
    return all(each in pieces or isinstance(each.meaning, _IDLE) for each in mentions.pieces)


def _ask_which(question: str, text: str, noun: Piece, catalogue: Catalogue) -> None:
    """Raises AskBackError where a kind has several documents."""
    assert isinstance(noun.meaning, Noun)  # chosen for it
    kinds = ("", *noun.meaning.kind.split("|"))
    fitting = [d for d in catalogue.documents if d.schema == noun.meaning.schema and d.kind in kinds]
    schema = catalogue.schema(noun.meaning.schema)
    if len(fitting) > 1:
        raise AskBackError(which_of(question, text, schema.title.lower() if schema else "them", fitting))


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


def _word(mentions: Mentions, piece: Piece) -> str:
    return mentions.tokens[piece.first].word if piece.end - piece.first == 1 else ""


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
    stated = [each for each in schema.fields if each.type in ORDERED and each.documents]
    return sorted(stated, key=lambda each: (_FIRST.get(each.type, 1), -each.documents))[:_CRITERIA]


def _by(field: FieldEntry, noun: str) -> Option:
    title = field.title.lower()
    first = _DESCENDING.get(field.type, "highest")
    return Option(
        label=f"by {title}, the {first} first",
        question=f"Sort the {noun} by {title}, {first} first",
        documents=field.documents,
    )
