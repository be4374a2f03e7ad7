"""Actions of the page Schemas: fields tried, saved, removed or brought back, judged and learnt."""

from __future__ import annotations

from collections.abc import Sequence

from app import services, state
from app.components.shell import guarded, plain
from app.presenting.field_draft import Draft, definition_of, worded_of
from app.presenting.word_trial_words import plain_verdict, verdict_of
from app.views.schemas.fields import trial_of
from core.config.field_words import lines_of
from core.domain.fields import PromiseLevel, Quote
from core.domain.ids import DocumentId, JobId
from core.errors import GroundworkError
from core.fields.word_field import Contradiction, FieldVerdict

NEW = "+"
TRIED = 10


def pick(field: str | None) -> None:
    """Open a field, NEW for the form of a new one, None for none."""
    state.to_address(field=field)


def mark_of(draft: Draft, bucket: str) -> str:
    """Tells one draft in one bucket from another."""
    return f"{bucket}\0{draft!r}"


def try_out(draft: Draft, bucket: str) -> None:
    """Look for the field in ten documents; what is found, or what is wrong, is shown on this run."""
    session = services.session()
    try:
        definition = definition_of(draft)
        found = session.schemas.try_field(definition, bucket, TRIED)
    except GroundworkError as error:
        state.complain(error.message, error.next_step)
        return
    state.set_trial(mark_of(draft, bucket), trial_of(found))


@guarded
def save(schema: str, draft: Draft, is_new: bool) -> None:
    """Add or change the field; the job that fills it is said."""
    session = services.session()
    definition = definition_of(draft)
    if is_new and draft.method == "words":
        session.word_fields.check(schema, worded_of(draft))
        job = session.word_fields.add(schema, definition, verdicts_on(schema, draft))
        _said(f"“{plain(definition.title)}” is a field now.", job)
    elif is_new:
        job = session.schemas.add_field(schema, definition)
        _said(f"“{plain(definition.title)}” is a field now.", job)
    else:
        job = session.schemas.change_field(schema, definition)
        _said(f"“{definition.title}” is changed.", job)
    pick(definition.name)


@guarded
def count_kinds(schema: str, kinds: Sequence[str]) -> None:
    """Let questions about documents of a schema count these kinds, none for all."""
    services.session().schemas.count_kinds(schema, kinds)
    state.flash("Saved. Answers count by it from now on, and say what they leave out.")


@guarded
def remove(schema: str, field: str) -> None:
    """Take a field out of sight."""
    services.session().schemas.remove_field(schema, field)
    state.flash("The field is removed. Its cells are kept: “Restore” brings it back.")
    state.removed.set(field)
    pick(None)


@guarded
def restore(schema: str, field: str) -> None:
    """Bring a field back."""
    job = services.session().schemas.restore_field(schema, field)
    _said("The field is back, with its cells.", job)
    pick(field)


@guarded
def move_lines(bucket: str, field: str, absent_below: float | None, present_from: float | None) -> None:
    """Move the thresholds of a field, or back to the shipped ones."""
    job = services.session().thresholds.move(bucket, field, absent_below, present_from)
    _said("The lines are moved.", job)


@guarded
def choose_promise(bucket: str, level: PromiseLevel) -> None:
    """Decide the clauses of a bucket by another promise level."""
    job = services.session().thresholds.set_promise(bucket, level)
    _said(f"Clauses of {bucket} are decided by the level “{level.value}”.", job)


@guarded
def retrain() -> None:
    """Begin to train clause heads on the verdicts of this home."""
    job = services.session().thresholds.submit_retrain()
    state.flash("The clause models are being trained on your verdicts.", job)


@guarded
def use_model(model: str | None) -> None:
    """Switch to a model of this home, or back to the shipped one."""
    _said("The model is switched.", services.session().thresholds.use_model(model))


def _said(message: str, job: JobId | None) -> None:
    state.flash(f"{message} Its cells are being filled." if job else message, job)


def mark_of_words(schema: str, draft: Draft, bucket: str) -> str:
    """Tells one field in words on one bucket from another."""
    words = (draft.title, draft.type, draft.description, f"{draft.examples}{draft.synonyms}")
    return "\0".join((schema, bucket, *words))


@guarded
def begin(schema: str, draft: Draft, mark: str) -> None:
    """Begin a trial; what is wrong with the words is said instead."""
    state.word_trial.set("")
    services.session().word_fields.check(schema, worded_of(draft), own=draft.name if draft.kept else "")
    state.word_trial.set(mark)


def end() -> None:
    """Give a trial up."""
    state.word_trial.set("")


def judge(mark: str, document: DocumentId, quote: Quote | None) -> None:
    """Note a verdict of a trial; quote: None where the document does not state the field."""
    others = [each for each in state.word_verdicts(mark) if each["document"] != str(document)]
    state.set_word_verdicts(mark, [*others, plain_verdict(document, quote)])


def verdicts_on(schema: str, draft: Draft) -> list[FieldVerdict]:
    """Verdicts of the trial of this field that are not kept yet; [] for a field that is found otherwise."""
    if draft.method != "words":
        return []
    bucket = str(state.widget(f"try-{schema}", ""))
    return [verdict_of(each) for each in state.word_verdicts(mark_of_words(schema, draft, bucket))]


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
