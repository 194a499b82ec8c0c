import { readFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.js';
import { createEgressPolicy } from '../../src/domain/endpoint/egress-policy.js';
import { stopTimeouts } from '../../src/process/lifecycle.js';
import {
  chartFolder,
  type Container,
  findManifest,
  manifests,
  pods,
  type Rule,
} from '../support/chart.js';

/** What the process of this container takes to stop, at most. */
function stopMs({ env }: Container): number {
  const seconds = (name: string) =>
    parseInt(env.find((each) => each.name === name)?.value ?? '0', 10);
  return stopTimeouts(seconds('WEBHOOKS_TIMEOUT') * 1_000, seconds('LAME_DUCK') * 1_000).processMs;
}

function contains(cidrs: readonly string[], address: string): boolean {
  const list = new BlockList();
  const family = (text: string) => (isIPv6(text) ? 'ipv6' : 'ipv4');
  for (const cidr of cidrs) {
    const [network = '', prefix = ''] = cidr.split('/');
    list.addSubnet(network, Number(prefix), family(network));
  }
  return list.check(address, family(address));
}

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
      'Service signalpost-api',
      'HorizontalPodAutoscaler signalpost-api',
      'Ingress signalpost-api',
      'ServiceMonitor signalpost',
      'Job signalpost-migrate',
      'NetworkPolicy signalpost-migrate',
      'ScaledObject signalpost-worker',
      'TriggerAuthentication signalpost-worker',
    ]);
  });

  it('runs each part as a user without rights, on a root that it cannot write', () => {
    expect(pods).to.have.lengthOf(3);

    for (const { name, pod, container } of pods) {
      expect(pod.automountServiceAccountToken, name).to.equal(false);
      expect(pod.securityContext, name).to.deep.include({ runAsNonRoot: true, runAsUser: 10_001 });

      expect(container.securityContext, name).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
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
      'NODE_OPTIONS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
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
        secrets.some((secret) => each.name === `${secret}_FILE`),
      )) {
        expect(value).to.equal(`/run/secrets/signalpost/${variable.replace(/_FILE$/, '')}`);
        expect(mounts).to.include('/run/secrets/signalpost');
      }
    }
  });

  it('waits longer than a process takes to stop', () => {
    for (const { name, pod, container } of pods.filter(({ name }) => !name.endsWith('migrate'))) {
      const grace = pod.terminationGracePeriodSeconds ?? 0;
      expect(grace * 1_000, name).to.be.above(stopMs(container));
      expect(pod.topologySpreadConstraints, name).to.have.lengthOf(2);
      expect(container.livenessProbe?.httpGet).to.deep.equal({ path: '/livez', port: 'internal' });
      expect(container.readinessProbe?.httpGet).to.deep.equal({
        path: '/readyz',
        port: 'internal',
      });
    }
  });

  it('migrates before it installs or upgrades, with its network policy in place', () => {
    const annotations = (kind: string) =>
      findManifest(kind, 'signalpost-migrate').metadata.annotations ?? {};
    for (const kind of ['Job', 'NetworkPolicy'])
      expect(annotations(kind)['helm.sh/hook'], kind).to.equal('pre-install,pre-upgrade');
    expect(annotations('Job')).not.to.have.property('helm.sh/hook-weight');
    expect(annotations('NetworkPolicy')['helm.sh/hook-weight']).to.equal('-1');
  });

  it('lets nodes be drained while no process is ready, and takes no variable from other services', () => {
    for (const part of ['api', 'worker'])
      expect(findManifest('PodDisruptionBudget', `signalpost-${part}`).spec).to.deep.include({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      });
    for (const { name, pod } of pods) expect(pod.enableServiceLinks, name).to.equal(false);
  });

  it('never scales workers to 0', () => {
    const { spec } = findManifest('ScaledObject', 'signalpost-worker');
    expect(spec['minReplicaCount']).to.be.at.least(1);
    const { properties } = JSON.parse(
      readFileSync(join(chartFolder, 'signalpost', 'values.schema.json'), 'utf8'),
    ) as { properties: { worker: { properties: Record<string, { minimum?: number }> } } };
    expect(properties.worker.properties['replicas']?.minimum).to.equal(1);
  });

  it('keeps the internal ports off the public service', () => {
    const ports = findManifest('Service', 'signalpost-api').spec['ports'] as {
      targetPort: string;
    }[];
    expect(ports.map(({ targetPort }) => targetPort)).to.deep.equal(['public']);
  });

  it('keeps workers off addresses that the service refuses, and off no other', () => {
    const egress = findManifest('NetworkPolicy', 'signalpost-worker').spec['egress'] as Rule[];
    const blocks = egress.flatMap(({ ports, to = [] }) => (ports ? [] : to));
    const open = blocks.map(({ ipBlock }) => [ipBlock?.cidr, ipBlock?.except ?? []] as const);
    expect(open.map(([cidr]) => cidr)).to.deep.equal(['0.0.0.0/0', '2000::/3']);

    const refused = createEgressPolicy({ kind: 'none' });

    for (const range of open.flatMap(([, except]) => except)) {
      const [address = ''] = range.split('/');
      expect(refused(address), range).to.equal(false);
    }

    const reached = (address: string) =>
      open.some(
        ([cidr, except]) => contains([cidr ?? ''], address) && !contains([...except], address),
      );

    for (const address of [
      '10.1.2.3',
      '100.100.100.200',
      '127.0.0.1',
      '168.63.129.16',
      '169.254.169.254',
      '172.16.0.1',
      '192.0.0.192',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      '64:ff9b::a00:1',
      '2002:a00:1::1',
      '::ffff:10.0.0.1',
      '2001::1',
    ])
      expect(reached(address), address).to.equal(false);

    for (const address of ['1.1.1.1', '2606:4700::1111'])
      expect(reached(address), address).to.equal(true);
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
});
