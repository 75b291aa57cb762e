"""The catalogue of metrics: names, help texts, labels and buckets."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

CounterName = Literal[
    "deid_notes_total",
    "deid_quarantine_total",
    "deid_batch_tokens_total",
    "deid_batch_halved_total",
    "deid_lane_busy_seconds_total",
    "deid_surrogate_lookups_total",
    "deid_risk_level_total",
    "deid_dates_unread_total",
    "deid_entities_total",
    "deid_leak_scan_hits_total",
    "deid_unavailable_total",
    "deid_policy_reloads_total",
    "deid_redis_lost_total",
    "deid_lost_to_retention_total",
    "deid_mllp_messages_total",
    "deid_mllp_refused_connections_total",
    "deid_table_rows_total",
    "deid_table_skipped_total",
    "deid_http_requests_total",
    "deid_rebalances_total",
    "deid_probe_notes_total",
    "deid_api_notes_total",
]
GaugeName = Literal[
    "deid_table_lag",
    "deid_table_waiting",
    "deid_lane_queue",
    "deid_consumer_lag",
    "deid_consumer_lag_seconds",
    "deid_committed_offset",
    "deid_last_progress_timestamp_seconds",
    "deid_notes_in_flight",
    "deid_info",
    "deid_policy_refused",
    "deid_redis_fault",
    "deid_breaker_state",
    "deid_redis_memory_bytes",
    "deid_redis_memory_limit_bytes",
    "deid_redis_evicted_keys",
    "deid_drift_psi",
    "deid_label_rate_ratio",
    "deid_leak_bound_per_thousand",
    "deid_leak_claim_per_thousand",
    "deid_leak_notes_read",
    "deid_leak_notes_needed",
    "deid_mllp_connections",
    "deid_probe_success_timestamp_seconds",
]
HistogramName = Literal[
    "deid_note_e2e_seconds",
    "deid_probe_seconds",
    "deid_stage_seconds",
    "deid_redis_seconds",
    "deid_event_loop_lag_seconds",
    "deid_batch_notes",
    "deid_batch_fill_ratio",
    "deid_mllp_answer_seconds",
    "deid_http_seconds",
]
HELP: Mapping[str, str] = MappingProxyType(
    {
        "deid_notes_total": (
            "Notes by what became of them: emitted, quarantined, retracted by their sender, or "
            "refused: told as failed to who asked the interface for them."
        ),
        "deid_quarantine_total": "Quarantined notes by reason code.",
        "deid_batch_tokens_total": (
            "Word pieces that went through the lanes; those of short notes are estimated."
        ),
        "deid_batch_halved_total": "Batches that failed as a whole and were halved.",
        "deid_lane_busy_seconds_total": (
            "Busy seconds by lane. models: a model has computed. text: processor seconds of all "
            "else that is done to notes."
        ),
        "deid_surrogate_lookups_total": (
            "Surrogates by origin: recalled, claimed, shared since their pool is nearly "
            "used up, or displaced by an original of the note."
        ),
        "deid_risk_level_total": (
            "Risk levels of emitted notes, by the rule that made them: threshold, share, or "
            "share-of-type."
        ),
        "deid_dates_unread_total": (
            "Dates that were to be moved, counted or shortened, and could be redacted only."
        ),
        "deid_entities_total": "Replaced spans by PHI label, or the policy's own label.",
        "deid_leak_scan_hits_total": (
            "Notes in whose output the verifier found original PHI, by the check that saw it."
        ),
        "deid_unavailable_total": "Times a service was unavailable.",
        "deid_policy_reloads_total": (
            "Changed policies by what became of them: applied or refused."
        ),
        "deid_redis_lost_total": "Times Redis was seen to have lost claims of this worker.",
        "deid_lost_to_retention_total": "Messages that retention deleted before they were read.",
        "deid_http_requests_total": (
            "Requests of the interface and of pages, by route and HTTP status."
        ),
        "deid_api_notes_total": "Notes that came with requests, by route and what became of them.",
        "deid_table_rows_total": "Rows of a table of notes that an export wrote or deleted.",
        "deid_table_skipped_total": "Records that an export skipped: none of their topic's.",
        "deid_table_lag": "Records of a partition that an export has not read.",
        "deid_table_waiting": "Records that wait, in an export, for others of their output.",
        "deid_lane_queue": "Groups of notes waiting for the lanes, in them, or being delivered.",
        "deid_consumer_lag": "Messages of a partition not yet acknowledged.",
        "deid_consumer_lag_seconds": (
            "Age of the oldest message of a partition not yet acknowledged, in seconds; 0 where "
            "there is none."
        ),
        "deid_last_progress_timestamp_seconds": (
            "When a note was last acknowledged, in seconds of the Unix clock."
        ),
        "deid_notes_in_flight": "Notes taken and not yet acknowledged.",
        "deid_info": "Always 1; its labels say what runs.",
        "deid_policy_refused": (
            "Policies whose files are refused, so that what they held before is in force."
        ),
        "deid_redis_fault": "1 for each thing about Redis that is not as it should be.",
        "deid_breaker_state": (
            "Whether calls reach the service: 0 closed, they do; 1 half open, one tries; 2 "
            "open, none does."
        ),
        "deid_committed_offset": "Position of a partition that is acknowledged.",
        "deid_rebalances_total": "Times this worker was given partitions, the first time included.",
        "deid_probe_notes_total": (
            "Notes that 'deidstream probe' sent, by what became of them: ok, different, late, "
            "quarantined or unsent."
        ),
        "deid_probe_success_timestamp_seconds": (
            "When a probe's output was last as it must be, in seconds of the Unix clock; 0: never."
        ),
        "deid_probe_seconds": "From the sending of a probe to the reading of its output.",
        "deid_redis_memory_bytes": "Memory that Redis says it uses, in bytes.",
        "deid_redis_memory_limit_bytes": "Memory that Redis may use, in bytes; 0: no limit.",
        "deid_redis_evicted_keys": (
            "Keys that Redis says it has evicted since its start; each may have been a surrogate."
        ),
        "deid_label_rate_ratio": (
            "Spans of a label in the last hour, in all workers, as a share of those to be expected "
            "at the rate of the seven days before."
        ),
        "deid_leak_bound_per_thousand": (
            "Bound of the leaking notes of 1,000, from the standing sample of the last 13 weeks: "
            "more than the lower one and fewer than the upper one leak, each with the confidence "
            "of the plan."
        ),
        "deid_leak_claim_per_thousand": (
            "Leaking notes of 1,000 that the plan of the standing sample allows at most."
        ),
        "deid_leak_notes_read": "Notes of the standing sample that were read in the last 13 weeks.",
        "deid_leak_notes_needed": "Notes that prove the plan's claim if none of them leaks.",
        "deid_drift_psi": (
            "Population stability index of the label rates against the seven days before: of this "
            "worker or of its group, over the last hour or today."
        ),
        "deid_note_e2e_seconds": (
            "From the message's creation to the broker's confirmation of its outputs."
        ),
        "deid_stage_seconds": (
            "Seconds of a batch in one stage, without its wait for models that compute for another."
        ),
        "deid_redis_seconds": "Seconds of one round trip to Redis.",
        "deid_event_loop_lag_seconds": "How late the event loop wakes.",
        "deid_mllp_messages_total": (
            "HL7 v2 messages by what became of them: accepted, duplicate, or the fault that their "
            "sender was told."
        ),
        "deid_mllp_refused_connections_total": "MLLP connections over the limit, closed at once.",
        "deid_mllp_connections": "Open MLLP connections.",
        "deid_mllp_answer_seconds": "From the end of an HL7 v2 message to its answer.",
        "deid_batch_notes": "Notes in a batch.",
        "deid_http_seconds": "Seconds of a request, from its headers to the end of its reply.",
        "deid_batch_fill_ratio": "Tokens of a batch as share of the budget.",
    }
)
"""What each metric says, as Prometheus and Grafana show it."""

METRIC_NAMES = frozenset(
    (*get_args(CounterName), *get_args(GaugeName), *get_args(HistogramName)),
)

LABELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "deid_notes_total": ("outcome",),
        "deid_mllp_messages_total": ("outcome",),
        "deid_quarantine_total": ("reason",),
        "deid_leak_scan_hits_total": ("kind",),
        "deid_lane_busy_seconds_total": ("lane",),
        "deid_surrogate_lookups_total": ("result",),
        "deid_risk_level_total": ("level", "rule"),
        "deid_entities_total": ("label",),
        "deid_unavailable_total": ("service",),
        "deid_table_rows_total": ("change",),
        "deid_table_skipped_total": ("topic",),
        "deid_table_lag": ("topic", "partition"),
        "deid_policy_reloads_total": ("result",),
        "deid_consumer_lag": ("topic", "partition"),
        "deid_consumer_lag_seconds": ("topic", "partition"),
        "deid_probe_notes_total": ("result",),
        "deid_committed_offset": ("topic", "partition"),
        "deid_drift_psi": ("scope", "window"),
        "deid_label_rate_ratio": ("label",),
        "deid_leak_bound_per_thousand": ("note_type", "bound"),
        "deid_leak_notes_read": ("note_type",),
        "deid_redis_fault": ("fault",),
        "deid_breaker_state": ("service",),
        "deid_info": ("version", "policy", "policy_sha256", "index", "tagger", "key_version"),
        "deid_stage_seconds": ("stage",),
        "deid_redis_seconds": ("call",),
        "deid_http_requests_total": ("route", "status"),
        "deid_api_notes_total": ("route", "outcome"),
        "deid_http_seconds": ("route",),
    }
)
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
BUCKETS: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        "deid_batch_notes": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
        "deid_batch_fill_ratio": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    }
)
