"""Add to the ``--help`` of commands what each one does, and examples."""

# pyright: reportPrivateUsage=false

import argparse
from collections.abc import Mapping
from types import MappingProxyType

EXAMPLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "": (
            "deidstream demo",
            "deidstream deidentify notes.jsonl --out deidentified.jsonl --key-file root.key",
            "deidstream doctor",
        ),
        "demo": ("deidstream demo", "deidstream demo --forever --policy safe-harbor"),
        "worker": ("deidstream worker", "deidstream worker --processes 4"),
        "serve": ("deidstream serve --memory", "deidstream serve --port 8443"),
        "detect": ("deidstream detect notes.jsonl --out spans.jsonl",),
        "deidentify": (
            "deidstream deidentify notes.jsonl --out deidentified.jsonl --key-file root.key",
            "deidstream deidentify notes.jsonl --out o.jsonl --risk r.jsonl --policy redact",
        ),
        "explain": (
            "deidstream explain notes.jsonl --word Tele --key-file root.key",
            "deidstream explain notes.jsonl --note n-17 --at 105",
        ),
        "consume": (
            "deidstream consume --follow",
            "deidstream consume --topic risk --topic quarantine --most 10",
        ),
        "ingest fhir": ("deidstream ingest fhir Patient.ndjson DocumentReference.ndjson",),
        "export parquet": ("deidstream export parquet tables --follow",),
        "quarantine list": ("deidstream quarantine list",),
        "review users add": ("deidstream review users add alice --role reader",),
        "probe": ("deidstream probe", "deidstream probe --every 60"),
        "keys new": ("deidstream keys new root.key",),
        "completion": ("deidstream completion bash", "source <(deidstream completion bash)"),
    }
)
"""By the words of the command after ``deidstream``."""


def add_help_texts(root: argparse.ArgumentParser) -> None:
    """Let each ``--help`` begin with the command's line in its parent's list, and show examples."""
    _add_examples(root, "")
    _add_to_commands(root, "")


def _add_to_commands(verb: argparse.ArgumentParser, words: str) -> None:
    for action in verb._actions:  # noqa: SLF001 - argparse lists its commands nowhere else
        if not isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            continue
        for shown in action._choices_actions:  # noqa: SLF001
            inner: argparse.ArgumentParser = action.choices[shown.dest]
            name = f"{words} {shown.dest}".strip()
            if shown.help and not inner.description:
                inner.description = f"{shown.help[0].upper()}{shown.help[1:]}."
            _add_examples(inner, name)
            _add_to_commands(inner, name)


def _add_examples(verb: argparse.ArgumentParser, words: str) -> None:
    if lines := EXAMPLES.get(words):
        verb.epilog = "\n".join(["examples:", *(f"  {line}" for line in lines)])
        verb.formatter_class = argparse.RawDescriptionHelpFormatter
