from __future__ import annotations

import pytest

from core.errors import UsageError
from core.workbench.trust.passwords import LONGEST, is_password, needs_rehash, new_password, password_hash


def test_a_password_fits_its_own_hash_alone() -> None:
    hashed = password_hash("correct horse")

    assert hashed.startswith("$argon2id$")
    assert hashed != password_hash("correct horse")
    assert is_password("correct horse", hashed)
    assert not is_password("correct horsf", hashed)
    assert not needs_rehash(hashed)


@pytest.mark.parametrize("password", ["", "short", "aaaaaaaaaaaaaa", "a" * (LONGEST + 1)])
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(UsageError, match="needs 10 to"):
        password_hash(password)


def test_without_a_hash_nothing_fits() -> None:
    for password in ("", "anything at all", "x" * 10_000, "\ud800"):
        assert not is_password(password, "")
        assert not is_password(password, "no hash")


def test_made_passwords_are_good_ones_and_differ() -> None:
    first, second = new_password(), new_password()

    assert first != second
    assert is_password(first, password_hash(first))
