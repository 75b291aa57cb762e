"""Rules for user names of systems and portals."""

from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import APART, any_of, word_set
from deidstream.schemas.label import PhiLabel

_CUE = any_of("""
user(?: ?(?:name|id))?, usr, (?:acct )?log-?in(?: (?:id|name|was))?, logon, logged in as, handle
oper, opr, screen ?name, e-?sign?(?:ed)?(?: by)?, portal (?:id|account|username), account
acct, insta, instagram, ig, discord, sync user, /e?s/, secure msg, voice id, signed electronically
my username
""")
_COMMON = word_set("""
name names the and for was has had is id ids with not from via password reset locked account
portal access page on of to at in error issues credentials attempts failed manual defined friendly
guide interface activity blocked ending holder login recorded problem put level setup info screen
by this
""")
_WORDS = ("covid", "vitamin", "omega", "stage", "grade", "phase", "level", "cycle", "page", "type")
_NAME = r"@?[A-Za-z][0-9A-Za-z]*(?:[._@-][0-9A-Za-z]+){0,3}"
_L = PhiLabel.USERNAME


def _username(candidate: Candidate) -> tuple[int, int]:
    text = candidate.text
    plain = text.isalpha() and (text.lower() in _COMMON or text.istitle())
    return keep_whole(candidate) if len(text) in range(3, 29) and not plain else REFUSED


def _keep_login_form(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if candidate.text.startswith(_WORDS) else keep_whole(candidate)


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
            "opr [[tx-coord3]] on",
            "E-SIG [[lkrause@tele]]",
        ),
        ("user was locked", "login failed", "User Name", "account of"),
        _username,
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
)
