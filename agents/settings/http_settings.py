"""The settings of the ops server."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.agents.settings.setting_forms import check_host, check_port


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """The ops server."""

    host: str = setting("Address of the ops server", "127.0.0.1", form=check_host)
    port: int = setting("Port of the ops server; 0 takes any", 8080, form=check_port)
    token: str = setting(
        "Token that all its pages but the probes ask for; empty: none", "", mask=hide
    )
