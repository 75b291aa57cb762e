"""Look up the tenant of a message by the facility that sends it."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.agents.settings import MllpSettings
from deidstream.models.messages.hl7.make_notes import MessageSource
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.schemas.errors import InvalidSettings


@dataclass(frozen=True, slots=True)
class Senders:
    """The facilities that may send."""

    tenant: str
    """The tenant of all facilities while ``tenants`` is empty."""
    authority: str
    tenants: Mapping[str, str]
    """Tenant by facility (MSH-4); unless it is empty, no other facility may send."""

    @classmethod
    def read(cls, settings: MllpSettings) -> "Senders":
        """Read the settings.

        Raises:
            InvalidSettings: An entry is no pair of facility and tenant.
        """
        pairs = [one.partition("=") for one in settings.senders.split(",") if one.strip()]
        if not all(facility.strip() and tenant.strip() for facility, _, tenant in pairs):
            msg = "DEIDSTREAM_MLLP_SENDERS: must be FACILITY=TENANT pairs, comma separated"
            raise InvalidSettings(msg)
        listed = {facility.strip(): tenant.strip() for facility, _, tenant in pairs}
        return cls(settings.tenant, settings.authority, listed)

    def source_of(self, facility: str) -> MessageSource:
        """Return tenant and authority of the messages of a facility.

        Raises:
            MessageRefused: It may not send.
        """
        tenant = self.tenants.get(facility) if self.tenants else self.tenant
        if tenant is None:
            raise MessageRefused(MessageFault.UNKNOWN_SENDER)
        return MessageSource(tenant, self.authority)
