"""List the words before identifiers: as pieces of patterns, and as prefixes within a span."""

import re2

from deidstream.models.text.patterns import any_of
from deidstream.models.text.word_files import split_list

RECORD = any_of("""
mrns?, mr, m\\.r\\.n\\.?, med(?:ical)?[ .]{0,2}rec(?:ord)?s?, hosp(?:ital)? (?:no|number|id), hosp
chart, unit (?:no|number|record), u\\.?r\\.?n?, crn, hrn, uhid, i\\.?p\\.? (?:no|number), op no
patient (?:no|id|number), pt, clinic (?:no|number|id), folder, record (?:no|number)
registration number, reg\\.? no, card no, file, our ref, patient/id, emr, ehr, epic, id no, mpi
empi, pid, ccc no
""")
PLAN = any_of("""
member(?: ?id)?, mem, mbr, policy, subscriber, subscr, sub, group, grp, plan id, plan, ohip, ramq
medicare, medicaid, hc, health card, hsn, phn, ahcip, mbi, hicn, insurance(?: id)?, ins(?: id)?
payer id, beneficiary, enrollee, recipient, philhealth(?: pin)?, nhia, nhis, scheme
dva(?: [a-z]{4,6})?, tricare, affiliation, ppo id, hmo, id card, certificate, coverage, primary
secondary, health(?: trust| plan)?,? id
""")
ACCOUNT = any_of("""
accts?, accounts?, a/c, billing, billed, bill, invoice, guarantor, fin, iban, routing, rtg, bsb
swift, folio, receipt, deposit, soa, visit/billing, card (?:ending|ends), (?:acct|account) ending
ending, loan, visa, mastercard, statement
""")
CASE = any_of("""
accession, accn?, accno, acc, case, claim, order, ord, ticket, ref(?:erence)?, your ref
req(?:uisition)?, specimen, sample, spec, path, surg(?:ical)? path, badge, interpreter, interp
int, donor, unit, auth(?:orization|orisation)?, preauth, prior auth, rx, confirmation, conf, run
cad, incident, report, study, subject, docket, matter, passport, chi, h&c, hcn, nhi, ppsn?, nric
fin, sa id, abha, aadhaar, cnic, mykad, curp, rfc, nss, teudat zehut, employee, emp, staff
student, inmate, booking, doc, document, session, visit, encounter, enc, csn, attendance, episode
referral, waybill, tracking, seal, barcode, label, kit, form, certificate, permit, warrant
subpoena, file, exam no, eeg, log, dispatch, call, caller, transaction, trans, voucher, approval
va claim, state id, id, nid, national id, id bands?, bands?, pin, collar, shield, officer, crime
job, trial, enrol(?:l)?ment, screening, participant, sponsor, alien, a#, family id, registry, unos
nmdp, isbt, din, cert, datix, inc, voyage, flight, bus pass, wallet, sheet, number, no, nr, num
lab no, slide, block, cytology, biopsy, mother id, access code, gate code, pass(?:code)?, password
token, meeting(?: id)?, serial
""")
LICENCE = any_of("""
licen[cs]ed?, lic, drivers? lic(?:en[cs]e)?, dl, oln, dea, npi, clia(?: id)?, gmc, nmc(?: pin)?
nmbi, imc(?: reg)?, cpso, cno, cpsbc, hcpc, ahpra, mcnz, mcr, hpcsa, mdcn, smc, mmc, prc, gdc
gphc, hpc, cert, permis, permit, provider(?: no)?, c\xe9dula, cedula, s2, reg(?:istration)?
state lic(?:ense)?, bvnpt, upin, ptan, ama, rccp, asha, dvla
""")
BODY = any_of("""
finger(?:[ -]?prints?)?, thumb(?:print)?, palm(?:[ -]?(?:vein|print|scan))?, iris, retina(?:l)?
fac(?:e|ial), voice(?:print)?, foot(?:[ -]?prints?)?, ftpt, prints?, biometrics?, template, dna
saliva, swab, buccal, afis, livescan, ten-print, gait, limb print, vein, ear print, genome
hand geometry, oral fluid, livescan tcn, index
""")
DEVICE = any_of("""
s/n, sn, ser(?:ial)?s?, serial (?:no|number)s?, asset(?: (?:tag|no))?, udi
device (?:id|no|serial), backup, tag, pump, monitor, meter, receiver, transmitter, recorder, probe
scope, unit, hearing aid, machine, isolette, generator, cart, cart id, prosthesis
""")
VEHICLE = any_of("""
plates?, tag, rego?, reg plate, plate/hull, tail, tail no, hull, veh(?:icle)?(?: reg)?
licence plate, license plate, registration, car reg, (?:his|her|family|hire|my) car, towed
ambulance reg, van, camper, truck, bike, motorbike, corsa, pickup, sedan
""")


_KINDS = split_list(
    "accession accn account acct admission appt auth authorization badge case cert certificate "
    "chart chi claim clia clm csn dea dmv dob-id eid emr enc encounter enrollee enrolment ext "
    "extension extn fin gmc group grp gtin guarantor har hcpc hicn hosp iban icn id idno imei "
    "inv invoice lic licence license lot mbi mbr medicaid medicare meid member mpi mrn mrno nhi "
    "nhs nino nmc npi ord order pan patid patient permit plate pol policy pps ppsn rec record "
    "ref referral reg registration req rxnorm sample seq ser serial specimen ssn sub subscriber "
    "taxid tin udi vin visit"
)
"""Words and abbreviations of three letters and more: two may be initials. ``id`` is the exception,
which is not read as initials."""
_SHORT_KINDS = r"(?:mr|sn|s/n|dl|rn|pt)\s*(?:[#:]|(?:number|num|nr|no)\b\.?)[\s.:#/_-]*"
"""Abbreviations of two letters; before such a sign they are not read as initials."""
_PHRASES = (
    r"(?:ssn\s*)?last\s+(?:4|four)(?:\s+(?:digits|ssn|of\s+ssn))?[\s:#=-]*"
    r"|(?:ends|ending)\s+(?:in|with)[\s:#=-]*|sort\s?code[\s:#-]*"
)
_WORDS = (
    r"(?:" + "|".join(sorted(_KINDS, key=len, reverse=True)) + r")"
    r"(?:[\s.:#/_-]+(?:number|num|nr|no|id)\b)?\.?[\s.:#/_-]*"
)
_PREFIX = re2.compile(rf"(?i)^\s*(?:{_SHORT_KINDS}|{_PHRASES}|{_WORDS})\b")
_LONGEST = 40


def kind_length(text: str) -> int:
    """Return how many characters of ``text`` name the kind of number that follows; 0 if none does.

    >>> kind_length("MRN-0081"), kind_length("Acct no. 77-12"), kind_length("JS-0081")
    (4, 9, 0)
    """
    found = _PREFIX.match(text[:_LONGEST])
    if not found:
        return 0
    end = found.end()
    follows = text[end : end + 1]
    glued = text[end - 1 : end].isalpha() and not follows.isdigit()
    return end if any(map(str.isdigit, text[end:])) and not glued else 0
