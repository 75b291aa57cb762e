"""Words of addresses, as pieces of patterns; ``any_of`` explains the form."""

from deidstream.models.text.patterns import LETTER, WORD, any_of

STATE_CODE = (
    r"(?:A[KLRZE]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]"
    r"|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]|AP)"
)
STATE_NAME = any_of("""
Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Georgia
Hawai.?i, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland
Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada
New (?:Hampshire|Jersey|Mexico|York), North (?:Carolina|Dakota), Ohio, Oklahoma, Oregon
Pennsylvania, Rhode Island, South (?:Carolina|Dakota), Tennessee, Texas, Utah, Vermont, Virginia
Washington, West Virginia, Wisconsin, Wyoming, Puerto Rico, Ontario, Québec, Quebec
British Columbia, Alberta, Saskatchewan, Manitoba, Nova Scotia, New Brunswick, Newfoundland
Nunavut, Yukon, New South Wales, Queensland, Tasmania, South Australia, Western Australia
Northern Territory, LOUISIANA, TEXAS, OHIO, OREGON, NEVADA, MONTANA, ALASKA, UTAH, IOWA, KANSAS
MAINE
""")
REGION = any_of("""
NSW, VIC, QLD, TAS, SA, WA, NT, ACT, ON, QC, BC, AB, SK, MB, NS, NB, NL, PE, YT, NU
N\\.[MYJHCD]\\., Mich\\., Mass\\., Conn\\., Calif\\., Fla\\., Tex\\., Penn\\., Minn\\., Wash\\.
Ore\\., Okla\\., Tenn\\., Ill\\., Wis\\., Ariz\\., Colo\\., KZN
""")
STATE = rf"(?:{STATE_CODE}|{STATE_NAME}|{REGION})"
KIND = any_of("""
Street, St, Str, Avenue, Ave, Av, Road, Rd, Boulevard, Blvd, Lane, Ln, Drive, Dr, Court, Ct, Place
Pl, Square, Sq, Terrace, Terr?, Circle, Cir, Way, Parkway, Pkwy, Highway, Hwy, Turnpike, Tpke
Pike, Trail, Trl, Row, Alley, Aly, Close, Crescent, Cres, Gardens?, Grove, Hill, Mews, Fold
Parade, Quay, Wharf, Walk, Loop, Path, Plaza, Plz, Point, Ridge, Run, Rise, View, Vale, Yard
Green, Gate, Esplanade, Promenade, Causeway, Landing, Crossing, Bend, Cove, Commons?, Heights
Hollow, Park, Loan, Wynd, Brae, Strand, Approach, Bypass, Expressway, Extension, Layout, Link
Estates?, Cross, Broadway, Spur, Levee, Bluff, Dale, Station, Cottages, Spit, Maltings, Ropewalk
Mulberry
""")
PLAIN_KIND = any_of("""
street, st, road, rd, avenue, ave, lane, ln, boulevard, blvd, court, ct, drive, terrace, crescent
STREET, ST, ROAD, RD, AVENUE, AVE, LANE, LN, BOULEVARD, BLVD, COURT, CT, DRIVE, TERRACE, CRESCENT
PIKE, DR, WAY, PLACE, PL, ROW, HWY, HIGHWAY, LOOP, TRAIL, PKWY
""")
"""Kinds that are seldom other words, in small letters and in capitals."""
UNIT = (
    r"(?:,?[ ](?:(?i:apt|apartment|app|ste|suite|unit|flat|fl|floor|rm|room|lot|level|bldg"
    r"|building|no|trlr|trailer|space|spc)\b\.?[ ]?#?[0-9A-Za-z/-]{1,6}\b|#[ ]?[0-9A-Za-z-]{1,5}"
    r"|(?i:upstairs|downstairs|rear(?:[ ]cottage)?|trailer[ ]rear)))"
)
LEAD = (
    r"(?:(?i:flat|unit|apt|apartment|suite|shop|level|floor|plot|lot|room|house|block|blk|no"
    r"|hse[ ]no|villa|trailer|site|space|cottage|bungalow|rd"
    r"|rr)\.?[ ]?(?:No\.?[ ])?#?[0-9A-Za-z/-]{1,7},[ ])"
)
HOUSE = (
    rf"(?:(?:{WORD}[ ]){{1,2}}(?:House|Lodge|Court|Mill|Tower|Hall|Cottage|Building|Towers"
    r"|Arcade|Centre|Maltings),[ ])"
)
NUMBER = r"(?:[0-9OlI]{1,5}(?:[-/][0-9]{1,5})?(?:[ ]1/2)?[A-Za-z]?)"
PIECE = (
    rf"(?:{WORD}|[0-9]{{1,3}}(?:st|nd|rd|th|ST|ND|RD|TH)|[NSEW]\.?|[NS][EW]|St\.|Mt\.|(?:des|de"
    r"|la|le|du|y|of|the)\b)"
)
BOX = any_of("""
p\\.? ?o\\.? ?box, box, rr, r\\.r\\., rural route, route, rte, rd, hc, psc, locked bag
private bag, gpo box
""")
TOWN = (
    rf"(?:{WORD}(?:[ -](?:{WORD}|de|la|of|the|on|upon|under|St\.|del|los|las|el)){{0,3}}"
    rf"|St\.[ ]{WORD}(?:[ ]{WORD})?)"
)
SHIRE = (
    rf"(?:(?:(?:North|South|East|West)[ ])?[A-Z]{LETTER}{{3,14}}shire|(?:West|East|North"
    r"|South)[ ](?:Sussex|Yorkshire|Midlands|Lothian)|Kent|Essex|Surrey|Norfolk|Suffolk"
    r"|Cornwall|Devon|Cumbria|Moray|Fife)"
)
