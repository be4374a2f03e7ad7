from pathlib import Path

import pytest

from core.config.load import load_settings
from core.errors import SettingsError


def test_an_empty_home_gives_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, {})

    assert settings.home == tmp_path
    assert settings.ingest.profile == "standard"


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "groundwork.toml").write_text("[app]\nport = 9000\nhost = '0.0.0.0'\n")

    settings = load_settings(tmp_path, {"GROUNDWORK_APP__PORT": "9001"})

    assert (settings.app.port, settings.app.host) == (9001, "0.0.0.0")


@pytest.mark.parametrize(
    ("toml", "environ", "named"),
    [
        ("[ingets]\n", {}, "ingets"),
        ("[ingest]\nprofil = 'long'\n", {}, "ingest.profil"),
        ("", {"GROUNDWORK_APP__PROT": "1"}, "app.prot"),
        ("[app]\nport = 99999\n", {}, "app.port"),
        ("[app\n", {}, "not valid TOML"),
        ("home = '/x'\n", {}, "home"),
        ("app = 3\n", {"GROUNDWORK_APP__PORT": "1"}, "app"),
        ("[index]\nurl = 'http://[::1'\n", {}, "index.url"),
        ("[index]\nurl = 'http://x/path'\n", {}, "index.url"),
        ("[index]\nengine = 'weaviate'\n", {}, "GROUNDWORK_INDEX__URL"),
        ("[index]\nurl = 'http://x:50051'\n", {}, "index.grpc_port"),
        ("[index]\ndeadline_s = inf\n", {}, "index.deadline_s"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(
    tmp_path: Path, toml: str, environ: dict[str, str], named: str
) -> None:
    (tmp_path / "groundwork.toml").write_text(toml)

    with pytest.raises(SettingsError, match=named) as caught:
        load_settings(tmp_path, environ)

    assert caught.value.next_step


def test_variables_without_a_section_are_not_settings(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, {"GROUNDWORK_BENCH_DATA": "/data", "GROUNDWORK_HOME": "/elsewhere"})

    assert settings.home == tmp_path


def test_users_can_be_given_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "groundwork.toml").write_text("[users.ann]\nroles = ['reviewer']\ngroups = ['legal']\n")

    assert load_settings(tmp_path, {}).users["ann"].groups == ("legal",)


def test_secrets_are_masked(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, {"GROUNDWORK_RECORDS__URL": "postgresql://u:hunter2@host/db"})

    assert "hunter2" not in repr(settings)
    assert "hunter2" not in settings.model_dump_json()
    assert "hunter2" in settings.records.url.get_secret_value()


def test_a_table_in_the_environment_is_toml_or_json(tmp_path: Path) -> None:
    for raw in ('{"site.example" = "ann:secret"}', '{"site.example": "ann:secret"}'):
        settings = load_settings(tmp_path, {"GROUNDWORK_CRAWL__CREDENTIALS": raw})
        assert settings.crawl.credentials["site.example"].get_secret_value() == "ann:secret"


@pytest.mark.parametrize(
    ("toml", "environ", "key"),
    [
        ("", {"GROQ_API_KEY": " gsk_a "}, "gsk_a"),
        ("", {"GROQ_API_KEY": "gsk_a", "GROUNDWORK_LLM__API_KEY": "own"}, "own"),
        ("[llm]\napi_key = 'file'\n", {"GROQ_API_KEY": "gsk_a"}, "gsk_a"),
        ("[llm]\napi_key = 'file'\n", {"GROQ_API_KEY": ""}, "file"),
        ("", {}, ""),
    ],
)
def test_the_key_of_groq_is_that_of_the_model(
    tmp_path: Path, toml: str, environ: dict[str, str], key: str
) -> None:
    (tmp_path / "groundwork.toml").write_text(toml)

    settings = load_settings(tmp_path, environ)

    assert settings.llm.api_key.get_secret_value() == key
    assert settings.llm.is_configured is bool(key)
    assert "gsk_a" not in repr(settings)


def test_the_secret_of_an_identity_provider_stands_in_the_environment_alone(tmp_path: Path) -> None:
    provider = '[sign_in]\nissuer = "https://id.example"\nclient_id = "groundwork"\n'
    (tmp_path / "groundwork.toml").write_text(provider)
    settings = load_settings(tmp_path, {"GROUNDWORK_SIGN_IN__CLIENT_SECRET": "s3cret"})
    assert settings.sign_in.has_provider
    assert settings.sign_in.client_secret.get_secret_value() == "s3cret"
    assert "s3cret" not in repr(settings)

    (tmp_path / "groundwork.toml").write_text(provider + 'client_secret = "s3cret"\n')
    with pytest.raises(SettingsError, match="may not stand in"):
        load_settings(tmp_path, {})


@pytest.mark.parametrize(
    ("given", "hosts"),
    [
        ("wiki.example, 127.0.0.1:8000 ,", ("wiki.example", "127.0.0.1:8000")),
        ('["wiki.example", "10.1.0.0/16"]', ("wiki.example", "10.1.0.0/16")),
        ("[::1]:8000,wiki.example", ("[::1]:8000", "wiki.example")),
        ("wiki.example", ("wiki.example",)),
        ("", ()),
        ("[]", ()),
    ],
)
def test_lists_are_taken_with_commas_or_as_json(tmp_path: Path, given: str, hosts: tuple[str, ...]) -> None:
    settings = load_settings(tmp_path, {"GROUNDWORK_CRAWL__ALLOWED_HOSTS": given})

    assert settings.crawl.allowed_hosts == hosts


def test_every_list_takes_commas(tmp_path: Path) -> None:
    (tmp_path / "groundwork.toml").write_text("[users.ann]\nroles = 'reviewer, analyst'\ngroups = 'legal'\n")
    environ = {
        "GROUNDWORK_REVIEW__KINDS": "lookup,summary",
        "GROUNDWORK_GUARD__PERSONAL_DATA_ROLES": "hr, it",
    }

    settings = load_settings(tmp_path, environ)

    assert settings.review.kinds == ("lookup", "summary")
    assert settings.guard.personal_data_roles == ("hr", "it")
    assert settings.users["ann"].roles == ("reviewer", "analyst")


@pytest.mark.parametrize(
    ("toml", "environ", "said"),
    [
        ("", {"GROUNDWORK_CRAWL__ALLOWED_HOSTS": '["wiki.example"'}, "host names, with commas between them"),
        ("", {"GROUNDWORK_CRAWL__ALLOWED_HOSTS": '{"a": 1}'}, "host names, with commas between them"),
        ("[crawl]\nallowed_hosts = [8000]\n", {}, "host names, with commas between them"),
        ("[guard]\npersonal_data_roles = 3\n", {}, "names of roles, with commas between them"),
        ("", {"GROUNDWORK_REVIEW__KINDS": "lookup,poem"}, "review.kinds.1.*'lookup'"),
    ],
)
def test_an_error_says_the_form_of_a_list(
    tmp_path: Path, toml: str, environ: dict[str, str], said: str
) -> None:
    (tmp_path / "groundwork.toml").write_text(toml)

    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(tmp_path, environ)

    assert "tuple" not in caught.value.message
