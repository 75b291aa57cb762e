{{/* Kubernetes' profile "restricted", and a root file system that nothing writes. */}}
{{- define "deidstream.podSecurity" -}}
runAsNonRoot: true
{{- with int .Values.pod.user }}
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
{{- end }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "deidstream.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Labels and annotations of a pod. Argument: dict "root" $ "component" NAME "annotations" MAPPING. */}}
{{- define "deidstream.podMetadata" -}}
labels:
  {{- include "deidstream.labels" . | nindent 2 }}
  {{- with .root.Values.pod.labels }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.pod.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
Volumes of a pod. Argument: dict "root" $ "secrets" LIST OF key, kafka, redis, http.
The group of the pod may read Secrets and others may not, as DEIDSTREAM_ENV=prod requires.
*/}}
{{- define "deidstream.volumes" -}}
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: {{ .root.Values.worker.tmpSize }} }
{{- range .secrets }}
- name: {{ . }}
  secret:
    secretName: {{ get (get $.root.Values .) "secret" }}
    defaultMode: 0440
{{- end }}
{{- if and .root.Values.policy.configMap (has "key" .secrets) }}
- name: policy
  configMap: { name: {{ .root.Values.policy.configMap }} }
{{- end }}
{{- with .root.Values.pod.volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "deidstream.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- range .secrets }}
- { name: {{ . }}, mountPath: /etc/deidstream/{{ . }}, readOnly: true }
{{- end }}
{{- if and .root.Values.policy.configMap (has "key" .secrets) }}
- { name: policy, mountPath: /etc/deidstream/policy, readOnly: true }
{{- end }}
{{- with .root.Values.pod.mounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The Secrets that exist for this release: a Kafka without login and TLS needs none. */}}
{{- define "deidstream.kafkaSecret" -}}
{{- if or .Values.kafka.ca (hasPrefix "sasl" .Values.kafka.security) -}}kafka{{- end -}}
{{- end -}}
