"""Public questions with the texts that they are asked of, and where the answers stand in them."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from bench.answers.collection import Text


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set. label: 1 answerable, 0 not. group: questions of one group share a fold.

    gold: (source, start, end) spans of the answer in the text; empty where unknown or not answerable.
    history: the user's earlier turns, oldest first. bucket: where it is asked.
    """

    id: str
    text: str
    bucket: str
    label: int
    group: str
    gold: tuple[tuple[str, int, int], ...] = ()
    history: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Texts with the questions that are asked of them."""

    name: str
    texts: tuple[Text, ...]
    questions: tuple[Question, ...]


def mtrag(data: Path) -> QuestionSet:
    """mtrag_un: the pool of all contexts, by collection; every conversation turn is a question."""
    rows = [json.loads(line) for line in (data / "mtrag_un/visible.jsonl").read_text().splitlines()]
    texts: dict[tuple[str, str], Text] = {}
    questions = []
    for row in rows:
        bucket = f"mtrag-{row['Collection']}"
        for context in row["contexts"]:
            key = (bucket, context["document_id"])
            texts.setdefault(key, Text(bucket, context["document_id"], "", context["text"]))
        users = [turn["text"] for turn in row["input"] if turn["speaker"] == "user"]
        kind = row["answerability"][0]
        questions.append(
            Question(
                id=row["task_id"],
                text=users[-1],
                bucket=bucket,
                label=int(kind == "ANSWERABLE"),
                group=row["conversation_id"],
                history=tuple(users[:-1]),
                kind=kind,
            )
        )
    return QuestionSet("mtrag", tuple(texts.values()), tuple(questions))


def hotpot(data: Path) -> QuestionSet:
    """HotpotQA: 100 questions over all paragraphs of all of them."""
    rows = json.loads((data / "hotpotqa_100/questions.json").read_text())
    texts: dict[str, Text] = {}
    questions = []
    for at, row in enumerate(rows):
        for title, sentences in row["context"]:
            texts.setdefault(title, Text("hotpot", title, title, "".join(sentences)))
        gold = []
        for title, index in row["supporting_facts"]:
            sentences = dict(row["context"]).get(title, [])
            if index < len(sentences):
                start = sum(map(len, sentences[:index]))
                gold.append((title, start, start + len(sentences[index])))
        questions.append(Question(f"hotpot-{at}", row["question"], "hotpot", 1, f"hotpot-{at}", tuple(gold)))
    return QuestionSet("hotpot", tuple(texts.values()), tuple(questions))


def chunking(data: Path) -> QuestionSet:
    """chunking_eval: questions with their spans in three long texts."""
    folder = data / "chunking_eval"
    with (folder / "questions.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    names = sorted({row["corpus_id"] for row in rows})
    texts = tuple(
        Text("chunking", name, name.replace("_", " "), (folder / "corpora" / f"{name}.md").read_text("utf-8"))
        for name in names
    )
    questions = tuple(
        Question(
            id=f"chunking-{at}",
            text=row["question"],
            bucket="chunking",
            label=1,
            group=f"chunking-{at}",
            gold=tuple(
                (row["corpus_id"], ref["start_index"], ref["end_index"])
                for ref in json.loads(row["references"])
            ),
        )
        for at, row in enumerate(rows)
    )
    return QuestionSet("chunking", texts, questions)


def contractnli(data: Path) -> QuestionSet:
    """ContractNLI: each hypothesis asked of one contract; not mentioned means not answerable."""
    stored = json.loads((data / "contractnli/dev.json").read_text())
    texts = []
    questions = []
    for document in stored["documents"]:
        bucket = f"nli-{document['id']}"
        texts.append(Text(bucket, str(document["id"]), document["file_name"], document["text"]))
        for key, annotation in document["annotation_sets"][0]["annotations"].items():
            mentioned = annotation["choice"] != "NotMentioned"
            gold = tuple((str(document["id"]), *document["spans"][at]) for at in annotation["spans"])
            questions.append(
                Question(
                    f"nli-{document['id']}-{key}",
                    stored["labels"][key]["hypothesis"],
                    bucket,
                    int(mentioned),
                    f"nli-{document['id']}",
                    gold if mentioned else (),
                )
            )
    return QuestionSet("contractnli", tuple(texts), tuple(questions))


SETS = {"mtrag": mtrag, "hotpot": hotpot, "chunking": chunking, "contractnli": contractnli}
