"""Rules for user names of systems and portals."""

from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import APART, any_of, word_set
from deidstream.schemas.label import PhiLabel

_CUE = any_of("""
user(?: ?(?:name|id))?, usr, (?:acct )?log-?in(?: (?:id|name|was))?, logon, logged in as, handle
screen ?name, e-?sign?(?:ed)?(?: by)?, portal (?:id|account|username), host, account, acct, insta
instagram, ig, discord, sync user, /e?s/, secure msg, voice id, signed electronically, my username
""")
_COMMON = word_set("""
name names the and for was has had is id ids with not from via password reset locked account
portal access page on of to at in error issues credentials attempts failed manual defined friendly
guide interface activity blocked ending holder login recorded problem put level setup info screen
by this
""")
_WORDS = ("covid", "vitamin", "omega", "stage", "grade", "phase", "level", "cycle", "page", "type")
_NAME = r"@?[A-Za-z][0-9A-Za-z]*(?:[._@-][0-9A-Za-z]+){0,3}"
_MARKED = r"[a-z]{1,16}(?:[._][a-z0-9]{1,16}){0,2}(?:[0-9]{1,4}|[._][a-z0-9]{1,16})"
_L = PhiLabel.USERNAME


def _username(candidate: Candidate) -> tuple[int, int]:
    text = candidate.text
    plain = text.isalpha() and (text.lower() in _COMMON or text.istitle())
    return keep_whole(candidate) if len(text) in range(3, 29) and not plain else REFUSED


def _keep_login_form(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if candidate.text.startswith(_WORDS) else keep_whole(candidate)


def _echoes(candidate: Candidate) -> tuple[int, int]:
    """Keep a word that repeats one of the two words before it: a surname with an initial."""
    before = candidate.before.lower().rstrip(" (").split(" ")
    good = any(word[3:] and word in candidate.text for word in before[-2:])
    return keep_whole(candidate) if good else REFUSED


RULES = (
    Rule(
        "username.cued",
        _L,
        rf"{APART}(?i:{_CUE})(?:[ ](?:is|was|name|as))?[ ]?[:=]?[ ]{{0,4}}({_NAME})(?:$"
        r"|[^0-9A-Za-z@])",
        0.85,
        (
            "user [[tqbarlow]] 0344.",
            "Login: [[hguthrie.kb]],",
            "(user [[tolorunfemi27]]).",
            "handle [[@jasperfinds]].",
            "acct login [[opheliagm]]",
            "E-SIG [[lkrause@tele]]",
        ),
        ("user was locked", "login failed", "User Name", "account of"),
        _username,
    ),
    Rule(
        "username.actor",
        _L,
        r"\b(?i:by|entered|from|clinician|provider|amendment|signed|edited|verified|typed|via"
        rf"|to|nurse|as|account|patient|reporter)[ :]{{1,2}}(?:user[ ])?({_MARKED})(?:$"
        r"|[^0-9A-Za-z@/._-]|\.(?:[ \n]|$))",
        0.6,
        (
            "opened by [[svukovic9]] from",
            "Entered by: [[kpetrosyan_2]]",
            "Reporter [[nurse.obrienf]] (F",
        ),
        ("by noon", "to CO2", "by Jones-Smith", "from B12"),
        _keep_login_form,
    ),
    Rule(
        "username.logged",
        _L,
        r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?[\t ]{1,3}([a-z]{4,12}[0-9]{0,3})[ ]?(?:\n|$)",
        0.6,
        ("2025-08-02\t03:11\t[[nfriel]]\n", "2026-10-07 10:20 [[mjquill]]\n"),
        ("at 03:11 he slept", "10:20 hours\n"),
        lambda c: REFUSED if c.text in {"hours", "today", "noon", "sharp"} else keep_whole(c),
    ),
    Rule(
        "username.form",
        _L,
        r"(?:^|[^0-9A-Za-z._@/=-])([a-z]{2,}_[a-z0-9]{2,}(?:_[a-z0-9]+)?|[a-z]{5,12}[0-9]{1,3}"
        r"|[a-z]{3,12}\.[a-z]{2,12}[0-9]{1,3})(?:$|[^0-9A-Za-z._@/=-]|\.(?:$|[^0-9A-Za-z]))",
        0.5,
        ("([[consuelo_bn]])", "Entered: [[akaur22]]"),
        ("covid19", "H2O", "snake"),
        _keep_login_form,
    ),
    Rule(
        "username.parenthesis",
        _L,
        r"\b[A-Z][A-Za-z'-]+[ ]\(([a-z]{4,16})\)",
        0.5,
        ("V. PRIDDY ([[vpriddy]]) WS",),
        ("Smith (resident)",),
        _echoes,
    ),
)
