"""Rules for occupations, by the words around them and by the noun they end in."""

import re2

from deidstream.models.phi.professions import jobs_abroad
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.patterns import any_of, word_set
from deidstream.schemas.label import PhiLabel

_NOUNS = """
driver worker operator farmer teacher mechanic engineer clerk cook chef baker welder carpenter
plumber electrician painter roofer builder maker cutter installer fitter setter tuner singer
player dancer actor actress artist musician pianist violinist violist writer editor journalist
reporter photographer designer librarian lecturer professor principal janitor custodian cleaner
housekeeper maid nanny waiter waitress bartender barista server cashier salesman saleswoman seller
vendor broker adjuster appraiser accountant bookkeeper auditor banker teller analyst programmer
developer manager director supervisor foreman inspector surveyor architect lawyer attorney
paralegal judge magistrate stenographer policeman firefighter soldier sailor pilot captain purser
attendant steward stewardess dispatcher conductor brakeman signalman trucker courier porter picker
packer sorter loader miner driller fisherman fishmonger butcher grocer tailor seamstress weaver
knitter potter jeweler jeweller watchmaker locksmith blacksmith goldsmith mason bricklayer tiler
joiner glazier plasterer machinist millwright boilermaker pipefitter rigger lineman lineworker
lobsterman shearer shepherd rancher gardener landscaper arborist forester ranger warden guard
watchman bouncer barber hairdresser stylist beautician undertaker mortician priest minister
postman postmistress postmaster translator interpreter guide trainer coach jockey athlete boxer
wrestler consultant biologist chemist physicist geologist hydrologist glaciologist archaeologist
economist scientist researcher cartographer curator conservator luthier finisher spinner presser
grinder polisher molder caster assembler auctioneer officer councilwoman councilman mayor diplomat
politician secretary receptionist typist planner estimator buyer merchant trader shopkeeper
storekeeper innkeeper owner caretaker groundskeeper beekeeper housewife homemaker technician
lifeguard crofter concreter recordist saucier dealer stevedore docker longshoreman deckhand bosun
trawlerman skipper upholsterer comedian composer poet novelist sculptor florist optician realtor
scaffolder labourer laborer farmhand ploughman splitter cobbler carver turner hewer keeper mender
washer grader dresser busker hanger climber diver sander tattooist puppeteer restorer bookbinder
collector checker assistant investor entrepreneur gambler trapper hunter logger stocker instructor
tutor umpire referee projectionist telegraphist fireman busboy dishwasher caterer brewer distiller
vintner sommelier milliner draper glover furrier saddler farrier groom cowboy drover smelter
stoker boatbuilder shipwright netmaker sailmaker lamplighter cellist oboist organist drummer
guitarist trombonist flautist cantor choirmaster mistress coordinator administrator superintendent
marshal bailiff constable sergeant technologist specialist statistician actuary mathematician
linguist ethnographer ironworker steelworker commentator hauler pharmacist hygienist paramedic
aide cheesemaker dressmaker shaper rider hostess host nurseryman zookeeper falconer gunsmith
whaler fumigator exterminator valet doorman bellhop usher croupier roustabout roughneck
derrickhand pastor deacon chaplain nun monk imam rabbi veterinarian vet groomer walker breeder
anesthetist anaesthetist radiographer midwife historian ironmonger wigmaker chandler cooper fuller
thatcher tiller planter reaper miller crabber netter oysterman shucker gutter fryer roaster
bottler labeler canner stitcher embroiderer quilter tanner lister miner weaver ganger lasher
corper helper houseboy higgler fettler ferryman sweeper peon coolie
"""
_PHRASES = """
tool and die maker, chef de partie, machine tender, tunnel tender, bar tender, bridge tender
crane driver
greenhouse hand, ranch hand, derrick hand, conveyancer, faller, contractor, councillor
ecologist, classer
phlebotomist, motorman, constructor, seaman, hawker, paratrooper, sheepherder, paver
lollipop lady, dinner lady
slaughterman, fish gutter, orchardist, civil servant, announcer, crew chief
(?:carpet|tile|brick|pipe|floor|cable) layer
(?:store|factory|machine|warehouse|process|plant) operative
mezzo-soprano, conveyancer
air traffic controller, teaching assistant, real estate agent, sign-off engineer
claims examiner, tech
"""
_HEAD = (
    f"(?:{any_of(', '.join(_NOUNS.split()))}|{any_of(_PHRASES)}"
    r"|[A-Za-z]{2,12}(?:smith|monger|wright|keeper|[bdhklmnrst]maker))"
)
_SELDOM = word_set("""
agent carrier guide model minister owner officer guard attendant assistant founder specialist
manager director keeper server dealer turner hunter coach coordinator consultant operator handler
interpreter technician secretary receptionist attorney lawyer teacher principal judge priest
supervisor investigator driver pastor host hand aide walker planter vet tech collector checker
captain constable sergeant deacon chaplain nun imam rabbi pharmacist hygienist midwife paramedic
radiographer anesthetist anaesthetist technologist dispatcher clerk typist worker administrator
superintendent marshal bailiff usher cutter maker player presser spinner binder grinder restorer
washer dresser hanger climber rider picker gutter tiller lister miller cooper fuller shaper tanner
porter hewer nurse cook groom wrestler master mistress historian buyer analyst woman planner
editor author
""")
"""Heads that alone often mean something else, or name staff."""
_STOP = word_set("""
at for in on with who whom which that from to by until till since when while before after because
but as is was were has had he she they his her their and or the of a an per via now then retired
former about into near over under through during so if not no any more most very also where last
this next out off up down full part time fulltime works worked working age aged old year years yo
m f male female man woman
""")
_NEVER = word_set("""
patient pt man woman male female smoker drinker nonsmoker non-smoker user abuser candidate carrier
mother father daughter brother sister cancer disorder number center order water power older
younger former never other further later caregiver disability early here not and from since at in
on due year last member person survivor student veteran boy girl child widow widower baby lady
gentleman responder teen teenager resident your our my less more staff nursing nurse dental-clinic
clinic hospital ward icu office privacy case house surgical medical clinical physician social care
non-tender non donor arabic spanish somali tigrinya language telephone phone video right-handed
left-handed pleasant unemployed injured disabled divorced married single healthy obese
""")

_W = r"(?:(?:[A-Za-z]|[\xc3-\xdf][\x80-\xbf]){2,18}(?:-[A-Za-z]{2,14}){0,3})"
_HEADED = rf"(?:(?:{_W}[ ](?:(?:and|&)[ ])?){{0,3}}(?i:(?:{_W}-)?{_HEAD}s?))"
_CUE = any_of("""
a, an, the, is, was, are, as, retired, former, formerly, ex, dad, mom, mum, husband, wife, son
daughter, father, mother, brother, sister, partner, work, works, worked, job, occupation
occup\\.?, old, yo, y/o, this, self-employed, freelance, semi-retired, out-of-work, then, once
first, later, becoming, become, turned, by, he's, hes, she's, shes, i'm, employed as, trained as
profession, male, female, part-time, full-time, after, longtime, unemployed, manages, our
grandmother, uncle, aunt, nephew, niece, stepfather, stepmother
""")
_TITLE_AFTER = re2.compile(
    r"^ (?:Mr|Ms|Mrs|Miss|Dr|sr|for (?:radiology|cardiology)|on call|at bedside|aware|paged"
    r"|notified|candidate)\b|^ [A-Z][a-z]+"
)
_TITLED_BEFORE = re2.compile(
    r"(?i)(?:case|social|staff|charge|chief|attending|medical|nurse|ward|clinic|our)[ ]$"
)
_P = PhiLabel.PROFESSION
_ABROAD = "|".join(sorted(jobs_abroad(), key=len, reverse=True)).replace(" ", r"\x20")


def _keep_job_before_head(candidate: Candidate) -> tuple[int, int]:
    """Drop the words before an occupation that are not part of it."""
    words, begin = candidate.text.split(" "), 0
    for n, word in enumerate(words[:-1]):
        if word.lower() in _STOP or word.lower() in _NEVER:
            begin = len(" ".join(words[: n + 1])) + 1
    kept = candidate.text[begin:].lower()
    if candidate.text.rsplit(" ", 1)[-1].istitle():
        return REFUSED
    return REFUSED if _is_staff(kept, candidate, begin) else (begin, len(candidate.text))


def _is_staff(kept: str, candidate: Candidate, begin: int) -> bool:
    alone = kept.removesuffix("s") in _SELDOM or kept in _NEVER or kept in _STOP
    before = candidate.before + candidate.text[:begin]
    titled = _TITLE_AFTER.search(candidate.after) or _TITLED_BEFORE.search(before)
    return alone or bool(titled)


RULES = (
    Rule(
        "profession.headed",
        _P,
        rf"(?:\b(?i:{_CUE})[ ,:-]{{1,3}}|[(,;:|][ ]?|[0-9][MFmf]?,?[ ]"
        rf"|OCC[ ]{{1,3}})((?i:{_HEADED}))\b",
        0.65,
        (
            "a retired [[piano tuner]]; he",
            "RETIRED [[RAILROAD BRAKEMAN]] WITH",
            "ex-[[fish-and-chip shop owner]].",
            "former [[wild rice buyer]] and",
            "who is a [[mechanic]], took",
            "He is a [[trombone player]] who",
            "dad [[pastry chef]] mom",
            "Bapi Mondal ([[toto driver]])\n",
            "Geneviève (36, [[paralegal]]) since",
            "this 52-year-old [[court stenographer]] for",
            "59 yo M, [[boilermaker]] at",
            "via Uncle Clem, [[ranger]].\n",
        ),
        (
            "is a carrier of",
            "was the driver",
            "is a smoker",
            "the case worker Ms",
            "a charge nurse manager",
        ),
        _keep_job_before_head,
    ),
    Rule(
        "profession.enclosed",
        _P,
        rf"[(|;\t][ ]{{0,2}}((?i:{_HEADED}))[ ]{{0,9}}[)|;\t]"
        r"|(?:^|[^0-9A-Za-z:.])[0-9]{2}(?:[ ]?y/?o)?[ ]?[MFmf]?,?[ ]"
        rf"((?i:{_HEADED}))(?:[ ](?:from|at|for|with|w/)|[,;.)])",
        1.0,
        (
            "66120 | [[lasher]] | crushed",
            "Sista P ([[higgler]]) 58",
            "and 44 [[miner]] from",
            "Flora (63, [[farrier]], Sisters",
        ),
        ("(driver)", "(case worker)", "+0:00  found by cleaner."),
        _keep_job_before_head,
    ),
    Rule(
        "profession.abroad",
        _P,
        rf"(?:^|[^0-9A-Za-z'.@/_-])({_ABROAD})(?:$|[^0-9A-Za-z'@/_-])",
        1.0,
        (
            "Zulkarnain, [[pemandu lori]] (Syarikat",
            "ni [[muuza makaa]]. hana",
            "une [[b\u00fbcheron]]",
        ),
        ("petani-2", "Pescador, J."),
    ),
)
