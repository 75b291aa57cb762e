{{/* Notes that one worker clears in the target time: the lag at which one more is started. */}}
{{- define "deidstream.lagThreshold" -}}
{{- mul .Values.keda.notesPerSecond .Values.keda.targetSeconds -}}
{{- end -}}

{{/* A worker without a partition does nothing, so there are never more than partitions. */}}
{{- define "deidstream.maxReplicas" -}}
{{- if lt (int .Values.kafka.partitions) (int .Values.keda.minReplicas) -}}
{{- fail "keda.minReplicas is more than kafka.partitions" -}}
{{- end -}}
{{- min .Values.keda.maxReplicas .Values.kafka.partitions -}}
{{- end -}}

{{/*
Megabytes of Redis: patients x identities x 42 bytes, measured (benchmarks/results/patients.json),
and a third more for connections and fragmentation; at least 64.
*/}}
{{- define "deidstream.redisMegabytes" -}}
{{- $server := .Values.redis.server -}}
{{- $bytes := mul $server.patients $server.identities 42 -}}
{{- max 64 (add 1 (div (div (mul $bytes 4) 3) 1000000)) -}}
{{- end -}}
