{{/* Settings of every container that reaches Kafka, as a YAML mapping of names and values. */}}
{{- define "deidstream.kafkaSettings" -}}
{{- $kafka := .Values.kafka -}}
DEIDSTREAM_ENV: {{ .Values.env }}
DEIDSTREAM_KAFKA_BROKERS: {{ required "kafka.brokers is required" $kafka.brokers }}
DEIDSTREAM_KAFKA_GROUP: {{ $kafka.group }}
DEIDSTREAM_KAFKA_RAW_TOPIC: {{ $kafka.topic }}
DEIDSTREAM_KAFKA_SECURITY: {{ $kafka.security }}
DEIDSTREAM_KAFKA_DELIVERY: {{ $kafka.delivery }}
DEIDSTREAM_KAFKA_PARTITIONS: {{ $kafka.partitions }}
DEIDSTREAM_KAFKA_REPLICATION: {{ $kafka.replication }}
DEIDSTREAM_KAFKA_CREATE_TOPICS: false
{{- if hasPrefix "sasl" $kafka.security }}
DEIDSTREAM_KAFKA_SASL: {{ $kafka.sasl }}
DEIDSTREAM_KAFKA_USER_FILE: /etc/deidstream/kafka/user
DEIDSTREAM_KAFKA_PASSWORD_FILE: /etc/deidstream/kafka/password
{{- end }}
{{- if $kafka.ca }}
DEIDSTREAM_KAFKA_TLS_CA: /etc/deidstream/kafka/ca.crt
{{- end }}
{{- end -}}

{{/* Settings of every container that has models and the key. */}}
{{- define "deidstream.modelSettings" -}}
DEIDSTREAM_KEY_FILE: /etc/deidstream/key/{{ .Values.key.file }}
DEIDSTREAM_KEY_VERSION: {{ .Values.key.version }}
{{- with .Values.key.previous }}
DEIDSTREAM_KEY_PREVIOUS: {{ include "deidstream.previousKeys" . }}
{{- end }}
DEIDSTREAM_POLICY: {{ if .Values.policy.configMap }}/etc/deidstream/policy/policy.toml{{ else }}{{ .Values.policy.name }}{{ end }}
DEIDSTREAM_MODEL_THREADS: {{ .Values.worker.threads }}
{{- end -}}

{{/* Settings of what runs a worker's pipeline: surrogates are in Redis. Only workers have cards. */}}
{{- define "deidstream.pipelineSettings" -}}
{{ include "deidstream.modelSettings" . }}
DEIDSTREAM_REDIS_URL_FILE: /etc/deidstream/redis/url
DEIDSTREAM_REDIS_MODE: {{ .Values.redis.mode }}
{{- if .Values.redis.ca }}
DEIDSTREAM_REDIS_TLS_CA: /etc/deidstream/redis/ca.crt
{{- end }}
DEIDSTREAM_REDIS_STATE: /var/lib/deidstream/state
{{- end -}}

{{- define "deidstream.previousKeys" -}}
{{- $keys := list -}}
{{- range . -}}
{{- $keys = append $keys (printf "%v=/etc/deidstream/key/%s" .version .file) -}}
{{- end -}}
{{- join "," $keys -}}
{{- end -}}

{{/* Argument: dict "root" $ "settings" TEXT OF A MAPPING; what values.yaml sets wins. */}}
{{- define "deidstream.env" -}}
{{- range $name, $value := mergeOverwrite (fromYaml .settings) .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- with .root.Values.pod.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "deidstream.workerSettings" -}}
DEIDSTREAM_MODEL_ENGINE: {{ if .Values.gpu.enabled }}torch{{ else }}{{ .Values.worker.engine }}{{ end }}
DEIDSTREAM_MODEL_DEVICE: {{ if .Values.gpu.enabled }}cuda{{ else }}cpu{{ end }}
{{ include "deidstream.opsSettings" . }}
DEIDSTREAM_WORKER_DRAIN_SECONDS: {{ .Values.worker.drainSeconds }}
{{- end -}}

{{- define "deidstream.apiSettings" -}}
DEIDSTREAM_MODEL_ENGINE: {{ .Values.worker.engine }}
DEIDSTREAM_MODEL_DEVICE: cpu
DEIDSTREAM_KAFKA_CREATE_TOPICS: false
DEIDSTREAM_API_HOST: 0.0.0.0
DEIDSTREAM_API_PORT: {{ .Values.api.port }}
DEIDSTREAM_API_CLIENTS_FILE: /etc/deidstream/api/clients.toml
DEIDSTREAM_API_TLS_CERTIFICATE: /etc/deidstream/api-tls/tls.crt
DEIDSTREAM_API_TLS_KEY: /etc/deidstream/api-tls/tls.key
{{- end -}}

{{- define "deidstream.mllpSettings" -}}
DEIDSTREAM_MLLP_HOST: 0.0.0.0
DEIDSTREAM_MLLP_PORT: {{ .Values.mllp.port }}
DEIDSTREAM_MLLP_TLS_CERTIFICATE: /etc/deidstream/mllp-tls/tls.crt
DEIDSTREAM_MLLP_TLS_KEY: /etc/deidstream/mllp-tls/tls.key
DEIDSTREAM_MLLP_TLS_CLIENT_CA: /etc/deidstream/mllp-tls/ca.crt
{{ include "deidstream.opsSettings" . }}
{{- end -}}

{{- define "deidstream.reviewSettings" -}}
DEIDSTREAM_MODEL_ENGINE: {{ .Values.worker.engine }}
DEIDSTREAM_MODEL_DEVICE: cpu
DEIDSTREAM_REVIEW_HOST: 0.0.0.0
DEIDSTREAM_REVIEW_PORT: {{ .Values.review.port }}
DEIDSTREAM_REVIEW_FOLDER: /var/lib/deidstream/review
DEIDSTREAM_REVIEW_TLS_CERTIFICATE: /etc/deidstream/review-tls/tls.crt
DEIDSTREAM_REVIEW_TLS_KEY: /etc/deidstream/review-tls/tls.key
DEIDSTREAM_REVIEW_QUARANTINE: {{ .Values.review.quarantine }}
DEIDSTREAM_REVIEW_RISK: {{ .Values.review.risk }}
{{- end -}}

{{/* The server of probes and metrics. */}}
{{- define "deidstream.opsSettings" -}}
DEIDSTREAM_HTTP_HOST: 0.0.0.0
DEIDSTREAM_HTTP_PORT: {{ .Values.http.port }}
DEIDSTREAM_HTTP_TOKEN_FILE: /etc/deidstream/http/token
{{- end -}}
