from __future__ import annotations

import pytest

from tests.support.library import Library

LEASE = "The notice period is thirty days. The monthly rent is USD 4,500. The tenant pays for water."
MANUAL = (
    "# Maintenance\nDo this yearly:\n1. Switch off the cabinet.\n2. Clean the filters.\n3. Switch it on.\n"
)


@pytest.fixture
def library() -> Library:
    """A lease and a manual, in two buckets."""
    library = Library()
    library.add("lease.txt", LEASE, title="Warehouse lease", bucket="contracts")
    library.add("cabinet.txt", MANUAL, title="Cabinet manual", bucket="manuals")
    return library
