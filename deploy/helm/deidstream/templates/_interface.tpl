{{/*
A Deployment beside the workers. Argument: a dict of
  root, name, args, replicas, strategy, suffix (of the image), settings (text of a mapping), resources, grace (seconds)
  secrets: entries key, kafka, redis, http of values.yaml
  files: list of dicts name, secret, path: other Secrets
  claims: list of dicts name, claim, path
  ports: list of dicts name, port
  probe: what livenessProbe and startupProbe ask
  ready: what readinessProbe asks; absent: none
*/}}
{{- define "deidstream.interface" -}}
{{- $scope := dict "root" .root "component" .name -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "deidstream.name" .root }}-{{ .name }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
spec:
  replicas: {{ .replicas }}
  revisionHistoryLimit: 5
  selector:
    matchLabels: {{- include "deidstream.selector" $scope | nindent 6 }}
  strategy: {{- toYaml .strategy | nindent 4 }}
  template:
    metadata:
      {{- include "deidstream.podMetadata" $scope | nindent 6 }}
    spec:
      serviceAccountName: {{ include "deidstream.name" .root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .grace }}
      securityContext: {{- include "deidstream.podSecurity" .root | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets: {{- range . }}
        - name: {{ . }}
      {{- end }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "deidstream.image" (dict "root" .root "suffix" .suffix) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: {{- toYaml .args | nindent 12 }}
          env: {{- include "deidstream.env" (dict "root" .root "settings" .settings) | trim | nindent 12 }}
          {{- with .ports }}
          ports: {{- range . }}
            - { name: {{ .name }}, containerPort: {{ .port }}, protocol: TCP }
          {{- end }}
          # Endpoints are told first, then connections end.
          lifecycle: { preStop: { sleep: { seconds: 5 } } }
          {{- end }}
          startupProbe: {{- toYaml .probe | nindent 12 }}
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe: {{- toYaml .probe | nindent 12 }}
            periodSeconds: 10
            timeoutSeconds: 5
          {{- with .ready }}
          readinessProbe: {{- toYaml . | nindent 12 }}
            periodSeconds: 5
            timeoutSeconds: 5
          {{- end }}
          resources: {{- toYaml .resources | nindent 12 }}
          securityContext: {{- include "deidstream.containerSecurity" .root | nindent 12 }}
          volumeMounts:
            {{- include "deidstream.mounts" (dict "root" .root "secrets" .secrets) | nindent 12 }}
            {{- range .files }}
            - { name: {{ .name }}, mountPath: {{ .path }}, readOnly: true }
            {{- end }}
            {{- range .claims }}
            - { name: {{ .name }}, mountPath: {{ .path }} }
            {{- end }}
      volumes:
        {{- include "deidstream.volumes" (dict "root" .root "secrets" .secrets) | nindent 8 }}
        {{- range .files }}
        - name: {{ .name }}
          secret: { secretName: {{ .secret }}, defaultMode: 0440 }
        {{- end }}
        {{- range .claims }}
        - name: {{ .name }}
          {{- if .claim }}
          persistentVolumeClaim: { claimName: {{ .claim }} }
          {{- else }}
          emptyDir: { sizeLimit: 16Mi }
          {{- end }}
        {{- end }}
{{- end -}}

{{/* Metrics of an interface, by pod: its Service may be open to senders outside of the cluster.
Argument: dict of root, name, port (its name), secret (of the token). Its text may go on at the endpoint. */}}
{{- define "deidstream.podMonitor" -}}
{{- $scope := dict "root" .root "component" .name -}}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ include "deidstream.name" .root }}-{{ .name }}
  labels:
    {{- include "deidstream.labels" $scope | nindent 4 }}
    {{- with .root.Values.monitoring.labels }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  jobLabel: app.kubernetes.io/component # the job deidstream is that of workers alone
  selector:
    matchLabels: {{- include "deidstream.selector" $scope | nindent 6 }}
  podMetricsEndpoints:
    - port: {{ .port }}
      path: /metrics
      interval: {{ .root.Values.monitoring.interval }}
      authorization:
        credentials: { name: {{ .secret }}, key: token }
{{- end -}}

{{/* Route of a Gateway. The pod has a certificate: the Gateway passes TLS through, or speaks TLS to it
and trusts the authority of a ConfigMap. Argument: as of deidstream.reach. */}}
{{- define "deidstream.route" -}}
{{- $scope := dict "root" .root "component" .name -}}
{{- $service := printf "%s-%s" (include "deidstream.name" .root) .name }}
---
apiVersion: gateway.networking.k8s.io/v1
kind: {{ empty .gateway.caConfigMap | ternary "TLSRoute" "HTTPRoute" }}
metadata:
  name: {{ $service }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
spec:
  parentRefs:
    - name: {{ required (printf "%s.gateway.name: which Gateway" .name) .gateway.name }}
      {{- with .gateway.namespace }}
      namespace: {{ . }}
      {{- end }}
      {{- with .gateway.listener }}
      sectionName: {{ . }}
      {{- end }}
  hostnames: [{{ .gateway.host }}]
  rules:
    - backendRefs: [{ name: {{ $service }}, port: {{ .port }} }]
{{- with .gateway.caConfigMap }}
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata:
  name: {{ $service }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
spec:
  targetRefs: [{ group: "", kind: Service, name: {{ $service }} }]
  validation:
    hostname: {{ $service }}.{{ $.root.Release.Namespace }}.svc
    caCertificateRefs: [{ group: "", kind: ConfigMap, name: {{ . }} }]
{{- end }}
{{- end -}}

{{/* Service, PodDisruptionBudget where there are several, and NetworkPolicy. Argument: dict of root,
name, port, type, peers, ingress, gateway, replicas, metricsPort (absent: nothing is read there), egress (list of dicts
ports, peers). */}}
{{- define "deidstream.reach" -}}
{{- $scope := dict "root" .root "component" .name -}}
{{- if .port }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "deidstream.name" .root }}-{{ .name }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
spec:
  type: {{ .type | default "ClusterIP" }}
  selector: {{- include "deidstream.selector" $scope | nindent 4 }}
  ports:
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }}, protocol: TCP }
{{- end }}
{{- if and .ingress .ingress.host }}
---
# The pod has a certificate: a controller has to speak TLS to it, or pass TLS through.
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "deidstream.name" .root }}-{{ .name }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
  {{- with .ingress.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .ingress.tlsSecret }}
  tls: [{ hosts: [{{ $.ingress.host }}], secretName: {{ . }} }]
  {{- end }}
  rules:
    - host: {{ .ingress.host }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: {{ include "deidstream.name" .root }}-{{ .name }}, port: { name: {{ .name }} } } }
{{- end }}
{{- if and .gateway .gateway.host }}
{{- include "deidstream.route" . }}
{{- end }}
{{- if and .root.Values.podDisruptionBudget.enabled (gt (int .replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "deidstream.name" .root }}-{{ .name }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "deidstream.selector" $scope | nindent 6 }}
{{- end }}
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "deidstream.name" .root }}-{{ .name }}
  labels: {{- include "deidstream.labels" $scope | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "deidstream.selector" $scope | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if .port }}
    - from: {{- include "deidstream.peers" .peers | nindent 8 }}
      ports: [{ port: {{ .port }}, protocol: TCP }]
    {{- end }}
    {{- if .metricsPort }}
    - from: {{- include "deidstream.peers" .root.Values.networkPolicy.metricsPeers | nindent 8 }}
      ports: [{ port: {{ .metricsPort }}, protocol: TCP }]
    {{- end }}
  egress:
    {{- include "deidstream.egressToDns" .root | nindent 4 }}
    {{- range .egress }}
    {{- include "deidstream.egress" . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}
