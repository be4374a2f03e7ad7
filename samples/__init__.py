"""The sample collection: invented documents in five buckets, with a file of what is true of them."""

from __future__ import annotations

from pathlib import Path

COLLECTION = Path(__file__).parent / "collection"  # one folder a bucket
TRUTH = Path(__file__).parent / "truth.json"
QUESTIONS = Path(__file__).parent / "questions.jsonl"  # read by core.evaluate.suite, which describes it
FURTHER_QUESTIONS = Path(__file__).parent / "further_questions.jsonl"  # made by samples.source.questions
