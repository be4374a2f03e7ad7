"""Words that mean one document where nothing says which: "the invoice"."""

from __future__ import annotations

from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.check.context import CheckContext
from core.plan.clarify import MOST_OFFERED, Clarify, option_for, which_document, which_of
from core.plan.compile.kinds import kind_names, singular
from core.plan.ir.nodes import Plan, ScopedNode
from core.plan.names.index import NameIndex, names_of
from core.plan.names.profile import NamePlace
from core.plan.reading import Operation, ReadCondition, Reading, ReadName
from core.text.analyse import STOP_WORDS, text_terms
from core.text.nouns import is_plural

_LEAST_ALIKE = 3  # fields that are called by a word, from which on it may mean any of them
_OF_ONE = (Operation.LOOKUP, Operation.CHECK)
_DEFINITE = ("the", "this", "that", "our", "my")


def which_meant(plan: Plan, reading: Reading, catalogue: Catalogue) -> Clarify | None:
    """Asks which document is meant by a noun of which nothing is asked, or by a name that several have."""
    if reading.operation not in _OF_ONE or reading.by != "trained":
        return None
    question = reading.question
    if plan.single and not (reading.asked or reading.conditions):
        found = [each for each in catalogue.documents if each.schema == reading.kind]
        return which_of(question, plan.single, reading.kind, found) if len(found) > 1 else None
    for name in reading.of_role("document"):
        alike = [] if name.documents or name.negated else _titled_whole(name.words, reading.kind, catalogue)
        if len(alike) > 1:
            return which_document(question, name.words, alike)
    return None


def which_field(reading: Reading, catalogue: Catalogue) -> Clarify | None:
    """Asks which field is meant by a word that many fields have in their titles, and none for its title.

    "Date" of contracts that are signed, start and end on days.
    """
    if reading.by != "trained":
        return None
    order = (reading.order.field,) if reading.order is not None and reading.order.field is not None else ()
    said = (*reading.asked, *order, *(each.field for each in reading.conditions if not each.values))
    for each in said:
        schema, terms = catalogue.schema(each.schema_name), text_terms(each.words)
        fields = schema.fields if schema is not None and len(terms) == 1 else ()
        alike = [entry for entry in fields if terms < text_terms(entry.title)]
        if len(alike) >= _LEAST_ALIKE and not any(terms == text_terms(entry.title) for entry in fields):
            options = (option_for(reading.question, each.words, entry.title.lower()) for entry in alike)
            return Clarify(
                type="several_meanings",
                question=reading.question,
                phrase=each.words,
                reason=f"“{each.words}” may mean several things here. Which of them?",
                options=tuple(options)[:MOST_OFFERED],
            )
    return None


def _titled_whole(words: str, schema: str, catalogue: Catalogue) -> list[DocumentEntry]:
    """The documents of a schema that have all words of a name in their own titles or files."""
    index = names_of(catalogue)
    said = [each for each in map(_plain, words.split()) if each not in STOP_WORDS]
    if not said or is_plural(said[-1]):
        return []
    kinds = {words[each.start : each.end].casefold() for each in kind_names(catalogue).find(words)}
    said = [each for each in said if each not in kinds] or said
    rows = set.intersection(*(_titled(word, index) for word in said))
    found = [index.entries[row] for row in sorted(rows)]
    return [each for each in found if each.schema == schema]


def _titled(word: str, index: NameIndex) -> set[int]:
    rows, places = index.holders(word)
    return {int(row) for row, at in zip(rows, places, strict=True) if at & (NamePlace.FILE | NamePlace.TITLE)}


def _plain(word: str) -> str:
    return word.strip(".,;:?!'\"()“”’").casefold().removesuffix("'s").removesuffix("’s")


def single(context: CheckContext) -> str:
    """The words that mean one document of several; "" where something says which, or all are meant."""
    reading = context.reading
    if reading.operation not in _OF_ONE or reading.within or reading.steps:
        return ""
    if any(isinstance(node, ScopedNode) and node.scope.documents for node in context.plan.nodes):
        return ""
    for piece in context.pieces:
        is_name = isinstance(piece.part, ReadName) and piece.part.role != "kind"
        if is_name or (isinstance(piece.part, ReadCondition) and piece.part.values):
            return ""
    question = reading.question
    for found in kind_names(context.catalogue).find(question):
        noun = question[found.start : found.end]
        before = next((w for w in reversed(context.words) if w.end <= found.start), None)
        if before is not None and before.folded in _DEFINITE and singular(noun.casefold()) == noun.casefold():
            return f"{before.text.lower()} {noun}"
    return ""
