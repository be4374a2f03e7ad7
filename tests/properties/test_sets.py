"""Laws of sets that hold of documents in three values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.domain.results import Documents, Unknown
from core.plan.operators.base import complement, difference, intersect, narrowed, union

IDS = tuple("abcdefgh")
PARTS = ("present", "absent", "uncertain", "unreadable", "")


@st.composite
def sides(draw: st.DrawFn, *, whole: bool = False) -> Documents:
    """Documents of any parts; `whole`: with every id in scope. What cannot be read, no side can read."""
    places = {id: draw(st.sampled_from(PARTS[:4] if whole else PARTS)) for id in IDS[:6]}
    places |= {id: draw(st.sampled_from(("absent", "unreadable"))) for id in IDS[6:]}
    parts = {part: frozenset(id for id in IDS if places[id] == part) for part in PARTS[:4]}
    reason = draw(st.sampled_from(["blank", "uncertain"]))
    unknown = {id: Unknown(field=draw(st.sampled_from("xy")), reason=reason) for id in parts["uncertain"]}
    return Documents(**parts, unknown=unknown)


def _add_up(found: Documents) -> None:
    parts = (found.present, found.absent, found.uncertain, found.unreadable)
    assert sum(map(len, parts)) == len(found.scope)


@given(sides(), sides())
def test_the_parts_of_a_result_are_disjoint_and_make_the_scope(left: Documents, right: Documents) -> None:
    for found in (intersect((left, right)), union((left, right)), difference(left, right)):
        _add_up(found)
        assert found.scope == left.scope | right.scope
    _add_up(narrowed(left, right))
    assert narrowed(left, right).scope == left.scope - left.absent


@given(sides(), sides(), sides())
def test_sides_may_be_taken_in_any_order(a: Documents, b: Documents, c: Documents) -> None:
    for combine in (intersect, union):
        assert combine((a, b)) == combine((b, a))
        assert combine((a, combine((b, c)))) == combine((combine((a, b)), c)) == combine((a, b, c))


@given(sides())
def test_a_side_combined_with_itself_is_itself(side: Documents) -> None:
    assert intersect((side, side)) == union((side, side)) == side


@given(sides(whole=True), sides(whole=True), sides(whole=True))
def test_each_operation_distributes_over_the_other(a: Documents, b: Documents, c: Documents) -> None:
    def same(left: Documents, right: Documents) -> bool:
        return (left.present, left.absent) == (right.present, right.absent)

    assert same(intersect((a, union((b, c)))), union((intersect((a, b)), intersect((a, c)))))
    assert same(union((a, intersect((b, c)))), intersect((union((a, b)), union((a, c)))))


@given(sides(whole=True), sides(whole=True))
def test_what_is_not_of_both_is_missing_from_one(a: Documents, b: Documents) -> None:
    assert complement(intersect((a, b))) == union((complement(a), complement(b)))
    assert complement(complement(a)) == a
    assert difference(a, b) == intersect((a, complement(b)))


@given(sides(), sides())
def test_what_is_known_agrees_with_sets(left: Documents, right: Documents) -> None:
    assert intersect((left, right)).present == left.present & right.present
    assert union((left, right)).present == left.present | right.present
    sure = right.absent | (left.scope - right.scope)
    assert difference(left, right).present == left.present & sure
