{{/* Peers as given; where none are, pods of the same namespace. */}}
{{- define "deidstream.peers" -}}
{{- if . }}{{ toYaml . }}{{ else }}- podSelector: {}{{ end }}
{{- end -}}

{{/* To names, and to what networkPolicy.egress adds. */}}
{{- define "deidstream.egressToDns" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- with .Values.networkPolicy.egress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Argument: dict "ports" LIST "peers" LIST; without peers any address at those ports. */}}
{{- define "deidstream.egress" -}}
- ports:
    {{- range .ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .peers }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
