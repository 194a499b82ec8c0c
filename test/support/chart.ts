import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from './repository.js';

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
