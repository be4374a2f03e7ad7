"""Actions of the page Schemas: fields tried, saved, removed or brought back."""

from __future__ import annotations

from app import services, state
from app.components.shell import guarded, plain
from app.presenting.field_draft import Draft, definition_of, worded_of
from app.views.schemas import word_actions
from app.views.schemas.fields import trial_of
from core.domain.fields import PromiseLevel
from core.domain.ids import JobId
from core.errors import GroundworkError

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
        job = session.word_fields.add(schema, definition, word_actions.verdicts_on(schema, draft))
        _said(f"“{plain(definition.title)}” is a field now.", job)
    elif is_new:
        job = session.schemas.add_field(schema, definition)
        _said(f"“{plain(definition.title)}” is a field now.", job)
    else:
        job = session.schemas.change_field(schema, definition)
        _said(f"“{definition.title}” is changed.", job)
    pick(definition.name)


@guarded
def remove(schema: str, field: str) -> None:
    """Take a field out of sight."""
    services.session().schemas.remove_field(schema, field)
    state.flash("The field is removed. Its cells are kept: “Restore” brings it back.")
    state.note_removed(field)
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
