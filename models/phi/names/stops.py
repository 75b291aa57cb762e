"""Capitalised words at which a run of name words ends: none of them is a name after a cue."""

from deidstream.models.phi.dates.calendar import month_words, weekday_words
from deidstream.models.phi.names.credentials import ENDING
from deidstream.models.text.patterns import word_set
from deidstream.models.text.titles import LEFT_OUT

_FUNCTION = """
a an and are as at be been but by can did do does for from gave got had has have he her here hers
his how i if in into is it its left like me my no nor not of off ok on one or our out over please
said seen she so still than that the their them then there these they this to told too under until
up us was we were what when where which while who whom with within without would yes you your
about after again all also any both during each every further just more most now only other own
same some such very via per re cc vs ref asked called states reports denies agrees aware
"""
_HEADERS = """
patient name pt mrn mr# dob dos doi age sex gender race date time admitted admission admit
discharge discharged attending referring referred physician provider surgeon resident fellow
intern consultant consult department dept service unit ward floor room bed location site clinic
hospital address phone tel telephone fax email mobile cell home work office contact emergency
insurance payer plan policy member group subscriber account acct visit encounter csn case
accession order specimen collected received reported signed electronically dictated transcribed
typed reviewed verified entered authorized authorised history hx hpi pmh psh fh sh ros physical
exam examination assessment impression diagnosis diagnoses diagnostic findings technique
indication indications comparison conclusion summary recommendation recommendations follow
followup medications meds allergies allergy vitals labs laboratory results imaging procedure
procedures operation operative anesthesia anaesthesia complications disposition condition course
subjective objective background social family note notes report addendum amendment page form
status code comments comment regarding subject title id no number num occupation employer job
relationship relation guardian spouse mother father parent kin next proxy language interpreter
religion marital ethnicity nationality reason chief complaint problem problems issues goals wt
weight height ht bmi hospital# witness witnesses present reader read requested requesting ordering
ordered coordinator chaperone scrub circulator anaesthetist anesthesiologist assistant assist
technologist operator recorder leader crew thanks thank dear regards sincerely yours best hello hi
hey respectfully today yesterday tomorrow tonight morning afternoon evening night week weekend
month year day days
"""
_CALENDAR_NAMES = frozenset({"april", "august", "june", "march", "may", "sun"})
_CALENDAR = " ".join(
    word
    for word in (*month_words("English"), *weekday_words("English"))
    if len(word) > 2 and word not in _CALENDAR_NAMES  # noqa: PLR2004
)
"""Months and weekdays that are not names of people."""
_UNITS = """
ssn dl nhs ppsn nmbi hcpc dea npi eval bcccp caq ncsp rcs ems jr ed er icu micu picu nicu sicu ccu
cvicu or pacu ir gi id ent ob obgyn gyn hem onc neuro cards pulm renal psych ortho uro derm peds
mfm rad path nephro paeds gynae haem heme onco cardio gastro resp rheum anaes surg ophthal
"""
_CLINICAL = """
ct mri mra cxr ekg ecg eeg emg us echo tte tee pet spect dexa ultrasound x-ray xray abdomen chest
head neck brain pelvis spine heart lung lungs liver kidney renal cardiac cardiology neurology
oncology hematology haematology gastroenterology nephrology urology surgery surgical medicine
medical pediatrics paediatrics radiology pathology pharmacy psychiatry dermatology orthopedics
orthopaedics ophthalmology anesthesiology obstetrics gynecology endocrinology rheumatology
pulmonology immunology infectious disease diseases syndrome sign test score scale index criteria
stage grade type catheter tube drain line valve stent graft repair bypass maneuver manoeuvre
procedure disorder palsy lymphoma sarcoma carcinoma cancer tumor tumour reflex murmur fracture
hernia ulcer esophagus oesophagus thyroiditis anemia anaemia fever pneumonia infection sepsis
shock failure injury pain bp hr rr temp spo2 o2 wbc hgb plt na k cr bun glucose insulin aspirin
heparin warfarin metformin lisinopril tylenol ibuprofen morphine fentanyl left right bilateral
upper lower anterior posterior acute chronic severe mild moderate normal negative positive doctor
dr mr mrs ms miss sister charge team education evaluation therapy program programme refer reply
failed pending school pill box house pact hospice infusion geri-psych handoff supine property
protection registration consultation consent instructions profile achieved studies hospitalists
oil appears secretary clearance initial physician's physician statement creatinine ratio
hemoglobin platelets culture autopsy crit rep girlfriend boyfriend fiancee fiancée mum dad client
participant caller passenger poa hcpoa rpt trauma arabic vietnamese hmong pular igbo spanish
french osa ards genetics hepatology burns payment second-level interim likely place aircraft proc
qa orc sx dx tx rx hx fx safe-t-centesis pulmonic vitamin carotids endoscopic lab labs medicare
gabapentin omeprazole upadacitinib anca shiley blake cook supervised haematologist excluded
medtronic haemophilia abuse subutex care center centre health nursing physiotherapy rehab dialysis
clinic's mom wife husband daughter son male female continue start stop give take discuss discussed
monitor check repeat consider recommend agree
general local regional spinal epidural monitored sedation executive
"""
_VERBS = """
died returned remained brings sometime lives lived wants covers sts woke remains reports takes
uses needs agrees came comes went says asks denies drinks smokes works walks presented admitted
looks feels moved left ate slept called calling got gets has had was is are were will would should
could may might must can told tells refused refuses declined vegan vegetarian last first seen
found fell tolerated received given started stopped transferred arrived walking talking sleeping
resting sitting eating waiting here there not now and with who still also awake alert stable aware
ambulated voided requested stated verbalized c/o s/p x notified paged updated
"""
STOPS = ENDING | frozenset(
    word for group in (_FUNCTION, _HEADERS, _CALENDAR, _UNITS, _CLINICAL) for word in group.split()
)
"""Lower-case words that end a run."""

LEADING = LEFT_OUT | word_set("""
caller chew child children cl client cp dad daughter daughters e-sign grandson handoff inmate
midwife mst mum nephew niece participant partner passenger patient person prescriber pt recipient
reply resident anes atp screener scribe son sonographer sons specialist student vet veteran
""")
"""Words before a name that are left out of it: titles, trades and kinship."""
UNITS = word_set(_UNITS)
"""Registers, and what units and specialties are called for short."""
VERBS = word_set(_VERBS)
"""Words that end a run where all is in capitals or all in small letters."""
FUNCTION_WORDS = word_set(_FUNCTION + _HEADERS + _CALENDAR)

NOT_SIGNED = word_set("""
stable good fair poor critical resolved none unknown pending improved unchanged deceased alive
home hospice outpatient inpatient urgent routine stat final draft preliminary confidential
abnormal progress letter instructions immunization immunizations screening cranial gait motor
sensory skin eyes ears nose throat extremities cardiovascular respiratory gastrointestinal
genitourinary musculoskeletal neurological psychiatric psychosocial general constitutional
endocrine hematologic overview education sleep nutrition activity mobility safety risk risks
benefits prognosis interventions intervention strengths feeding growth development vaccines speech
hearing vision pharmacology devices lines wound wounds cognition behaviour behavior mood affect
thought insight judgment memory attention orientation appearance overall event events timeline
narrative triage transport handover synopsis differential rationale evidence legend key end start
fever chills alert oriented nausea vomiting diarrhea cough rash awake clear soft nontender supple
intact tenderness edema cyanosis clubbing masses warm dry moist pink bleeding redness swelling
tablet tablets caps daily nightly twice bid tid scale index inventory questionnaire cycle bed
grade factor level phase box suite apt lot vol fig table peak pulse transthoracic echocardiogram
transfusion reaction capsule endoscopy flight transfer cover sheet intake referral request prior
seen next visit subject group class individual couples session sessions agenda weekly monthly
annual record records release consent authorization authorisation disability certificate fitness
duty return ambulatory office telephone phone call video telehealth encounter rapid access
advanced pre-op post-op preoperative postoperative interim brief long short
""")
"""More words that stand alone on a line, or before a number, and are no names."""
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_ALSO_NAMES = word_set("May Will Mark Page Nurse Grant Young Rice Brown White Long Bishop")


def strip_word(word: str) -> str:
    """Return a word in lower case without the signs around it and its full stops."""
    return word.strip(".,;:'\"()`\u2019\u201c\u201d").replace(".", "").lower()


def ends_name(word: str) -> bool:
    """Return whether a word ends a run of name words."""
    bare = strip_word(word)
    if word.strip(",") in _ALSO_NAMES or word == "MAY" or bare in _SUFFIXES or _is_initial(word):
        return False
    return bare in STOPS or (word.isupper() and bare in VERBS)


def _is_initial(word: str) -> bool:
    return len(word) == len("A.") and word[0].isupper() and word[1] == "."
