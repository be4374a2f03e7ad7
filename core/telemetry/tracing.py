"""Spans of requests, questions, stages and jobs, for a collector of OpenTelemetry where one is configured.

Without one nothing of its packages is imported. A span says how long and how it ended: never what was asked,
which document, or who. Source: OpenTelemetry 1.x, OTLP over HTTP.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from core.errors import SettingsError

ATTRIBUTES = frozenset(
    {"area", "method", "status", "kind", "route", "outcome", "model", "stage", "source", "state", "trace"}
)
"""All that spans may say. trace: the id of an answer's own trace, which only its asker opens."""

_PLAIN = re.compile(r"[A-Za-z0-9_./ :-]{0,64}")
_WITHIN_MS = 3_000
_lock = threading.Lock()  # guards: one provider a process
_provider: Any = None
_tracer: Any = None


class OpenSpan(Protocol):
    """One piece of work that is under way."""

    def part(self, name: str, seconds: float, **attributes: str) -> None:
        """A part of it that ends now and took that long."""

    def end(self, **attributes: str) -> None:
        """It is done; what came of it."""


class _Nothing:
    def part(self, name: str, seconds: float, **attributes: str) -> None:
        """Nobody listens."""

    def end(self, **attributes: str) -> None:
        """Nobody listens."""


class _Sent:
    def __init__(self, span: Any, tracer: Any) -> None:
        self._span, self._tracer = span, tracer

    def part(self, name: str, seconds: float, **attributes: str) -> None:
        """A child that begins so long ago, and ends now."""
        from opentelemetry import trace

        now = time.time_ns()
        began = now - int(seconds * 1e9)
        parent = trace.set_span_in_context(self._span)
        part = self._tracer.start_span(name, parent, attributes=plain(attributes), start_time=began)
        part.end(now)

    def end(self, **attributes: str) -> None:
        """End the span, as an error where its outcome is one."""
        from opentelemetry.trace import StatusCode

        self._span.set_attributes(plain(attributes))
        if attributes.get("outcome") == "failed" or attributes.get("status", "").startswith("5"):
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def plain(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes that a span may have; others, and words of whatever kind, are left out."""
    return {
        name: value for name, value in attributes.items() if name in ATTRIBUTES and _PLAIN.fullmatch(value)
    }


def begin(name: str, **attributes: str) -> OpenSpan:
    """Begin a piece of work, within the one that is under way in this context."""
    tracer = _tracer
    if tracer is None:
        return _Nothing()
    return _Sent(tracer.start_span(name, attributes=plain(attributes)), tracer)


@contextmanager
def within(name: str, carrier: Mapping[str, str], **attributes: str) -> Iterator[OpenSpan]:
    """A piece of work that others begin in. carrier: headers; their `traceparent` says what it belongs to."""
    tracer = _tracer
    if tracer is None:
        yield _Nothing()
        return
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract(dict(carrier))
    span = tracer.start_span(name, parent, attributes=plain(attributes))
    with trace.use_span(span, record_exception=False):  # what an exception says may hold words
        yield _Sent(span, tracer)


def start(url: str, *, share: float = 1.0, service: str = "groundwork", exporter: Any = None) -> None:
    """Send spans to `url` from now on; "" sends none. share: of all traces, from 0 to 1. Safe to call twice.

    exporter: another one than that of OTLP. Raises SettingsError where the packages are not installed.
    """
    global _provider, _tracer
    if not url and exporter is None:
        return
    with _lock:
        if _tracer is not None:
            return
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
            from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
        except ImportError:
            raise SettingsError(
                "`telemetry.traces_url` is set, but what sends traces is not installed.",
                next_step="Install it: pip install 'groundwork[telemetry]'.",
            ) from None
        _provider = TracerProvider(
            resource=Resource.create({"service.name": service}),
            sampler=ParentBased(TraceIdRatioBased(share)),
            shutdown_on_exit=False,
        )
        _provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter(endpoint=url)))
        _tracer = _provider.get_tracer("groundwork")


def stop() -> None:
    """Send what is left, and no more; waits at most three seconds."""
    global _provider, _tracer
    with _lock:
        provider, _provider, _tracer = _provider, None, None
    if provider is not None:
        provider.force_flush(_WITHIN_MS)
        provider.shutdown()
