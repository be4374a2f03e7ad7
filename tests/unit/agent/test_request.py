from core.agent.request import label_of


def test_labels_follow_the_confidence() -> None:
    assert [label_of(value).value for value in (0.0, 0.4, 0.7, 1.0)] == ["LOW", "MEDIUM", "HIGH", "HIGH"]
