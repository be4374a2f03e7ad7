from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.store.people.request_keys import KEPT_FOR, RUNS_AT_MOST, StoredResponse
from core.store.store import Records

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
RESPONSE = StoredResponse("f1", "v1", 201, {"location": "/x"}, b"\x00body")


def test_a_key_is_claimed_once_and_its_response_kept(records: Records) -> None:
    keys = records.request_keys
    first = keys.claim("k", NOW)
    assert first.id
    assert (keys.claim("k", NOW).id, keys.claim("k", NOW).response) == ("", None)

    keys.keep("k", first.id, RESPONSE)

    assert keys.claim("k", NOW).response == RESPONSE
    assert keys.claim("other", NOW).id


def test_a_released_key_is_free(records: Records) -> None:
    keys = records.request_keys
    keys.release("k", keys.claim("k", NOW).id)

    second = keys.claim("k", NOW)
    keys.release("k", "somebody else's")
    assert second.id
    assert not keys.claim("k", NOW).id


def test_a_request_whose_process_died_loses_its_claim(records: Records) -> None:
    keys = records.request_keys
    lost = keys.claim("k", NOW)
    later = NOW + RUNS_AT_MOST + timedelta(seconds=1)
    taken = keys.claim("k", later)
    assert taken.id

    keys.keep("k", lost.id, RESPONSE)
    keys.release("k", lost.id)

    assert keys.claim("k", later).response is None
    assert not keys.claim("k", later).id


def test_responses_are_kept_for_a_day(records: Records) -> None:
    keys = records.request_keys
    keys.keep("k", keys.claim("k", NOW).id, RESPONSE)

    assert keys.claim("other", NOW + KEPT_FOR).id
    assert keys.claim("k", NOW + KEPT_FOR).response == RESPONSE
    assert keys.claim("k", NOW + KEPT_FOR + timedelta(seconds=1)).id
