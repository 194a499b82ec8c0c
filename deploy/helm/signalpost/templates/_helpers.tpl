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
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Refuses a setting that the chart has a value for, and a secret, which the manifest would show. */}}
{{- define "signalpost.refuse" -}}
{{- $values := dict "BASE_URL" "baseUrl" "LAME_DUCK" "api.lameDuckSeconds" "WEBHOOKS_TIMEOUT" "attemptTimeoutSeconds" }}
{{- $fixed := list "PORT" "INTERNAL_PORT" "WORKER_PORT" }}
{{- $secrets := list "DATABASE_URL" "DATABASE_POOLER_URL" "REDIS_URL" "SECRET_KEY" "SMTP_URL" "WEBHOOKS_PROXY_URL" "OIDC_CLIENT_SECRET" }}
{{- range $name := . }}
{{- with get $values $name }}{{ fail (printf "settings.%s: set %s instead" $name .) }}{{ end }}
{{- if has . $fixed }}{{ fail (printf "settings.%s: the chart sets this port" .) }}{{ end }}
{{- if has . $secrets }}{{ fail (printf "settings.%s is a secret: put it into the Secret, and %s into secret.keys" . .) }}{{ end }}
{{- end }}
{{- end }}

{{/* Secrets as files, then settings: those of one part override those of all, which override the defaults. */}}
{{- define "signalpost.env" -}}
{{- $settings := merge (dict) (.own | default dict) .root.Values.settings (.defaults | default dict) }}
{{- include "signalpost.refuse" (keys $settings | sortAlpha) }}
{{- range .root.Values.secret.keys }}
- { name: {{ . }}_FILE, value: /run/secrets/signalpost/{{ . }} }
{{- end }}
- { name: BASE_URL, value: {{ required "baseUrl is missing" .root.Values.baseUrl | quote }} }
- { name: WEBHOOKS_TIMEOUT, value: {{ printf "%ds" (int .root.Values.attemptTimeoutSeconds) | quote }} }
{{- range $name, $value := $settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* The longest time that a process takes to stop, plus 5 seconds. */}}
{{- define "signalpost.grace" -}}
{{ add 5 (max 30 (add 15 .Values.attemptTimeoutSeconds)) }}
{{- end }}

{{- define "signalpost.pod" -}}
automountServiceAccountToken: false
# Otherwise a service named worker would set WORKER_PORT.
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  - name: secrets
    secret:
      secretName: {{ .root.Values.secret.name | quote }}
      defaultMode: 0440
      # Other keys, such as the connection string for KEDA, stay out of the pod.
      items:
      {{- range .root.Values.secret.keys }}
        - { key: {{ . }}, path: {{ . }} }
      {{- end }}
  {{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
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
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Spreads the processes of one part over nodes and zones. */}}
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

{{/* The value of a setting of "part", or "file" when it is a secret; empty when it is not set. */}}
{{- define "signalpost.setting" -}}
{{- $values := .root.Values -}}
{{- $settings := merge (dict) (get $values .part).settings $values.settings -}}
{{- if or (has .name $values.secret.keys) (hasKey $settings (printf "%s_FILE" .name)) }}file{{ else }}{{ get $settings .name }}{{ end }}
{{- end }}

{{/* A rule for the servers of one kind. */}}
{{- define "signalpost.server" -}}
- ports:
  {{- range .ports }}
    - { port: {{ . }}, protocol: TCP }
  {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* The servers that every part reaches: DNS and PostgreSQL. */}}
{{- define "signalpost.egress" -}}
# DNS.
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  {{- with .Values.networkPolicy.dns.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
# PostgreSQL.
{{ include "signalpost.server" .Values.networkPolicy.database }}
{{- end }}

{{/* The maximum number of connections to PostgreSQL, as docs/scaling.md counts them. */}}
{{- define "signalpost.connections" -}}
{{- $api := .Values.api.autoscaling.enabled | ternary .Values.api.autoscaling.max .Values.api.replicas | int }}
{{- $worker := .Values.worker.autoscaling.enabled | ternary .Values.worker.autoscaling.max .Values.worker.replicas | int }}
{{- $apiPool := include "signalpost.setting" (dict "root" . "part" "api" "name" "DATABASE_POOL") | default 10 | int }}
{{- $workerPool := include "signalpost.setting" (dict "root" . "part" "worker" "name" "DATABASE_POOL") | default 10 | int }}
{{- if include "signalpost.setting" (dict "root" . "part" "api" "name" "DATABASE_POOLER_URL") }}{{ $apiPool = 0 }}{{ end }}
{{- $redis := include "signalpost.setting" (dict "root" . "part" "api" "name" "REDIS_URL") }}
{{- $ofApi := add $apiPool (ternary 1 3 (ne $redis "")) }}
{{- $ofWorker := add $workerPool (ternary 1 5 (ne $redis "")) -}}
Maximum number of connections to PostgreSQL: {{ $api }} API × {{ $ofApi }} + {{ $worker }} workers × {{ $ofWorker }} = {{ add (mul $api $ofApi) (mul $worker $ofWorker) }}. A rollout adds one of each: {{ add (mul (add1 $api) $ofApi) (mul (add1 $worker) $ofWorker) }}.
Its max_connections (defaults to 100) must be above that. Otherwise lower DATABASE_POOL or the maxima.
{{- end }}
