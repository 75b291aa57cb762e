"""The layouts of pages: templates of ``static``, whose engine escapes every value."""

from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined


def open_layouts() -> Environment:
    """Return an engine that finds a layout by the name of its file."""
    static = files("deidstream.study") / "static"
    return Environment(
        autoescape=True,
        loader=FunctionLoader(lambda name: (static / name).read_text(encoding="utf-8")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
