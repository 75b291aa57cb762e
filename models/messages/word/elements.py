"""Make, parse and write elements of the XML of Word documents, by lxml, which has no types."""

from collections.abc import Mapping

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.models.messages.attachments.markup_text import Element


def make_root(tag: str, namespaces: Mapping[str, str]) -> Element:
    """Make the element of a part that declares namespaces by their prefixes."""
    return etree.Element(tag, nsmap=dict(namespaces))


def make_element(tag: str, attributes: Mapping[str, str] | None = None) -> Element:
    """Make an element that stands nowhere yet."""
    return etree.Element(tag, dict(attributes or {}))


def add_element(parent: Element, tag: str, attributes: Mapping[str, str] | None = None) -> Element:
    """Make an element at the end of another one."""
    return etree.SubElement(parent, tag, dict(attributes or {}))


def parse_own(markup: str) -> Element:
    """Parse markup that this program has; none that comes from elsewhere."""
    return etree.fromstring(markup)


def write_tree(root: Element) -> bytes:
    """Write an element and all in it as UTF-8, without a declaration."""
    written: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=False)
    return written
