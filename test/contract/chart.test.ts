import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.js';
import {
  chartFolder,
  example,
  findManifest,
  manifests,
  pods,
  type Rule,
} from '../support/chart.js';

// Some builds of helm take themselves for an old cluster.
const cluster = ['--kube-version', '1.33.0'];
const render = [
  ...['template', 'signalpost', join(chartFolder, 'signalpost')],
  ...['--namespace', 'signalpost', '--values', join(chartFolder, 'example-values.yaml')],
  ...cluster,
];
const hasHelm = spawnSync('helm', ['version']).status === 0;
const pending = 'pending: helm is not installed';

describe('the chart, as its example shows it', () => {
  it('has API, workers and migration, with budgets, policies, scaling and a monitor', () => {
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kinds).to.have.members([
      ...['api', 'worker'].flatMap((part) => [
        `Deployment signalpost-${part}`,
        `PodDisruptionBudget signalpost-${part}`,
        `NetworkPolicy signalpost-${part}`,
        `Service signalpost-${part}-internal`,
      ]),
      ...['Service signalpost-api', 'HorizontalPodAutoscaler signalpost-api'],
      ...['Ingress signalpost-api', 'Job signalpost-migrate', 'ServiceMonitor signalpost'],
      ...['ScaledObject signalpost-worker', 'TriggerAuthentication signalpost-worker'],
    ]);
  });

  it('runs each part as a user without rights, on a root that it cannot write', () => {
    expect(pods).to.have.lengthOf(3);
    for (const { name, pod, container } of pods) {
      expect(pod.automountServiceAccountToken, name).to.equal(false);
      expect(pod.securityContext, name).to.deep.include({ runAsNonRoot: true, runAsUser: 10_001 });
      expect(container.securityContext, name).to.deep.equal({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources, name).to.have.all.keys('requests', 'limits');
      expect(container.resources.limits, name).to.have.property('memory');
      expect(container.image, name).to.match(/^registry\.example\.com\/signalpost:\d+\.\d+\.\d+$/);
    }
  });

  it('gives known settings, and secrets as files only', () => {
    const secrets = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? name : []));
    const known = new Set([
      ...Object.keys(settings),
      ...secrets.map((name) => `${name}_FILE`),
      ...['NODE_OPTIONS', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ]);
    for (const { name, container } of pods) {
      const names = container.env.map((each) => each.name);
      expect(
        names.filter((each) => !known.has(each)),
        name,
      ).to.deep.equal([]);
      expect(
        names.filter((each) => secrets.includes(each)),
        name,
      ).to.deep.equal([]);
      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
      for (const { name: variable, value } of container.env.filter((each) =>
        each.name.endsWith('_FILE'),
      )) {
        expect(value).to.equal(`/run/secrets/signalpost/${variable.replace(/_FILE$/, '')}`);
        expect(mounts).to.include('/run/secrets/signalpost');
      }
    }
  });

  it('waits longer than a process takes to stop', () => {
    for (const { name, pod, container } of pods.filter(({ name }) => !name.endsWith('migrate'))) {
      const own = container.env.find((each) => each.name === 'LAME_DUCK')?.value ?? '0s';
      const grace = pod.terminationGracePeriodSeconds ?? 0;
      expect(grace, name).to.be.above(30 + parseInt(own, 10));
      expect(pod.topologySpreadConstraints, name).to.have.lengthOf(2);
      expect(container.livenessProbe?.httpGet).to.deep.equal({ path: '/livez', port: 'internal' });
      expect(container.readinessProbe?.httpGet).to.deep.equal({
        path: '/readyz',
        port: 'internal',
      });
    }
  });

  it('migrates before it installs or upgrades', () => {
    const { annotations = {} } = findManifest('Job', 'signalpost-migrate').metadata;
    expect(annotations['helm.sh/hook']).to.equal('pre-install,pre-upgrade');
  });

  it('never scales workers to 0', () => {
    const { spec } = findManifest('ScaledObject', 'signalpost-worker');
    expect(spec['minReplicaCount']).to.be.at.least(1);
    const { properties } = JSON.parse(
      readFileSync(join(chartFolder, 'signalpost', 'values.schema.json'), 'utf8'),
    ) as { properties: { worker: { properties: Record<string, { minimum?: number }> } } };
    expect(properties.worker.properties['replicas']?.minimum).to.equal(1);
  });

  it('keeps the internal ports off the public service, and workers off private addresses', () => {
    const ports = findManifest('Service', 'signalpost-api').spec['ports'] as {
      targetPort: string;
    }[];
    expect(ports.map(({ targetPort }) => targetPort)).to.deep.equal(['public']);
    const egress = JSON.stringify(
      findManifest('NetworkPolicy', 'signalpost-worker').spec['egress'],
    );
    for (const range of ['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16', 'fc00::/7'])
      expect(egress).to.include(`"${range}"`);
  });

  it('closes the internal ports unless a value opens them, and lets only rules for it reach a collector', () => {
    const { networkPolicy } = parse(
      readFileSync(join(chartFolder, 'signalpost', 'values.yaml'), 'utf8'),
    ) as { networkPolicy: Readonly<Record<string, unknown>> };
    expect(networkPolicy).to.deep.include({ internalFrom: [], apiEgress: [], workerEgress: [] });
    for (const part of ['api', 'worker']) {
      const egress = findManifest('NetworkPolicy', `signalpost-${part}`).spec['egress'] as Rule[];
      const own = egress.filter(({ ports = [] }) => ports.some(({ port }) => port === 4318));
      expect(
        own.map(({ to }) => to),
        part,
      ).to.deep.equal([
        [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'telemetry' } } }],
      ]);
    }
  });

  it('warns after an install of each port that is open at every private address', () => {
    const notes = readFileSync(join(chartFolder, 'signalpost', 'templates', 'NOTES.txt'), 'utf8');
    for (const server of ['database', 'redis', 'smtp']) {
      const values = `.Values.networkPolicy.${server}`;
      expect(notes).to.include(
        `{{- if not ${values}.to }}\n\nAPI and workers reach port {{ ${values}.port }}`,
      );
    }
    const count = (pattern: RegExp) => notes.match(pattern)?.length;
    expect(count(/\{\{- if /g)).to.equal(count(/\{\{- end \}\}/g));
  });

  const names = {
    same: 'is what helm renders today',
    lint: 'passes the lint of helm',
    refuse: 'refuses values that make no sense',
  };
  if (!hasHelm) {
    for (const name of Object.values(names)) it(`${name} (${pending})`);
    return;
  }
  const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });

  it(names.same, () => {
    const { status, stdout, stderr } = helm(...render);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.equal(example);
  });

  it(names.lint, () => {
    const values = join(chartFolder, 'example-values.yaml');
    const { status, stdout } = helm(
      'lint',
      '--strict',
      join(chartFolder, 'signalpost'),
      '-f',
      values,
      ...cluster,
    );
    expect(status, stdout).to.equal(0);
  });

  it(names.refuse, () => {
    for (const value of ['worker.autoscaling.min=0', 'worker.stopSeconds=20', 'worker.replica=3']) {
      const { status, stderr } = helm(...render, '--set', value);
      expect(status, value).to.equal(1);
      expect(stderr, value).to.include('worker');
    }
  });
});
