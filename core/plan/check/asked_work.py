"""Work that a question asks for: functions, orders, places in them, groups; lost, or turned to another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from core.domain.fields import FieldType
from core.plan.check.context import ASKED, COMPARING, CheckContext, CheckProblem, Problems, left_out
from core.plan.reading import Function, Operation, Outcome, ReadCondition, ReadName, Step
from core.text.analyse import analyse

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
_BEFORE = 2  # words from "all" to the noun that it is said of
_TIED = ("of", "our", "the", "my", "these", "those", "favored", "favoured")


def wrong_work(context: CheckContext) -> Problems:
    """All that is asked for and not done, or done otherwise."""
    own = (_every, _functions, _orders, _places, _sets, _outcomes, _uncompared, _second)
    yield from (problem for each in own for problem in each(context, context.reading.all_steps))


def _every(context: CheckContext, steps: tuple[Step, ...]) -> Problems:
    """ "Do all contracts have it" where it is told whether any has."""
    nouns = context.kinds_at if steps[-1].operation is Operation.EXISTS else ()
    said = (n for at in nouns for n in range(max(0, at - _BEFORE), at) if context.folded[n] in ASKED["every"])
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
