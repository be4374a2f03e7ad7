from __future__ import annotations

import pytest

from core.workbench.trust.sign_in import sealed, signed, unsealed, unsigned

KEY, OTHER = b"k" * 32, b"o" * 32


def test_a_signed_text_comes_back_and_a_changed_one_does_not() -> None:
    cookie = signed("abc-_1", KEY)

    assert unsigned(cookie, KEY) == "abc-_1"
    assert unsigned(cookie, OTHER) is None
    assert unsigned(cookie.replace("abc", "abd"), KEY) is None


@pytest.mark.parametrize("text", ["", ".", "abc", "abc.", ".abc", "a.b.c", "ä.ö", "\ud800.x"])
def test_what_was_never_signed_is_nothing(text: str) -> None:
    assert unsigned(text, KEY) is None
    assert unsealed(text, KEY, within_s=60) is None


def test_a_seal_runs_out() -> None:
    cookie = sealed("/documents?x=ü {}", KEY, now=1000)

    assert unsealed(cookie, KEY, within_s=60, now=1059) == "/documents?x=ü {}"
    assert unsealed(cookie, KEY, within_s=60, now=1060) is None
    assert unsealed(cookie, OTHER, within_s=60, now=1001) is None
