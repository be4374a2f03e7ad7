from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from app import services
from core.workbench.facade import Workbench

PASSWORD = "correct horse"
BATCH = "0" * 32


@pytest.mark.parametrize(("name", "status"), [("ann", 403), ("root", 201)])
def test_a_file_is_taken_in_from_who_may_ingest_alone(
    home: Workbench, client: TestClient, name: str, status: int
) -> None:
    client.post("/sign-in", data={"name": name, "password": PASSWORD})

    answer = client.put(f"/api/uploads/{BATCH}?name=a.txt", content=b"text")

    assert answer.status_code == status
    assert services.staging().folder(BATCH).exists() is (status == 201)
