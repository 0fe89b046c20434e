"""The process's configuration."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gieok import ALL_CATEGORIES, Category, Config
from gieok.kernel.errors import ConfigurationError
from gieok.settings import DEFAULT_SETTINGS, Keep
from support.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "configuration.md"


class Recorded(dict[str, str]):
    """An environment that knows which variables were asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def get(self, name: str, default: object = None) -> Any:
        self.asked.add(name)
        return default


def test_the_page_names_every_variable_once() -> None:
    environment = Recorded()
    Config.from_environment(environment)
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(environment.asked)


def test_nothing_set_needs_no_key_and_no_server() -> None:
    config = Config.from_environment({})
    assert (config.model, config.embedder, config.language) == ("rules", "e5", "ko")
    assert config.database_url is config.keystore_url is config.key_file is None
    assert config.model_api_key is config.embedder_api_key is None
    assert config.data.is_absolute()
    assert config.pair_retention == timedelta(days=30)
    assert config.pause == timedelta(seconds=30)
    assert config.defaults == DEFAULT_SETTINGS


def test_every_variable_is_read() -> None:
    config = Config.from_environment(
        {
            "GIEOK_DATA": "/srv/gieok",
            "GIEOK_DATABASE_URL": "postgresql://db/gieok",
            "GIEOK_KEYSTORE_URL": "postgresql://keys/gieok",
            "GIEOK_KEY_FILE": "/run/secrets/gieok.key",
            "GIEOK_KMS_KEY": "alias/gieok",
            "GIEOK_MODEL": "openai:gpt-5-mini",
            "GIEOK_MODEL_BASE_URL": "http://localhost:1/v1",
            "GIEOK_MODEL_API_KEY": "k1",
            "GIEOK_EMBEDDER": "openai:small:256",
            "GIEOK_EMBEDDER_BASE_URL": "http://localhost:2/v1",
            "GIEOK_EMBEDDER_API_KEY": "k2",
            "GIEOK_LANGUAGE": "en",
            "GIEOK_TIME_ZONE": "Europe/London",
            "GIEOK_PAIR_RETENTION_DAYS": "7",
            "GIEOK_DAY_RETENTION_DAYS": "8",
            "GIEOK_WEEK_RETENTION_DAYS": "60",
            "GIEOK_EPISODE_RETENTION_DAYS": "365",
            "GIEOK_CANDIDATE_RETENTION_DAYS": "9",
            "GIEOK_MEMORY_RETENTION_DAYS": "400",
            "GIEOK_PAUSE_SECONDS": "0",
            "GIEOK_CONNECTIONS": "3",
            "GIEOK_REDIS_URL": "redis://cache:6379/1",
            "GIEOK_RECALL_MEGABYTES": "16",
            "GIEOK_CATEGORIES": "location, habit",
        }
    )
    assert config == Config(
        data=Path("/srv/gieok"),
        database_url="postgresql://db/gieok",
        keystore_url="postgresql://keys/gieok",
        key_file=Path("/run/secrets/gieok.key"),
        kms_key="alias/gieok",
        model="openai:gpt-5-mini",
        model_base_url="http://localhost:1/v1",
        model_api_key="k1",
        embedder="openai:small:256",
        embedder_base_url="http://localhost:2/v1",
        embedder_api_key="k2",
        language="en",
        time_zone="Europe/London",
        pair_retention=timedelta(days=7),
        keep=Keep(days=8, weeks=60, episodes=365, candidates=9),
        pause=timedelta(0),
        connections=3,
        redis_url="redis://cache:6379/1",
        recall_bytes=16 * 2**20,
        defaults=config.defaults,
    )
    assert config.defaults.allowed_categories == (Category.LOCATION, Category.HABIT)
    assert config.defaults.retention_days == 400


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIEOK_LANGUAGE", "fr"),
        ("GIEOK_PLANNER_URL", "planner.example.com/plan"),
        ("GIEOK_PLANNER_URL", "file:///etc/passwd"),
        ("GIEOK_PLANNER_SECONDS", "0"),
        ("GIEOK_TIME_ZONE", "Seoul"),
        ("GIEOK_PAIR_RETENTION_DAYS", "6"),
        ("GIEOK_PAIR_RETENTION_DAYS", "31"),
        ("GIEOK_PAUSE_SECONDS", "-1"),
        ("GIEOK_PAUSE_SECONDS", "1.5"),
        ("GIEOK_CONNECTIONS", "1"),
        ("GIEOK_CONNECTIONS", "9" * 5_000),
        ("GIEOK_MEMORY_RETENTION_DAYS", "0" * 5_000),
        ("GIEOK_RECALL_MEGABYTES", "lots"),
        ("GIEOK_CATEGORIES", "location,gossip"),
    ],
)
def test_an_unusable_value_is_named(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        Config.from_environment({name: value})


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_variable_counts_as_unset(blank: str) -> None:
    read = Config.from_environment({"GIEOK_CONNECTIONS": blank, "GIEOK_MODEL": blank})
    assert read == Config.from_environment({})


def test_all_categories_can_be_allowed() -> None:
    config = Config.from_environment({"GIEOK_CATEGORIES": "all"})
    assert config.defaults.allowed_categories == ALL_CATEGORIES == tuple(Category)


def test_secrets_are_not_shown() -> None:
    url = "postgresql://u:hunter2@db/gieok"
    shown = repr(Config(Path(), database_url=url, model_api_key="hunter2"))
    assert "hunter2" not in shown
