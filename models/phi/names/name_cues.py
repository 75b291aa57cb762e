"""The words before and after names of people, in pieces of patterns; see ``any_of``."""

from deidstream.models.phi.names.credentials import EVIDENT
from deidstream.models.text.patterns import any_of

_DEGREE_FORMS = """
M\\.?D\\.?, MDs, D\\.?O\\.?, R\\.?N\\.?, N\\.?P\\.?, PA-?C, Ph\\.?D\\.?, Psy\\.D\\., FNP(?:-BC|-C)?
(?:AGAC|AC|N|PMH)NP-BC, OTR(?:/L)?, LCSW(?:-C)?, LPCC?, RDN?, MB BCh, FRCP[CE]?, ST[1-8], FY[12]
GPST[123], PGY-?[ ]?[1-7], MS-?[34], RT\\(R\\), EMT(?:-?[BPI])?, (?:MT|CT)\\(ASCP\\)
Ed\\.S\\.
"""
"""Credentials with full stops, numbers or additions."""
DEGREE = any_of(", ".join(EVIDENT) + _DEGREE_FORMS)
STAFF = any_of("""
nurse
nurse (?:practitioner|manager|case manager|midwife|specialist|in charge|reviewer|anesthetist)
(?:staff|charge|night|day|school|flight|district|triage|research|scrub|circulating) nurse, charge
midwife, health visitor, physio(?:therapist)?, therapist, pharmacist, surgeons?, resident, fellow
intern, attending, registrar, consultant, an(?:a)?esthesiologist, an(?:a)?esthetist, anesthesia
anes, hospitalist, intensivist, cardiologist, (?:neuro|electro)?physiologist, neurologist
radiologist, pathologist, oncologist, nephrologist, pulmonologist, psychiatrist
(?:neuro)?psychologist, urologist, dermatologist, h(?:a)?ematologist, obstetrician, gynecologist
p(?:a)?ediatrician, geriatrician, toxicologist, electrophysiologist, neurosurgeon, audiologist
optometrist, dietitian, dietician, nutritionist, podiatrist, dentist, hygienist, sonographer
technologist, technician, tech, radiographer, phlebotomist, paramedic, medic, para, interpreter
chaplain, volunteer, coordinator, navigator, social worker, case manager, case ?worker
key ?worker, counsel(?:l)?or, secretary, typist, receptionist, registration, clerk, scribe
transcriptionist, aide, orderly, sitter, medical examiner, coroner, prosector, proceduralist
examiner, endoscopist, perfusionist, perfusion, first assist(?:ant)?, assistant, scrub, circulator
circ, recorder, leader, team lead, practice manager, GP, CHEW, doula, histotech, cytotech
preceptor, prescriber, co-therapist, nucl[ée]iste, SAR lead, EMS, crew
""")
PATIENT_FIELD = any_of("""
patient(?:'s)?(?: ?(?:name|/id|id))?, pt(?: name)?, name(?: of patient)?, full name, legal name
preferred name, prefers, known as, goes by, aka, client, resident, member, enrollee, claimant
subject, deceased, decedent, donor, recipient, examinee, insured, subscriber, guarantor
policy ?holder, account holder, mother, father, mom, mum, dad, spouse, husband, wife, partner, son
daughter, guardian, parents?, parent [12], next of kin, nok, emergency contact, emergency, contact
hcp, hcpoa, poa, dpoa, proxy, healthcare proxy, health care agent, carer
caregiver(?: [a-z]+ [a-z]+ [a-z]+)?, informant, accompanied by, here with, lives with, re
regarding, in re, baby, infant, child, sibling, beneficiary, applicant, rider, driver
other driver, id, student, employee, worker, responsible party, resp party, from, to, attn
attention, bcc, victim, suspect, complainant, participant(?: [0-9])?, case ?worker, adjuster
attorney, solicitor, teacher, person obtaining, putative, witness, pupil, athlete, player
detainee, inmate, maiden name, surname, first name, last name, forename, given name
patient/client, callers?, veteran, full, woman, pat, patient[ ]?, nominee, w/o, s/o, d/o, cl
tenant, surrogate, guar
""")
DOCTOR_FIELD = any_of("""
attending(?: (?:physician|surgeon|at discharge))?, physician, provider, pcp
primary care(?: (?:physician|provider))?, gp, referring(?: (?:physician|provider|md))?
referred by, requested(?: by)?, requesting, requestor, ordering(?: (?:physician|provider|md))?
ordered by, surgeons?, assistant(?: surgeon)?, assist, first assist(?:ant)?
an(?:a)?esth(?:esiologist|etist|esia), consultant, fellow, resident, registrar, dictated(?: by)?
dictating, transcribed(?: by)?, typed(?: by)?, signed(?: by)?, electronically signed(?: by)?
e-?signed(?: by)?, cosigned(?: by)?, authenticated by, verified(?: by)?, reviewed(?: by)?
reported(?: by)?, read(?: by)?, reader, interpreted by, performed(?: by)?, entered(?: by)?
documented by, acknowledged by, seen by, examined by, examiner, assessed by, prepared(?: by)?
completed by, written by, author(?:ed by)?, scribe[d]?(?: by)?, collected by, drawn by, admitting
cc, technologist, tech, operator, proceduralist, endoscopist, sonographer, radiologist
pathologist, prosector, cytotech(?:nologist)?, nurse, rn, scrub, circulator, chaperone
interpreter, therapist, counsel(?:l)?or, social worker, sw, case manager, cm, pharmacist
prescriber, coordinator, recorder, leader, team lead, accepting, receiving, consulting
principal investigator, pi, investigator, clinician, psychologist, under, care of, dr, seen with
report to, handoff to, called to, reported to, electrophysiologist, neurosurgeon, midwife
audiologist, dietitian, rep, rep present, lab director, medical director, director, mro, ask for
att, author, registered by, anes, attg, neph, operators, evaluator, screener, team
""")
AGENT = any_of("""
per, d/w, dw, spoke with, spoke to, told, paged, informed, notified, discussed with
handed over to, handover to, hand over, handoff to, report to, report from, rec'd from
relieved by, ask for, called report to, message to, texted, emailed, called to, thanks to
consult to, updated, met with, met, meeting, staffed with, reviewed with, seen with, ring, rang
phoned, escorted by, advocate
""")
"""Words that are strong evidence of a name after them: an act, or a conversation with a person."""
