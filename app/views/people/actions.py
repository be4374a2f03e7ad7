"""What the buttons of the page People do."""

from __future__ import annotations

from app import services, state
from core.errors import UsageError


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


def _names(key: str) -> list[str]:
    """Names of a text field, between commas."""
    return [each.strip() for each in str(state.widget(key, "")).split(",") if each.strip()]
