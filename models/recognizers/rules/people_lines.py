"""Find names of people by what stands beside them, where no word says a rank or a role.

That is an age and a sex, as at the head of a summary; the end of a column, in a list or census; a
number of registration; or an initial.
"""

import re2

from deidstream.models.phi.names.credentials import CREDENTIALS
from deidstream.models.phi.names.name_lists import is_listed
from deidstream.models.phi.names.stops import NOT_SIGNED, ends_name
from deidstream.models.phi.not_phi import (
    abbreviations,
    clinical_letters,
    clinical_terms,
    common_words,
    fold_term,
    ordinary_words,
)
from deidstream.models.recognizers.rules.name_fits import (
    begins_with_eponym,
    is_abbreviation,
    keep_lower_name,
    keep_person_in_text,
    trim_name,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import LAST_FIRST, LOWER_NAME, NAME, UPPER, word_set
from deidstream.schemas.label import PhiLabel

_P, _D = PhiLabel.PATIENT, PhiLabel.DOCTOR
_YEARS = r"(?:1[01][0-9]|[1-9]?[0-9])"
_SEXED = rf"{_YEARS}(?:[ ]?(?:[MFmf]\b|yo\b|y/o|y\.o|yr|yom|yof|-?years?)|[ ]?/[ ]?[MF]\b)"
_AFTER_FORM = (
    r"(?:[ ]{2}|\t|\n|[ ]?[|/;(#]|[ ][0-9]|,[ ]?[0-9]|,?[ ](?:MRN|mrn|DOB|dob|[Hh]osp)"
    r"|\.(?:[ \n]|$)|$)"
)
_TITLE_WORD = rf"(?:{UPPER}[a-z\x80-\xff]{{2,18}}(?:['-]{UPPER}[a-z\x80-\xff]{{1,18}})?)"
_LETTERED = word_set("""
vitamin hepatitis type group stage class factor protein influenza grade level plan phase arm site
unit block pod
""")
_CLERK = (
    r"(?:abstractor|assessor|coder|encoder|scribe|typist|transcriptionist|transcribed|typed|dictated"
    r"|dict|verif|verified|checked|read[ ]?back|(?:coded|collected|encoded|entered|keyed|prepared"
    r"|released|scribed)[ ]by)(?:[ ]by)?"
)
"""Who writes, types or checks, or that somebody did."""
_TYPED_ON = r"(?:[0-9]{1,4}[./-][0-9A-Za-z]{1,3}(?:[./-][0-9]{2,4})?[ ]{1,3})?"


def _keep_before_age(candidate: Candidate) -> tuple[int, int]:
    """Keep the words right before an age, if they read as a name."""
    text, begin = candidate.text, 0
    for word in text.split():
        if ends_name(word) or word.lower() in NOT_SIGNED:
            begin = text.index(word, begin) + len(word) + 1
    kept = text[begin:].strip()
    single = " " not in kept and "," not in kept
    if not kept[2:] or (
        single and (kept.isupper() or begins_with_eponym(candidate, (begin, len(text))))
    ):
        return REFUSED
    return trim_name(text, begin, len(text))


def _keep_form(candidate: Candidate) -> tuple[int, int]:
    last, _, first = candidate.text.partition(",")
    words = [*last.split(), *first.split()]
    known = any(ends_name(w) or w.lower() in NOT_SIGNED for w in words)
    abbreviated = last.strip().isupper() and not last.strip()[3:]
    good = not known and not abbreviated and not is_abbreviation(first.strip(), candidate)
    return trim_name(candidate.text, 0, len(candidate.text)) if good else REFUSED


def _keep_unless_credential(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if candidate.text.lower() in CREDENTIALS else keep_whole(candidate)


def _keep_clerk(candidate: Candidate) -> tuple[int, int]:
    word = candidate.text.lower()
    listed = word in CREDENTIALS or word in abbreviations() or word in clinical_letters()
    return REFUSED if listed or word in common_words() else keep_whole(candidate)


def _keep_bracketed(candidate: Candidate) -> tuple[int, int]:
    """Keep a word that is nothing but a name."""
    word = fold_term(candidate.text)
    good = is_listed(word) and word not in ordinary_words() | clinical_terms()
    return keep_whole(candidate) if good else REFUSED


_IDENTIFIED = re2.compile(r"^,? (?:mrn|dob|hosp)|^ \(?[0-9]{1,2}|^   hosp|^ cc ")


def _keep_lower_pair(candidate: Candidate) -> tuple[int, int]:
    # Two words in small letters are a name only if an identifier or an age is beside them.
    good = _IDENTIFIED.search(candidate.after) or candidate.before[-2:] in {"m ", "f "}
    return keep_lower_name(candidate) if good else REFUSED


RULES = (
    Rule(
        "name.aged",
        _P,
        rf"(?:^|[^0-9A-Za-z'])({LAST_FIRST}|{NAME})(?:,[ ]?|[ ]\(|[ ]{{1,4}}"
        rf"|[ ]?[/|][ ]?)(?:(?:age|aged|is|a)[ ]){{0,2}}(?:{_SEXED}|(?:[MF]|female"
        rf"|male)[ ,/]{{1,2}}{_YEARS}\b)",
        0.8,
        (
            "[[PRUDENCE ASHBY]] 52 f s/p",
            "[[Odessa Stanhope]], 27F, 58 kg",
            "[[Dragomir, Sena]] F 35",
            "[[Winifred Ampofo]] (77 yo)",
        ),
        ("Ward 7, bed", "Day 5 M", "CT (2019)", "REM AHI 58; n", "QTc 452, p"),
        _keep_before_age,
    ),
    Rule(
        "name.last_first",
        _P,
        rf"(?:^|\n|[ ]{{2}}|\t|\|)[ ]{{0,3}}({LAST_FIRST}){_AFTER_FORM}",
        0.75,
        (
            "[[ABEBE, Liya]]  /  8",
            "\n[[Hodgkin, Barnaby T.]]   DOB",
            "MRN 4\n[[Xiong, Mai Nhia]]. Contact",
            "ACC CT009    [[WELLS, DARYL]]  551",
        ),
        ("FEVER, CHILLS\n", "Chest, Abdomen  ", "\nDaily, Tamsulosin 4"),
        _keep_form,
    ),
    Rule(
        "name.initials_registered",
        _D,
        r"(?:^|\n|[.;)]|[ ]{2})[ ]{0,3}([A-Z]{2,3})[ ]{1,3}(?:GMC|NMC|HCPC|AHPRA|HPCSA|MDCN|NMBI"
        r"|IMC)[ ]?(?:(?:no|reg)\.?[ ])?[0-9]{4,}",
        1.0,
        ("blood loss.   [[SQ]]  GMC 7951463", "\n[[KO]] HPCSA 0417882"),
        ("\nRN NMC 12H3456", "\nRN  NMC 417882", "seen by GMC 7951463"),
        _keep_unless_credential,
    ),
    Rule(
        "name.initials_of_role",
        _D,
        rf"\b(?i:{_CLERK})[ ]?[:.]{{0,12}}[ ]{{1,3}}{_TYPED_ON}([A-Z]{{2,4}}|[a-z]{{2,3}})[ ]?"
        r"(?:\n|$|[ ]{2}|[\])|^/])",
        1.0,
        (
            "ABSTRACTOR: [[LQN]]\n",
            "Checked by: [[DFO]]  1420",
            "Typed 6.2.25  [[ejb]]\n",
            "typed 13/2  [[pjq]]\n",
            "dictated, transcribed 2.9.25 [[wv]]]",
            "verif [[QNP]]^FS",
        ),
        (
            "Checked by: RN\n",
            "coder: see note\n",
            "Assessor: Li\n",
            "read back ok\n",
            "typed pm\n",
            "checked INR\n",
            "verified NG\n",
        ),
        _keep_clerk,
    ),
    Rule(
        "name.bracketed",
        _D,
        rf"\(({_TITLE_WORD})(?:[ ]?[/&][ ]?({_TITLE_WORD}))?\)",
        0.9,
        ("canal block ([[Okoro]])", "GA ([[Ferris]]/[[Okafor]])."),
        ("sign (Murphy)", "drug (Keppra)", "cough (Dry)", "(Young)"),
        _keep_bracketed,
    ),
    Rule(
        "name.lower_near_age",
        _P,
        rf"(?:^|\n|[.;,][ ]|[ ]{{2}}|\b(?:pt|patient)[ ]|[0-9][MFmf][ ])((?:{LOWER_NAME}"
        rf"|[a-z]\.?)(?:[ ]{LOWER_NAME}){{1,2}}|{LOWER_NAME},[ ]?{LOWER_NAME}"
        rf"(?:[ ]{LOWER_NAME})?)(?:,|[ ]{{2}}|[ ]\(?{_YEARS}[ ]?(?:y|m\b|f\b|yo)|[ ]cc[ ]"
        r"|,?[ ](?:mrn|dob|hosp))",
        0.5,
        (
            "\n[[fernanda keyes]], mrn 552",
            "17m [[jules tran-abbott]]  ",
            "pt [[tan, wei liang]]   hosp",
        ),
        ("\nno chest pain, no", "pt is doing well,"),
        _keep_lower_pair,
    ),
    Rule(
        "name.first_and_initial",
        _P,
        rf"(?:^|[^0-9A-Za-z'.-])({_TITLE_WORD}[ ][A-Z]\.)(?:[,;:)]|[ ]{{2}}|[ ][a-z]|[ ]\()",
        0.55,
        ("1042   [[Kayleigh D.]]  gr 7", "[[Tamsin R.]], aged"),
        ("Vitamin D. and", "Hepatitis B. was", "Type A. is"),
        lambda c: REFUSED if c.text.split(" ")[0].lower() in _LETTERED else keep_person_in_text(c),
    ),
)
