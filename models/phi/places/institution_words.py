"""List the words that say what kind of institution is named; ``any_of`` explains the form."""

from deidstream.models.text.patterns import any_of
from deidstream.models.text.word_files import sections, words_in

CARE = any_of("""
Hospitals?, Hosp, Hsp, Medical (?:Cent(?:er|re)|Group|Practice|Associates|Clinic)
Med(?:ical)? C(?:en)?te?r, Med, Medical, Clinics?, Klinik, Infirmary, Surgery, Hospice
Health(?:care)? Cent(?:er|re), Health (?:System|Services?), Healthcare, Polyclinic
Nursing (?:Home|Station|Facility), Care (?:Home|Cent(?:er|re)), Aged Care, Rest Home
Rehab(?:ilitation)?(?: (?:Hospital|Cent(?:er|re)|Unit|Institute))?, Imaging, Radiology, Dialysis
Kidney C(?:ent(?:er|re)|tr), Memorial, Regional, General, Associates, Practice
Birth(?:ing)? Cent(?:er|re), Cancer (?:Cent(?:er|re)|Institute|Pavilion|Care)
Children(?:'|\\xe2\\x80\\x99)?s, Women(?:'|\\xe2\\x80\\x99)s(?: (?:Hospital|Health))?
Assisted Living, Manor, Sanatorium, Klinikum, Maternity(?: Home| Hospital)?, Pavilion, Institute
Orthop(?:a)?edics?, Cardiology, Dermatology, Neurology, Oncology, Pediatrics, Peds, Rheumatology
Nephrology, Urology, Gastroenterology, Immunology, Eye (?:Cent(?:er|re)|Associates|Institute|Care)
Dental, Dentistry, Urgent Care, Walk-in, Family (?:Medicine|Practice|Health), Primary Care
Subacute, Sleep Cent(?:er|re), Heart (?:Cent(?:er|re)|Institute|Foundation|Rhythm Cent(?:er|re))
Spine & Joint, MRI, Fertility(?: Cent(?:er|re)| & Day Surgery)?, Wellness(?: Cent(?:er|re))?
Physiotherapy, Physical Therapy, Breast Cent(?:er|re), Surger?y Cent(?:er|re)
Surgical Cent(?:er|re), Recovery(?: Cent(?:er|re))?, Behavioral Health, Counseling, Psychiatry
Cent(?:er|re), Ctr, SNF, ALF, Lodge, House, Villa, Terrace, Gardens, Unit, Suite, Health, VAMC
Endoscopy, Ortho, Outpatients, Pain (?:Clinic|Cent(?:er|re)), Hematology
Pulmonary(?: Associates)?, Infusion(?: Cent(?:er|re))?, BHU, OTP, Residential, Gasthuis, HOSPITAL
MEDICAL CENTER, CLINIC, MEMORIAL, REGIONAL, GENERAL, INFIRMARY, HOSPICE, HEALTH CENT(?:ER|RE)
CARE CENTER, MED CTR, MEDICAL, PEDIATRICS, IMAGING, CENTER, CENTRE, REHAB, NURSING HOME, HOSP
SURGERY, ORTHO, BREAST CENTER, CANCER CENTER, URGENT CARE, HLTH, HEALTH
""")
ORGANISED = any_of("""
Inc, LLC, LLP, L\\.L\\.C, Ltd, Limited, Pty, PLC, Plc, Corp(?:oration)?, Co, Company, GmbH, S\\.A
Pharmacy, PHARMACY, Pharmacies, Chemists?, Drugs?(?: Store)?, DRUG, Apothecary, Laborator(?:y|ies)
LABORATOR(?:Y|IES), Labs?, LABS?, Diagnostics, DIAGNOSTICS, Genomics, Cytogenomics, Genetics
Toxicology, Pathology, PATHOLOGY, Dermatopathology, Forensic Labs?, School, SCHOOL, Elementary
ELEMENTARY, Primary(?: School)?, Academy, College, COLLEGE, University, UNIVERSITY, Univ
High(?: School)?, HIGH SCHOOL, Middle(?: School)?, Intermediate, Kindergarten, Preschool, Nursery
Montessori, Institute of Technology, Polytechnic, Seminary, School District, Unified, ISD
Head Start, Insurance, INSURANCE, Assurance, Mutual(?: Health| Life)?, MUTUAL, Indemnity, Casualty
Life, Health Plan, Health Fund, Medical Scheme, Shield, Advantage, PPO, HMO, Select
Benefit (?:Managers|Trust), Benefits, Health Trust, Commercial
Police(?: (?:Department|Dept|Service|Station))?, POLICE(?: DEPARTMENT)?, PD
Sheriff(?:'s)?(?: (?:Office|Department|Dept))?, Constabulary, State Patrol, Highway Patrol
Fire(?: & Rescue| (?:Department|Dept|Rescue|District))?, FD, Rescue(?: Squad| Sq)?
Ambulance(?: (?:Service|Corps|Services|Co))?, EMS, Emergency Medical Services, Medevac, HEMS
Aeromed, AMBULANCE, Church, CHURCH, Parish, PARISH, Chapel, Mosque, Temple, Synagogue, Masjid
Gurdwara, Cathedral, Ministries, Ministry, Tabernacle, Fellowship, Congregation, Baptist, Lutheran
Methodist, AME, Mission, Foundation, Trust, Society, Association, Union, Federation, League
Legion, Brotherhood, Local [0-9]{1,4}, Bank, Credit Union, Market, Supermarket, Grocery, Grocers?
Foods, Motors, Auto, Automotive, Logistics, Construction, Builders, Farms?, Dairies, Dairy
Industries, Manufacturing, Works, WORKS, Steel, Mills?, Mines?, Mining, Quarry, Hotel, Inn, Resort
Casino(?: & Lodge)?, Restaurant, Café, Cafe, Diner, Grill, Bakery, Brewery, Brewing, Theatre
Theater, Playhouse, Philharmonic, Orchestra, Symphony, Opera, Ballet, Pictures, Studios?
Airlines?, Airways, Air, Aviation, Shipping, Freight(?: Lines)?, Lines, Trucking, Paws
Transport(?:ation)?, Transit, Roofing, Plumbing, Electric, Energy, Power, Solar, Services
SERVICES, Solutions, Systems, Partners, Group, Agency, Home (?:Health|Care|Nursing), Homecare
Supply, Oxygen(?: & Supply)?, Shelter, District, Council, Department, Museum, Library, Prison
PRISON, Jail, Correctional(?: (?:Facility|Center|Institution))?, Penitentiary
Detention (?:Center|Centre), Club, RSL, FC, RFC, VBC, United, Rovers, Athletic, Timber, Trawlers
Fisheries, Seafoods?, Packing, Glassworks, Linen(?: Service)?, Landscaping, Salon, Barbers?, Spa
Fitness, Gym, Daycare, Day Care, Child ?[Cc]are, Nursing Services, Staffing, Security, Consulting
Law, Legal(?: Aid)?, Advocates, Collision, Garage, Hardware, Lumber, Paper, Textiles?, Printing
Press, Gazette, Times, Books, Records, Media, Broadcasting, Radio, Software, Technologies, Tech
Telecom, Networks, Engineering, Shipyard, Docks, Port Authority, Housing(?: Authority)?, Authority
Commission, Bureau, Circle, Network, Collective, Cooperative, Co-op, Alliance, Coalition, Navy
Army, Air Force, Marine Corps, Coast Guard, National Guard, Marines, Red Cross, Funeral Home
Funerals, Crematory, Blood(?: (?:Bank|Center|Service))?, Storage, Wholesale, Distribution
Warehouse, Literacy, Recovery, Unit
""")
SHORT = sections("institutions.short.txt")
"""Abbreviations of kinds that stand before the name of a place, by label, or ``behind`` it."""
_SHORT_WORDS = frozenset(word.casefold() for words in SHORT.values() for word in words)
GENERIC = words_in("institutions.generic.txt") | _SHORT_WORDS
"""Words and abbreviations that name no institution by themselves."""
AGENCIES = words_in("institutions.agencies.txt")
"""Capitals by which police, rescue services and tribunals are known."""
