"""The marks of exports are found by their form, and what stands between them is text."""

import time

import pytest

from deidstream.models.text.machine_marks import Mark, find_marks

MARKED = (
    "⟦^XA⟧⟦^PW406⟧\n⟦^FO12,10⟧⟦^A0N,26,24⟧⟦^FD⟧OKORO,ADA⟦^FS⟧\n⟦^FO12,38⟧⟦^FD⟧35⟦^FS⟧⟦^XZ⟧",
    '⟦N⟧\n⟦q812⟧\n⟦A50,0,0,1,1,1,N,⟧"OKORO, ADA"\n⟦A50,9,0,1,1,1,N,⟧"K+ RECHECK"\n⟦P1⟧',
    '⟦TEXT 10,10,"3",0,1,1,⟧"OKORO"\n⟦BARCODE 10,80,"128",50,1,0,⟧"77120"\nC:\\x',
    "⟦\x1b&l1O⟧⟦\x1b(s0p10h12V⟧Okoro⟦\x1bE⟧",
    "⟦\\begin{⟧letter⟦}⟧\n⟦\\opening{⟧Dear Dr Okoro⟦}⟧ C:\\Users\\ada \\\\ ⟦\\par⟧\n⟦\\item ⟧Ada",
    "⟦{\\f0\\fswiss Arial;}⟧⟦\\pard⟧⟦\\b ⟧Ada⟦\\b0 ⟧\n⟦\\par⟧\n⟦\\cf1 ⟧Okoro⟦}⟧",
    "⟦<v ⟧Ada Okoro⟦>⟧she is better",
    '⟦<name⟧⟦ given="⟧Ada⟦"⟧⟦/>⟧ ⟦<family>⟧Okoro⟦</family>⟧ ⟦<b>⟧x⟦<p⟧⟦ class="q"⟧⟦>⟧',
    "⟦<style>.q{font:Arial}</style>⟧ <ada@okoro.example> <okoro> K <LLN and Na >135",
    '{⟦"fam":"⟧Okoro",⟦"giv": "⟧Ada",⟦"t":⟧[6.1],"Ada":1,"aokoro3":2}',
    'pt ⟦last_name="⟧Okoro" ⟦noteLen=⟧512 ⟦corr_id=⟧77 K=4.1',
    "⟦pt_one:⟧\n  dx:\n    ⟦bed_no:⟧ 12\n    ⟦last_name:⟧ Okoro",
    "INSERT INTO pt (⟦id⟧,⟦ln⟧,⟦fn⟧) VALUES (1,'Okoro','Ada')",
    "⟦enc_id⟧,⟦last⟧,⟦first⟧,⟦dob⟧\n12,Okoro,Ada,1970-01-02",
    "⟦@@ -1,9 +1,10 @@⟧\n⟦-⟧Ada\n⟦+⟧Okoro",
    "⟦@@⟧ Skin ⟦@@⟧\n⟦-⟧seen by Okoro\n⟦@@⟧ Plan ⟦@@⟧\n⟦+⟧Ada",
    "⟦commit e41b0c7⟧, ⟦3b18e51..9c2f0aa 100644⟧, MRN e41b0c7",
    "⟦{{pt.name}}⟧ ⟦${PT_NAME}⟧ ⟦@NAME@⟧ ⟦{% if x %}⟧ {{Okoro}} ⟦«Sur_Name»⟧",
    "⟦(0010,0010) PN⟧ =OKORO^ADA⟦ #  12, 1 PatientName⟧\n⟦(0010,0040) CS⟧ =F\n⟦(0018,0060)⟧ x",
    "⟦diff --git a/hip/fu.md b/hip/fu.md⟧\n⟦--- a/hip/fu.md⟧\n⟦@@ -1 +1 @@⟧\n⟦+++⟧ b/4410298.md",
    "⟦BEGIN:VEVENT⟧\n⟦DTSTART;⟧⟦TZID=Asia/Kolkata⟧:2026\n⟦N:⟧Okoro\n⟦ORG;⟧CN=OKORO:x\n⟦END:VEVENT⟧",
    "⟦GS⟧*HI*77120*X*⟦005010X217⟧~\n⟦N4⟧*MOE⟦*⟧SD⟦*⟧57006~\n⟦HI⟧*⟦ABK:M4806⟧*⟦BF:G992⟧~",
    "⟦ZCZC⟧ MSA 0471\nFM OKORO\n⟦BT⟧\nSEEN BY BT\n⟦NNNN⟧\n",
    "⟦Merge: 44ab901 c07d3e2⟧ by c07d3e2",
    "checksum: ⟦crc32:77ad01fe⟧, sha256:⟦0a4d...f1⟧ checksum ⟦b7:1f:00⟧ ⟦0x80070490⟧ hash 77120",
    '{⟦"u":"⟧aokoro3",⟦"act":"⟧⟦RDE_NACK⟧",⟦"hash":"⟧⟦e3b0c442⟧",⟦"type":"⟧by Ada"}',
    "act=⟦SYNC⟧ form=⟦MOH257⟧ err=⟦RBAC-403⟧ err=77120 user=aokoro3 by=okoro",
    '⟦<?xml version="1.0" encoding="ISO-8859-1"?>⟧Ada',
    "ok ⟦:white_check_mark:⟧ ⟦@@GP_NAME@@⟧ :okoro: 12:ada_b:14",
    "⟦row⟧;⟦claim_id⟧;⟦svc_date⟧;⟦CPT⟧;⟦net⟧ ⟦AED⟧\n2;NW-772015;14/07/25;99203;218.00",
    "⟦tid⟧;⟦bruger⟧;⟦navn⟧\n01:14;okoro;9\n01:31;okoro;8\n01:52;okoro;7",
    "aokoro3 ⟦VIEW_NOTE⟧, ⟦WRISTBAND_A⟧ ⟦ICU_2025R2⟧. PT_448201 IMG_4471.tif a_OPEN lot_A",
    "tz ⟦Europe/London⟧ or ⟦America/Argentina/Ushuaia⟧ ⟦CST6CDT⟧ Africa/x Male/London",
    "⟦sep=;⟧\nNr;sep=\n",
    " ⟦[pool-1-thread-3]⟧ ⟦c.e.emr.PageOut.run(PageOut.java:1)⟧ ⟦Enc.get(Enc.java:4)⟧ ada.b.okoro",
    " ⟦lab.view.Okoro.render(Okoro.java:88)⟧ ⟦core.Ada$Run.run(Ada.java:302)⟧ lab.Okoro.ada(b)",
)
WORDS = (
    "@@ Okoro @@ rang",
    "^HR 120\n^WBC 14\n~50 mL given",
    "dr_khan: seen\nk_lopez: ok\namy_rn: thanks",
    "kids (Anna, Ben, Carl) from Ohio; meds (aspirin, plavix, lasix) values stable",
    "Name\tFox\tSex\tAge\nUnit\t40\tBed\t4",
    "name,okoro,sex,f\nmrn,12,bed,4",
    "Name;Okoro;Sex;Age\nUnit;40;Bed;4\nUnit;41;Bed;5\nUnit;42;Bed;6",
    "ada;okoro;lovelace\n01:14;on call;9\n01:31;off;8",
    "ada;okoro;ep\n01:14;1;9\n01:31;2;8\n01:52;3;7",
    "index 4410298, commit 4410298, tree 12345678",
    "BEGIN:\nOKORO: seen\nEND:OKORO",
    "BT\nseen\nBT",
    "status=improved, type: okoro, action=x",
    "OR*HIP*ADA~\nno segments",
    "From: <jsmith> and <jsmith>",
    "\\\\server\\share\\okoro on C:\\Users\\okoro\\ada.txt",
    '{"Okoro": 1, "Ada": 2, "aokoro3": 3}',
    "Na 138, K 4.1 (0.9, 1.2), 7/10 [mary-jane-watson] 10^9/L 10^3",
    "",
)


def show(text: str) -> str:
    """Write a text with its marks in brackets."""
    shown, read = "", 0
    for mark in find_marks(text):
        shown += f"{text[read : mark.start]}⟦{text[mark.start : mark.end]}⟧"
        read = mark.end
    return shown + text[read:]


@pytest.mark.parametrize("shown", MARKED)
def test_marks_are_known_by_their_form(shown: str) -> None:
    assert show(shown.replace("⟦", "").replace("⟧", "")) == shown


@pytest.mark.parametrize("text", WORDS)
def test_words_that_resemble_marks_are_words(text: str) -> None:
    assert not find_marks(text)


def test_a_tag_is_read_as_the_name_of_what_it_holds() -> None:
    read = {mark.meant for mark in find_marks('<x:lastName v_no="4">Okoro</x:lastName><b>')}
    assert read == {" ", " v no: ", "  "}
    assert find_marks("<last_name>Okoro</last_name>")[0].meant == " last name: "
    assert find_marks("<v Ada>yes")[1].meant == ": "
    assert find_marks("INSERT INTO pt (id,ln,fn) VALUES (1)")[0].meant is None


def test_headings_cost_what_their_length_costs() -> None:
    lines = "id,no,c\n" * 40_000
    started = time.perf_counter()
    find_marks(lines)
    assert time.perf_counter() - started < 1


def test_no_mark_shows_text_of_its_note() -> None:
    shown = repr(Mark(0, 10, " Okonjo: ", "okonjo_act"))
    assert "konjo" not in shown
