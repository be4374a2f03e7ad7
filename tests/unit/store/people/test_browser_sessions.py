from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.store.people.browser_sessions import GRACE, IDLE, LONGEST, ROTATE_AFTER, BrowserSessions
from core.store.store import Records

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
LATER = NOW + ROTATE_AFTER


@pytest.fixture
def sessions(records: Records) -> BrowserSessions:
    records.accounts.add("ann", roles=["admin"])
    return records.browser_sessions


def test_a_secret_opens_its_session_and_no_other_text_does(sessions: BrowserSessions) -> None:
    secret, session = sessions.begin("ann", address="10.0.0.4", now=NOW)

    found = sessions.open(secret, NOW)
    assert found is not None
    assert (found.session, found.secret) == (session, "")
    assert sessions.open(secret + "x", NOW) is None
    assert sessions.open("\ud800", NOW) is None


def test_a_secret_is_exchanged_after_a_while(sessions: BrowserSessions) -> None:
    first, session = sessions.begin("ann", now=NOW)

    renewed = sessions.open(first, LATER)
    assert renewed is not None
    assert renewed.secret
    beside = sessions.open(first, LATER + timedelta(seconds=1))  # a request that was under way
    assert beside is not None
    assert beside.secret == ""
    assert sessions.open(renewed.secret, LATER + timedelta(seconds=2)) is not None
    assert session.id == beside.session.id


def test_an_old_secret_that_is_used_again_ends_the_session(sessions: BrowserSessions) -> None:
    first, _ = sessions.begin("ann", now=NOW)
    renewed = sessions.open(first, LATER)
    assert renewed is not None
    sessions.open(renewed.secret, LATER + timedelta(seconds=1))

    stolen = LATER + timedelta(seconds=2) + GRACE
    assert sessions.open(first, stolen) is None
    assert sessions.open(renewed.secret, stolen) is None


def test_a_browser_that_never_got_the_new_secret_gets_another(sessions: BrowserSessions) -> None:
    first, _ = sessions.begin("ann", now=NOW)
    lost = sessions.open(first, LATER)
    again = sessions.open(first, LATER + GRACE)

    assert lost is not None
    assert again is not None
    assert again.secret not in ("", lost.secret)
    assert sessions.open(again.secret, LATER + GRACE) is not None
    assert sessions.open(lost.secret, LATER + GRACE) is None


def test_sessions_run_out_when_idle_and_after_the_longest_time(sessions: BrowserSessions) -> None:
    secret, session = sessions.begin("ann", now=NOW)
    assert sessions.live(session.id, NOW + IDLE) is None
    assert sessions.open(secret, NOW + IDLE) is None
    moment = NOW
    while moment < NOW + LONGEST:
        assert sessions.live(session.id, moment) is not None
        moment += timedelta(hours=6)
    assert sessions.live(session.id, NOW + LONGEST) is None


def test_sessions_are_ended_one_by_one_and_all_but_one(sessions: BrowserSessions) -> None:
    _, one = sessions.begin("ann")
    _, two = sessions.begin("ann")
    _, three = sessions.begin("ann")

    sessions.end(one.id)
    assert sessions.live(one.id) is None
    assert sessions.end_all("ann", but=two.id) == 1
    assert [each.id for each in sessions.list("ann")] == [two.id]
    assert sessions.live(three.id) is None


def test_a_clock_that_is_set_back_ends_no_session_and_lengthens_none(sessions: BrowserSessions) -> None:
    ahead = NOW + timedelta(days=300)
    secret, session = sessions.begin("ann", now=ahead)

    found = sessions.open(secret, NOW)
    assert found is not None
    assert found.session.expires_at == NOW + LONGEST
    assert sessions.live(session.id, NOW + timedelta(hours=1)) is not None
    renewed = sessions.open(secret, LATER)  # secrets are exchanged by the new time
    assert renewed is not None
    assert renewed.secret
    assert sessions.live(session.id, NOW + timedelta(hours=1) + IDLE) is None


def test_an_old_secret_is_not_good_for_longer_where_the_clock_is_set_back(sessions: BrowserSessions) -> None:
    first, _ = sessions.begin("ann", now=NOW)
    renewed = sessions.open(first, LATER)
    assert renewed is not None
    sessions.open(renewed.secret, LATER)

    back = NOW - timedelta(days=2)
    assert sessions.open(renewed.secret, back) is not None
    assert sessions.open(first, back + GRACE) is None
