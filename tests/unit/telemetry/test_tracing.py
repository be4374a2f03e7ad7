from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from core.errors import SettingsError
from core.telemetry import tracing

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.start("", exporter=exporter)
    yield exporter
    tracing.stop()


def finished(exporter: InMemorySpanExporter) -> dict[str, object]:
    tracing._provider.force_flush()
    return {span.name: span for span in exporter.get_finished_spans()}


def test_a_request_belongs_to_its_callers_trace_and_its_question_to_it(spans: InMemorySpanExporter) -> None:
    with tracing.within("request", {"traceparent": PARENT}, area="v1/rag") as request:
        question = tracing.begin("question")
        question.part("retrieve", 0.25, source="index")
        question.end(kind="lookup", outcome="failed")
        request.end(status="200")

    found = finished(spans)
    request_, question_, part = (found[name] for name in ("request", "question", "retrieve"))
    assert f"{request_.context.trace_id:032x}" == PARENT.split("-")[1]
    assert question_.parent.span_id == request_.context.span_id
    assert part.parent.span_id == question_.context.span_id
    assert part.end_time - part.start_time == pytest.approx(0.25e9, abs=1e6)
    assert not question_.status.is_ok
    assert dict(request_.attributes) == {"area": "v1/rag", "status": "200"}


def test_a_span_says_nothing_of_people_and_words(spans: InMemorySpanExporter) -> None:
    tracing.begin("question", question="Who?", user="ann").end(
        kind="what did ann@x.example say?", route="hybrid"
    )
    assert dict(finished(spans)["question"].attributes) == {"route": "hybrid"}


def test_an_exception_passes_through_without_its_words(spans: InMemorySpanExporter) -> None:
    def fail() -> None:
        with tracing.within("request", {}) as span:
            try:
                raise ValueError("secret")
            finally:
                span.end(status="500")

    with pytest.raises(ValueError, match="secret"):
        fail()
    span_ = finished(spans)["request"]
    assert (list(span_.events), span_.status.description) == ([], None)


def test_without_a_collector_nothing_is_imported_and_nothing_happens() -> None:
    script = (
        "import sys; from core.telemetry import tracing\n"
        "tracing.start('')\n"
        "with tracing.within('request', {}) as span: span.part('x', 1.0); span.end()\n"
        "tracing.begin('job').end(); tracing.stop()\n"
        "assert 'opentelemetry' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_collector_without_its_packages_is_a_setting_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(SettingsError, match="not installed"):
        tracing.start("http://collector.example:4318/v1/traces")
