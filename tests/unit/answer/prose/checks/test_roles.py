"""Who does what to whom."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.roles import check_roles


@pytest.mark.parametrize(
    ("claim", "source", "is_ok"),
    [
        ("Acme pays Zenith a fee.", "Acme pays Zenith a fee.", True),
        ("Zenith pays Acme a fee.", "Acme pays Zenith a fee.", False),
        ("Zenith is paid by Acme.", "Acme paid Zenith.", True),
        ("Acme is paid by Zenith.", "Acme paid Zenith.", False),
        ("The Licensee shall indemnify the Licensor.", "The Licensor shall indemnify the Licensee.", False),
        ("Acme and Zenith merge.", "Zenith and Acme merge.", True),
    ],
)
def test_exchanged_parts_fail(claim: str, source: str, is_ok: bool) -> None:
    assert check_roles(align(claim, [source])).ok is is_ok
