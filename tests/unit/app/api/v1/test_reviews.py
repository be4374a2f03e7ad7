from starlette.testclient import TestClient

QUESTIONS = ("What is the governing law of Cobalt?", "How many contracts are there?")


def test_flagged_answers_are_listed_in_pages_and_judged(rest: TestClient) -> None:
    for question in QUESTIONS:
        asked = rest.post("rag/query", json={"question": question, "offline": True}).json()
        assert rest.post("rag/feedback", json={"id": asked["id"], "feedback": "wrong"}).status_code == 200
    first = rest.get("reviews", params={"limit": 1}).json()
    second = rest.get("reviews", params={"limit": 1, "cursor": first["next_cursor"]}).json()
    items = first["reviews"] + second["reviews"]
    assert (first["total"], second["next_cursor"]) == (2, None)
    assert {each["question"] for each in items} == set(QUESTIONS)

    path, seen = f"reviews/{items[0]['id']}", items[0]["revision"]
    verdict = {"verdict": "partly", "note": "one page off", "claims": [{"claim": 0, "verdict": "correct"}]}
    kept = rest.post(path, json={**verdict, "revision": seen}).json()["review"]
    assert (kept["state"], kept["verdict"], kept["note"]) == ("resolved", "partly", "one page off")

    assert rest.post(path, json={**verdict, "revision": seen}).status_code == 409
    assert [each["id"] for each in rest.get("reviews").json()["reviews"]] == [items[1]["id"]]
    assert rest.get("reviews", params={"state": "all"}).json()["total"] == 2
    assert rest.get("reviews", params={"state": "all", "cursor": first["next_cursor"]}).status_code == 400


def test_verdicts_that_do_not_fit_are_refused(rest: TestClient) -> None:
    assert rest.post("reviews/none", json={"verdict": "correct"}).status_code == 404
    for body in (
        {},
        {"verdict": "fine"},
        {"verdict": "wrong", "claims": [{"claim": -1, "verdict": "wrong"}]},
    ):
        assert rest.post("reviews/none", json=body).status_code == 422
