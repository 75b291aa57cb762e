"""Send the traces of a process to the receiver that the settings name."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from deidstream.agents.settings import TracesSettings
from deidstream.schemas.extras import Extra, needing
from deidstream.stream.observing import tracing


@asynccontextmanager
async def tracing_to(settings: TracesSettings) -> AsyncGenerator[None]:
    """Trace what runs in the body, where the settings name a receiver.

    Raises:
        MissingExtra: The libraries of OpenTelemetry are not installed.
    """
    if not settings.endpoint:
        yield
        return
    with needing(Extra.TRACES, "DEIDSTREAM_TRACES_ENDPOINT"):
        from deidstream.stream.observing.open_telemetry import Receiver, connect
    receiver = Receiver(
        settings.endpoint,
        token=settings.token,
        ca=settings.tls_ca,
        certificate=settings.tls_certificate,
        key=settings.tls_key,
    )
    tracer = connect(receiver, settings.share)
    try:
        with tracing.use(tracer):
            yield
    finally:
        await asyncio.to_thread(tracer.close)
