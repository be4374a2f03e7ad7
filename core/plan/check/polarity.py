"""What is to hold and what is not: negations, sides of a comparison, conditions that exclude each other."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations_with_replacement, pairwise

from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import ColumnEntry, FieldEntry, bans
from core.plan.check.context import (
    ASKED,
    COMPARING,
    CheckContext,
    CheckProblem,
    Part,
    Problems,
    ReadPiece,
    Severity,
    vocabulary,
)
from core.plan.ir.verbalise import KIND
from core.plan.reading import Operation, Outcome, ReadCondition, ReadField, ReadName, ReadOrder
from core.text.analyse import text_terms
from core.text.words import word_list
from core.values.canonical import read_value
from core.values.numbers import read_digits

_NEGATIVE = word_list("checks", "negative")
_EXPLAINING = word_list("reading", "excluding") | _NEGATIVE
_DENIED = ("false", "absent", "no", "n", "uncertain", "unreadable")
_ABOVE, _BELOW = (Operator.GREATER, Operator.GREATER_EQUAL), (Operator.LESS, Operator.LESS_EQUAL)
_RANGED = (*INEQUALITIES, Operator.BETWEEN)
_DENYING = ("no", "non", "not", "anti", "un", "in", "ir", "restrict")
_NEAR = 2  # words between a negation and what it denies
_JOINT = frozenset(("and", "or", "nor", "any", "a", "an", "the"))  # what a negation reaches over
_BEFORE = 3  # words before a value that say on which side of it


def is_negative(part: Part) -> bool:
    """True where a part of a reading says that something is not so."""
    if isinstance(part, ReadCondition):
        denied = any(each.casefold() in _DENIED for each in part.values)
        return (part.op in (Operator.MISSING, Operator.NOT_EQUAL) or denied) is not part.negated
    return part.negated if isinstance(part, ReadName) else isinstance(part, ReadOrder) and part.skip > 0


def _negations(context: CheckContext) -> list[int]:
    """The numbers of the words that deny something that is asked about; not "no. 88" or "or not"."""
    folded = context.folded
    aside = " ".join(context.reading.aside if context.reading.by == "trained" else ()).casefold()
    idle = aside.replace("'", "").split()
    said = [n for n, word in enumerate(folded) if word in _NEGATIVE and word not in idle]
    said = [n for n in said if folded[max(0, n - 1) : n + 1] != ("or", "not")]
    return [n for n in said if folded[n] != "no" or not any(w[0].isdigit() for w in folded[n + 1 : n + 2])]


def lost_negation(context: CheckContext) -> Problems:
    """Negations of the question of which the plan says nothing, or the contrary."""
    has_negative = any(is_negative(each.part) for each in context.pieces) or any(
        each.outcome in (Outcome.WITHOUT, Outcome.LESS, Outcome.LEAST) for each in context.reading.all_steps
    )
    doubled = _doubled(context)
    for at in _negations(context):
        owner = _owner(at, context)
        if at in doubled:
            if owner is not None and isinstance(owner.part, ReadCondition) and is_negative(owner.part):
                words, part = owner.words, owner.part
                text = f"The question denies it twice, and the plan once: “{words}”."
                yield CheckProblem("lost_negation", text, "Ask for what is there.", words, condition=part)
            continue
        if has_negative if owner is None else (is_negative(owner.part) or _takes_in(owner, at, context)):
            continue
        word = context.words[at].text
        what = f" of “{owner.words}”" if owner is not None else ""
        text = f"The question says “{word}”, and the plan asks for the contrary{what}."
        step = "Negate the condition that it is about, or say that something is missing."
        severity = Severity.REFUSES if owner is not None else Severity.LEAVES_OUT  # "she knows nothing"
        denied = owner.part if owner is not None and isinstance(owner.part, ReadCondition) else None
        yield CheckProblem("lost_negation", text, step, word, severity, denied)


def _doubled(context: CheckContext) -> frozenset[int]:
    """The numbers of negations that take each other back: "do not lack", "except those without"."""
    found: set[int] = set()
    for n, at in pairwise(at for at, word in enumerate(context.folded) if word in _NEGATIVE):
        owner = _owner(at, context)
        is_apart = any(word.terms for word in context.words[n + 1 : at])
        if not is_apart and owner is not None and not _takes_in(owner, at, context):
            found |= {n, at}
    return frozenset(found)


def _owner(at: int, context: CheckContext) -> ReadPiece | None:
    """The part that a negation is about: it stands in its words, or right before them."""
    own = next(context.inside(at, ReadCondition, ReadName, ReadField), None)
    near = [p for p in context.pieces if isinstance(p.part, (ReadCondition, ReadName))]
    near = [p for p in near if p.at and at < p.at.start <= at + _NEAR]
    return own or min(near, key=lambda each: each.at.start, default=None)


def _takes_in(piece: ReadPiece, at: int, context: CheckContext) -> bool:
    """True where the part takes a negation in, as it stands: "cannot be assigned" is a field of its own."""
    part, word = piece.part, context.folded[at]
    if not isinstance(part, ReadCondition):
        return at in piece.at and (isinstance(part, ReadName) or at > piece.at.start)
    if part.op in _RANGED or bans(part.field.name, piece.words):
        return True  # "not before 2005": which side it is on is another check
    if any(read_digits(each.partition(" ")[0]) == 0 for each in part.values):
        return True  # "came away with nothing" is an amount of nought
    entry = context.field(part.field.name)
    if entry is None or at not in piece.at:
        return False
    said = text_terms(piece.words)
    if isinstance(entry, ColumnEntry):  # "no show", or "DNA" of who did not come, which a model alone knows
        cells = {each.casefold() for each in entry.texts}.intersection(map(str.casefold, part.values))
        is_model = context.reading.by == "model"
        return any(word in each.split() or (is_model and not text_terms(each) & said) for each in cells)
    if part.values and entry.type is not FieldType.BOOLEAN:
        return False
    if at - piece.at.start >= _NEAR and word not in ASKED["behind"]:
        return True  # "an invalid line doesn't kill the rest"
    phrases = (*entry.synonyms, *entry.verbs, *entry.loose_verbs, *entry.phrases)
    if any(word in each.casefold().split() and text_terms(each) <= said for each in phrases):
        return True  # "without giving a reason"
    own = " ".join((entry.name, entry.title, entry.description, *entry.synonyms, *entry.phrases))
    words = own.casefold().replace("-", " ").replace("_", " ").split()
    denying = (_NEGATIVE - {"without"}).union(_DENYING)  # "without cause" forbids nothing
    return any(each in denying or each.startswith("restrict") for each in words)


def unsaid_negation(context: CheckContext) -> Problems:
    """Negative parts of a reading where no word of the question, nor of how the field is called, is so."""
    if _negations(context) or _EXPLAINING.intersection(context.folded):
        return
    for piece in context.pieces:
        words = piece.words.casefold().replace("-", " ").split()
        denies = any(word.startswith(_DENYING) or word.endswith(("less", "free")) for word in words)
        if is_negative(piece.part) and not isinstance(piece.part, ReadOrder) and not denies:
            said = f"No word of the question says that “{piece.words}” is not to hold."
            step = "Take the negation out, unless the words say it."
            yield CheckProblem("unsaid_negation", said, step, piece.words, Severity.DOUBTS)


def carried_negation(context: CheckContext) -> Problems:
    """Negations that reach over too much, or too little.

    "That lack a cap end in 2024"; the middle one of "without a cap, insurance or audit rights".
    """
    said = _negations(context) or [at for at, word in enumerate(context.folded) if word in _EXPLAINING]
    placed = sorted((p for p in context.conditions if p[0].at), key=lambda each: each[0].at.start)
    for at, (piece, part) in enumerate(placed[1:], 1):
        before, behind = placed[at - 1], placed[at + 1] if at + 1 < len(placed) else None
        own = any(before[0].at.stop <= n < piece.at.stop + _NEAR for n in said)
        is_same = bool(part.either) and part.either == before[1].either  # one phrase says all alternatives
        if is_same or not is_negative(before[1]) or own or not said:
            continue
        is_joined = _are_joined(before[0], piece, context)
        is_between = behind is not None and is_negative(behind[1]) and _are_joined(piece, behind[0], context)
        is_denied = is_negative(part)
        if is_denied is not is_joined and (is_denied or is_between):
            text = f"Of “{before[0].words}” and “{piece.words}” the words deny other than the plan."
            step = "Deny what the words deny, and no more."
            yield CheckProblem("carried_negation", text, step, piece.words, condition=part)


def _are_joined(one: ReadPiece, other: ReadPiece, context: CheckContext) -> bool:
    """True where nothing but a comma, "and" or "or" stands between two pieces."""
    start, end = context.words[one.at.stop - 1].end, context.words[other.at.start].start
    between = context.folded[one.at.stop : other.at.start]
    return bool(context.reading.question[start:end].strip()) and set(between) <= _JOINT


def turned_comparison(context: CheckContext) -> Problems:
    """Comparisons on the other side of their value than the question says."""
    for piece, part in context.conditions:
        kind = None if part.field.combined else context.type_of(part.field.name)  # "less than two years from"
        above = _said_side(piece, part, kind, context) if piece.at and part.values else None
        if above is None:
            continue
        is_strict = any(context.folded[at] in COMPARING["strict"] for at in piece.at)
        is_lost = part.op is Operator.EQUAL and kind in ORDERED and kind is not FieldType.DATE and is_strict
        if is_lost or (part.op in INEQUALITIES and (part.op in _ABOVE) is not above):
            side = "above" if above else "below"
            said = f"“{piece.words}” is {side} {part.values[0]}, and the plan compares by {part.op.value}."
            yield CheckProblem("turned_comparison", said, "Turn the comparison round.", piece.words)


def _said_side(
    piece: ReadPiece, part: ReadCondition, kind: FieldType | None, context: CheckContext
) -> bool | None:
    """True where the words at a value say that something is above it or later; None for neither."""
    taken = {at for each in context.pieces if each is not piece for at in each.at}
    before = (at for at in range(max(0, piece.at.start - _BEFORE), piece.at.start) if at not in taken)
    high, low = ("after", "before") if kind is FieldType.DATE else ("more", "less")
    said = {at: word in COMPARING[high] for at in (*before, *piece.at)
            if (word := context.folded[at]) in COMPARING[high] | COMPARING[low]}  # fmt: skip
    if len(set(said.values())) != 1:
        return None
    at, is_high = next(iter(said.items()))
    near = context.folded[max(0, min(piece.at.start, at - _BEFORE)) : at]
    return is_high is not (bool(_NEGATIVE.intersection(near)) and not part.negated)


def contradictions(context: CheckContext) -> Problems:
    """Conditions of one step of which not all can hold."""
    for step in context.reading.all_steps:
        by_field: dict[tuple[str, str], list[ReadCondition]] = defaultdict(list)
        for each in step.conditions if step.operation is not Operation.COMPARE else ():
            if not each.either:
                by_field[each.field.name, each.field.part].append(each)
        pairs = (p for several in by_field.values() for p in combinations_with_replacement(several, 2))
        for one, other in pairs:
            if _excludes(one, other, context) or _excludes(other, one, context):
                both = dict.fromkeys(f"{p.op.value} {' .. '.join(p.values)}".strip() for p in (one, other))
                said = f"Nothing can be so: {one.field.name} {' and '.join(both)}."
                step_ = "Make them alternatives (the same number in `either`), or take one of them out."
                yield CheckProblem("contradiction", said, step_, one.words)


def _excludes(one: ReadCondition, other: ReadCondition, context: CheckContext) -> bool:
    if is_negative(one) is not is_negative(other):
        is_same = text_terms(" ".join(one.values)) == text_terms(" ".join(other.values))
        is_missing = one.op is Operator.MISSING and is_negative(one)
        return is_missing or (is_same and one.op not in _RANGED and other.op not in _RANGED)
    if is_negative(one) or not one.values or not other.values:
        return False
    entry = context.field(one.field.name)
    if one.op is Operator.EQUAL and other.op is Operator.EQUAL:
        values = [{each.casefold() for each in read.values} for read in (one, other)]
        return not (isinstance(entry, FieldEntry) and entry.many) and values[0].isdisjoint(values[1])
    is_range = (one.op in _ABOVE and other.op in _BELOW) or (one is other and one.op is Operator.BETWEEN)
    if not is_range or one.negated or other.negated:
        return False
    low, high, kind = one.values[0], other.values[-1], entry.type if entry is not None else None
    if kind is FieldType.DATE:
        size = min(len(low), len(high))
        return low[:4].isdigit() and high[:4].isdigit() and low[:size] > high[:size]
    if kind not in (FieldType.MONEY, FieldType.NUMBER):
        return False
    ends = [read_digits(found.text) for each in (low, high) if (found := read_value(each, kind)) is not None]
    return len(ends) == 2 and ends[0] is not None and ends[1] is not None and ends[0] > ends[1]


def unsaid_conditions(context: CheckContext) -> Problems:
    """Conditions that no word of the question asks for."""
    for piece, part in context.conditions:
        step, values = piece.step, text_terms(" ".join(part.values))
        others = (*step.asked, *step.groups, *((step.order.field,) if step.order is not None else ()))
        is_shown = not part.values and any(each and each.name == part.field.name for each in others)
        is_kind = part.field.name == KIND and values & context.kinds and context.kinds_at
        words = vocabulary(context.field(part.field.name)) | values | text_terms(part.words)
        is_step = any(each.startswith("$") for each in part.values)
        if not (piece.at or is_shown or is_kind or is_step or words & context.terms):
            said = f"No word of the question asks for a condition on {part.field.name}."
            yield CheckProblem("unsaid_condition", said, "Take the condition out.", piece.words)
