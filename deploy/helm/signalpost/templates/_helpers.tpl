{{- define "signalpost.name" -}}
{{- if contains "signalpost" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-signalpost" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "signalpost.selector" -}}
app.kubernetes.io/name: signalpost
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "signalpost.labels" -}}
{{ include "signalpost.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "signalpost.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Secrets as files, then settings: those of all parts, then those of one. */}}
{{- define "signalpost.env" -}}
{{- range .root.Values.secret.keys }}
- { name: {{ . }}_FILE, value: /run/secrets/signalpost/{{ . }} }
{{- end }}
- { name: BASE_URL, value: {{ required "baseUrl is missing" .root.Values.baseUrl | quote }} }
{{- range $name, $value := merge (dict) (.own | default dict) .root.Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "signalpost.pod" -}}
automountServiceAccountToken: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  - name: secrets
    secret: { secretName: {{ .root.Values.secret.name | quote }}, defaultMode: 0440 }
{{- end }}

{{- define "signalpost.container" -}}
image: {{ include "signalpost.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/secrets/signalpost, readOnly: true }
{{- end }}

{{/* Processes of one part on different nodes and zones, where there are some. */}}
{{- define "signalpost.spread" -}}
topologySpreadConstraints:
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "signalpost.selector" $ | nindent 8 }}
{{- end }}
{{- end }}

{{- define "signalpost.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: internal }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: internal }
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet: { path: /readyz, port: internal }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{/* What every part of the service reaches. */}}
{{- define "signalpost.egress" -}}
# Names.
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
# PostgreSQL and Redis.
{{- range list .Values.networkPolicy.database .Values.networkPolicy.redis }}
- ports:
    - { port: {{ .port }}, protocol: TCP }
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
