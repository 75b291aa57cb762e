"""The settings of the listener for HL7 v2 messages."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.agents.settings.setting_forms import check_host, check_port
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class MllpSettings:
    """The listener for HL7 v2 messages (docs/hl7.md)."""

    host: str = setting("Address of the MLLP listener", "127.0.0.1", form=check_host)
    port: int = setting("Port of the MLLP listener; 0 takes any", 2575, form=check_port)
    tls_certificate: str = setting(
        "File of its certificate, in PEM; empty: no TLS", "", mask=show_file
    )
    tls_key: str = setting(
        "File of that certificate's key; empty: in the same file", "", mask=show_file
    )
    tls_key_password: str = setting("Password of that key", "", mask=hide)
    tls_client_ca: str = setting(
        "File of the authorities whose certificates senders must show; empty: none",
        "",
        mask=show_file,
    )
    message_bytes: int = setting("Longest message that is taken", 800_000, 1)
    connections: int = setting("Most connections at once", 64, 1)
    idle_seconds: float = setting("A connection silent for this long is closed", 600.0, 1)
    block_seconds: float = setting(
        "A message that is not whole this long after its first byte is refused", 30.0, 0.1
    )
    broker_seconds: float = setting(
        "Longest wait for Kafka before a sender is told to send again", 10.0, 0.1
    )
    tenant: str = setting("Tenant of the messages", "default")
    senders: str = setting(
        "FACILITY=TENANT pairs by MSH-4, comma separated: others may not send; empty: all may", ""
    )
    authority: str = setting(
        "Assigning authority (PID-3.4) whose patient numbers are patient ids as they are", ""
    )
    remembered: int = setting("Most stored messages known again by MSH-10", 100_000, 1)
    remembered_seconds: float = setting("How long they are known again", 14_400.0, 0)
