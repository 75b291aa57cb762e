"""Print the OpenAPI document of the interface, as docs/openapi.json holds it."""

import orjson

from deidstream.agents.api.api_state import ApiState
from deidstream.agents.api.application import make_app
from deidstream.agents.api.run_api import list_routers
from deidstream.agents.settings import Settings
from deidstream.stream.observing.health import Health


def render_document(settings: Settings) -> str:
    """Return the document as indented JSON, without the version, which changes by itself."""
    state = ApiState(settings, Health(settings.worker.stall_seconds, consumes=False))
    document = make_app(state, list_routers(settings.api)).openapi()
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n"
