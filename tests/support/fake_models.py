"""Settings of the fake workbench: a language model that is described, chosen and tested without a server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from core.config.llm_choices import ModelChoice, describe_choices, key_origin, with_choices
from core.config.models import LlmSettings
from core.domain.llm.report import DaySpending, KindTest, ModelHistory, ModelTestReport
from core.domain.principal import require_admin
from tests.support.fake_service import FakeService

TODAY = datetime(2026, 11, 25, tzinfo=UTC)


class FakeModels:
    """Part of the fake workbench. history, tests: what it tells; said: raised by a test.

    hangs: a test goes on until it is cancelled.
    """

    def __init__(self) -> None:
        self.llm = LlmSettings()
        self.choices: dict[str, str] = {}
        self.history: ModelHistory | None = None
        self.tests: list[KindTest] = []
        self.said: Exception | None = None
        self.hangs = False
        self.cancelled = threading.Event()


class FakeSettings(FakeService):
    """The service of one principal."""

    @property
    def _models(self) -> FakeModels:
        assert isinstance(self._fake, FakeModels)
        return self._fake

    @property
    def llm(self) -> LlmSettings:
        return with_choices(self._models.llm, self._models.choices)

    @property
    def model_choices(self) -> tuple[ModelChoice, ...]:
        return describe_choices(self._models.llm, self.llm, self._models.choices)

    @property
    def model_key_origin(self) -> str:
        return key_origin(self.llm)

    def model_history(self, days: int = 14) -> ModelHistory:
        dates = [TODAY.date() - timedelta(days=back) for back in reversed(range(days))]
        return self._models.history or ModelHistory(days=tuple(DaySpending(day=day) for day in dates))

    def choose_model(self, **choices: str) -> LlmSettings:
        require_admin(self._principal, "choose language models")
        wanted = {**self._models.choices, **choices}
        kept = {name: value for name, value in wanted.items() if value}
        with_choices(self._models.llm, kept)
        self._models.choices = kept
        return self.llm

    def test_model(
        self,
        on_test: Callable[[KindTest], None],
        on_begin: Callable[[Callable[[], None]], None] = lambda cancel: None,
    ) -> ModelTestReport:
        on_begin(self._models.cancelled.set)
        if self._models.said is not None:
            raise self._models.said
        for each in self._models.tests:
            on_test(each)
        if self._models.hangs:
            self._models.cancelled.wait(30)
        return ModelTestReport(server="fake", calls=tuple(self._models.tests))
