from __future__ import annotations

from dataclasses import replace

from core.domain.ids import DocumentId
from core.search.evidence.base import Span

PAGE = "The rent is EUR 900 a month, due on the first."
WHOLE = Span(DocumentId("d1"), 1, 1, 0, len(PAGE), PAGE, "Lease", "lease.txt")


def test_a_place_holds_itself_and_what_lies_within_it_on_its_own_page() -> None:
    part = WHOLE.part(PAGE, 12, 19)

    assert part.quote == "EUR 900"
    assert WHOLE.holds(WHOLE)
    assert WHOLE.holds(part)
    assert not part.holds(WHOLE)
    assert not WHOLE.holds(replace(part, page=2))
