"""The commands on the pages of the documentation, and the folder in which they are run."""

# pyright: reportPrivateUsage=false

import argparse
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")])
LANGUAGES = frozenset({"", "sh", "console"})
"""Languages of the blocks that hold commands; other blocks name theirs."""
OTHERS = frozenset(
    {"text", "ini", "json", "toml", "python", "sql", "http", "hl7", "yaml", "mermaid"}
)
_BLOCK = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"\s+#(?![^'\"]*['\"]\s*>).*$")
_OPTIONAL = re.compile(r"\s*\[[^\]]*\]")
_MORE = re.compile(r"\s*(?:\.\.\.|…)(?=\s|$)")
_CHOICE = re.compile(r"(?<![\w<>])([a-z0-9-]+(?:\|[a-z0-9…-]+)+)(?!\w)")
_NAMED_TOML = re.compile(r"```toml\n# ([a-z]+\.toml)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SENTENCES = (
    "The patient denies chest pain and shortness of breath.",
    "Lungs were clear to auscultation on both sides.",
    "He was discharged home in good condition.",
    "Blood pressure was well controlled on the present dose.",
)
_FHIR = {
    "Patient": {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"family": "Smith", "given": ["John"]}],
    },
    "DocumentReference": {
        "resourceType": "DocumentReference",
        "id": "d1",
        "status": "current",
        "subject": {"reference": "Patient/p1"},
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain",
                    "data": "TXIuIEpvaG4gU21pdGggY2FsbGVkLg==",
                }
            }
        ],
    },
}
_SAMPLE = ROOT / "agents/data/sample_notes.jsonl"


@dataclass(frozen=True, slots=True)
class Command:
    """One line of a block, as it stands on its page, without its comment."""

    page: str
    line: str

    def words(self) -> list[str]:
        """Return its words, as a shell would split them."""
        return shlex.split(self.line)

    def variants(self) -> list[str]:
        """Return the commands that a synopsis stands for: one of each choice, without options."""
        if "'" in self.line:
            return [self.line]
        found = _CHOICE.search(_OPTIONAL.sub("", self.line))
        plain = _OPTIONAL.sub("", self.line)
        if not found:
            return [_MORE.sub("", plain)]
        choices = [word for word in found[1].split("|") if word != "…"]
        rest = _MORE.sub("", plain[found.end() :])
        return [plain[: found.start()] + word + rest for word in choices]

    def with_options(self) -> list[str]:
        """Return the first variant with each of its options alone."""
        first = self.variants()[0]
        groups = _OPTIONAL.findall(self.line) if "'" not in self.line else []
        return [f"{first} {group.strip(' []').split('|')[0]}" for group in groups]


def page_name(page: Path) -> str:
    """Return the path of a page from the top of the checkout."""
    return page.relative_to(ROOT).as_posix()


def languages_of(page: Path) -> set[str]:
    """Return the languages of a page's blocks."""
    return {language for _, language, _ in _BLOCK.findall(page.read_text("utf-8"))}


def commands_of(page: Path) -> Iterator[Command]:
    """Yield the commands of a page in their order."""
    for indent, language, block in _BLOCK.findall(page.read_text("utf-8")):
        if language in LANGUAGES:
            text = "\n".join(line.removeprefix(indent) for line in block.splitlines())
            yield from (Command(page_name(page), line) for line in _lines(text, language))


def unknown_words(verb: argparse.ArgumentParser, words: list[str]) -> str:
    """Return what of a command line a parser does not know; nothing if it knows all."""
    for action in verb._actions:  # noqa: SLF001 - argparse lists its commands nowhere else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            if not words:
                return ""
            named = words[0].split("|")
            unknown = [name for name in named if name not in action.choices]
            return " ".join(unknown) or unknown_words(action.choices[named[0]], words[1:])
    flags = {flag for action in verb._actions for flag in action.option_strings}  # noqa: SLF001
    return " ".join(w for w in words if w.startswith("--") and w.split("=")[0] not in flags)


def _lines(block: str, language: str) -> Iterator[str]:
    for joined in block.replace("\\\n", " ").splitlines():
        line = _COMMENT.sub("", joined).strip()
        if language == "console":
            if not line.startswith("$ "):
                continue
            line = line.removeprefix("$ ")
        if line and not line.startswith("#"):
            yield " ".join(line.split()) if "'" not in line else line


def furnish(folder: Path) -> None:
    """Write what pages name: notes, labelled notes, their outputs, and the policy of a site."""
    sample = [json.loads(line) for line in _SAMPLE.read_text("utf-8").splitlines()]
    short = sorted(sample, key=lambda note: len(note["text"]))[:4]
    _write_lines(folder, short, "NOTES", "IN", "FILE", "notes")
    labelled = [_labelled(number) for number in range(12)]
    _write_lines(folder, labelled, "GOLD", "LABELLED", "ORIGINALS", "MORE")
    for name, resource in _FHIR.items():
        (folder / f"{name}.ndjson").write_text(f"{json.dumps(resource)}\n")
    (folder / "ids.txt").write_text("P01\nP02\n")
    (folder / "IN").mkdir()
    for number in range(12):
        (folder / f"IN/{number}.txt").write_text(f"{_SENTENCES[number % 4]} Day {number}.\n")
    (folder / "lists").mkdir()
    (folder / "lists/never.txt").write_text("Zellig sign\n")
    (folder / "lists/wards.txt").write_text("Hill Unit\n")
    for page in PAGES:
        for named, content in _NAMED_TOML.findall(page.read_text("utf-8")):
            (folder / named).write_text(content)


def _write_lines(folder: Path, notes: Sequence[dict[str, object]], *names: str) -> None:
    for name in names:
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(note)}\n" for note in notes))


def _labelled(number: int) -> dict[str, object]:
    surname = ("Jones", "Weir", "Osei", "Marsh", "Lund", "Vance")[number % 6]
    head, tail = "Seen by Dr. Ann ", f" on 03/{number + 1:02}/2024 for a cough."
    start = len(head) - len("Ann ")
    spans = [{"start": start, "end": len(head) + len(surname), "type": "DOCTOR"}]
    when = len(head) + len(surname) + len(" on ")
    spans.append({"start": when, "end": when + 10, "type": "DATE"})
    return {
        "note_id": f"n{number}",
        "patient_id": f"p{number % 6}",
        "text": head + surname + tail,
        "authored_at": f"2024-03-{number + 1:02}T10:00:00Z",
        "spans": spans,
    }
