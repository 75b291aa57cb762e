"""The English of the source: mannered docstrings, participles as function names, vague words.

The patterns measure and do not judge: a hit is a place to read, and a text without one may still
be hard to follow.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping

from code_graph import Module

STRONG = {
    "tell whether": r"\b[Tt]ell whether\b",
    "away, nobody's, whose it is": (
        r"\b(?:is|are|was|be|were) away\b|\bnobody\b"
        r"|\bwhose (?:it|they|he|she|each|a|the|one)\b[^.]{0,25}\b(?:is|are)\b"
    ),
    "inverted opening": r"(?:\A|\. )Of\b",
    "is none, none of its": (
        r"\b(?:is|are|be|was|were) none\b|\bnone of (?:the|a|an|its|their) \w+'s"
    ),
    "anew, whoever, all but, bears": r"\banew\b|\b[Ww]hoever\b|\ball but\b|\bbears?\b",
}
"""Strongly mannered turns. In 9751bc7, 293 docstrings hold one; a reader had counted 294."""

WEAK = {
    "noun clause as heading": r"\AWhat\b",
    "tells, told, speaks, hears": r"\b(?:tells|told|speaks?|hears?|heard)\b",
}
"""Turns that are often mannered, and at times the right words."""

PARTICIPLE = re.compile(
    r"(?:told|said|shown|drawn|held|kept|found|known|given|taken|made|written|seen|split|chosen|"
    r"hidden|torn|worn|cut|read|put|set|left|lost|met|built|bound|broken|spoken|sent|spent|begun|"
    r"apart|bare|\w{2,}(?<!e)ed)\Z"
)
NOT_PARTICIPLES = frozenset({"bed", "embed", "feed", "hundred", "need", "red", "seed", "shed"})
PREDICATES = ("is_", "are_", "has_", "have_", "was_", "were_", "can_", "may_", "must_")

VAGUE = frozenset(
    re.findall(
        r"\w+",
        "alike apart asked bare bared cut drawn fit fits found given heard held kept made mark "
        "marked named needs normal parted plain put read rest said seen settled shown split taken "
        "tell told whole",
    )
)
"""Words for functions that say nothing without their neighbours."""


def docstrings(modules: Iterable[Module]) -> Iterator[tuple[str, str]]:
    """Yield each docstring after the name of its module, those of fields and constants too."""
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                for statement in node.body:
                    match statement:
                        case ast.Expr(value=ast.Constant(value=str() as text)):
                            yield module.name, text
                        case _:
                            pass


def comments(modules: Iterable[Module]) -> Iterator[tuple[str, str]]:
    """Yield each comment after the name of its module."""
    for module in modules:
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
            if token.type == tokenize.COMMENT:
                yield module.name, token.string


def having(texts: Iterable[tuple[str, str]], turns: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the texts that hold at least one of the turns, by module."""
    pattern = re.compile("|".join(turns.values()))
    found: dict[str, list[str]] = {}
    for module, text in texts:
        if pattern.search(text):
            found.setdefault(module, []).append(text)
    return found


def function_names(modules: Iterable[Module]) -> list[tuple[str, str]]:
    """Return the name of each function and method after its package."""
    return [
        (module.package, node.name)
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def participles(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return the function names that end in a past participle and are not predicates."""
    plain = (name.lstrip("_") for _, name in names)
    return [name for name in plain if not name.startswith(PREDICATES) and _is_participle(name)]


def vague_words(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the vague words that alone name functions in several packages, and those packages."""
    packages: dict[str, set[str]] = {}
    for package, name in names:
        packages.setdefault(name.strip("_"), set()).add(package)
    return {
        word: sorted(packages[word]) for word in sorted(VAGUE) if len(packages.get(word, ())) > 1
    }


def _is_participle(name: str) -> bool:
    last = name.rpartition("_")[2]
    return last not in NOT_PARTICIPLES and PARTICIPLE.match(last) is not None
