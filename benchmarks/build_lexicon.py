"""Write models/data/lexicon.txt: the words that notes hold in lower case outside their spans.

python benchmarks/build_lexicon.py train/notes.jsonl training/notes/w[1345] > lexicon.txt

The development notes are not among them: what is measured on those must not have read them. Nor
are the notes of w2, which are broken and misspelt on purpose.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from faker.providers.lorem.en_US import Provider

from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.study.corpus.marked import read_folder

FUNCTION_WORDS = """
a about above across after again against ago all almost alone along already also although always am
among an and another any anybody anyone anything anyway apart are around as aside ask at away back
bad be became because become been before began begin behind being below beside best better between
beyond big black blue both bring brought brown but buy by call came can cannot care case change
child children clean clear close cold come cool could cut dark day days dear deep did do does done
down dry during each early east easy eat eight either eleven else end enough even evening ever every
everyone fair fall far fast feel feet felt few fifteen fifty fill find fine fire first five fly food
foot for forty found four free fresh friend from front full gave get girl give glad go goes gold
gone good got grant gray great green grey ground grow half hand happy hard has have he head hear
heart heavy held help her here hers herself high hill him himself his hold home hope hot hour house
how hundred i ice if ill in inside instead into iron is it its itself joy just keep kept key kind
king knew know lake land large last late later lay least leave led left less let light like line
little live long look lost lot love low made make man many may maybe me mean men might mine more
morning most mother much must my name near neck need never new next nice night nine no nobody none
nor north not nothing now of off often oh old on once one only open or other our ours out outside
over own page park part past pay people place please point poor price put quick quiet quite rain ran
rather read ready real red rest rice rich right ring rise river road rock room rose round run said
same sand saw say school sea second see seem seen self sell send sent set seven several shall sharp
she ship short should show shut sick side since sing sister sit six sixty sleep slow small snow so
some son soon south spring stand star start stay step still stone stop story street strong such
summer sun sure sweet swift take talk tell ten than that the their them then there these they thin
thing think thirty this those though thought three through thus till time to today together told
tomorrow too took top toward town tree true try turn twelve twenty twice two under until up upon us
use used very wait walk wall want warm was wash watch water way we week well went were west what
when where whether which while white who whole whom whose why wide wife wild will wind winter wise
with within without wolf woman women wood word work world would write wrong year yellow yes yet you
young your yours yourself
"""
WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 2


def lower_words(labelled: LabelledNote) -> Iterator[str]:
    text = labelled.note.text
    for span in labelled.spans:
        blank = " " * (span.end - span.start)
        text = text[: span.start] + blank + text[span.end :]
    yield from (word for word in WORD.findall(text) if word.islower())


def notes_of(path: Path) -> Iterator[LabelledNote]:
    if path.is_dir():
        yield from read_folder(path)
    else:
        yield from map(decode_labelled, path.read_bytes().splitlines())


def main(paths: list[str]) -> None:
    words = {word for path in paths for note in notes_of(Path(path)) for word in lower_words(note)}
    words |= set(FUNCTION_WORDS.split()) | {w for w in Provider.word_list if w.islower()}
    print("# Words that clinical notes write in lower case; made by benchmarks/build_lexicon.py.")
    print("\n".join(sorted(word for word in words if len(word) >= SHORTEST)))


if __name__ == "__main__":
    main(sys.argv[1:])
