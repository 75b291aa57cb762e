"""The settings of tables for analysts."""

from dataclasses import dataclass

from deidstream.agents.setting_sections.setting_declaration import declare as _setting


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Tables for analysts (docs/analytics.md)."""

    postgres_url: str = _setting("URL of PostgreSQL for 'deidstream export postgres'", "")
    postgres_schema: str = _setting("Schema of its tables", "deidstream")
