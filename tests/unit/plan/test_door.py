from __future__ import annotations

import pytest

from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import RefusedError
from core.plan.door import AdminDoor


def test_without_policies_nobody_but_an_admin_is_let_in() -> None:
    AdminDoor(LOCAL_ADMIN).require(())
    assert AdminDoor(LOCAL_ADMIN).refusal(None) is None

    reader = AdminDoor(Principal("ann", frozenset({"contract_read"})))
    assert reader.known_by == "contract_read"
    with pytest.raises(RefusedError, match="'admin'"):
        reader.require(())
