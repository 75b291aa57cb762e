"""The settings of the root key."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide_keys, setting
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class KeySettings:
    """The root key."""

    file: str = setting(
        "File of the root key: 64 hexadecimal digits (deidstream keys new)", "", mask=show_file
    )
    version: int = setting("Version of the root key, stated in every output", 1, 0)
    previous: str = setting(
        "Older keys, for reading: VERSION=FILE, comma separated", "", mask=hide_keys
    )
    epoch: int = setting("Mapping epoch: another epoch gives other surrogates", 1, 0)
    epoch_notes: int = setting("Most notes of an epoch; above it a worker stops; 0: no limit", 0, 0)
