"""A session gives each of its services, and a question imports none that it has no use for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.domain.principal import LOCAL_ADMIN
from core.workbench import Workbench
from core.workbench.services.base import Service
from core.workbench.session import Session

SERVICES = list(Session.__annotations__)


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_the_one_that_its_name_promises(tmp_path: Path, name: str) -> None:
    with Workbench.open(tmp_path) as bench:
        found = getattr(bench.for_principal(LOCAL_ADMIN), name)

    assert isinstance(found, Service)
    assert type(found).__name__ == Session.__annotations__[name]


def test_who_opens_a_session_imports_no_service() -> None:
    told = "import sys, core.workbench; print(*(name for name in sys.modules if '.services.' in name))"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout

    assert found.split() == []
