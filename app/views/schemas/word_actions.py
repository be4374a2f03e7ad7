"""Actions of fields in words: tried, judged, settled, learnt, and many added at once."""

from __future__ import annotations

from app import services, state
from app.components.shell import guarded
from app.presenting.field_draft import Draft, worded_of
from app.presenting.word_trial_words import plain_verdict, verdict_of
from core.config.field_words import lines_of
from core.domain.fields import Quote
from core.domain.ids import DocumentId, JobId
from core.fields.word_field import Contradiction, FieldVerdict


def mark_of(schema: str, draft: Draft, bucket: str) -> str:
    """Tells one field in words on one bucket from another."""
    return (
        f"{schema}\0{bucket}\0{draft.title}\0{draft.type}\0{draft.description}\0{draft.lines}{draft.synonyms}"
    )


@guarded
def begin(schema: str, draft: Draft, mark: str) -> None:
    """Begin a trial; what is wrong with the words is said instead."""
    state.set_word_trial("")
    services.session().word_fields.check(schema, worded_of(draft), own=draft.name if draft.kept else "")
    state.set_word_trial(mark)


def end() -> None:
    """Give a trial up."""
    state.set_word_trial("")


def judge(mark: str, document: DocumentId, quote: Quote | None) -> None:
    """Note a verdict of a trial; quote: None where the document does not state the field."""
    others = [each for each in state.word_verdicts(mark) if each["document"] != str(document)]
    state.set_word_verdicts(mark, [*others, plain_verdict(document, quote)])


def verdicts_on(schema: str, draft: Draft) -> list[FieldVerdict]:
    """Verdicts of the trial of this field that are not kept yet; [] for a field that is found otherwise."""
    if draft.method != "words":
        return []
    bucket = str(state.widget(f"try-{schema}", ""))
    return [verdict_of(each) for each in state.word_verdicts(mark_of(schema, draft, bucket))]


@guarded
def keep(schema: str, field: str, draft: Draft) -> None:
    """Keep the verdicts of a trial on a field that is there, and learn from them."""
    given = verdicts_on(schema, draft)
    service = services.session().word_fields
    service.judge(schema, field, given)
    state.set_word_verdicts("", [])
    state.flash("The verdicts are kept. The field is being learnt.", service.learn(schema, field))


@guarded
def learn(schema: str, field: str) -> None:
    """Learn a field from all its verdicts."""
    state.flash("The field is being learnt.", services.session().word_fields.learn(schema, field))


@guarded
def settle(schema: str, field: str, pair: Contradiction, is_stated: bool) -> None:
    """Judge a sentence of two documents alike, as a person chose."""
    state.flash(
        "Both documents are judged alike now. The field is being learnt.",
        services.session().word_fields.settle(schema, field, pair, is_stated=is_stated),
    )


@guarded
def add_many(schema: str, text: str) -> None:
    """Add a field for each line; one job fills them all."""
    service = services.session().word_fields
    fields = service.read_lines(schema, lines_of(text))
    job: JobId | None = service.add_many(schema, fields)
    filled = " One job fills them; it can be cancelled on the page Jobs." if job else ""
    state.flash(f"{len(fields):,} fields are added.{filled}", job)
