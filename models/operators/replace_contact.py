"""Replace e-mail, web and network addresses by ones reserved for examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import re2

from deidstream.models.keyring import Draw, canonical
from deidstream.models.mention import Distinct, Draws, Identity, Mention, NameUses
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.draw_code import code_of, draw_code, write_code
from deidstream.models.phi.contacts import handles
from deidstream.models.phi.contacts.network import (
    CARD,
    card_address,
    draw_card,
    draw_internet,
    internet_address,
    write_card,
)
from deidstream.models.phi.names.write_name import name_identities, read_name, write_name
from deidstream.models.text.runs import recase, safe_separators
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import RedactStyle

DOMAINS = ("example.org", "example.com", "example.net")
"""Reserved by RFC 2606."""

_DOMAIN, _PATH = "contact.domain", "contact.path"
_INTERNET = "contact.IPADDR"
_SCHEMES = frozenset(split_list("http https ftp ftps sftp rtsp"))
_SIGNS = "/?#=&%@~._-+"
"""Signs of a path; they stay where it names a person."""
_SUFFIXES = split_list(".pdf .html .htm .php .aspx .jpg .png .dcm .csv .txt .docx")
_ADDRESS = re2.compile(r"[^\s<>(),;:\"]+@[^\s<>(),;:\"]*[^\s<>(),;:\".]")
_AT = re2.compile(r"(?i)\s*(?:\(at\)|\[at\]|\bat\b)\s*")
_DOT = re2.compile(r"(?i)\s*(?:\(dot\)|\[dot\]|\bdot\b)\s*")
_DICTATED = re2.compile(r"(?i)\bat\b.*\bdot\b")
_MAIL_SCHEMES = frozenset(split_list("mailto email e-mail mail smtp"))


@dataclass(frozen=True, slots=True)
class _MailAddress:
    """One address, or the text before it."""

    local: str = field(repr=False, default="")
    domain: str = field(repr=False, default="")
    before: str = field(repr=False, default="")
    at: str = field(repr=False, default="@")
    dot: str = field(repr=False, default=".")
    """How the writer put the signs."""


@dataclass(frozen=True, slots=True)
class ReplaceContact:
    """E-mail addresses go to an example domain, under the surrogate of the name that they hold;
    URLs to an example host, with a path as deep and shaped as theirs; network addresses to the
    documentation ranges, those of network cards to what no maker gives.

    The scheme of a URL, ``www``, a known suffix and the prefix length or port of a network address
    stay. What cannot be read as a network address becomes ``[IPADDR]``.
    """  # noqa: D205

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the owner, the domain and the path, or the whole network address."""
        if mention.label is PhiLabel.IPADDR:
            return _network(mention.text)
        if not any(map(str.isalnum, canonical(mention.text))):
            return ()
        uses = mention.facts.names
        email = mention.label is PhiLabel.EMAIL
        return _mail(mention.text, uses) if email else _link(mention.text, uses)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a part of an address."""
        if handles.is_handle_kind(identity):
            return handles.derive(identity, draws)
        draw, drawn = draws.own(identity), identity.value
        while drawn == identity.value:
            drawn = _draw(identity, draw)
        return drawn

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn address in the form of the mention."""
        found = self.identities(mention)
        if not found:
            return write_label(mention, self.style)
        if mention.label is PhiLabel.EMAIL:
            return _write_mail(mention.text, surrogates, mention.facts.names)
        if mention.label is PhiLabel.URL:
            return _write_link(mention.text, surrogates, mention.facts.names)
        drawn = surrogates[found[0]]
        if found[0].kind == CARD:
            return write_card(mention.text, drawn)
        return drawn + internet_address(mention.text)[1]


def _network(text: str) -> tuple[Identity, ...]:
    pairs = ((_INTERNET, internet_address(text)[0]), (CARD, card_address(text)))
    return tuple(Identity(kind, value) for kind, value in pairs if value)


def _mail(text: str, uses: NameUses) -> tuple[Identity, ...]:
    found: list[Identity] = []
    for one in _read_addresses(text):
        found += name_identities(read_name(_name_before(one.before), uses))
        found += handles.identities(handles.segments(one.local, personal=True, uses=uses), uses)
        if one.local or one.domain:
            found.append(_domain(one.domain))
    return tuple(dict.fromkeys(found))


def _domain(host: str) -> Identity:
    return Identity(_DOMAIN, canonical(host), Distinct.FROM_NOTHING)


def _path(code: str) -> Identity:
    return Identity(_PATH, code, Distinct.FROM_NOTHING)


def _name_before(before: str) -> str:
    """Return the text before an address; empty if it only says what follows."""
    return "" if _is_scheme(before) else before


def _write_mail(text: str, surrogates: Mapping[Identity, str], uses: NameUses) -> str:
    return "".join(_write_address(one, surrogates, uses) for one in _read_addresses(text))


def _write_address(one: _MailAddress, surrogates: Mapping[Identity, str], uses: NameUses) -> str:
    before = _write_before(one.before, surrogates, uses)
    if not (one.local or one.domain):
        return before
    local = (
        handles.write(handles.segments(one.local, personal=True, uses=uses), surrogates, uses)
        or "mail"
    )
    domain = recase(surrogates[_domain(one.domain)], one.domain)
    return f"{before}{local}{one.at}{domain.replace('.', one.dot)}"


def _write_before(before: str, surrogates: Mapping[Identity, str], uses: NameUses) -> str:
    if _is_scheme(before):
        return before
    if not name_identities(read_name(_name_before(before), uses)):
        return "".join(c if c in "<>" else safe_separators(c) for c in before)
    bare = before.rstrip(" <\n\t")
    return write_name(read_name(_name_before(bare), uses), surrogates) + before[len(bare) :]


def _link(text: str, uses: NameUses) -> tuple[Identity, ...]:
    _, _, host, path = _split_url(text)
    stem = _stem(path)[0]
    named, code = _name_segments(stem), code_of(stem)
    domain = _domain(host)
    if named:
        return (domain, *handles.identities(named, uses))
    return (domain, _path(code)) if code else (domain,)


def _name_segments(stem: str) -> list[handles.Segment]:
    """Return the segments of a path that names a person; none for any other path."""
    found = handles.segments(stem, personal=False, joints=_SIGNS)
    return found if handles.has_name(found) else []


def _draw(identity: Identity, draw: Draw) -> str:
    if identity.kind == _INTERNET:
        return draw_internet(identity.value, draw)
    if identity.kind == CARD:
        return draw_card(identity.value, draw)
    if identity.kind == _PATH:
        return draw_code(identity.value, draw, wordlike=True)
    return draw.pick(DOMAINS)


def _split_url(text: str) -> tuple[str, str, str, str]:
    """Return the scheme with its slashes, ``www.`` where written, the host and the rest."""
    scheme, mark, rest = text.strip().partition("://")
    if not mark:
        scheme, rest = "", text.strip()
    www = rest[:4] if rest[:4].casefold() == "www." else ""
    rest = rest[len(www) :]
    ends = [place for place in map(rest.find, "/?#") if place >= 0]
    cut = min(ends, default=len(rest))
    return scheme + mark, www, rest[:cut], rest[cut:]


def _stem(path: str) -> tuple[str, str]:
    """Return the path without the suffix of its kind of file, and that suffix."""
    suffix = next((s for s in _SUFFIXES if path.casefold().endswith(s)), "")
    return (path[: -len(suffix)], path[-len(suffix) :]) if suffix else (path, "")


def _write_link(text: str, surrogates: Mapping[Identity, str], uses: NameUses) -> str:
    scheme, www, host, path = _split_url(text)
    if scheme and scheme[:-3].casefold() not in _SCHEMES:
        scheme = "https://"
    stem, suffix = _stem(path)
    written = _write_path(stem, surrogates, uses)
    # Code points that fold to more than one would come out without their slashes.
    written = written if written.startswith(stem[:1]) else "/" + written
    return f"{scheme}{www}{surrogates[_domain(host)]}{written}{suffix}"


def _write_path(stem: str, surrogates: Mapping[Identity, str], uses: NameUses) -> str:
    named, code = _name_segments(stem), code_of(stem)
    if named:
        return handles.write(named, surrogates, uses)
    return write_code(stem, surrogates[_path(code)]) if code else stem[:1]


def _read_addresses(text: str) -> list[_MailAddress]:
    """Read the addresses in order, each with the text before it, and the text left at the end.

    A text without any is one, whose domain is empty or what follows its last ``@``.

    >>> [one.domain for one in _read_addresses("Ann <a@x.example>; b at y dot example")]
    ['x.example', '']
    >>> [(one.local, one.domain) for one in _read_addresses("b (at) y dot example")]
    [('b', 'y.example')]
    """
    found = list(_read_written_address(text)) or list(_read_dictated_address(text))
    if any(one.domain for one in found):
        return found
    local, at, domain = text.strip().rpartition("@")
    return [_MailAddress(local, domain)] if at else [_MailAddress(domain)]


def _read_written_address(text: str) -> Iterator[_MailAddress]:
    read = 0
    for match in _ADDRESS.finditer(text):
        local, _, domain = text[match.start() : match.end()].rpartition("@")
        yield _MailAddress(local, domain, text[read : match.start()])
        read = match.end()
    if 0 < read < len(text):
        yield _MailAddress(before=text[read:])


def _read_dictated_address(text: str) -> Iterator[_MailAddress]:
    found = list(_AT.finditer(text)) if _DICTATED.search(text) else []
    if len(found) != 1:
        return
    local, domain = _DOT.sub(".", text[: found[0].start()]), text[found[0].end() :]
    dot = _DOT.search(domain)
    at = text[found[0].start() : found[0].end()]
    between = domain[dot.start() : dot.end()] if dot else "."
    yield _MailAddress(local.strip(), _DOT.sub(".", domain).strip(), "", at, between)


def _is_scheme(before: str) -> bool:
    """Return whether the text before an address only says what follows: ``mailto:``.

    >>> _is_scheme("mailto:"), _is_scheme("Ann <")
    (True, False)
    """
    return before.strip(" :;,<>\n\t").casefold() in _MAIL_SCHEMES
