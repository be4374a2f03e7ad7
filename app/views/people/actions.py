"""What the buttons of the page People do."""

from __future__ import annotations

from app import services, state
from app.presenting.wording import counted
from core.domain.ids import DocumentId
from core.domain.principal import ADMINS_ONLY
from core.domain.trust.access import AccessTarget, PersonSight
from core.errors import UsageError
from core.workbench.trust.access import Grantees

EVERYBODY, ONLY, NOBODY, AS_BUCKET = "everybody", "only", "admins", "bucket"
"""Ways to open a bucket or document."""


def add() -> None:
    """Add the account of the form, and show its password once.

    The first one gets the password of the form: with it this page is shown to nobody but whoever signs in.
    """
    password = state.widget("people-password")
    if password is not None and not password:
        raise UsageError("The first account needs a password.", next_step="Choose one, to sign in with.")
    account, made = services.session().accounts.add(
        str(state.widget("people-name", "")),
        password=str(password or ""),
        display=str(state.widget("people-display", "")),
        roles=state.widget("people-roles", []),
        groups=_names("people-groups"),
    )
    services.forget_sign_in()
    if made:
        state.show_once(f"Password of {account.name}, to be changed at the first sign-in.", made)


def change(name: str) -> None:
    """Give an account the roles and groups of its form."""
    services.session().accounts.change(
        name,
        display=str(state.widget(f"person-display-{name}", "")),
        roles=state.widget(f"person-roles-{name}", []),
        groups=_names(f"person-groups-{name}"),
    )
    state.flash(f"{name} was changed.")


def disable(name: str) -> None:
    """Shut an account out."""
    services.session().accounts.disable(name)
    state.flash(f"{name} is disabled, and signed out everywhere.")


def enable(name: str) -> None:
    """Let an account in again."""
    services.session().accounts.enable(name)
    state.flash(f"{name} may sign in again.")


def reset(name: str) -> None:
    """Give an account a new password, and show it once."""
    password = services.session().accounts.reset_password(name)
    state.show_once(f"New password of {name}, to be changed at the next sign-in.", password)


def sign_out(name: str) -> None:
    """End every session of an account."""
    ended = services.session().accounts.end_sessions(name)
    state.flash(f"{name} was signed out of {ended} browser{'' if ended == 1 else 's'}.")


def set_group() -> None:
    """Make or change the group of the form."""
    name = str(state.widget("group-name", ""))
    services.session().accounts.set_group(
        name, roles=state.widget("group-roles", []), note=str(state.widget("group-note", ""))
    )
    state.flash(f"Group {name} is set.")


def remove_group() -> None:
    """Remove the chosen group."""
    name = str(state.widget("group-which", ""))
    services.session().accounts.remove_group(name)
    state.flash(f"Group {name} was removed.")


def set_access() -> None:
    """Save the access of the form."""
    target, grantees = _access()
    access = services.session().access
    if target.kind == "bucket":
        changed = access.set_bucket(target.id, grantees)
    else:
        changed = access.set_document(DocumentId(target.id), grantees)
    state.flash(f"Saved: {counted(changed, 'document')} changed access, from now on.")


def access_preview() -> PersonSight | None:
    """What the access of the form would change for the person chosen; None where nobody is.

    Raises UsageError where the form is not filled in.
    """
    person = str(state.widget("access-person", "") or "")
    if not person:
        return None
    target, grantees = _access()
    return services.session().access.preview(target, grantees, person)


def person_preview(name: str) -> PersonSight:
    """What the roles and groups of an account's form would change of what its owner sees."""
    inherited = services.session().accounts.get(name)
    roles = {*state.widget(f"person-roles-{name}", []), *(inherited.all_roles - inherited.roles)}
    return services.session().access.preview_person(name, groups=_names(f"person-groups-{name}"), roles=roles)


def _access() -> tuple[AccessTarget, Grantees]:
    """Target and grantees of the form."""
    kind = "document" if state.widget("access-kind") == "document" else "bucket"
    id = str(state.widget(f"access-{kind}", "") or "")
    if not id:
        raise UsageError(f"No {kind} is chosen.", next_step=f"Choose a {kind}.")
    way = state.widget("access-way", EVERYBODY)
    grantees: Grantees = "everybody"
    if way == ONLY:
        grantees = list(state.widget("access-keys", []))
    elif way == NOBODY:
        grantees = [ADMINS_ONLY]
    elif way == AS_BUCKET and kind == "document":
        grantees = "bucket"
    return AccessTarget("document" if kind == "document" else "bucket", id), grantees


def _names(key: str) -> list[str]:
    """Names of a text field, between commas."""
    return [each.strip() for each in str(state.widget(key, "")).split(",") if each.strip()]
