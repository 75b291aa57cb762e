"""What MkDocs does not do by itself: pages from outside docs/, links to files that are no pages.

It runs while the site is built (``make docs``), and reaches nothing but the checkout.
"""

# ruff: noqa: INP001 - MkDocs loads this file by its path

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CHANGELOG = "changelog.md"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List in the navigation every decision behind their index, and pages that it leaves out."""
    found = sorted((DOCS / "adr").glob("[0-9]*.md"))
    pages = ["adr/README.md", *({_title(path): f"adr/{path.name}"} for path in found)]
    nav: list[Any] = config.nav or []
    _put(nav, pages)
    listed = set(_listed(nav)) | {CHANGELOG}
    written = sorted(_uri(path) for path in DOCS.rglob("*.md"))
    if others := [uri for uri in written if uri not in listed]:
        nav.append({"More": others})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog, which lies beside the folders of the source."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    files.append(File.generated(config, CHANGELOG, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Name files of the checkout that are no pages, where a page links to them."""
    del config
    place = ROOT if page.file.src_uri == CHANGELOG else (DOCS / page.file.src_uri).parent

    def written(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        path = (place / target).resolve()
        if path.is_relative_to(DOCS) and files.get_file_from_path(_uri(path)):
            up = "" if page.file.src_uri == CHANGELOG else None
            return link[0] if up is None else f"[{text}]({_uri(path)}{anchor})"
        if path == ROOT / "CHANGELOG.md":
            return f"[{text}]({_way_up(page)}{CHANGELOG}{anchor})"
        if path.exists():
            name = path.relative_to(ROOT).as_posix()
            return text if name in text else f"{text} (`{name}`)"
        return link[0]  # it leads nowhere: MkDocs complains of it

    return LINK.sub(written, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Name the dialog of the search, which the theme leaves without a name."""
    del page, config
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def _way_up(page: Page) -> str:
    return "../" * page.file.src_uri.count("/")


def _uri(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


def _title(path: Path) -> str:
    found = HEADING.search(path.read_text("utf-8"))
    return found[1] if found else path.stem


def _listed(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from _listed(value)
    elif isinstance(part, list):
        for value in part:
            yield from _listed(value)


def _put(nav: list[Any], pages: list[str | dict[str, str]]) -> None:
    """Replace the entry ``[adr]`` by the pages."""
    for entry in nav:
        for name, part in entry.items() if isinstance(entry, dict) else ():
            if part == ["adr"]:
                entry[name] = pages
            elif isinstance(part, list):
                _put(part, pages)
