"""The settings of tables for analysts."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide_user, setting


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Tables for analysts (docs/analytics.md)."""

    postgres_url: str = setting(
        "URL of PostgreSQL for 'deidstream export postgres'", "", mask=hide_user
    )
    postgres_schema: str = setting("Schema of its tables", "deidstream")
