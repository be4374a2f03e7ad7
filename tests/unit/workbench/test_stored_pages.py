"""A web page as it was, through a session: for whom it is, and what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.principal import Principal
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.workbench import Workbench
from tests.support.roles import MAY_ASK


def test_a_stored_page_marks_the_quote_and_is_only_for_who_may_see_it(tmp_path: Path) -> None:
    page = tmp_path / "pump.html"
    page.write_text("<main><h1>Pump</h1><p>Check the fan.</p><script>x()</script></main>", "utf-8")
    text = tmp_path / "notes.txt"
    text.write_text("Plain words.", "utf-8")
    with Workbench.open(home=tmp_path / "home") as bench:
        bench.ingest([page, text], bucket="web", acl=("editors",))
        editor = bench.for_principal(Principal("ada", MAY_ASK, groups=frozenset({"editors"})))
        other = bench.for_principal(Principal("bob", MAY_ASK, groups=frozenset({"others"})))
        known = {Path(each.source).name: each.id for each in editor.documents.list()}
        shown = editor.documents.stored_page(known["pump.html"], None, PageSpan(1, 6, 20))
        assert shown is not None
        assert '<mark id="cited-words">Check the fan.</mark>' in shown
        assert "x()" not in shown
        assert editor.documents.stored_page(known["notes.txt"]) is None
        with pytest.raises(NotFoundError):
            other.documents.stored_page(known["pump.html"])
