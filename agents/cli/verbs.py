"""How commands are declared: in groups, each with what it does and examples for its help."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Verbs:
    """The commands of ``deidstream`` or of a group such as ``deidstream keys``."""

    action: Any
    """Of argparse, whose type is private."""

    @classmethod
    def of(
        cls,
        parser: argparse.ArgumentParser,
        metavar: str,
        *,
        required: bool = True,
        dest: str = argparse.SUPPRESS,
    ) -> Self:
        """Let a parser have commands.

        Args:
            parser: Of ``deidstream``, or of a group.
            metavar: What usage calls a command.
            required: Whether one must be given.
            dest: The attribute of the arguments that has its name, if one is to have it.
        """
        action = parser.add_subparsers(
            title="commands", required=required, metavar=metavar, dest=dest
        )
        return cls(action)

    def add_parser(
        self,
        name: str,
        *,
        help: str,  # noqa: A002 - as argparse names it
        description: str = "",
        examples: Sequence[str] = (),
    ) -> argparse.ArgumentParser:
        """Add a command.

        Args:
            name: The word that calls it.
            help: What it does, for the list of commands.
            description: What it does, for its own ``--help``; by default the same.
            examples: Lines for its own ``--help``.
        """
        parser: argparse.ArgumentParser = self.action.add_parser(
            name, help=help, description=description or f"{help[0].upper()}{help[1:]}."
        )
        add_examples(parser, examples)
        return parser

    def add_group(self, name: str, *, help: str, metavar: str = "WHAT") -> "Verbs":  # noqa: A002
        """Add a group of commands."""
        return Verbs.of(self.add_parser(name, help=help), metavar)


def add_examples(parser: argparse.ArgumentParser, examples: Sequence[str]) -> None:
    """Let ``--help`` end with examples."""
    if examples:
        parser.epilog = "\n".join(["examples:", *(f"  {line}" for line in examples)])
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
