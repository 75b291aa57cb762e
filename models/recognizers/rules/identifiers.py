"""Rules for numbers of a person, an encounter or a paper, by the word before them."""

from deidstream.models.phi.codes.checksums import holds, is_nhs_number, is_ssn
from deidstream.models.phi.codes.code_cues import ACCOUNT, CASE, PLAN, RECORD
from deidstream.models.recognizers.rules.code_fits import (
    FILLER,
    LINK,
    VALUE,
    keep_code,
    keep_formed_code,
    keep_uncued_code,
    make_cued_pattern,
)
from deidstream.models.recognizers.rules.rule import Rule, when
from deidstream.models.text.patterns import APART, APART_AFTER, BEGIN, END
from deidstream.schemas.label import PhiLabel

_SOCIAL = r"(?i:ssn|ss[ ]?#|ss[ ]no\.?|social[ ]security(?:[ ](?:no\.?|number))?|social)"
_NATIONAL = r"(?i:nhs|chi|h&c|h\+c|nhi|ppsn?|nric|sa[ ]id|id|abha|aadhaar|cnic|mykad|curp|ihi)"

RULES = (
    Rule(
        "id.ssn",
        PhiLabel.SSN,
        rf"{BEGIN}([0-9]{{3}}-[0-9]{{2}}-[0-9]{{4}}){END}",
        0.98,
        ("SSN [[666-41-9920]] as", "|[[999-04-1718]]"),
        ("555-0100", "123-45-67890"),
        when(is_ssn),
    ),
    Rule(
        "id.ssn_cued",
        PhiLabel.SSN,
        rf"\b{_SOCIAL}{LINK}([0-9]{{3}}[- .]?[0-9]{{2}}[- .]?[0-9]{{4}}){END}",
        0.98,
        ("SSN: [[000 41 7729]]", "SS No. [[999041788]]", "ssn# [[000.52.9910]]"),
        ("SSN pending",),
        when(is_ssn),
    ),
    Rule(
        "id.ssn_last_four",
        PhiLabel.SSN,
        r"\b(?i:ssn?|ss[ ]?#|social[ ]security|social|last[ ](?:4|four)"
        r"|last4)\b[^0-9\n]{0,32}(?:(?i:last[ ](?:4|four)"
        r"|last4)[^0-9\n]{0,16})?(?:[x*#]{1,5}[- ]?){0,3}([0-9]{4})(?:$|[^0-9A-Za-z/-])",
        0.9,
        (
            "SSN last four [[0171]],",
            "SSN ending [[0041]]",
            "Last 4: [[0013]]",
            "ssn xxx-xx-[[8831]]",
        ),
        ("last 4 days", "social 12"),
        joined=True,
    ),
    Rule(
        "id.record",
        PhiLabel.MEDICALRECORD,
        make_cued_pattern(RECORD),
        0.95,
        (
            "MRN: [[ZU-3391-0047]]",
            "mrn [[552 901 7]], 62f",
            "MR# [[771-04-92]]",
            "Hosp No [[E9077416]] / F",
            "Chart [[NFP-0217]].",
            "HOSPITAL NO. [[33-9014]]; 61",
            "Medical record number [[31-35-6313]].",
        ),
        ("chart review", "file 3", "MRN pending", "chart 31-12-2024", "chart 12/31/24"),
        keep_code,
    ),
    Rule(
        "id.plan",
        PhiLabel.HEALTHPLAN,
        make_cued_pattern(PLAN),
        0.9,
        (
            "Member ID: [[CBX-771-002-19]]",
            "OHIP: [[9990-441-728-VK]]",
            "grp [[77-1180]]",
            "RAMQ: [[LACG 9956 1299]]",
            "recipient no. [[0017-0055-11]]",
        ),
        ("plan 2 weeks", "group 3", "member of", "primary 12"),
        keep_code,
    ),
    Rule(
        "id.account",
        PhiLabel.ACCOUNT,
        make_cued_pattern(ACCOUNT),
        0.9,
        (
            "acct [[00-441-7790]] at",
            "account ending [[4743]].",
            "invoice [[TV-60219]].",
            "FIN [[901951812]]",
        ),
        ("account of 3", "billing 10 min"),
        keep_code,
    ),
    Rule(
        "id.nhs",
        PhiLabel.IDNUM,
        rf"{BEGIN}([0-9]{{3}}[ -][0-9]{{3}}[ -][0-9]{{4}}|[0-9]{{10}}){END}",
        0.95,
        ("held as [[943 476 5919]].",),
        ("943 476 5918", "1234567890"),
        when(is_nhs_number),
    ),
    Rule(
        "id.national",
        PhiLabel.IDNUM,
        rf"\b{_NATIONAL}{LINK}([0-9A-Z]{{2,7}}(?:[ -][0-9A-Z]{{1,7}}){{1,4}}"
        rf"|[0-9A-Z]{{6,18}}){APART_AFTER}",
        0.95,
        (
            "NHS No [[000 417 2268]]",
            "PPSN [[9900412ZA]]",
            "SA ID [[000000 6855 08 8]], f",
            "CNIC [[00000-4471289-6]].",
            "NHI [[ZZZ0032]]",
        ),
        ("NHS TRUST", "ID CONSULT"),
        when(lambda text: holds(text, 4)),
    ),
    Rule(
        "id.case",
        PhiLabel.IDNUM,
        make_cued_pattern(CASE),
        0.85,
        (
            "Accession: [[RSP27-40917]]",
            "Case [[ME-27-0419]]",
            "badge [[1147]].",
            "claim [[000441182]].",
            "ref [[LS-21904]].",
            "passport [[X02632842]].",
            "interpreter [[HM-2217]]",
        ),
        ("case 3", "form 12", "unit 4", "visit 2025-11-08", "order 10 mg", "run 30 min"),
        keep_formed_code,
    ),
    Rule(
        "id.dated",
        PhiLabel.IDNUM,
        rf"{APART}(?i:ob|{CASE}){LINK}([0-9]{{1,5}}/[0-3]?[0-9]/[01]?[0-9]/(?:20)?[0-9]{{2}})"
        r"(?:$|[^0-9A-Za-z/])",
        0.96,
        ("P3 form, OB [[14/28/11/24]].", "OB No. [[7/03/5/2023]] at", "ref [[881/12/09/25]];"),
        ("OB 34/40", "order 28/11/24", "DP 7.31/48/94/23"),
    ),
    Rule(
        "id.case_loose",
        PhiLabel.IDNUM,
        make_cued_pattern(f"{CASE}|{RECORD}|{PLAN}|{ACCOUNT}", FILLER),
        0.7,
        ("claim filed as [[WC-88-014-7]]", "policy (auto) [[AXM/77/40091]]"),
        ("case of 12 lesions", "order for 1000 mL", "called at 0829"),
        keep_uncued_code,
    ),
    Rule(
        "id.coded",
        PhiLabel.IDNUM,
        r"(?:^|[^0-9A-Za-z./_@-])([A-Z]{1,6}[0-9]{0,4}[-/][0-9A-Z]{1,10}"
        r"(?:[-/][0-9A-Z]{1,10}){0,4}|[0-9]{2,8}-[0-9A-Z]{2,8}(?:-[0-9A-Z]{1,8}){0,3}"
        r"|[A-Z]{2,5}[0-9]{6,14}|[A-Z][0-9]{7,12})(?:$|[^0-9A-Za-z/_@-])",
        0.6,
        ("Path [[SFL-T-22093]]:", "([[NG-0771/27]])", "on [[H25-00418]]"),
        ("HLA-B27", "SARS-CoV-2", "A4239", "C1-C2", "2025-11-08", "300-600", "43249-59", "D5/14"),
        keep_uncued_code,
    ),
    Rule(
        "id.long_number",
        PhiLabel.IDNUM,
        r"(?:^|[^0-9A-Za-z.,/:$#+-])([0-9]{7,11}|[0-9]{13}|[0-9]{15,16})(?:$|[^0-9A-Za-z.,/:%-]"
        r"|[.,:](?:$|[^0-9]))",
        0.6,
        ("held [[0099041177]] and",),
        ("copies 1,200,000", "123456", "|202502110833"),
    ),
    Rule(
        "id.numbered",
        PhiLabel.IDNUM,
        rf"{APART}#[ ]?({VALUE})",
        0.6,
        ("#[[7700341]]", "call #[[558204]]", "# [[77120-M]] ;"),
        ("#2 anemia", "Day #3"),
        keep_formed_code,
    ),
)
