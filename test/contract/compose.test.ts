import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.js';
import { repositoryRoot } from '../support/repository.js';

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly healthcheck?: Readonly<Record<string, unknown>>;
  readonly deploy?: { readonly replicas: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
}

const folder = join(repositoryRoot, 'deploy', 'compose');
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
const { services, volumes } = parse(text, { merge: true }) as {
  services: Readonly<Record<string, ComposeService>>;
  volumes: Readonly<Record<string, unknown>>;
};
const ours = ['migrate', 'api', 'worker'];

// No engine runs these files in the tests.
describe('compose.yaml', () => {
  it('starts two API processes and two workers, and what they need', () => {
    expect(services).to.have.all.keys(
      'postgres',
      'valkey',
      'migrate',
      'api',
      'worker',
      'caddy',
      'mailpit',
      'prometheus',
      'jaeger',
      'grafana',
    );

    expect(services['api']?.deploy?.replicas).to.equal(2);
    expect(services['worker']?.deploy?.replicas).to.equal(2);
    expect(services['postgres']?.image).to.include('/postgres:17.');
  });

  it('pins each image to a whole version', () => {
    for (const [name, { image }] of Object.entries(services))
      expect(image, name).to.match(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
  });

  it('gives our processes only known settings and a read-only root', () => {
    const known = new Set([
      ...Object.keys(settings),
      'NODE_OPTIONS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_METRICS_EXPORTER',
    ]);

    for (const name of ours) {
      const service = services[name];
      expect(service?.command, name).to.deep.equal([name]);
      expect(Object.keys(service?.environment ?? {}).filter((name) => !known.has(name))).to.eql([]);

      expect(service, name).to.deep.include({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
      });

      expect(parseInt(service?.stop_grace_period ?? '', 10), name).to.be.above(30 + 5);

      const { context = '', dockerfile = '' } = service?.build ?? {};
      expect(existsSync(join(folder, context, dockerfile)), name).to.equal(true);
    }
  });

  it('takes from .env what example.env has, and no more', () => {
    const file = readFileSync(join(folder, 'example.env'), 'utf8');
    const offered = [...file.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const taken = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect(offered).to.have.members([...taken]);
    for (const name of ours)
      expect(services[name]?.environment).to.have.property('WEBHOOKS_ALLOW_PRIVATE_TARGETS');
  });

  it('starts processes after the migration, and the migration after PostgreSQL', () => {
    const condition = (name: string, on: string) => services[name]?.depends_on?.[on]?.condition;
    expect(condition('migrate', 'postgres')).to.equal('service_healthy');
    for (const name of ['api', 'worker'])
      expect(condition(name, 'migrate')).to.equal('service_completed_successfully');
    for (const name of ['postgres', 'valkey'])
      expect(services[name]?.healthcheck, name).to.have.property('test');
    // The server that prepares the database listens on a socket only.
    expect(services['postgres']?.healthcheck?.['test']).to.include('--host=127.0.0.1');
  });

  it('mounts files and volumes that exist', () => {
    const mounts = Object.values(services).flatMap(({ volumes: own = [] }) => own);
    expect(mounts).not.to.deep.equal([]);
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      const exists = source.startsWith('.') ? existsSync(join(folder, source)) : source in volumes;
      expect(exists, mount).to.equal(true);
    }
  });

  it('publishes ports on this machine only, and none that is internal', () => {
    const ports = Object.values(services).flatMap(({ ports: own = [] }) => own);
    expect(ports).to.deep.equal([
      '127.0.0.1:8080:8080',
      '127.0.0.1:8025:8025',
      '127.0.0.1:9090:9090',
      '127.0.0.1:16686:16686',
      '127.0.0.1:3000:3000',
    ]);
  });
});
