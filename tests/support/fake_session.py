"""A session of the fake workbench: services for one principal, in front of its calls."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from core.domain.principal import Principal
from core.domain.trust.permission import PolicyRequest
from core.guard.policies.in_force import Policies
from tests.support.fake_models import FakeSettings
from tests.support.fake_service import CALLS, FakeService

SHIPPED = Policies(Path(__file__).parent / "no-home")
"""Those of a home that has none of its own."""


class FakeSession:
    """Every service of the fake workbench for a principal."""

    def __init__(self, fake: object, principal: Principal) -> None:
        self.principal = principal
        self.may = lambda action: SHIPPED.decide(principal, PolicyRequest(action)).is_allowed
        self.summaries = SimpleNamespace(model="")
        self.experiments = SimpleNamespace(staleness=tuple)
        self.datasets = SimpleNamespace(list=list)
        self.audit_log = SimpleNamespace(note=lambda *_: None)
        for name in {name for name, _ in CALLS}:
            kind = FakeSettings if name == "settings" else FakeService
            setattr(self, name, kind(fake, name, principal))
