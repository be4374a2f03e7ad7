from __future__ import annotations

import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families

from core.errors import NotFoundError
from core.telemetry.measures import QUESTION_TIMES, REQUESTS, SOCKETS, Figure, Tally
from core.telemetry.prometheus import exposition


def samples(text: bytes) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    families = text_string_to_metric_families(text.decode())
    return {
        (each.name, tuple(sorted(each.labels.items()))): each.value
        for family in families
        for each in family.samples
    }


def test_counts_times_and_figures_are_read_by_prometheus_own_parser() -> None:
    tally = Tally()
    tally.count(REQUESTS, "v1/search", "POST", "200", by=3)
    tally.count(SOCKETS, by=2)
    for seconds in (0.01, 0.3, 400.0):
        tally.time(QUESTION_TIMES, seconds, "lookup", "no")
    jobs = [Figure("groundwork_jobs", "Jobs.", 4, {"state": state}) for state in ("queued", "running")]

    found = samples(exposition(jobs, tally))

    labels = (("area", "v1/search"), ("method", "POST"), ("status", "200"))
    assert found["groundwork_http_requests_total", labels] == 3
    assert found["groundwork_websockets_open", ()] == 2
    assert found["groundwork_jobs", (("state", "running"),)] == 4
    of = {
        dict(key[1])["le"]: value
        for key, value in found.items()
        if key[0].endswith("question_seconds_bucket")
    }
    assert (of["0.05"], of["0.5"], of["120.0"], of["+Inf"]) == (1, 2, 2, 3)
    assert found["groundwork_question_seconds_count", (("kind", "lookup"), ("model", "no"))] == 3
    assert any(name.startswith("process_") for name, _ in found)


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(NotFoundError) as raised:
        exposition()
    assert "groundwork[telemetry]" in raised.value.next_step
