import { readFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config/settings.js';
import { createEgressPolicy } from '../../src/domain/endpoint/egress-policy.js';
import { stopTimeouts } from '../../src/process/lifecycle.js';
import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../support/repository.js';
import { tmpdir } from 'node:os';

/** What the process of this container takes to stop, at most. */
function stopMs({ env }: Container): number {
  const seconds = (name: string) =>
    parseInt(env.find((variable) => variable.name === name)?.value ?? '0', 10);
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

/** The folder of the chart and of its example. */
const chartFolder = join(repositoryRoot, 'deploy', 'helm');

const chart = join(chartFolder, 'signalpost');

// Some builds of helm assume an old version of Kubernetes.
const cluster = ['--kube-version', '1.33.0'];

const exampleValues = ['--values', join(chartFolder, 'example-values.yaml')];

const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });

const render = (...values: string[]) =>
  helm('template', 'signalpost', chart, '--namespace', 'signalpost', ...cluster, ...values);

const refusals: readonly (readonly [values: string, message: string])[] = [
  ['worker.autoscaling.min=0', '/worker/autoscaling/min'],
  ['worker.autoscaling.min=5,worker.autoscaling.max=2', 'worker.autoscaling.min is more than'],
  ['api.autoscaling.min=5,api.autoscaling.max=2', 'api.autoscaling.min is more than'],
  ['worker.replica=3', "additional properties 'replica'"],
  ['attemptTimeoutSeconds=61', '/attemptTimeoutSeconds'],
  ['podSecurityContext.runAsNonRoot=false', '/podSecurityContext/runAsNonRoot'],
  ['image.digest=latest', '/image/digest'],
  ['serviceMonitor.interval=often', '/serviceMonitor/interval'],
  ['networkPolicy.redis.port=6379', "additional properties 'port'"],
  ['networkPolicy.redis.ports={70000}', '/networkPolicy/redis/ports/0'],
  ['extraVolumeMounts[1].name=x', "missing property 'mountPath'"],
  ['settings.BASE_URL=x', 'set baseUrl instead'],
  ['api.settings.LAME_DUCK=9s', 'set api.lameDuckSeconds instead'],
  ['worker.settings.WEBHOOKS_TIMEOUT=9s', 'set attemptTimeoutSeconds instead'],
  ['settings.INTERNAL_PORT=x', 'the chart sets this port'],
];

const tests: Readonly<Record<string, () => void>> = {
  'renders what the kept example shows': () => {
    const { status, stdout, stderr } = render(...exampleValues);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.equal(example);
  },
  'passes the lint of helm': () => {
    const { status, stdout } = helm('lint', '--strict', chart, ...exampleValues, ...cluster);
    expect(status, stdout).to.equal(0);
  },
  'refuses values that make no sense, and names them': () => {
    for (const [values, message] of refusals) {
      const { status, stderr } = render(...exampleValues, '--set', values);
      expect(status, values).to.equal(1);
      expect(stderr, values).to.include(message);
    }
  },
  'refuses each secret as a plain setting': () => {
    for (const name of Object.keys(settings).filter(
      (name) => settings[name as keyof typeof settings].secret,
    )) {
      const { status, stderr } = render(...exampleValues, '--set-string', `settings.${name}=x`);
      expect(status, name).to.equal(1);
      expect(stderr).to.include(`settings.${name} is a secret`);
    }
  },
  'gives processes longer to stop with a longer timeout of attempts': () => {
    const graces = renderPods('attemptTimeoutSeconds=60,api.lameDuckSeconds=20').map(
      ({ name, pod }) => [name, pod.terminationGracePeriodSeconds],
    );
    expect(graces).to.have.deep.members([
      ['signalpost-api', 100],
      ['signalpost-worker', 80],
      ['signalpost-migrate', undefined],
    ]);
  },
  'names each variable once, and the value of a part wins': () => {
    const options = 'settings.NODE_OPTIONS=--all,worker.settings.NODE_OPTIONS=--own';
    const values = renderPods(options).map(({ name, container: { env } }) => {
      const names = env.map((variable) => variable.name);
      expect(names, name).to.deep.equal([...new Set(names)]);
      return [name, env.find((variable) => variable.name === 'NODE_OPTIONS')?.value];
    });
    expect(values).to.have.deep.members([
      ['signalpost-api', '--all'],
      ['signalpost-worker', '--own'],
      ['signalpost-migrate', '--all'],
    ]);
  },
  'leaves user and group to a cluster that chooses them': () => {
    const none = ['runAsUser', 'runAsGroup', 'fsGroup'].map(
      (name) => `podSecurityContext.${name}=null`,
    );
    for (const { name, pod } of renderPods(none.join(',')))
      expect(pod.securityContext, name).to.deep.equal({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
  },
};

/** Whether the tests can render the chart. */
const hasHelm = spawnSync('helm', ['version']).status === 0;

const secrets = (...more: string[]) =>
  `secret.keys=${JSON.stringify(['DATABASE_URL', 'SECRET_KEY', ...more])}`;

const host = ['ingress.enabled=true', 'ingress.host="a.example"'];

/** The example, as it is kept. */
const example = readFileSync(join(chartFolder, 'example.yaml'), 'utf8');

const manifests = parseManifests(example);

/** Every pod of the example, with its container. */
const pods = podsOf(manifests);

describe('the chart, rendered with the values of its example', () => {
  it('renders API, workers and migration, with budgets, policies, scaling and a monitor', () => {
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

  it('sets only known settings, and passes secrets as files', () => {
    const secrets = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? name : []));
    const known = new Set([
      ...Object.keys(settings),
      ...secrets.map((name) => `${name}_FILE`),
      'NODE_OPTIONS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ]);

    for (const { name, container } of pods) {
      const names = container.env.map((variable) => variable.name);
      expect(
        names.filter((variable) => !known.has(variable)),
        name,
      ).to.deep.equal([]);

      expect(
        names.filter((variable) => secrets.includes(variable)),
        name,
      ).to.deep.equal([]);

      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);

      for (const { name: variable, value } of container.env.filter((entry) =>
        secrets.some((secret) => entry.name === `${secret}_FILE`),
      )) {
        expect(value).to.equal(`/run/secrets/signalpost/${variable.replace(/_FILE$/, '')}`);
        expect(mounts).to.include('/run/secrets/signalpost');
      }
    }
  });

  it('waits for a stopping pod longer than its process takes to stop', () => {
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

/** The pods of the chart with its own values, but for these. */
function renderPods(values: string) {
  const { status, stdout, stderr } = render('--set', `baseUrl=https://a.example,${values}`);
  expect(status, stderr).to.equal(0);
  return podsOf(parseManifests(stdout));
}

describe('the chart, as helm renders it', () => {
  for (const [title, test] of Object.entries(tests)) itWithHelm(title, test);
});

describe('the pods of the chart', () => {
  it('mounts the keys of the Secret that the values name into the pods, and no other', () => {
    for (const { name, pod, container } of pods) {
      const items = pod.volumes.find((volume) => volume.name === 'secrets')?.secret?.items ?? [];
      const keys = ['DATABASE_URL', 'SECRET_KEY', 'REDIS_URL', 'SMTP_URL'];
      expect(items, name).to.deep.equal(keys.map((key) => ({ key, path: key })));
      const files = container.env.filter((variable) => variable.name.endsWith('_FILE'));
      for (const key of keys)
        expect(files.map((variable) => variable.name)).to.include(`${key}_FILE`);
    }
  });

  it('mounts files of the operator into the pods, such as certificate authorities', () => {
    for (const { name, pod, container } of pods) {
      expect(pod.volumes.map((volume) => volume.name)).to.deep.equal([
        'tmp',
        'secrets',
        'authorities',
      ]);
      const mount = container.volumeMounts.at(-1);
      expect(mount, name).to.deep.equal({
        name: 'authorities',
        mountPath: '/etc/signalpost',
        readOnly: true,
      });
      const file = container.env.find((variable) => variable.name === 'WEBHOOKS_CA_FILE')?.value;
      expect(file?.startsWith(`${mount?.mountPath}/`), name).to.equal(true);
    }
  });

  itWithHelm('the pods have no other volume by default', () => {
    for (const { name, pod } of podsOf(renderManifests()))
      expect(
        pod.volumes.map((volume) => volume.name),
        name,
      ).to.deep.equal(['tmp', 'secrets']);
  });
});

function egressOf(part: string, manifests?: ReturnType<typeof renderManifests>): readonly Rule[] {
  const name = `signalpost-${part}`;
  const policy = manifests
    ? manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
    : findManifest('NetworkPolicy', name);
  return policy?.spec['egress'] as readonly Rule[];
}

/** The ports that each rule opens; none where it opens all. */
function portsOf(rules: readonly Rule[]): number[][] {
  return rules.map(({ ports = [] }) => ports.map(({ port }) => port));
}

describe('the network policies of the chart', () => {
  it('lets each part reach what it needs, and only workers reach the world', () => {
    const names = [53, 53];
    const database = [5432, 5433, 6432];
    expect(portsOf(egressOf('api'))).to.deep.equal([names, database, [6379], [4318]]);
    expect(portsOf(egressOf('worker'))).to.deep.equal(
      [names, database, [6379], [587], [], [4318]], //
    );
    expect(portsOf(egressOf('migrate'))).to.deep.equal([names, database]);
  });

  itWithHelm(
    'the policies open the ports of Redis and of the mail server only with their settings',
    () => {
      const open = (...values: string[]) => {
        const manifests = renderManifests(...values);
        const ports = (part: string) => portsOf(egressOf(part, manifests)).flat();
        return { api: ports('api'), worker: ports('worker') };
      };

      expect(open()).to.deep.equal({ api: [53, 53, 5432], worker: [53, 53, 5432] });

      expect(open('secret.keys=["DATABASE_URL","SECRET_KEY","SMTP_URL"]')).to.deep.equal({
        api: [53, 53, 5432],
        worker: [53, 53, 5432, 587],
      });

      const sentinels = 'networkPolicy.redis.ports=[6379,26379]';
      expect(open('settings.REDIS_URL_FILE="/etc/redis"', sentinels)).to.deep.equal({
        api: [53, 53, 5432, 6379, 26379],
        worker: [53, 53, 5432, 6379, 26379],
      });
    },
  );

  itWithHelm('the policies name DNS servers where a value does', () => {
    const cidr = 'networkPolicy.dns.to=[{"ipBlock":{"cidr":"10.96.0.10/32"}}]';
    const manifests = renderManifests(cidr);
    for (const part of ['api', 'worker', 'migrate'])
      expect(egressOf(part, manifests)[0]?.to, part).to.deep.equal([
        { ipBlock: { cidr: '10.96.0.10/32' } },
      ]);
  });

  itWithHelm('the policies take the values that deploy.md shows', () => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'deploy.md'), 'utf8');
    const [, shown = ''] = /^### Egress$[^]*?```yaml\n([^]*?)```/m.exec(text) ?? [];
    const { networkPolicy } = parse(shown) as { networkPolicy: Readonly<Record<string, unknown>> };
    const values = Object.entries(networkPolicy).map(
      ([name, value]) => `networkPolicy.${name}=${JSON.stringify(value)}`,
    );
    const keys = 'secret.keys=["DATABASE_URL","SECRET_KEY","REDIS_URL","SMTP_URL"]';
    const manifests = renderManifests(keys, ...values);
    const database = [5432, 5433, 6432];
    expect(portsOf(egressOf('api', manifests))).to.deep.equal(
      [[53, 53], database, [6379, 26379], [443]], //
    );
    expect(portsOf(egressOf('worker', manifests))).to.deep.equal(
      [[53, 53], database, [6379, 26379], [465], []], //
    );

    const named = egressOf('worker', manifests).filter(({ to }) => to);
    expect(named).to.have.lengthOf(5);
  });
});

describe('the notes of the chart', () => {
  itWithHelm('warns of each port that is open at private addresses, and of no other', () => {
    const warnings = (...values: string[]) =>
      renderNotes(...values).match(/^.* of every private address: .*$/gm) ?? [];
    const names =
      'API, workers and migration reach port 53 of every private address: name the DNS servers in networkPolicy.dns.to.';
    const database =
      'API, workers and migration reach port 5432 of every private address: name PostgreSQL in networkPolicy.database.to.';
    expect(warnings()).to.deep.equal([names, database]);

    expect(warnings(secrets('REDIS_URL', 'SMTP_URL'))).to.deep.equal([
      names,
      database,
      'API and workers reach port 6379 of every private address: name Redis in networkPolicy.redis.to.',
      'Workers reach port 587 of every private address: name the mail server in networkPolicy.smtp.to.',
    ]);

    expect(
      warnings('networkPolicy.database.to=[{"ipBlock":{"cidr":"10.0.0.1/32"}}]'),
    ).to.deep.equal([names]);
    expect(warnings('networkPolicy.enabled=false')).to.deep.equal([]);
  });

  itWithHelm('warns of mails that are files until there is a mail server', () => {
    expect(renderNotes()).to.include('No mail is sent: SMTP_URL is not set.');
    expect(renderNotes(secrets('SMTP_URL'))).not.to.include('No mail');
  });

  itWithHelm('warns of an ingress whose clients all share one address', () => {
    const warning = 'All clients share one address';
    expect(renderNotes(...host)).to.include(warning);
    expect(renderNotes(...host, 'settings.TRUSTED_PROXIES="0"')).to.include(warning);
    for (const part of ['', 'api.'])
      expect(renderNotes(...host, `${part}settings.TRUSTED_PROXIES="1"`)).not.to.include(warning);
    expect(renderNotes()).not.to.include(warning);
  });

  itWithHelm('warns of an OpenID provider that no rule lets the API reach', () => {
    const issuer = 'settings.OIDC_ISSUER="https://login.example"';
    expect(renderNotes(issuer)).to.include('cannot reach OIDC_ISSUER');
    expect(
      renderNotes(issuer, 'networkPolicy.apiEgress=[{"ports":[{"port":443}]}]'),
    ).not.to.include('cannot reach');
  });

  itWithHelm('counts the connections to PostgreSQL that the values allow', () => {
    const sum = (...values: string[]) =>
      /connections to PostgreSQL: (.*)\n/.exec(renderNotes(...values))?.[1];
    expect(sum()).to.equal('6 API × 13 + 2 workers × 15 = 108. A rollout adds one of each: 136.');
    expect(sum('worker.autoscaling.enabled=true')).to.include('10 workers × 15 = 228.');
    expect(sum(secrets('REDIS_URL'))).to.include('6 API × 11 + 2 workers × 11 = 88.');
    // Those of the pool are PgBouncer's then.
    expect(sum(secrets('DATABASE_POOLER_URL'))).to.include('6 API × 3 + 2 workers × 15 = 48.');
    expect(
      sum('api.autoscaling.enabled=false', 'settings.DATABASE_POOL="20"', 'worker.replicas=3'),
    ).to.include('2 API × 23 + 3 workers × 25 = 121.');
  });
});

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: { readonly httpGet: object };
  readonly readinessProbe?: { readonly httpGet: object };
  readonly resources: { readonly requests: object; readonly limits: object };
}

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly object[];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly items: readonly object[] };
  }[];
  readonly containers: readonly [Container];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly template?: { readonly spec: Pod };
  };
}

/** A rule of a NetworkPolicy. */
interface Rule {
  readonly ports?: readonly { readonly port: number }[];
  readonly to?: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  }[];
}

/** @param text what helm renders */
function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

function podsOf(rendered: readonly Manifest[]) {
  return rendered.flatMap((one) => {
    const pod = one.spec.template?.spec;
    return pod ? { name: one.metadata.name, pod, container: pod.containers[0] } : [];
  });
}

/** @throws Error when the example has no such manifest */
function findManifest(kind: string, name: string): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`${kind} ${name} is not in the example`);
  return found;
}

function template(folder: string, values: readonly string[], more: readonly string[]) {
  return spawnSync(
    'helm',
    // Some builds of helm assume an old version of Kubernetes.
    [
      'template',
      'signalpost',
      folder,
      '--kube-version',
      '1.33.0',
      '--set',
      'baseUrl=https://a.example',
      ...values.flatMap((value) => ['--set-json', value]),
      ...more,
    ],
    { encoding: 'utf8' },
  );
}

/** @param values such as `worker.replicas=3`, each in JSON; others are those of the chart */
function renderManifests(...values: string[]) {
  const { status, stdout, stderr } = template(chart, values, []);
  expect(status, stderr).to.equal(0);
  return parseManifests(stdout);
}

/** What helm prints after an install with these values. It shows notes only with a cluster, so a copy has them as a manifest. */
function renderNotes(...values: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    cpSync(chart, folder, { recursive: true });
    cpSync(join(folder, 'templates', 'NOTES.txt'), join(folder, 'notes'));

    const wrapped = 'notes: {{ tpl (.Files.Get "notes") . | quote }}\n';
    writeFileSync(join(folder, 'templates', 'notes.yaml'), wrapped);

    const { status, stdout, stderr } = template(folder, values, [
      '--show-only',
      'templates/notes.yaml',
    ]);

    expect(status, stderr).to.equal(0);

    return (parse(stdout) as { notes: string }).notes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Defines the tests, which are pending without helm. */
function itWithHelm(title: string, test: () => void): void {
  if (hasHelm) it(title, test);
  else it(`${title} (pending: helm is not installed)`);
}
