"""Follow-ups: a turn and the state of its conversation become an edit of the last plan, or a plan over what
is in hand; a question that stands on its own is none.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.plan.catalogue import document_title
from core.plan.clarify import Clarify, is_whole
from core.plan.conversation.alteration import ClauseClass, clause_class, without_documents
from core.plan.conversation.comparison import compare_members
from core.plan.conversation.completion import asks, forms
from core.plan.conversation.earlier_sets import return_to_set
from core.plan.conversation.edit import Edit, FollowUpPlan, note_of
from core.plan.conversation.fragment import Planner, computes
from core.plan.conversation.left_out import among_those_left, is_gone, nothing_left, readmit, why_left_out
from core.plan.conversation.members import choose_members
from core.plan.conversation.one_document import OneDocument
from core.plan.conversation.proposals import Proposer
from core.plan.conversation.restriction import own_clauses
from core.plan.conversation.set_changes import SetChange
from core.plan.conversation.set_question import SetQuestion
from core.plan.conversation.setting import Reader, TurnSetting, setting_of
from core.plan.conversation.subject import schema_of_documents, stands_alone
from core.plan.conversation.turn import Move, Pointer, PointerKind, read_turn
from core.plan.conversation_state import ConversationState, base_of
from core.plan.ir.nodes import Note, Plan, SelectionNode, clause_parts
from core.plan.ir.validate import validate
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    Comparator,
    Connective,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Noun,
    Parties,
)
from core.plan.names.alike import named_in
from core.plan.names.index import names_of
from core.text.analyse import content_terms
from core.text.words import word_list

_OTHER = re.compile(r"\bother\s+(?=\w)(?!than\b|one\b|ones\b)", re.IGNORECASE)
_AGAIN = re.compile(r"[,.;:?!)]\s*(?:[\w']+\s+){0,4}?[\w']*$|\band(?:\s+\w+){0,3}$")
_NAMED_BEFORE = 3  # words before, in which something is named
_MOST_OTHERS = 1_000  # documents that "other" leaves out
_BETWEEN = " — "  # what a turn goes on from, and the turn, in the question of a plan
_WHOLE = 5  # words from which on a turn about rows may be a question of its own
_ENOUGH = 4  # content terms from which on a first question says what it is about, whatever else it points at
_SHORT = 5  # words up to which a turn may only go on
_WHY_NOT = re.compile(r"why(?:\s+(?:not|is|are|was|were)\b|(?:\s+\w+)?n['’]t\b|\s*$)", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"\b(?:he|him|his|she|her|hers)\b", re.IGNORECASE)
_MOST_SAID = 400  # characters of it


class FollowUpPlanner:
    """Makes plans of turns over one catalogue. plan: of whole questions, by whatever planner there is.

    propose: what a trained reader makes of a text by itself; without it, the planner alone is asked.
    """

    def __init__(
        self, plan: Planner, read: Reader, lexicon: Lexicon, propose: Proposer | None = None
    ) -> None:
        self._plan = plan
        self._read = read
        self._lexicon = lexicon
        self._propose = propose

    def follow(self, question: str, state: ConversationState) -> FollowUpPlan | Clarify | None:
        """The plan of a cleaned question that goes on; what has to be asked back; None for no follow-up."""
        at = setting_of(question, state, self._plan, self._read, self._lexicon, self._propose)
        if state.is_empty:
            return _going_on_from_nothing(at) or _pointing_at_nothing(at) or _of_no_document(at)
        if is_gone(at):
            return nothing_left(at)
        at = among_those_left(at)
        if Move.WHY in at.turn.moves and (left := why_left_out(at)) is not None:
            return left
        if Move.WHY in at.turn.moves:
            return _checked(OneDocument(at).explain_membership(), at)
        among = _checked(OneDocument(at).check_membership(), at)
        if among is not None:
            return among
        if _asks_rows_anew(at) or _names_its_document(at):
            return None
        compared = _checked(_column_afresh(at) or compare_members(at) or readmit(at), at)
        if compared is not None:
            return compared
        chosen = _checked(choose_members(at), at)
        if chosen is not None:
            return chosen
        named = OneDocument(at).ask_by_name()
        if isinstance(named, Clarify) and isinstance(at.plan(question), Clarify):
            return named  # of the one document in hand, where the whole question is asked back, too
        if isinstance(named, FollowUpPlan) and (checked := _checked(named, at)) is not None:
            return checked
        turned = _checked(SetChange(at).reverse_order(), at)
        if turned is not None:
            return turned
        if not at.is_described and (stands_alone(at.turn, at.reading) or _is_of_another_kind(at)):
            return _checked(_others_afresh(at), at)
        if _lacks_antecedent(at):
            return _untied(at)
        beside = _checked(_else_afresh(at), at)
        if beside is not None:
            return beside
        change, one = SetChange(at), OneDocument(at)
        ways = (
            lambda: _afresh(at),
            lambda: return_to_set(at),
            change.choose_side,
            one.pick,
            change.take_others,
            change.release_condition,
            change.exclude,
            change.clarify_removal,
            change.list_or_count,
            one.follow_focus,
            SetQuestion(at).plan,
        )
        for way in ways:
            found = way()
            if isinstance(found, Clarify):
                return found
            checked = _checked(found, at)
            if checked is not None:
                return checked
        return _untied(at)


def _asks_rows_anew(at: TurnSetting) -> bool:
    """True where rows are in hand, and a turn that points at nothing is a whole question about rows itself.

    "What did Mara pay altogether" after "who has not brought a tool back" is no question about these alone.
    """
    is_of_rows = at.base is not None and at.base.of == "rows"
    if not is_of_rows or at.turn.pointers or at.turn.moves or _OF_SOMEBODY.search(at.question):
        return False
    is_long = len(at.turn.text.split()) >= _WHOLE
    return is_long and at.is_whole_question


def _column_afresh(at: TurnSetting) -> FollowUpPlan | None:
    """What a turn asks of a column of the table in hand, of all its rows: "median temperature"."""
    base = at.base
    goes_on = at.turn.pointers or at.turn.moves or _OF_SOMEBODY.search(at.question)
    if base is None or base.of != "rows" or goes_on or len(base.scope.documents) != 1:
        return None
    title = document_title(base.scope.documents[0], at.catalogue)
    for text in (at.question, f"{at.question} in {title}"):
        plan = at.plan(text)
        if isinstance(plan, Plan) and _computes_own_column(plan, at.question):
            return FollowUpPlan(plan, Edit.AFRESH)
    return None


def _computes_own_column(plan: Plan, question: str) -> bool:
    """True of a plan over rows that takes every word, of a column that the question itself names."""
    base, node = base_of(plan), computes(plan)
    if base is None or base.of != "rows" or plan.uncovered:
        return False
    keys = node.group_by if node is not None and not node.field else (node.field,) if node is not None else ()
    columns = [*keys, *base.fields][:1]
    is_named = any(_terms(name.replace("_", " ")) <= _terms(question) for name in columns if name)
    is_computed = node is not None and bool(node.field)
    return is_named and (is_computed or bool(own_clauses(base)))


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for word in text.split() for term in content_terms(word))


def _names_its_document(at: TurnSetting) -> bool:
    """True where a turn begins with what names a document, and points at nothing: "2024 charter: hire"."""
    named = named_in(at.question, names_of(at.catalogue)) if ":" in at.question else None
    return named is not None and not named.start and not at.turn.pointers and not at.turn.moves


def _is_of_another_kind(at: TurnSetting) -> bool:
    """True where a turn names its own kind of documents and whose, and rows, or another kind, are in hand.

    "And the contracts with Halden?" behind invoices; "and those of Halden" goes on.
    """
    schema = at.schema or schema_of_documents(at.in_hand.documents, at.catalogue)
    if at.turn.pointers or at.turn.moves - {Move.CONTINUING} or not schema:
        return False
    meanings = [piece.meaning for piece in at.reading.pieces]
    nouns = [each for each in meanings if isinstance(each, Noun) and not each.is_thing]
    is_named = any(isinstance(each, Parties | DocumentSet) for each in meanings)
    return is_named and bool(nouns) and all(each.schema != schema for each in nouns)


def _going_on_from_nothing(at: TurnSetting) -> Clarify | None:
    """A question back where a first turn only goes on: "only ACME's", "why not Beta?"."""
    words = at.turn.text.split()
    if len(words) > _SHORT or any(isinstance(p.meaning, Noun | DocumentSet) for p in at.reading.pieces):
        return None
    cuts = at.turn.moves & {Move.NARROWING, Move.EXCLUDING, Move.RELEASING, Move.RETURNING}
    is_why = Move.WHY in at.turn.moves and bool(_WHY_NOT.match(at.turn.text))
    if not is_why and not (cuts and not asks(at.reading)):
        return None
    return Clarify(
        type="vague",
        question=at.question,
        reason=f"“{at.question.strip(' ?.!')}” goes on from something, and nothing is in hand. Say which "
        "documents, or which rows, you mean.",
    )


def _pointing_at_nothing(at: TurnSetting) -> Clarify | None:
    """A question back where a first question points at documents that nobody has named."""
    kinds = (PointerKind.SET, PointerKind.SET_OWN, PointerKind.OTHERS, PointerKind.NTH, PointerKind.OTHER_ONE)
    pointers = [each for each in at.turn.of(*kinds) if not each.is_definite]
    names = (Noun, DocumentSet, Parties)
    pointers = [each for each in pointers if not _says_again(at, each.start)]
    if pointers and all(each.kind is PointerKind.NTH for each in pointers) and _is_of_rows(at):
        return None  # "the first surgery", of rows that say when
    if not pointers or any(isinstance(piece.meaning, names) for piece in at.reading.pieces):
        return None
    if not any(each.is_strict for each in pointers) and _says_enough(at, pointers[0]):
        return None  # "what share of the heads on the list are kids"
    phrase = at.words_of(pointers[0].start, pointers[0].end).strip()
    if any(isinstance(piece.meaning, Noun) for piece in at.read(phrase).pieces):
        return None  # "these contracts": all of them
    if all(_stands_for_words(each, at) for each in pointers) and at.is_whole_question:
        return None  # "can be ended just because they feel like it"
    return Clarify(
        type="vague",
        question=at.question,
        reason=f"“{phrase}” points at nothing yet: no documents are in hand. Which do you mean?",
        phrase=phrase,
    )


def _of_no_document(at: TurnSetting) -> Clarify | None:
    """A question back where a first question asks a field of "it", and says nothing else."""
    pointers = at.turn.of(PointerKind.ONE, PointerKind.ONE_OWN)
    idle = (Filler, Ask, FieldSenses, HavingWord, Connective, Comparator)
    meanings = [piece.meaning for piece in at.reading.pieces]
    if not pointers or not any(isinstance(each, FieldSenses) for each in meanings):
        return None
    if not all(isinstance(each, idle) for each in meanings) or isinstance(at.plan(at.question), Clarify):
        return None  # one that plans ask back themselves has choices
    phrase = at.words_of(pointers[0].start, pointers[0].end).strip()
    return Clarify(
        type="vague",
        question=at.question,
        reason=f"“{phrase}” points at no document yet: nothing is in hand. Which document do you mean?",
        phrase=phrase,
    )


def _says_enough(at: TurnSetting, pointer: Pointer) -> bool:
    """True where the words that do not point make a question by themselves, which goes on from nothing.

    "A Delaware one in which they may not badmouth each other": what comes before says whom it points at.
    """
    said = sum(len(content_terms(token.text)) for token in at.reading.tokens)
    before = len(at.turn.text[: pointer.start].split())
    return said + (before >= _ENOUGH) >= _ENOUGH and not at.turn.moves


def _stands_for_words(pointer: Pointer, at: TurnSetting) -> bool:
    """True where a pointer may stand for words of its own question that come before it."""
    tokens = at.reading.tokens
    before = (each for each in at.reading.pieces if tokens[each.first].start < pointer.start)
    return any(not isinstance(each.meaning, Filler | Ask) for each in before)


def _is_of_rows(at: TurnSetting) -> bool:
    """True where rows of tables answer the whole turn."""
    whole = at.plan_turn(at.turn).whole
    nodes = whole.nodes if whole is not None else ()
    return any(isinstance(node, SelectionNode) and node.of == "rows" for node in nodes)


def _says_again(at: TurnSetting, start: int) -> bool:
    """True of "both of them" and "for each of them" behind what the same sentence names."""
    before = at.question[:start].rstrip()
    if at.question[start:].split()[0].casefold() in word_list("pointing", "plural_own", "single_own"):
        return len(before.split()) >= _NAMED_BEFORE and _is_of_rows(at)  # "items below their limit"
    match = _AGAIN.search(before)
    return match is not None and len(before[: match.start()].split()) >= _NAMED_BEFORE


def _afresh(at: TurnSetting) -> FollowUpPlan | None:
    """A question about documents of its own that only takes a value, or a thing, from what was said."""
    of_value = (PointerKind.VALUE, PointerKind.THING)
    names_kind = any(isinstance(piece.meaning, Noun) for piece in at.reading.pieces)
    pointers = at.turn.pointers
    if not pointers or any(each.kind not in of_value for each in pointers) or not names_kind:
        return None
    if _OTHER.search(at.turn.text):
        return _others_afresh(at)
    said = _with_party(at)
    if said is not None:
        named = at.plan(said)
        return FollowUpPlan(named, Edit.AFRESH) if isinstance(named, Plan) else None
    plan = at.plan_turn(at.turn).whole
    return FollowUpPlan(plan, Edit.AFRESH) if plan is not None else None


def _with_party(at: TurnSetting) -> str | None:
    """The turn with the one party in hand for "them": "which contracts are with them?"; None for none."""
    pointer = at.turn.pointers[0]
    word = at.words_of(pointer.start, pointer.end).casefold()
    if len(at.turn.pointers) > 1 or pointer.kind is not PointerKind.THING or word not in ("them", "it"):
        return None
    if at.known.thing or not at.turn.text[: pointer.start].rstrip().casefold().endswith(" with"):
        return None
    clauses = own_clauses(at.base) if at.base is not None else ()
    known = [each for each in clauses if clause_class(each, at.schema, at.catalogue) is ClauseClass.PARTY]
    names = {str(part.value) for clause in known for part in clause_parts(clause)}
    name = names.pop() if len(names) == 1 else ""
    return f"{at.turn.text[: pointer.start]}{name}{at.turn.text[pointer.end :]}" if name else None


def _others_afresh(at: TurnSetting) -> FollowUpPlan | None:
    """A question of its own about other documents than those in hand; None for any other question."""
    known = at.in_hand.documents
    if not _OTHER.search(at.turn.text) or not known or len(known) > _MOST_OTHERS:
        return None
    whole = at.with_turn(replace(read_turn(_OTHER.sub("", at.turn.text), at.noun), moves=at.turn.moves))
    plan = whole.plan_turn(whole.turn).whole
    plan = without_documents(plan, known, at.catalogue) if plan is not None else None
    return FollowUpPlan(plan, Edit.AFRESH) if plan is not None else None


def _else_afresh(at: TurnSetting) -> FollowUpPlan | None:
    """A question for what else fulfils a condition, of all documents but those in hand."""
    known = at.in_hand.documents
    found = _ELSE.search(at.turn.text)
    if found is None or not known or len(known) > _MOST_OTHERS:
        return None
    left = _BESIDES.sub("", at.turn.text)
    if (found := _ELSE.search(left)) is None:
        return None
    text = f"{left[: found.start()]}which {at.noun.plural} {left[found.end() :]}"
    plan = at.plan(text)
    base = base_of(plan) if is_whole(plan) else None
    if base is None or not own_clauses(base) or not isinstance(plan, Plan):
        return None
    without = without_documents(plan, known, at.catalogue)
    return FollowUpPlan(without, Edit.AFRESH) if without is not None else None


_ELSE = re.compile(
    r"\b(?:what|who|which(?:\s+ones?)?|anything|any|any\s+ones?)\s+(?:else|others)\b", re.IGNORECASE
)
_BESIDES = re.compile(
    r",?\s+(?:apart\s+from|besides|beside|other\s+than|except(?:\s+for)?|beyond|on\s+top\s+of|aside\s+from)\s+"
    r"(?:all\s+)?(?:of\s+)?(?:these|those|them|that|this|the)\b.*$",
    re.IGNORECASE,
)


def _lacks_antecedent(at: TurnSetting) -> bool:
    """True where a turn points at a value, or a year, and none was given."""
    needs_value = at.turn.of(PointerKind.VALUE) and not at.known.value
    return bool(needs_value or (at.turn.of(PointerKind.YEAR) and not at.known.year))


def _untied(at: TurnSetting) -> Clarify | None:
    """A question back where a turn points at what is in hand, and nobody knows what it asks of that."""
    pointers = [each for each in at.turn.pointers if not each.is_definite]
    if not at.has_set or not pointers or not at.in_hand.documents:
        return None
    phrase = at.words_of(pointers[0].start, pointers[0].end).strip()
    of = (
        f"the {len(at.in_hand.documents):,} {at.in_hand.label}"
        if len(at.in_hand.documents) > 1
        else at.in_hand.label
    )
    reason = f"“{phrase}” is taken for {of}. It is not clear what is asked of that."
    return Clarify(type="vague", question=at.question, phrase=phrase, reason=reason[:490])


def _checked(found: FollowUpPlan | None, at: TurnSetting) -> FollowUpPlan | None:
    """The plan with its words, where it can run; None where it cannot."""
    if found is None or validate(found.plan, at.catalogue):
        return None
    return _worded(found, at)


def _worded(found: FollowUpPlan, at: TurnSetting) -> FollowUpPlan:
    """The plan with the words that it goes on from in its question, and a note on how it was read."""
    before = at.anchor.question if at.anchor is not None else at.in_hand.label
    said = f"{before}{_BETWEEN}{at.question}" if found.edit is not Edit.AFRESH else at.question
    while len(said) > _MOST_SAID and _BETWEEN in said:
        said = said.split(_BETWEEN, 1)[1]
    note = Note(phrase="", reading=note_of(found.edit, len(at.in_hand.documents), at.in_hand.label))
    notes = (note, *(each for each in found.plan.notes if each != note))
    of_one = found.edit is Edit.FOCUS
    wholes = forms(at.turn, at.noun, at.known, at.read, of_one=of_one)
    plan = found.plan.model_copy(update={"question": said, "notes": notes})
    return replace(found, plan=plan, forms=tuple(wholes), one=at.noun.singular, many=at.noun.plural)
