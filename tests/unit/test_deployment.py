"""The shipped compose file and image, as far as they can be judged without a container engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from core.cli.serve import encode_server, up, worker
from core.config.load import load_settings

ROOT = Path(__file__).parents[2]
SECRETS = ("POSTGRES_PASSWORD", "WEAVIATE_API_KEY")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return loaded


def test_every_service_has_a_health_check_and_comes_back_by_itself(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"app", "worker", "encoder", "postgres", "weaviate"}
    for name, service in compose["services"].items():
        assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL"), name
        assert service["restart"] == "unless-stopped", name


def test_named_volumes_and_services_that_are_used_exist(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for mounted in service.get("volumes", ()):
            assert mounted.split(":")[0] in compose["volumes"]
        assert set(service.get("depends_on", ())) <= set(compose["services"])


def test_secrets_come_from_the_environment_alone(compose: dict[str, Any]) -> None:
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    for name in SECRETS:
        assert f"${{{name}:?" in text
    for service in compose["services"].values():
        for key, value in service["environment"].items():
            if re.search("PASSWORD|KEY(S)?$", key) and key != "AUTHENTICATION_APIKEY_ENABLED":
                assert str(value).startswith("${"), key


def test_the_settings_that_the_app_is_given_are_settings(compose: dict[str, Any], tmp_path: Path) -> None:
    given = compose["services"]["app"]["environment"]
    settings = load_settings(tmp_path, {key: filled(str(value)) for key, value in given.items()})
    assert (settings.index.engine, settings.index.vectorizer) == ("weaviate", "none")
    assert settings.records.url.get_secret_value().startswith("postgresql://groundwork@")
    assert given["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_the_encoder_is_where_the_search_server_looks_for_it(compose: dict[str, Any]) -> None:
    services = compose["services"]
    command = services["encoder"]["command"]
    assert command[:2] == ["groundwork", encode_server.name]
    port = next(one.default for one in encode_server.params if one.name == "port")
    assert services["weaviate"]["environment"]["TRANSFORMERS_INFERENCE_API"] == f"http://encoder:{port}"
    assert filled(services["weaviate"]["environment"]["ENABLE_MODULES"]) == ""
    assert not services["encoder"]["depends_on"]


def filled(value: str) -> str:
    """`value` as compose fills it in where the environment has only what it must."""
    value = re.sub(r"\$\{(\w+):\?[^}]*\}", r"a-\1", value)
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def test_a_search_server_that_is_away_keeps_no_other_service_down(compose: dict[str, Any]) -> None:
    for name in ("app", "worker"):
        assert compose["services"][name]["depends_on"]["weaviate"]["condition"] == "service_started"


def test_the_worker_is_asked_for_itself(compose: dict[str, Any], tmp_path: Path) -> None:
    asked = compose["services"]["worker"]["healthcheck"]["test"]
    assert asked == ["CMD", "groundwork", "worker", "--check"]
    found = CliRunner().invoke(worker, ["--check", "--home", str(tmp_path)], standalone_mode=False)
    assert found.return_value == 1


def test_the_commands_of_the_image_exist(compose: dict[str, Any]) -> None:
    command = compose["services"]["app"]["command"]
    assert command[:2] == ["groundwork", "up"]
    known = {option for parameter in up.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in command if word.startswith("--")} <= known
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert re.search(r"^USER groundwork$", image, re.MULTILINE)
    assert "HEALTHCHECK" in image
