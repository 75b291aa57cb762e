"""Figures of a bench that nobody has measured."""

from deidstream.study.bench.bench_figures import (
    BatchFigures,
    BenchFigures,
    BenchSubject,
    LoadFigures,
    Machine,
    Memory,
    PathFigures,
    Spread,
    StageCost,
)


def bench_figures(ratio: float) -> BenchFigures:
    """Figures with a ratio to the engine."""
    engine = Spread(10_000, 9_000, 11_000)
    return BenchFigures(
        at="2026-01-01T00:00:00+00:00",
        machine=Machine("processor", 2, 2, "3.11"),
        subject=BenchSubject("in-process", "0", "surrogate", "abc:bf16", 10, 5_570, 64, 3),
        path=PathFigures(
            notes_per_second=Spread(12, 11, 13),
            pieces_per_second=Spread(7_000, 6_500, 7_500),
            cpu_ms_a_note=100,
            engine_pieces_per_second=engine,
            engine_ratio=Spread(ratio, ratio - 0.05, ratio + 0.05),
            engine_cpu_share=Spread(0.5, 0.5, 0.5),
            quarantined=0,
        ),
        stages={"detect": StageCost(60, 0.6), "assess": StageCost(40, 0.4)},
        detection={"tagger": StageCost(45, 0.75), "rest": StageCost(15, 0.25)},
        batches=BatchFigures(10, 0.8, 1.3, {"lane": 0.1}),
        memory=Memory(900, 950, 1_000),
        loads={"busy": LoadFigures(8.4, 84, 120, 300, 10)},
    )
