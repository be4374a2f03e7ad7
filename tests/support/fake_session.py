"""A session of the fake workbench: services for one principal, in front of its calls."""

from __future__ import annotations

from types import SimpleNamespace

from core.domain.principal import Principal
from tests.support.fake_models import FakeSettings
from tests.support.fake_service import CALLS, FakeService


class FakeSession:
    """Every service of the fake workbench for a principal."""

    def __init__(self, fake: object, principal: Principal) -> None:
        self.principal = principal
        self.audit_log = SimpleNamespace(note=lambda *_: None)
        for name in {name for name, _ in CALLS}:
            kind = FakeSettings if name == "settings" else FakeService
            setattr(self, name, kind(fake, name, principal))
