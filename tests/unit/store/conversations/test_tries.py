"""Ways by which questions were tried, as they are kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.trust.failures import WRONG
from core.store.conversations.tries import sight_key
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.unit.review.test_habits import NOW, tried
from tests.unit.store.conversations.test_corrections import failed

ALL = Visibility.everything()
SOME = Visibility.of(Principal("ann", groups=frozenset({"legal"})))


def test_of_a_shape_those_alone_are_told_who_see_the_same(records: Records) -> None:
    own = replace(tried(0), sight=sight_key(ALL), buckets=("contracts",))
    records.tries.note([own, replace(own, ordinal=1, route="text", status="answered", stage="")])
    records.tries.note([replace(tried(1), sight=sight_key(SOME))])
    first, second = records.tries.of_shape("lookup", ALL, NOW)
    assert (first.route, second, first.buckets) == ("text", own, ("contracts",))
    assert [each.trace for each in records.tries.of_shape("lookup", SOME, NOW)] == ["t1"]
    assert records.tries.of_shape("lookup", ALL, NOW + timedelta(days=1)) == []
    assert sight_key(ALL.within(["contracts"])) not in (sight_key(ALL), sight_key(SOME))


def test_everybody_has_their_own_and_admins_all(records: Records) -> None:
    records.tries.note([tried(0)])
    records.tries.note([replace(tried(1), user="bob", shape="count")])
    assert [each.trace for each in records.tries.list(Principal("bob"))] == ["t1"]
    assert [each.trace for each in records.tries.list(LOCAL_ADMIN)] == ["t1", "t0"]
    assert records.tries.list(LOCAL_ADMIN, limit=1)[0].user == "bob"


def test_the_last_way_of_an_answer_is_judged(records: Records) -> None:
    records.tries.note([tried(0), replace(tried(0), ordinal=1, route="text", status="answered", stage="")])
    records.tries.judge("t0", "bob", WRONG, "facts")
    records.tries.judge("t0", "ann", WRONG, "retrieval")
    last = records.tries.of_trace("t0", "ann")
    assert last is not None
    assert (last.ordinal, last.status, last.stage) == (1, WRONG, "retrieval")
    assert records.tries.of_trace("t0", "bob") is None


def test_lessons_of_a_shape_are_changes_since(records: Records) -> None:
    id = records.lessons.note(failed("t1"), "ann", NOW)
    records.lessons.correct(id, Principal("ann"), {"nodes": []}, now=NOW + timedelta(days=1))
    (change,) = records.tries.changes("ask:list ?", ("governing_law",), (), ALL, NOW)
    assert (change.kind, change.words, change.by) == ("lesson", "Which?", "ann")
    assert records.tries.changes("ask:list ?", (), (), ALL, NOW + timedelta(days=2)) == []


def test_words_of_its_questions_that_became_known_are_changes_since(records: Records) -> None:
    for phrase, how in (("Tax haven", "known"), ("as it were", "ignored"), ("elsewhere", "known")):
        records.lessons.settle(phrase, how, "ann", NOW + timedelta(days=1))
    asked = ("Which tax haven is it, as it were?",)
    (change,) = records.tries.changes("ask:list ?", (), asked, ALL, NOW)
    assert (change.kind, change.words, change.by) == ("phrase", "Tax haven", "ann")
