"""What happens before each alert fires, and what happens when it must not."""

from collections.abc import Sequence
from dataclasses import dataclass

LAG = 'deid_consumer_lag{topic="raw",partition="0",instance="a"}'
DONE = 'deid_last_progress_timestamp_seconds{job="deidstream",instance="a"}'
OF_API = 'deid_last_progress_timestamp_seconds{job="api",instance="b"}'
INFO = 'deid_info{{policy="p",policy_sha256="1",version="1",index="",tagger="",key_version="{}"}}'
E2E = "deid_note_e2e_seconds"


@dataclass(frozen=True, slots=True)
class AlertScene:
    """Series by step, in the notation of ``promtool test rules``, and when to look."""

    alert: str
    minutes: int
    firing: Sequence[tuple[str, str]]
    quiet: Sequence[tuple[str, str]]
    step: int = 1
    """Minutes between two samples: more where days pass."""


def late(share: int) -> list[tuple[str, str]]:
    """Of 1,000 notes a step, so many are late."""
    return [
        (f'{E2E}_bucket{{le="5.0"}}', f"0+{1_000 - share}x400"),
        (f"{E2E}_count", "0+1000x400"),
    ]


def levels(red: str) -> list[tuple[str, str]]:
    """Some red notes, and 100 green ones a step."""
    return [
        ('deid_risk_level_total{level="red"}', red),
        ('deid_risk_level_total{level="green"}', "0+100x720"),
    ]


def surrogates(shared: str) -> list[tuple[str, str]]:
    """Some shared surrogates, and 100 claimed ones a step."""
    lookups = "deid_surrogate_lookups_total"
    return [
        (f'{lookups}{{result="shared"}}', shared),
        (f'{lookups}{{result="claimed"}}', "0+100x100"),
    ]


def messages(refused: str) -> list[tuple[str, str]]:
    """Some HL7 v2 messages that are refused, and 100 accepted ones a step."""
    name = "deid_mllp_messages_total"
    return [(f'{name}{{outcome="accepted"}}', "0+100x40"), (f'{name}{{outcome="other"}}', refused)]


def dates(of: str) -> list[tuple[str, str]]:
    """One date a step that cannot be read, of some."""
    return [("deid_dates_unread_total", "0+1x150"), ('deid_entities_total{label="DATE"}', of)]


def all_late(notes: float) -> list[tuple[str, str]]:
    """So many notes a step, each of them late: a backlog, or one slow sender at night."""
    return [(f'{E2E}_bucket{{le="5.0"}}', "0x400"), (f"{E2E}_count", f"0+{notes}x400")]


SCENES = (
    AlertScene(
        "NoProgress",
        10,
        # What the interface finishes is no progress of the workers.
        [(DONE, "0x20"), (OF_API, "0+60x20"), (LAG, "5x20")],
        [(DONE, "0x20"), (LAG, "0x20")],
    ),
    AlertScene(
        "WorkerStalled",
        10,
        [(DONE, "0x20"), ('deid_notes_in_flight{instance="a"}', "3x20")],
        [(DONE, "0+60x20"), ('deid_notes_in_flight{instance="a"}', "3x20")],
    ),
    AlertScene(
        "LagHigh",
        20,
        [
            (LAG, "9000x30"),
            ('deid_notes_total{job="deidstream",outcome="emitted"}', "0+60x30"),
            ('deid_notes_total{job="api",outcome="emitted"}', "0+60000x30"),
        ],
        [(LAG, "9000x30"), ('deid_notes_total{job="deidstream",outcome="emitted"}', "0+60000x30")],
    ),
    AlertScene(
        "LagSecondsHigh",
        20,
        [('deid_consumer_lag_seconds{partition="0"}', "90x30")],
        [('deid_consumer_lag_seconds{partition="0"}', "30x30")],
    ),
    AlertScene(
        "CommitStuck",
        20,
        [(LAG, "4x30"), (LAG.replace("consumer_lag", "committed_offset"), "77x30")],
        [(LAG, "4x30"), (LAG.replace("consumer_lag", "committed_offset"), "77+1x30")],
    ),
    AlertScene(  # a worker that began a few minutes ago is not stuck yet
        "CommitStuck",
        20,
        [(LAG, "4x30"), (LAG.replace("consumer_lag", "committed_offset"), "77x30")],
        [(LAG, "_x16 4x14"), (LAG.replace("consumer_lag", "committed_offset"), "_x16 77x14")],
    ),
    AlertScene(
        "RebalanceStorm",
        20,
        [('deid_rebalances_total{instance="a"}', "0+1x30")],
        [('deid_rebalances_total{instance="a"}', "3x30")],
    ),
    AlertScene(
        "LeakScanHit",
        10,
        [('deid_leak_scan_hits_total{kind="known"}', "0x8 1x10")],
        [('deid_leak_scan_hits_total{kind="known"}', "4x20")],
    ),
    AlertScene(
        "QuarantineSpike",
        30,
        [("deid_quarantine_total", "0+2x40"), ('deid_notes_total{job="deidstream"}', "0+100x40")],
        [("deid_quarantine_total", "0+1x40"), ('deid_notes_total{job="deidstream"}', "0+1000x40")],
    ),
    AlertScene("BudgetBurnsFast", 120, late(20), late(10)),
    AlertScene("BudgetBurnsFast", 120, all_late(0.5), all_late(0.25)),
    AlertScene("BudgetBurns", 600, late(8), late(4), step=15),
    AlertScene("BudgetBurns", 600, all_late(1), all_late(0.5), step=15),
    AlertScene("BudgetBurnsSlowly", 4_500, late(2), late(0), step=15),
    AlertScene("BudgetBurnsSlowly", 4_500, all_late(0.1), all_late(0.05), step=15),
    AlertScene("RiskShift", 10_200, levels("0+10x668 6680+60x40"), levels("0+10x720"), step=15),
    AlertScene(
        "ProbeFailed",
        30,
        [("deid_probe_success_timestamp_seconds", "60x40")],
        [
            ("deid_probe_success_timestamp_seconds", "0+60x40"),
            ('deid_probe_notes_total{result="ok"}', "0+1x40"),
        ],
    ),
    AlertScene(
        "ProbeFailed",
        30,
        [('up{job="probe",instance="p"}', "1x5 0x40")],
        # It is replaced, and answers again after three minutes.
        [('up{job="probe",instance="p"}', "1x25 0x2 1x20")],
    ),
    AlertScene(
        "WorkerDown",
        5,
        [('up{job="deidstream",instance="a"}', "0x10")],
        [('up{job="deidstream",instance="a"}', "1x10")],
    ),
    AlertScene(
        "EventLoopLag",
        20,
        [
            ('deid_event_loop_lag_seconds_bucket{instance="a",le="0.25"}', "0+1x30"),
            ('deid_event_loop_lag_seconds_bucket{instance="a",le="1.0"}', "0+100x30"),
            ('deid_event_loop_lag_seconds_bucket{instance="a",le="+Inf"}', "0+100x30"),
        ],
        [
            ('deid_event_loop_lag_seconds_bucket{instance="a",le="0.25"}', "0+100x30"),
            ('deid_event_loop_lag_seconds_bucket{instance="a",le="+Inf"}', "0+100x30"),
        ],
    ),
    AlertScene(
        "LostToRetention",
        80,
        [('deid_lost_to_retention_total{instance="a"}', "0x70 9x30")],
        [('deid_lost_to_retention_total{instance="a"}', "9x100")],
    ),
    AlertScene(
        "RedisAway",
        10,
        [('deid_breaker_state{instance="a",service="redis"}', "2x20")],
        [('deid_breaker_state{instance="a",service="redis"}', "0x20")],
    ),
    AlertScene(
        "RedisWentBack",
        10,
        [("deid_redis_lost_total", "0x8 1x9")],
        [("deid_redis_lost_total", "1x20")],
    ),
    AlertScene(
        "RedisUnsafe",
        5,
        [('deid_redis_fault{fault="evicts"}', "1x10")],
        [('deid_redis_fault{fault="lax-sync"}', "1x10")],
    ),
    AlertScene(
        "RedisFull",
        20,
        [("deid_redis_memory_bytes", "900x30"), ("deid_redis_memory_limit_bytes", "1000x30")],
        [("deid_redis_memory_bytes", "900x30"), ("deid_redis_memory_limit_bytes", "0x30")],
    ),
    AlertScene(
        "RedisLax",
        30,
        [('deid_redis_fault{fault="lax-sync"}', "1x40")],
        [('deid_redis_fault{fault="lax-sync"}', "0x40")],
    ),
    AlertScene(
        "SurrogatesShared",
        90,
        [
            ('deid_surrogate_lookups_total{result="shared"}', "0+1x100"),
            ('deid_surrogate_lookups_total{result="claimed"}', "0+100x100"),
        ],
        [
            ('deid_surrogate_lookups_total{result="shared"}', "7x100"),
            ('deid_surrogate_lookups_total{result="claimed"}', "0+100x100"),
        ],
    ),
    AlertScene(
        "DatesUnread",
        120,
        [("deid_dates_unread_total", "0+1x150"), ('deid_entities_total{label="DATE"}', "0+10x150")],
        [
            ("deid_dates_unread_total", "0+1x150"),
            ('deid_entities_total{label="DATE"}', "0+100x150"),
        ],
    ),
    AlertScene(
        "EntityRateDrift",
        60,
        [('deid_drift_psi{scope="group",window="hour"}', "0.4x80")],
        [('deid_drift_psi{scope="worker",window="hour"}', "0.4x80")],
    ),
    AlertScene(
        "LeaksOverPlan",
        20,
        [
            ('deid_leak_bound_per_thousand{note_type="all",bound="lower"}', "12x30"),
            ("deid_leak_claim_per_thousand", "10x30"),
        ],
        [
            ('deid_leak_bound_per_thousand{note_type="all",bound="upper"}', "12x30"),
            ('deid_leak_bound_per_thousand{note_type="all",bound="lower"}', "2x30"),
            ("deid_leak_claim_per_thousand", "10x30"),
        ],
    ),
    AlertScene(
        "LeakBoundOverPlan",
        20,
        [
            ('deid_leak_bound_per_thousand{note_type="all",bound="upper"}', "12x30"),
            ("deid_leak_claim_per_thousand", "10x30"),
            ('deid_leak_notes_read{note_type="all"}', "400x30"),
            ("deid_leak_notes_needed", "305x30"),
        ],
        [
            ('deid_leak_bound_per_thousand{note_type="all",bound="upper"}', "900x30"),
            ("deid_leak_claim_per_thousand", "10x30"),
            ('deid_leak_notes_read{note_type="all"}', "30x30"),
            ("deid_leak_notes_needed", "305x30"),
        ],
    ),
    AlertScene(
        "LabelRateFell",
        30,
        [('deid_label_rate_ratio{label="PATIENT"}', "0.3x40")],
        [('deid_label_rate_ratio{label="PATIENT"}', "0.8x40")],
    ),
    AlertScene(
        "PolicyRefused",
        10,
        [('deid_policy_refused{instance="a"}', "1x20")],
        [('deid_policy_refused{instance="a"}', "0x20")],
    ),
    AlertScene(
        "WorkersDiffer",
        30,
        [(INFO.format(1), "1x40"), (INFO.format(2), "1x40")],
        [(INFO.format(1), "1x40")],
    ),
    AlertScene(
        "MessagesRefused",
        30,
        messages(refused="0+10x40"),
        messages(refused="0+1x40"),
    ),
)


def promtool_tests(rules: str, alert: str) -> dict[str, object]:
    """What ``promtool test rules`` reads: each scene of an alert twice, firing and quiet."""
    firing = 'count(ALERTS{{alertname="{}",alertstate="firing"}}) > bool 0 or vector(0)'
    scenes = [scene for scene in SCENES if scene.alert == alert]
    return {
        "rule_files": [rules],
        "evaluation_interval": f"{scenes[0].step}m",
        "tests": [
            {
                "interval": f"{scene.step}m",
                "name": f"{scene.alert} {'fires' if fires else 'is quiet'}",
                "input_series": [{"series": name, "values": values} for name, values in series],
                "promql_expr_test": [
                    {
                        "expr": firing.format(scene.alert),
                        "eval_time": f"{scene.minutes}m",
                        "exp_samples": [{"labels": "{}", "value": fires}],
                    }
                ],
            }
            for scene in scenes
            for fires, series in ((1, scene.firing), (0, scene.quiet))
        ],
    }
