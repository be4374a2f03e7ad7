"""Documents labelled by their own headings, for clause types outside CUAD, the way LEDGAR was made.

A section whose heading names the type is the clause. The heading is taken out of what the heads see, so that
they also find the clause where nothing names it.
Source: Tuggener et al. 2020, LEDGAR.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.clauses.calibration import fit_calibration
from bench.clauses.gold import as_document, read_document
from bench.clauses.headed_types import TYPES
from bench.clauses.stage import fit_stage
from bench.clauses.training import Prepared, fit, prune_heads, scored
from core.domain.document import Page
from core.extract.base import DocumentText
from core.extract.clauses.artefact_file import HeadGroup
from core.extract.clauses.features import Frequencies, PatternBits, paragraph_features, segment_features
from core.extract.clauses.heads import FEATURES, LinearHeads, measure
from core.extract.clauses.segments import Segment, Segmented, segment
from core.ingest.clean import normalise

NAMES = tuple(TYPES)
MERGERS = 6
LONGEST_SECTION = 40
"""Segments under one heading, above which the heading was not ended rather than meant for all of them."""

IMPLIED = {
    "cap_on_liability": "limitation_of_liability",
    "uncapped_liability": "limitation_of_liability",
    "termination_for_convenience": "termination",
    "warranty_duration": "warranties",
    "ip_ownership_assignment": "intellectual_property",
    "joint_ip_ownership": "intellectual_property",
}
"""What lawyers marked as a narrower type is an example of the wider one."""

_RUN_IN = re.compile(r"^(?:[\dIVXLC.()a-z]{1,8}\s+)?(?:[A-Z][^.:;]{2,70}?)[.:\u2014]\s+(?=[A-Z\"\u201c(])")
_MIXED = re.compile(r"[;,/]|\band\b|&")


def read_others(data: Path) -> list[DocumentText]:
    """The NDAs of contractnli and some merger agreements of legalbenchrag, without near-duplicate names."""
    ndas = json.loads((data / "contractnli" / "dev.json").read_text(encoding="utf-8"))["documents"]
    found = [as_document(each["file_name"], [Page(1, normalise(each["text"]))], "ndas") for each in ndas]
    mergers = sorted(
        (data / "legalbenchrag" / "corpus" / "maud").glob("*.txt"), key=lambda path: path.stat().st_size
    )
    found += [read_document(path, "mergers") for path in mergers[:MERGERS]]
    return found


def prepare_headed(
    text: str, patterns: PatternBits, spans: Mapping[str, Sequence[tuple[int, int]]] | None = None
) -> Prepared:
    """A document with labels from its headings. spans: lawyers' quotes of CUAD's types, by head."""
    document = segment(text)
    labels = np.zeros((len(document.segments), len(NAMES)), np.uint8)
    known = np.ones(labels.shape, bool)
    yes, judged = np.zeros(len(NAMES), bool), np.zeros(len(NAMES), bool)
    lowered = [each.text.lower() for each in document.segments]
    for head, name in enumerate(NAMES):
        cues = np.array([bool(_cue(name).search(each)) for each in lowered], bool)
        _label(document, name, cues, labels[:, head], known[:, head])
        for narrow, wide in IMPLIED.items():
            if wide == name and spans:
                labels[_inside(document, spans.get(narrow, ())), head] = 1
        known[labels[:, head] == 1, head] = True
        yes[head] = labels[:, head].sum() > 0
        judged[head] = yes[head] or not cues.any()
        if not yes[head]:
            known[cues, head] = False
    bare = _without_headings(document)
    units = segment_features(bare, patterns)
    firsts = [each.first for each in document.paragraphs]
    of_paragraphs = np.maximum.reduceat(labels, firsts, axis=0) if firsts else labels
    return Prepared(
        document, units, paragraph_features(bare, units.bits), labels, of_paragraphs, known, yes, judged
    )


def _cue(name: str) -> re.Pattern[str]:
    return re.compile(TYPES[name].cue)


def _label(
    document: Segmented,
    name: str,
    cues: NDArray[np.bool_],
    labels: NDArray[np.uint8],
    known: NDArray[np.bool_],
) -> None:
    kind = TYPES[name]
    headings, neutral = re.compile(kind.headings), re.compile(kind.neutral) if kind.neutral else None
    under: dict[str, list[int]] = {}
    for index, each in enumerate(document.segments):
        for title in each.section:
            lowered = title.lower()
            if headings.search(lowered):
                if neutral and neutral.search(lowered):
                    known[index] = False
                else:
                    under.setdefault(title, []).append(index)
    for title, indices in under.items():
        mixed = len(indices) > LONGEST_SECTION or bool(_MIXED.search(title))
        for index in indices:
            if not mixed or cues[index]:
                labels[index] = 1
            else:
                known[index] = False


def _inside(document: Segmented, spans: Sequence[tuple[int, int]]) -> list[int]:
    return [
        index
        for index, each in enumerate(document.segments)
        for start, end in spans
        if min(each.end, end) - max(each.start, start) >= 0.5 * min(each.end - each.start, end - start)
    ]


def _without_headings(document: Segmented) -> Segmented:
    """The same segments without the headings above them and without the title that one begins with."""
    firsts = {each.first for each in document.paragraphs}
    bare = tuple(
        _bare(each, index in firsts and bool(each.section)) for index, each in enumerate(document.segments)
    )
    paragraphs = tuple(replace(each, section=()) for each in document.paragraphs)
    return Segmented(bare, paragraphs, document.length)


def _bare(each: Segment, begins: bool) -> Segment:
    text = each.text
    if begins:
        text = _RUN_IN.sub("", text, count=1)
        title = each.section[-1]
        if text.strip(" .:").endswith(title) and len(text) < len(title) + 20:
            text = ""
    return replace(each, section=(), text=text)


def fit_headed(
    documents: Sequence[Prepared],
    fold: NDArray[np.int64],
    groups: Sequence[NDArray[np.int64]],
    frequencies: Frequencies,
    keep: int,
) -> tuple[LinearHeads, HeadGroup]:
    """Heads of all documents, and the stage and calibration from what heads of the other folds say."""
    shape = (len(documents), len(NAMES))
    features = np.zeros((*shape, len(FEATURES)))
    for each in range(int(fold.max()) + 1):
        heads = prune_heads(
            fit([documents[i] for i in np.flatnonzero(fold != each)], NAMES, frequencies), keep
        )
        for index in np.flatnonzero(fold == each):
            features[index] = measure(scored(heads, documents[index]), groups)
    yes = np.array([each.yes for each in documents])
    judged = np.array([each.judged for each in documents])
    logits = np.zeros(shape)
    for each in range(int(fold.max()) + 1):
        seen = fold != each
        stage = fit_stage(features[seen], yes[seen], judged[seen], boosted=False)
        logits[~seen] = [stage.logits(one) for one in features[~seen]]
    calibration = fit_calibration(np.where(judged, logits, np.nan), yes)
    part = HeadGroup(len(NAMES), fit_stage(features, yes, judged, boosted=False), calibration)
    return prune_heads(fit(documents, NAMES, frequencies), keep), part
