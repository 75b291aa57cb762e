"""Words that say a side, a sex, an action on a treatment, a change, or a grave finding."""

from collections.abc import Sequence
from enum import IntFlag, auto
from functools import cache
from itertools import pairwise, repeat
from typing import Final


class Cue(IntFlag):
    """What single words of a sentence say; a sentence has any of them."""

    NOTHING = 0
    LEFT = auto()
    RIGHT = auto()
    BOTH = auto()
    MALE = auto()
    FEMALE = auto()
    STARTED = auto()
    CONTINUED = auto()
    HELD = auto()
    STOPPED = auto()
    RAISED = auto()
    LOWERED = auto()
    BETTER = auto()
    WORSE = auto()
    NEGATED = auto()
    """Set by ``negation``, of the sentence as a whole."""
    NORMAL = auto()
    CODE_STATUS = auto()
    CANCER = auto()
    HEART = auto()
    BRAIN = auto()
    SELF_HARM = auto()
    ALLERGY = auto()
    INFECTION = auto()
    DEATH = auto()
    SMOKING = auto()
    ALCOHOL_OR_DRUGS = auto()
    CONSENT = auto()
    VENTILATION = auto()


# Plain integers: their operations are many times faster than those of flags.
NEGATED: Final = int(Cue.NEGATED)
SIDES: Final = int(Cue.LEFT | Cue.RIGHT | Cue.BOTH)
SEXES: Final = int(Cue.MALE | Cue.FEMALE)
TAKEN: Final = int(Cue.STARTED | Cue.CONTINUED)
NOT_TAKEN: Final = int(Cue.HELD | Cue.STOPPED)
CHANGES: Final = int(Cue.RAISED | Cue.LOWERED | Cue.BETTER | Cue.WORSE)
FINDINGS: Final = int(
    Cue.NORMAL
    | Cue.CODE_STATUS
    | Cue.CANCER
    | Cue.HEART
    | Cue.BRAIN
    | Cue.SELF_HARM
    | Cue.ALLERGY
    | Cue.INFECTION
    | Cue.DEATH
    | Cue.SMOKING
    | Cue.ALCOHOL_OR_DRUGS
    | Cue.CONSENT
    | Cue.VENTILATION
)
ACTIONS: Final = TAKEN | NOT_TAKEN | int(Cue.RAISED | Cue.LOWERED)

_WORDS: Final = {
    Cue.LEFT: "left leftward lt lle lue lul lll luq llq",
    Cue.RIGHT: "right rightward rt rle rue rul rml rll ruq rlq",
    Cue.BOTH: "both bilateral bilaterally bilat bibasilar bibasal",
    Cue.MALE: (
        "he him his himself man male males gentleman boy mr prostate prostatic testis testes "
        "testicular testicle testicles penis penile scrotum scrotal circumcision circumcised "
        "vasectomy"
    ),
    Cue.FEMALE: (
        "she her hers herself woman female females lady girl mrs ms miss uterus uterine ovary "
        "ovaries ovarian vagina vaginal vulva menses menstrual menopause menopausal "
        "postmenopausal pregnant pregnancy gravida hysterectomy gravid obstetric antepartum "
        "postpartum lmp gestation"
    ),
    Cue.STARTED: (
        "start starts started starting restart restarted initiate initiated initiating begin begun "
        "began resume resumed resuming add added commence commenced trial"
    ),
    Cue.CONTINUED: "continue continues continued continuing maintain maintained cont",
    Cue.HELD: "hold holds held holding withhold withheld paused pause suspended suspend",
    Cue.STOPPED: (
        "stop stops stopped stopping discontinue discontinued discontinuing discontinuation cease "
        "ceased dc'd weaned withdrawn withdrawal"
    ),
    Cue.RAISED: (
        "increase increases increased increasing gain gained gaining gains raise raised rose risen "
        "rising higher elevated elevation uptitrate uptitrated titrated doubled escalated"
    ),
    Cue.LOWERED: (
        "decrease decreases decreased decreasing lose losing lost lowered lowering reduce reduced "
        "reducing dropped diminished downtitrated halved tapered taper fallen"
    ),
    Cue.BETTER: (
        "improve improves improved improving improvement better resolve resolves resolved "
        "resolving resolution recovered recovering healed"
    ),
    Cue.WORSE: (
        "worse worsen worsens worsened worsening deteriorate deteriorated deteriorating "
        "deterioration exacerbated exacerbation progressed progressive relapsed aggravated"
    ),
    Cue.NORMAL: (
        "normal normally preserved unremarkable clear intact benign stable symmetrical "
        "unchanged healthy wnl nad"
    ),
    Cue.CODE_STATUS: (
        "dnr dni dnar dnacpr hospice palliative resuscitation resuscitate polst molst dpoa proxy"
    ),
    Cue.CANCER: (
        "cancer cancers malignancy malignant carcinoma adenocarcinoma metastatic metastasis "
        "metastases lymphoma leukemia leukaemia myeloma sarcoma melanoma tumor tumour neoplasm "
        "chemotherapy radiotherapy immunotherapy"
    ),
    Cue.HEART: (
        "stemi nstemi infarction infarct lvef ejection angina tamponade dissection arrest "
        "fibrillation"
    ),
    Cue.BRAIN: "stroke tia cva seizure seizures epilepsy hemorrhage haemorrhage coma dementia",
    Cue.SELF_HARM: "suicide suicidal homicidal overdose overdosed abuse assault",
    Cue.ALLERGY: "allergy allergies allergic anaphylaxis anaphylactic intolerant intolerance",
    Cue.INFECTION: (
        "hiv aids sepsis septic tuberculosis tb hepatitis covid meningitis endocarditis mrsa"
    ),
    Cue.DEATH: "died death dead deceased expired terminal",
    Cue.SMOKING: "smoker smokers smokes smoked smoking tobacco cigarettes nicotine",
    Cue.ALCOHOL_OR_DRUGS: (
        "alcohol alcoholic etoh drinks drinking opioid oud heroin cocaine methadone cannabis "
        "methamphetamine intoxicated"
    ),
    Cue.CONSENT: "consent consents consented consenting refuses refused declines declined",
    Cue.VENTILATION: (
        "intubated intubation extubated extubation ventilator ventilated tracheostomy icu"
    ),
}
_SIDE_LETTERS: Final = {"l": int(Cue.LEFT), "r": int(Cue.RIGHT)}
_PHRASES: Final = {
    Cue.RAISED: "weight-gain up-from went-up gone-up going-up trending-up",
    Cue.LOWERED: "weight-loss down-from went-down gone-down going-down trending-down",
}


def read_cues(tokens: Sequence[str]) -> int:
    """Return the bits of all that the words of a sentence say.

    >>> Cue(read_cues("she gained strength in both legs".split()))
    <Cue.BOTH|FEMALE|RAISED: 532>
    """
    words, phrases = _bits_of_words(), _bits_of_phrases()
    said = 0
    for word in words.keys() & tokens:
        said |= words[word]
    for pair in phrases.keys() & pairwise(tokens):
        said |= phrases[pair]
    for letter in _SIDE_LETTERS.keys() & tokens:
        if any(map(_names_side, tokens, ["", *tokens], repeat(letter))):
            said |= _SIDE_LETTERS[letter]
    return said


def _names_side(word: str, before: str, letter: str) -> bool:
    """Return whether a word is the letter of a side, and no unit behind a number."""
    return word == letter and not before[-1:].isdigit()


@cache
def _bits_of_words() -> dict[str, int]:
    return {word: int(cue) for cue, words in _WORDS.items() for word in words.split()}


@cache
def _bits_of_phrases() -> dict[tuple[str, str], int]:
    pairs = ((cue, phrase.split("-")) for cue, some in _PHRASES.items() for phrase in some.split())
    return {(one, other): int(cue) for cue, (one, other) in pairs}
