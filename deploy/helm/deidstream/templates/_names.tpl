{{- define "deidstream.name" -}}
{{- if contains "deidstream" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-deidstream" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select pods: they never change. Argument: dict "root" $ "component" NAME. */}}
{{- define "deidstream.selector" -}}
app.kubernetes.io/name: deidstream
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "deidstream.labels" -}}
{{ include "deidstream.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* Argument: dict "root" $ "suffix" "-cuda" or "". */}}
{{- define "deidstream.image" -}}
{{- $image := .root.Values.image -}}
{{- if and $image.digest (not .suffix) -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s%s" $image.repository (default .root.Chart.AppVersion $image.tag) .suffix -}}
{{- end -}}
{{- end -}}
