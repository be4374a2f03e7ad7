"""The client against a real server: documents in, a question asked and followed, its citations read."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.client import ApiError, Client
from tests.support.api_server import LEASE, ApiServer


def test_the_whole_loop_of_ingest_ask_stream_and_drill_down(server: ApiServer, tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text(LEASE)
    with Client(server.address, server.token) as client:
        job = client.wait(client.ingest([tmp_path / "lease.txt"], bucket="loop").id, within_s=120)
        assert (job.state, [each.status for each in job.items]) == ("done", ["ready"])
        (listed,) = client.documents(bucket="loop")
        assert listed.status == "ready"

        hits = client.search("ninety days' written notice", mode="keyword", bucket="loop").hits
        assert "ninety days" in hits[0].text
        assert client.document(listed.id).text_of(1)[hits[0].start : hits[0].end] == hits[0].text

        events = list(client.stream("How many days' notice terminates the agreement?", bucket="loop"))
        assert [each.number for each in events] == list(range(len(events)))
        assert events[-1].is_last
        (streamed,) = (each.answer for each in events if each.answer is not None)
        assert "ninety days" in streamed.text

        answer = client.ask("How many days' notice terminates the agreement?", bucket="loop")
        assert answer.citations
        for citation in (*answer.citations, *streamed.citations):
            place = client.read(citation)
            assert place.is_exact
            assert place.quote in LEASE

        again = client.ingest([tmp_path / "lease.txt"], bucket="loop")
        assert [each.status for each in client.wait(again.id, within_s=120).items] == ["unchanged"]
        client.remove(listed.id)
        assert list(client.documents(bucket="loop")) == []
        with pytest.raises(ApiError) as gone:
            client.document(listed.id, listed.version + 7)
        assert gone.value.status == 404


def test_a_token_gets_no_further_than_its_scopes_and_a_forged_one_nowhere(server: ApiServer) -> None:
    with Client(server.address, server.reader) as client:
        assert client.health().engine is not None
        with pytest.raises(ApiError) as narrow:
            client.ask("What is the rent?")
        assert narrow.value.status == 403
    with Client(server.address, "gwk_forged") as client, pytest.raises(ApiError) as forged:
        client.search("rent")
    assert forged.value.status == 401
    assert forged.value.next_step
