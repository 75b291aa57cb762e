"""Give routes what they share: the state of the app, the service, and a client with its rights."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Request

from deidstream.agents.api.api_clients import ClientRight
from deidstream.agents.api.api_service import ApiService
from deidstream.agents.settings import Settings
from deidstream.stream.http.admission import client_of
from deidstream.stream.http.http_clients import HttpClient
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal
from deidstream.stream.observing.health import Health

RETRY_SECONDS = 5
"""``Retry-After`` while models load or Redis cannot be reached."""


@dataclass(slots=True)
class ApiState:
    """The state of an app, at ``app.state.api``."""

    settings: Settings
    health: Health
    service: ApiService | None = None
    """``None`` while models load."""

    def require_service(self) -> ApiService:
        """Return the service.

        Raises:
            HttpRefusal: Models load, or Redis cannot be reached.
        """
        busy = HTTPStatus.SERVICE_UNAVAILABLE
        if self.service is None:
            raise HttpRefusal(busy, HttpErrorCode.STARTING, retry_after=RETRY_SECONDS)
        if self.health.away:
            raise HttpRefusal(busy, HttpErrorCode.UNAVAILABLE, retry_after=RETRY_SECONDS)
        return self.service


def state_of(request: Request) -> ApiState:
    """Return the state of the app that a request came to."""
    state: ApiState = request.app.state.api
    return state


def service_of(request: Request) -> ApiService:
    """Return the service of the app that a request came to.

    Raises:
        HttpRefusal: Models load, or Redis cannot be reached.
    """
    return state_of(request).require_service()


def client_with(right: ClientRight) -> Callable[[Request], HttpClient]:
    """Return a dependency that gives the client of a request, which must have a right."""

    def check(request: Request) -> HttpClient:
        client = client_of(request.scope)
        require_right(client, right)
        return client

    return check


def require_right(client: HttpClient, right: ClientRight) -> None:
    """Refuse a client without a right.

    Raises:
        HttpRefusal: The client does not have it.
    """
    if right not in client.rights:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)


ServiceInUse = Annotated[ApiService, Depends(service_of)]
StateInUse = Annotated[ApiState, Depends(state_of)]
DeidentifyingClient = Annotated[HttpClient, Depends(client_with(ClientRight.DEIDENTIFY))]
FindingClient = Annotated[HttpClient, Depends(client_with(ClientRight.FIND))]


def require_permitted(
    client: HttpClient, service: ApiService, *, tenant: str, policy: str | None
) -> None:
    """Refuse a policy that is not offered, and a tenant that is not the client's.

    Raises:
        HttpRefusal: 403, with what is refused.
    """
    if not service.offers(policy):
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.POLICY_NOT_OFFERED)
    if client.tenants is not None and tenant not in client.tenants:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
