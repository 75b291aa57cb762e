"""Rules for telephone and fax numbers, e-mail, web and network addresses."""

import re2

from deidstream.models.phi.codes.checksums import digits, holds
from deidstream.models.phi.contacts.network import is_host, is_wide
from deidstream.models.phi.written_numbers import ABROAD, ANY_PHONE, EXTENSION, LOCAL, NANP
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole, when
from deidstream.models.text.patterns import END
from deidstream.schemas.label import PhiLabel

_FAX = r"(?i:fax(?:ed)?|facsimile|fx|f)"
_FAX_CUE = rf"\b{_FAX}(?:[ ](?i:[a-z]{{2,12}})\.?){{0,4}}[ ]?[:#]?[ ]?[ (]{{0,10}}"
_PHONE_CUE = (
    r"(?i:phone|tel|telephone|ph[12]?|p|t|cell|cellphone|mobile|mob|home|work|office|call|called"
    r"|contact|cb|c/b|pager|pgr|beeper|bleep|paged|text|line|hotline|whatsapp|number|vm|ring"
    r"|rang|reached at|reach at|at|on|enquiries|informed|callback|call back|ok|uan)"
)
_EXTENSION_CUE = (
    r"(?i:ext\.?|extn\.?|extension|x|p|ph|poste|pager|pgr|pg|beeper|bleep|bp|paged|voalte|vocera"
    r"|spectralink|ascom|dect|zone phone|phone)"
)


def _enough(text: str) -> bool:
    return len(digits(text)) in range(7, 16)


def _is_bare(candidate: Candidate) -> tuple[int, int]:
    good = _enough(candidate.text) and not _OTHER_ID.search(candidate.before)
    return keep_whole(candidate) if good else REFUSED


_OTHER_ID = re2.compile(
    r"(?i)\b(?:mrn|acct|account|id|ssn|nhs|case|claim|policy|member|s/n|sn|serial|chi|npi|dea|no"
    r"|ref|isbn|lot|medicare|accession|acc|order|rx|group|grp|file|unit|chart|hosp|card|routing"
    r"|nct|ohip|nhi|ticket|badge|confirmation)[ .:#no]{0,6}$"
)
_TIMES = re2.compile(
    r"^ ?(?i:mg|mcg|ml|units?|u\b|g\b|hours|h\b|days|d\b|cm|mm|weeks?|min|steps|sec|ft|feet|m\b"
    r"|times|reps|hz|kcal|w\b|j\b|reg|cc\b|iu\b)|^ ?%"
)
_PULSE = re2.compile(r"(?i)(?:\bbp:? |(?:^|[^a-z])[px] ?)$")


def _is_extension(candidate: Candidate) -> tuple[int, int]:
    # "P 132" is a pulse and "x 140" a size; four digits are neither.
    short = candidate.text.isdigit() and not candidate.text[3:] and _PULSE.search(candidate.before)
    return REFUSED if short or _TIMES.search(candidate.after) else keep_whole(candidate)


_VERSION = re2.compile(
    r"(?i)\b(?:v|ver|version|revision|rev|software|firmware|build|release)[. :]{0,2}$"
)
_MACHINE = re2.compile(
    r"(?i)\b(?:ip|ipv4|vpn|ssh|s?ftp|rdp|dns|dhcp|lan|wi-?fi|subnet|network|host(?:name)?|server"
    r"|proxy|router|gateway|modem|node|client|endpoint|workstation|wkstn|ws|station|terminal"
    r"|tablet|laptop|computer|pc|printer|archive|pacs|log-?in|logon|logged[ -](?:in|on)"
    r"|signed[ -](?:in|on)|connect(?:ed|ion))\b"
    r"[^0-9A-Za-z\n]{0,6}(?:(?:from|at|on|to|by|via|is|was|addr(?:ess)?|logged)\b"
    r"[^0-9A-Za-z\n]{1,4}){0,2}$"
)
"""A machine of a network, or what one does at it."""


def _is_network(candidate: Candidate) -> tuple[int, int]:
    """Keep the address of a machine; refuse a version, and four values of one measure.

    Four small numbers are all of these, so that they take the word of a machine before them.
    """
    before, after = candidate.before, candidate.after
    otherwise = _VERSION.search(before) or _TIMES.search(after)
    named = is_wide(candidate.text) or _MACHINE.search(before)
    return keep_whole(candidate) if is_host(candidate.text) and named and not otherwise else REFUSED


_MAIL_PART = r"[0-9A-Za-z](?:[0-9A-Za-z._%+-]{0,62}[0-9A-Za-z_+-])?"
_HOST = r"(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,62})\.){1,6}"
_PATH = r"(?:[/?#][^\s<>\"'()|;,\]\x80-\xff]{0,200}[0-9A-Za-z/=_#-]|/)?"

RULES = (
    Rule(
        "contact.email",
        PhiLabel.EMAIL,
        rf"(?:^|[^0-9A-Za-z._%+-])({_MAIL_PART}(?:@|[ ]?(?:\(at\)"
        rf"|\[at\])[ ]?){_HOST}[A-Za-z]{{2,12}})\b",
        1.0,
        ("mail [[t.winter@maple.example]].", "<[[a_b+c@x-y.co.uk]]>"),
        ("@home", "5 mg @ 3.5"),
    ),
    Rule(
        "contact.url",
        PhiLabel.URL,
        r"\b((?i:https?|ftps?|sftp|rtsp|wss?|ssh)://(?:[0-9A-Za-z._~%:@-]{1,200}"
        rf"|\[[0-9a-fA-F:]{{2,39}}\]){_PATH})",
        1.0,
        ("see [[https://a.example/q?x=1]].", "([[sftp://safety.q.example/14/0417]])"),
        ("http is a protocol",),
    ),
    Rule(
        "contact.host",
        PhiLabel.URL,
        rf"(?:^|[^0-9A-Za-z@._/-])((?i:www\.){_HOST}?{_HOST}[A-Za-z]{{2,12}}{_PATH}"
        rf"|{_HOST}(?:com|org|net|edu|gov|example|health|info|co\.uk|nhs\.uk|org\.uk|ie|ca"
        rf"|io){_PATH})\b",
        0.95,
        (
            "[[www.helix.example]]",
            "at [[openpalm.example/uganda]].",
            "[[support.palmkey.com/case/8]];",
        ),
        ("e.g. this", "t.w@maple.example"),
    ),
    Rule(
        "contact.ipv4",
        PhiLabel.IPADDR,
        r"(?:^|[^0-9A-Za-z.])([0-9]{1,3}(?:\.[0-9]{1,3}){3})(?:$|[^0-9A-Za-z.]|\.(?:$|[^0-9]))",
        0.96,
        (
            "from [[198.51.100.17]] the",
            "host ([[10.61.3.22]]),",
            "at [[203.0.113.9]].",
            "logged in at [[10.8.3.30]]",
        ),
        ("v1.2.3", "300.1.1.1", "1.2.3.4.5", "CAP 4.3.0.0", "drains 190.80.50.120 ml"),
        _is_network,
    ),
    Rule(
        "contact.ipv6",
        PhiLabel.IPADDR,
        r"(?:^|[^0-9A-Za-z:.])([0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?:$|[^0-9A-Za-z:])",
        0.96,
        ("mirrored [[2001:db8::4417]]  at", "([[fe80::1]])"),
        ("12:30:45", "1:2:3", "10:9:8", "ratio 1::2", "titer 1::64"),
        when(is_host),
    ),
    Rule(
        "contact.fax",
        PhiLabel.FAX,
        rf"{_FAX_CUE}({ANY_PHONE}{EXTENSION})(?:$|[^0-9A-Za-z/-]|[/-][^0-9])",
        1.0,
        (
            "fax [[802-555-0147]])",
            "Fax: [[0113 496 0128]]",
            "FAXED TO [[504-555-0170]].",
            "F [[(509) 555-0128]]",
        ),
        ("faxed 3 pages", "f/u 12/2025"),
        when(lambda text: holds(text, 6)),
    ),
    Rule(
        "contact.phone",
        PhiLabel.PHONE,
        rf"(?:^|[^0-9A-Za-z.+-])({NANP}{EXTENSION}){END}",
        0.95,
        (
            "at [[(850) 555-0121]] or",
            "Cell [[208-555-0120]] all",
            "[[402/555-0139]]",
            "[[757-555-0194 ext 3]].",
        ),
        ("1-2-3", "SSN 123-45-6789"),
        _is_bare,
    ),
    Rule(
        "contact.phone_abroad",
        PhiLabel.PHONE,
        rf"(?:^|[^0-9A-Za-z.+-])({ABROAD}{EXTENSION}){END}",
        0.9,
        (
            "Mobile [[07700 900882]]",
            "tel [[+256 555 010 088]], o",
            "[[029 2018 0411 ext 7]].",
            "[[(08) 5550 3319]] F",
        ),
        ("0.5 mg", "NHS 000 417 2268"),
        _is_bare,
    ),
    Rule(
        "contact.phone_local",
        PhiLabel.PHONE,
        rf"(?:^|[^0-9A-Za-z./+#-])({LOCAL}{EXTENSION}){END}",
        0.8,
        ("dtr Ginny [[555-0198]].", "x [[555-0177 ext 218]]"),
        ("ref A-555-0198", "MRN 555-0198"),
        _is_bare,
    ),
    Rule(
        "contact.phone_cued",
        PhiLabel.PHONE,
        rf"\b{_PHONE_CUE}\b[ ]?(?:\([a-z]{{2,10}}\))?[:#.]{{0,2}}[ ]{{0,12}}(?:(?:no|number|is"
        rf"|at|to|on|via|only|me|us|her|him)\.?:?[ ]){{0,3}}({ANY_PHONE}{EXTENSION})(?:$"
        r"|[^0-9A-Za-z/-]|[/-][^0-9])",
        0.85,
        ("cb [[5550183]]", "Enquiries line: [[5550 0142]].", "phone no. [[5415550156]]"),
        ("at 2025-11-08", "call #558204"),
        when(lambda text: holds(text, 6) and ":" not in text),
    ),
    Rule(
        "contact.extension",
        PhiLabel.PHONE,
        rf"\b{_EXTENSION_CUE}(?:[ ](?i:no|number|id|is"
        r"|stat)\.?)?[ ]?[:#]?[ ]?((?:[0-9]-)?[0-9]{4,6}|[0-9]{2,3}-[0-9]{3,4}"
        r"|[1-9][0-9]{2})(?:$|[^0-9A-Za-z./%-]|[./-](?:$|[^0-9]))",
        0.85,
        ("pager [[40718]]. Wife", "SW x[[3382]].", "LCSW x [[6-2280]]", "paged [[4471]]"),
        ("x 12", "BP 120/80", "x 100 mg", "P 132 sat", "16 x 140 main"),
        _is_extension,
        joined=True,
    ),
    Rule(
        "contact.lettered",
        PhiLabel.PHONE,
        r"\b(?i:call|dial|page|ext\.?)[ ]([1-9]-[A-Z]{4})(?:$|[^0-9A-Za-z-])",
        0.96,
        ("CALL [[5-FOOD]] (5-3663)", "page [[4-HELP]]."),
        ("3-MONTH LDCT", "call 5-food"),
    ),
    Rule(
        "contact.phone_masked",
        PhiLabel.PHONE,
        r"(?:^|[^0-9A-Za-z.+*-])((?:[0-9]{2,5}[- ]?){1,3}[xX*]{2,5}(?:[- ]?[0-9]{1,5}){1,2})"
        r"(?:$|[^0-9A-Za-z*/-])",
        0.85,
        ("SMS out [[98470-55xx7]] FAIL", "mob [[0917 xxx 0142]];"),
        ("2xx4", "MRN 44xx1"),
        when(lambda text: holds(text, 5) and len(text) > len("5550199")),
    ),
)
