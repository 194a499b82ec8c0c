import { readFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parse } from 'yaml';
import { repositoryRoot } from './repository.js';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect } from 'chai';

export interface Container {
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
export interface Rule {
  readonly ports?: readonly { readonly port: number }[];
  readonly to?: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  }[];
}

/** The folder of the chart and of its example. */
export const chartFolder = join(repositoryRoot, 'deploy', 'helm');
/** The example, as it is kept. */
export const example = readFileSync(join(chartFolder, 'example.yaml'), 'utf8');
export const manifests = parseManifests(example);
/** Every pod of the example, with its container. */
export const pods = podsOf(manifests);

/** @param text what helm renders */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export function podsOf(rendered: readonly Manifest[]) {
  return rendered.flatMap((one) => {
    const pod = one.spec.template?.spec;
    return pod ? { name: one.metadata.name, pod, container: pod.containers[0] } : [];
  });
}

/** @throws Error when the example has no such manifest */
export function findManifest(kind: string, name: string): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`${kind} ${name} is not in the example`);
  return found;
}

const chart = join(chartFolder, 'signalpost');
/** Whether the tests can render the chart. */
const hasHelm = spawnSync('helm', ['version']).status === 0;

function template(folder: string, values: readonly string[], more: readonly string[]) {
  return spawnSync(
    'helm',
    // Some builds of helm take themselves for an old cluster.
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
export function renderManifests(...values: string[]) {
  const { status, stdout, stderr } = template(chart, values, []);
  expect(status, stderr).to.equal(0);
  return parseManifests(stdout);
}

/** What helm prints after an install with these values. It shows notes only with a cluster, so a copy has them as a manifest. */
export function renderNotes(...values: string[]): string {
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
export function itWithHelm(title: string, test: () => void): void {
  if (hasHelm) it(title, test);
  else it(`${title} (pending: helm is not installed)`);
}
