"""Train the reader of questions on composed and written questions, and write the artefact.

The network learns from composed questions and from all writers but `bench.reader.writers.DEVELOPMENT` and a
seventh of the lines of those who told all labels; the linker's weights, existence and confidence are fitted
on these, one writer held against the others, and the figures are theirs. Writers kept apart are in neither.
The defaults are those of the shipped artefact. `bench.reader.known_texts` and `bench.reader.carrier_words`
have to follow each training.

    python -m bench.train_reader [--composed 24000] [--repeats 11] [--labelled 19] [--out FOLDER]
        [--without FILE] [--date ISO] [--on FOLDER [--rate 6e-5]]
    python -m bench.train_reader --refit FOLDER

--on: goes on from the network of an artefact instead of the shipped encoder's.
--refit: only what is fitted on these writers, anew, over the network and the phrases of an artefact.
--without FILE: names of fields, "schema.field" a line, of which nothing is learnt: the figures of these
fields on the writers' questions say how a field is read that a home adds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path

from bench.reader.artefact_file import to_files
from bench.reader.contexts import WITH_FIELDS as SCHEMAS
from bench.reader.examples import Example, Item, composed, encode
from bench.reader.export import bank_of, layers_of, network_of, sources
from bench.reader.figures import Figures, Verdict, figures, table, told, told_table, verdict
from bench.reader.fitting import (
    fit_confidence,
    fit_existence,
    fit_links,
    gold_queries,
    link_choices,
    weights_by_hand,
)
from bench.reader.labels import labelled
from bench.reader.recombined import Recombiner
from bench.reader.resume import resumed
from bench.reader.training import Recipe, all_candidates, train
from bench.reader.writers import DEVELOPMENT, shipped_fields, written
from core.domain.passage import Vector
from core.encode.identity import BUILT_IN, find_model
from core.encode.minilm import MiniLm, TransformerLayer
from core.encode.tokens import WordPieceCounter
from core.plan.readers.trained.linker import (
    SIGNS,
    Confidence,
    Existence,
    LinkTarget,
    LinkWeights,
    PhraseBank,
    TextVectors,
)
from core.plan.readers.trained.network import ReaderNetwork
from core.plan.readers.trained.reading import QuestionReading
from core.plan.readers.trained.trained import SHIPPED, ReaderArtefact, TrainedReader, read_artefact, signs_of

UNFITTED = Confidence((0.0,) * len(SIGNS), 0.0)
BARE_SHARE = 0.25
"""Of fields that a fitting sees as if no phrase of them were known, as a home's own fields are."""


def main() -> None:
    """Train, print figures, and store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--composed", type=int, default=24_000, help="questions from frames")
    parser.add_argument("--repeats", type=int, default=11, help="of each written question, parts exchanged")
    parser.add_argument("--labelled", type=int, default=19, help="repeats of those with all labels")
    parser.add_argument("--minutes", type=float, default=0.0, help="of training at most, 0 for no end")
    parser.add_argument("--most", type=int, help="examples at most, to try whether it runs")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--without", type=Path, help="fields of which nothing is learnt, one a line")
    parser.add_argument(
        "--tuned", type=int, default=Recipe().tuned, help="layers of the encoder, the upper ones"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--date",
        type=date.fromisoformat,
        default=datetime.now(UTC).date(),
        help="of the training; default: today",
    )
    parser.add_argument("--on", type=Path, help="folder of an artefact whose network is trained on")
    parser.add_argument("--rate", type=float, default=Recipe().rate, help="of learning")
    parser.add_argument("--refit", type=Path, help="folder of an artefact to be fitted anew")
    options = parser.parse_args()
    started = time.perf_counter()
    if options.refit is not None:
        refit(options.refit, options.seed)
        return
    without = frozenset(options.without.read_text().split()) if options.without else frozenset()
    encoder = MiniLm.load(find_model(BUILT_IN))
    counter = WordPieceCounter.load(find_model(BUILT_IN))
    items = list(written())
    development = [each for each in items if each.is_held]
    taught = [each for each in items if not each.is_held and not mentions(each, without)]
    made = [labelled(each) for each in composed(options.seed, options.composed, without)]
    recombiner = Recombiner(taught, options.seed)
    anew = (
        *recombiner.items(options.repeats),
        *recombiner.items(options.labelled - options.repeats, lambda each: each.is_labelled),
    )
    learnt = [encode(each, counter) for each in (*taught, *anew, *made)]
    random.Random(options.seed).shuffle(learnt)
    learnt = learnt[: options.most]
    print(
        f"{len(made):,} composed, {len(taught):,} written, {time.perf_counter() - started:.0f} s", flush=True
    )
    strangers = [
        each
        for each in all_candidates(learnt)
        if each.schema and f"{each.schema}.{each.field}" not in without
    ]
    model = train(
        learnt,
        strangers,
        encoder,
        counter,
        Recipe(
            tuned=options.tuned,
            seed=options.seed,
            most_s=60 * options.minutes,
            rate=options.rate,
            head_rate=5 * options.rate,
        ),
        1.0,
        _say,
        resumed(read_artefact(options.on)) if options.on else None,
    )
    network = network_of(model, encoder)
    bank = bank_of(network, learnt, SCHEMAS, options.seed)
    unfitted = ReaderArtefact(
        layers_of(model),
        network.heads,
        weights_by_hand(),
        bank,
        Existence((0.0,) * len(Existence.SIGNS), 0.0),
        UNFITTED,
        encoder.signature.sha256,
        {},
    )
    store(options.out, unfitted)  # `--refit` goes on from it where fitting breaks off
    judged = [encode(each, counter) for each in development]
    fit, verdicts = fitted(encoder, network, layers_of(model), bank, judged, options.seed)
    report = reported(verdicts)
    if without:
        report.append(
            ("fields left out", figures([each for each in verdicts if mentions(each.item, without)]))
        )
    print(table(report), told_table(told(verdicts)), sep="\n", flush=True)
    facts = {
        "date": options.date.isoformat(),
        "composed": len(made),
        "written": len(taught),
        "writers": sources(taught),
        "fitted on": sources(development),
        "fields and polarity right": round(figures(verdicts).fields, 3),
        "whole readings right": round(figures(verdicts).whole, 3),
    }
    store(
        options.out,
        ReaderArtefact(
            layers_of(model),
            network.heads,
            fit.weights,
            bank,
            fit.existence,
            fit.confidence,
            encoder.signature.sha256,
            facts,
        ),
    )
    print(f"{time.perf_counter() - started:.0f} s")


@dataclass(frozen=True, slots=True)
class Fit:
    """What is fitted on writers that the network did not see."""

    weights: LinkWeights
    existence: Existence
    confidence: Confidence


def refit(folder: Path, seed: int) -> None:
    """Fit the artefact in `folder` anew, and print its figures."""
    encoder = MiniLm.load(find_model(BUILT_IN))
    counter = WordPieceCounter.load(find_model(BUILT_IN))
    stored = read_artefact(folder)
    network = ReaderNetwork(encoder, stored.layers, stored.heads)
    judged = [encode(each, counter) for each in written() if each.is_held]
    fit, verdicts = fitted(encoder, network, stored.layers, stored.bank, judged, seed)
    print(table(reported(verdicts)), told_table(told(verdicts)), sep="\n", flush=True)
    facts = dict(stored.facts) | {
        "fitted on": sources([each.item for each in judged]),
        "fields and polarity right": round(figures(verdicts).fields, 3),
        "whole readings right": round(figures(verdicts).whole, 3),
    }
    store(
        folder,
        replace(stored, weights=fit.weights, existence=fit.existence, confidence=fit.confidence, facts=facts),
    )


def reported(verdicts: Sequence[Verdict]) -> list[tuple[str, Figures]]:
    """Figures of each writer, and of all of them."""
    names = sources([each.item for each in verdicts])
    of = [(name, figures([each for each in verdicts if each.item.source == name])) for name in names]
    whole = [each for each in verdicts if each.item.source in DEVELOPMENT]
    return [*of, ("writers held apart", figures(whole)), ("all", figures(verdicts))]


def mentions(item: Item, fields: frozenset[str]) -> bool:
    """True where a question asks for one of these fields, by "schema.field"."""
    return any(f"{link.schema}.{link.field}" in fields for span in item.reading.spans for link in span.links)


def fitted(
    encoder: MiniLm,
    network: ReaderNetwork,
    layers: tuple[TransformerLayer, ...],
    bank: PhraseBank,
    examples: Sequence[Example],
    seed: int,
) -> tuple[Fit, list[Verdict]]:
    """Weights, existence and confidence from examples that the network did not see.

    With the verdict on each example as it is read by weights of the other writers. Confidence is fitted on
    questions over fields: of columns, whose cells say more than writers saw, `core.plan.tables` judges.
    """
    vectors = TextVectors(encoder, network)
    others: tuple[LinkTarget, ...] = tuple(each for schema in SCHEMAS for each in shipped_fields(schema))
    rng = random.Random(seed)

    names = sources([each.item for each in examples])
    choices_of = {
        name: link_choices(
            gold_queries(network, encoder, [each for each in examples if each.item.source == name]),
            vectors,
            bank,
            others,
            rng,
            BARE_SHARE,
        )
        for name in names
    }

    def links_of(left_out: str = "") -> tuple[LinkWeights, Existence]:
        choices = [each for name in names if name != left_out for each in choices_of[name]]
        weights = fit_links(choices)
        return weights, fit_existence(choices, weights)

    known: list[Vector] = []
    verdicts: list[Verdict] = []
    for name in names:
        weights, existence = links_of(name)
        artefact = ReaderArtefact(
            layers, network.heads, weights, bank, existence, UNFITTED, encoder.signature.sha256, {}
        )
        reader = TrainedReader(encoder, artefact)
        space_of = lru_cache(maxsize=4)(reader.space)
        for each in examples:
            if each.item.source == name:
                read = reader.words(each.item.reading.question)
                reading = reader.link(read, space_of(each.item.candidates))
                known.append(signs_of(read, reading.operations, reading.spans))
                verdicts.append(verdict(each.item, reading))
    over_fields = [number for number, each in enumerate(verdicts) if each.item.candidates[0].schema]
    confidence = fit_confidence(
        [known[number] for number in over_fields], [verdicts[number].whole for number in over_fields]
    )
    scored = [
        replace(each, reading=_sure(each.reading, row, confidence))
        for each, row in zip(verdicts, known, strict=True)
    ]
    return Fit(*links_of(), confidence), scored


def _sure(reading: QuestionReading, row: Vector, confidence: Confidence) -> QuestionReading:
    return replace(reading, probability=confidence.of_signs(row))


def store(folder: Path, artefact: ReaderArtefact) -> None:
    """Write an artefact's files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in to_files(artefact).items():
        (folder / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
