"""Check what is around a worker before its models load, which takes many times longer."""

from collections.abc import Mapping
from socket import gethostname

from deidstream.agents.operations.live_figures import LiveFigures
from deidstream.agents.operations.operations_page import operations_pages
from deidstream.agents.runtime.connections import kafka_connection, topics_of
from deidstream.agents.runtime.delivery_setup import read_limits
from deidstream.agents.runtime.guards.redis_guard import RedisGuard, connect_guard
from deidstream.agents.runtime.root_keys import describe_exposure, key_files
from deidstream.agents.settings import HttpSettings, Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.http.ops_server import OpsServer, serve
from deidstream.stream.kafka.topics import create_topics, describe_missing, list_topics
from deidstream.stream.observing.logs import Logger

LOG = Logger("worker")


async def start_ops_server(http: HttpSettings, figures: LiveFigures) -> OpsServer:
    """Start the ops server, and name the worker after its address.

    Raises:
        InvalidSettings: The port is taken.
    """
    server = await serve(
        figures.health,
        host=http.host,
        port=http.port,
        token=http.token,
        pages=operations_pages(figures.figures),
    )
    figures.name = f"{gethostname()}:{server.port}"
    return server


async def check_surroundings(settings: Settings) -> tuple[RedisGuard, Mapping[str, int]]:
    """Check Redis, topics and keys; return the guard of Redis and how long records may be.

    Raises:
        Unavailable: Kafka or Redis is unavailable.
        Refused: A key is missing, a topic is missing, or Redis may not be trusted.
    """
    for file in key_files(settings.key).values():
        if file and (exposure := describe_exposure(file)):
            LOG.warning("key-exposed", file=file, reason=exposure)
    guard = connect_guard(settings, writes=True)
    await guard.check()
    await _check_topics(settings)
    return guard, await read_limits(settings)


async def _check_topics(settings: Settings) -> None:
    kafka, topics = settings.kafka, topics_of(settings)
    connection = kafka_connection(kafka)
    if kafka.create_topics:
        made = await create_topics(
            connection, topics, partitions=kafka.partitions, replication=kafka.replication
        )
        for name in made:
            LOG.info("topic-created", topic=name)
    elif missing := set(topics.all()) - await list_topics(connection):
        raise InvalidSettings(describe_missing(missing, connection))
