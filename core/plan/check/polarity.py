"""What is to hold and to be done: negations, comparisons, functions, orders; lost, or turned round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations_with_replacement, islice, pairwise

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
    left_out,
    vocabulary,
)
from core.plan.ir.verbalise import KIND
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadField,
    ReadName,
    ReadOrder,
    Step,
)
from core.text.analyse import analyse, text_terms
from core.text.words import word_list
from core.values.canonical import read_value
from core.values.numbers import read_digits

_NEGATIVE = word_list("checks", "negative")
_EXPLAINING = word_list("reading", "excluding") | _NEGATIVE
_DENIED = ("false", "absent", "no", "n", "uncertain", "unreadable")
_ABOVE, _BELOW = (Operator.GREATER, Operator.GREATER_EQUAL), (Operator.LESS, Operator.LESS_EQUAL)
_RANGED = (*INEQUALITIES, Operator.BETWEEN)
_DENYING = ("no", "non", "not", "anti", "un", "in", "ir", "restrict")
_BARRED = ("non", "no-", "no_", "anti", "restrict")
_STEM = 5  # letters that words of one stem begin with
_NEAR = 2  # words between a negation and what it denies
_JOINT = frozenset(("and", "or", "nor", "any", "a", "an", "the"))  # what a negation reaches over
_BEFORE = 3  # words before a value that say on which side of it
_WANTED = {
    "avg": Function.AVG,
    "median": Function.MEDIAN,
    "sum": Function.SUM,
    "share": Function.SHARE,
    "distinct": Function.DISTINCT,
}
_EXTREME = (Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX)
_SETS = (Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.CHECK, Operation.EXISTS)
_ONE_FIGURE = (Operation.COUNT, Operation.COMPUTE)
_COMBINED = (Outcome.RATIO, Outcome.SHARE, Outcome.SUM)
_SIDES = {Outcome.GREATEST: True, Outcome.MORE: True, Outcome.LEAST: False, Outcome.LESS: False}
_BEFORE_NOUN = 2  # words from "all" to the noun that it is said of
_TIED = ("of", "our", "the", "my", "these", "those", "favored", "favoured")


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
    if isinstance(entry, ColumnEntry) and word in entry.name.casefold().split():
        return True  # a column "No" of boxes
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


def lost_denial(context: CheckContext) -> Problems:
    """Fields that say by their names what is not, where the question says what is, and the other way round.

    "Transferable" of a non-transferable license, "no limit" as no uncapped liability.
    """
    for piece, part in context.conditions:
        entry = context.field(part.field.name)
        clause = entry if isinstance(entry, FieldEntry) and entry.type is FieldType.BOOLEAN else None
        if clause is not None and piece.at and not part.values and _is_turned(piece, clause, context):
            yield left_out("lost_denial", piece.words)


def _is_turned(piece: ReadPiece, entry: FieldEntry, context: CheckContext) -> bool:
    schema = context.catalogue.schema(entry.schema)
    known = frozenset(term for each in (schema.fields if schema else ()) for term in vocabulary(each))
    phrases = [each.casefold() for each in (entry.title, *entry.synonyms, *entry.phrases)]
    own = {word for each in phrases for word in each.split()}
    words = [context.folded[at] for at in piece.at]
    titled = text_terms(" ".join(bare for word in phrases[0].split() for bare in _bare(word)))
    is_glued = bool(titled & known) and not entry.name.startswith(_BARRED)
    is_base = any(own & {f"{each}{w}", f"{each}-{w}"} for w in words if w not in phrases for each in _DENYING)
    is_called = any(len(terms) > 1 and terms <= text_terms(piece.words) for terms in map(text_terms, phrases))
    is_called = is_called or is_base or any(w in own for w in words if [*_bare(w)])
    if is_negative(piece.part):  # "no limit of liability" as no uncapped liability
        return is_glued and not is_called
    if any(bare in own and word not in own for word in words for bare in _bare(word)):
        return True
    base = text_terms(entry.name.partition("_")[2].replace("_", " "))
    is_of_base = (at for at in piece.at if any(context.folded[at].startswith(each[:_STEM]) for each in base))
    first = next(is_of_base, piece.at.stop) if entry.name.startswith(_BARRED) else piece.at.stop
    before = context.folded[max(0, piece.at.start - _NEAR) : first + 1]
    is_behind = any(context.folded[at] in _NEGATIVE for at in range(first + 1, piece.at.stop))
    is_unsaid = is_glued and not is_called  # "liability" of a document as uncapped liability
    is_said = any(w in _NEGATIVE or w.startswith(_BARRED) for w in before)
    return (is_base or is_behind or is_unsaid) and not is_said


def _bare(word: str) -> Iterator[str]:
    """A word without each denying beginning that it may have: "capped" of "uncapped"."""
    yield from (
        word.removeprefix(each).lstrip("-") for each in _DENYING if word.startswith(each) and word != each
    )


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


def wrong_work(context: CheckContext) -> Problems:
    """All that is asked for and not done, or done otherwise."""
    own = (_every, _functions, _orders, _places, _sets, _outcomes, _uncompared, _second)
    yield from (problem for each in own for problem in each(context, context.reading.all_steps))


def _every(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """ "Do all contracts have it" where it is told whether any has."""
    nouns = context.kinds_at if steps[-1].operation is Operation.EXISTS else ()
    said = (
        n for at in nouns for n in range(max(0, at - _BEFORE_NOUN), at) if context.folded[n] in ASKED["every"]
    )
    for at in islice(said, 1):
        word = context.words[at].text
        text = f"The question asks it of “{word}”, and the plan whether there is any."
        yield CheckProblem("lost_every", text, "Check it of all of them (operation check).", word)


def _second(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """What is asked for beside the one thing that a plan gives: "how many ..., and what is their total"."""
    answer, folded, asking = steps[-1], context.folded, ASKED["which"] | {"how"}
    if answer.groups or answer.sides:
        return
    if answer.operation is Operation.COUNT and answer.function is not Function.DISTINCT:
        yield from (
            left_out("lost_asked", each.words) for each in answer.asked if each.name not in context.fields
        )
    for at in range(2, len(folded)) if not answer.asked or answer.operation in _ONE_FIGURE else ():
        if folded[at - 1] == "and" and folded[at] in asking and not any(context.inside(at)):
            yield left_out("lost_asked", context.reading.question[context.words[at].start :].rstrip(" ?.!"))


def _uncompared(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """Documents that a word holds against one another, and that are only shown: "does A exceed B"."""
    named = [each for step in steps for each in step.of_role("document") if not each.negated]
    is_shown = all(step.operation is Operation.LOOKUP and not step.sides for step in steps)
    sides = COMPARING["more"] | COMPARING["less"] if is_shown and len(named) > 1 else ()
    free = (word for at, word in enumerate(context.words) if not any(context.inside(at)))
    said = (word.text for word in free if word.folded in sides)
    yield from (left_out("lost_comparison", each) for each in islice(said, 1))


def _said(key: str, context: CheckContext) -> Iterator[int]:
    """Words that ask for something, where they are neither a name nor what a field is called."""
    named = context.called | context.values
    for at, word in enumerate(context.words):
        is_said = word.folded in ASKED[key] and not any(context.inside(at, ReadName, ReadCondition))
        if is_said and named.isdisjoint(word.terms or analyse(word.folded)):
            yield at


def _functions(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    done, folded = {step.function for step in steps}, context.folded
    said = {key: at for key in _WANTED for at in _said(key, context)
            if folded[at] != "mean" or folded[at - 1 : at] in (("the",), ("a",), ())}  # fmt: skip
    if any(step.outcome in _COMBINED for step in steps) or any(_WANTED[key] in done for key in said):
        return
    is_listed = all(step.operation in _SETS for step in steps)
    for key, at in said.items():
        word = context.words[at].text
        if key == "sum" and not is_listed and not done.intersection(_EXTREME):
            continue  # a sum is what amounts come to, and "total" may be what is counted
        if key == "distinct" and all(step.operation is not Operation.COUNT for step in steps):
            continue
        if done == {Function.NONE} and (is_listed or key != "share"):
            yield left_out("lost_function", word)
        else:
            figure = next((each.value for each in done if each is not Function.NONE), "number")
            text = f"The question asks for “{word}”, and the plan computes the {figure}."
            yield CheckProblem("turned_function", text, f"Compute what “{word}” says.", word)
    yield from (left_out("lost_function", context.words[at].text) for at in _said("ratio", context))


def _orders(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    high, low = ([at for at in _said(key, context) if not _is_idle(at, context)] for key in ("high", "low"))
    done = set(_directions(steps))
    fields = [s.order.field if s.order is not None else next(iter(s.asked), None) for s in steps]
    is_dated = all(each is None or context.type_of(each.name) is FieldType.DATE for each in fields)
    is_of_days = is_dated and all(fields)  # who is here "longest" came first
    for wanted, numbers in ((True, high), (False, low)):
        for at in numbers if not (high and low and done) else ():  # "from the oldest to the newest"
            word = context.words[at].text
            if not done:
                yield left_out("lost_order", word)
            elif not done & {wanted, None} and (
                is_dated if context.folded[at] in ASKED["dated"] else not is_of_days
            ):
                said = f"The question asks for “{word}”, and the plan orders the other way."
                yield CheckProblem("turned_order", said, "Turn the order round.", word)
    sorting = [at for at in _said("sort", context) if context.folded[at + 1 : at + 2] != ("of",)]
    if sorting and not done and not any(step.groups for step in steps):
        yield left_out("lost_order", context.words[sorting[0]].text)
    for order in (step.order for step in steps if not (step.groups or step.asked)):
        if order is not None and order.field is None and order.limit:  # "the first two ever signed"
            yield left_out("lost_order", order.words)


def _is_idle(at: int, context: CheckContext) -> bool:
    """True for "at least", "most of", "most favoured", "most cheap"."""
    tied = context.folded[at] in ("most", "least") and context.folded[at + 1 : at + 2]
    return context.folded[at - 1 : at] == ("at",) or bool(tied and tied[0] in _TIED)


def _directions(steps: tuple[Step, ...]) -> Iterator[bool | None]:
    """True for orders from above and what is greatest, False from below; None for sides that show both."""
    for step in steps:
        if step.order is not None:
            yield step.order.descending
        if step.function in (Function.MAX, Function.MIN):
            yield step.function is Function.MAX
        if step.operation is Operation.COMPARE or step.sides:
            yield _SIDES.get(step.outcome)


def _places(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """ "The second highest" and "the three cheapest": a place, and a number, in an order."""
    orders = [step.order for step in steps if step.order is not None]
    ends = ASKED["high"] | ASKED["low"]
    for figure in context.figures:
        start, wanted = figure.at.start, int(min(figure.values))
        is_beside = ends.intersection(context.folded[figure.at.stop : figure.at.stop + 1])
        before = context.folded[max(0, start - 1) : start]
        is_top = not figure.is_ordinal and ASKED["ends"].union(ends).intersection(before)
        if wanted < 2 or not (is_beside or is_top) or any(context.inside(start, ReadName, ReadCondition)):
            continue
        if context.called.intersection(context.words[start].terms):
            continue  # "the highest H2 actual"
        text = context.words[start].text
        places = ((each.skip, each.skip + max(1, each.limit)) for each in orders)
        is_held = any(skip < wanted <= end and skip for skip, end in places)
        is_counted = any(wanted in (each.limit or wanted, each.skip) for each in orders)
        if not orders:
            yield left_out("lost_order", text)
        elif not (is_held if figure.is_ordinal else is_counted):
            said = f"The plan takes {orders[0].limit or 'all'} after {orders[0].skip}, and not “{text}”."
            step = "The second is limit 1 after skip 1; the three largest are limit 3."
            yield CheckProblem("wrong_place", said, step, text)


def _sets(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """ "How many" of what is only listed; "per" and "for each" where one figure is given for all."""
    folded, is_listed = context.folded, all(step.operation in _SETS and not step.sides for step in steps)
    is_plain = is_listed and all(s.function is Function.NONE and not s.asked for s in steps)
    pairs = (at for at in range(len(folded)) if folded[at : at + 2] in (("how", "many"), ("number", "of")))
    for at in pairs if is_plain else ():
        if not any(context.inside(at)):
            yield left_out("lost_function", f"{context.words[at].text} {context.words[at + 1].text}")
    is_each = (Function.DISTINCT, Function.AVG)  # "per fill-up on average"
    is_whole = not any(s.groups or s.sides or s.function in is_each for s in steps)
    if is_whole and all(step.operation not in (*_SETS, Operation.COMPARE) for step in steps):
        lost = (at for at in _said("each", context) if not any(context.inside(at)))
        yield from (left_out("lost_group", context.words[at].text) for at in lost)


def _outcomes(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """ "Is A shorter than B" where it is told whether A is longer."""
    free = {word for at, word in enumerate(context.folded) if not any(context.inside(at, ReadCondition))}
    below, above = (bool(free & COMPARING[key] & ASKED["sides"]) for key in ("less", "more"))
    wanted = {_SIDES[step.outcome] for step in steps if step.outcome in _SIDES}
    if wanted and below is not above and above not in wanted:
        side = "above" if above else "below"
        said = f"The question asks which is {side}, and the plan tells the contrary."
        yield CheckProblem("turned_comparison", said, "Turn the outcome round.")
