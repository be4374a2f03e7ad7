"""The process of a cross-encoder, where there is nothing to load."""

from pathlib import Path

from core.rerank.cross_encoder_child import _start


def test_a_folder_without_a_model_answers_every_task_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"none")
    work = _start(str(tmp_path))
    for _ in range(2):
        reply = work(("Which?", ["This."]))
        assert (reply.value, bool(reply.reason)) == (None, True)
