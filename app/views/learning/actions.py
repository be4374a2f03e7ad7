"""Actions of the page Learning: words given a meaning or ignored, corrections forgotten, steps taken back."""

from __future__ import annotations

from app import services, state
from app.components.shell import guarded


def open_phrase(phrase: str) -> None:
    """Show what can be done with these words."""
    state.to_address(phrase=phrase)


def open_lesson(id: str) -> None:
    """Show a correction."""
    state.to_address(lesson=id)


def open_shape(shape: str) -> None:
    """Show failed questions of one shape."""
    state.to_address(shape=shape)


@guarded
def ask_again(shape: str) -> None:
    """Have the failed questions of a shape asked once more."""
    job = services.session().failures.ask_again(shape).id
    state.flash("They are asked again. What comes of it stands here once the job has ended.", job)


def sort_phrases(key: str, descending: bool) -> None:
    """Put the phrases in another order."""
    state.to_address(by=key, down=int(descending))


@guarded
def add_synonym(phrase: str, schema: str, field: str) -> None:
    """Let the words mean a field from the next question on."""
    session = services.session()
    changed = session.learning.add_phrase(field, phrase, schema=schema)
    state.undo.set(["synonym", phrase, schema, field, changed.title])
    state.to_address(phrase=None)


@guarded
def ignore(phrase: str) -> None:
    """Leave the words out of the list for good."""
    services.session().learning.ignore_phrase(phrase)
    state.undo.set(["ignored", phrase])
    state.to_address(phrase=None)


@guarded
def bring_back(phrase: str) -> None:
    """Count ignored words again."""
    services.session().learning.ignore_phrase(phrase, undo=True)
    state.undo.set([])
    state.flash("The words are counted again.")


@guarded
def take_back() -> None:
    """Undo the last step of this session."""
    session, done = services.session(), state.undo()
    if not done:
        return
    if done[0] == "synonym":
        session.learning.remove_phrase(done[3], done[1], schema=done[2])
    else:
        session.learning.ignore_phrase(done[1], undo=True)
    state.undo.set([])
    open_phrase(done[1])
    state.flash("It is as it was before.")


@guarded
def forget(lesson: str) -> None:
    """Delete a correction."""
    services.session().learning.forget(lesson)
    state.to_address(lesson=None)
    state.flash("The correction is forgotten: questions like it are planned by the rules again.")
