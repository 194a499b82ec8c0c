import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { findManifest, type Rule, itWithHelm, renderManifests } from '../support/chart.js';
import { repositoryRoot } from '../support/repository.js';

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
  it('let each part reach what it needs, and the world only workers', () => {
    const names = [53, 53];
    const database = [5432, 5433, 6432];
    expect(portsOf(egressOf('api'))).to.deep.equal([names, database, [6379], [4318]]);
    expect(portsOf(egressOf('worker'))).to.deep.equal(
      [names, database, [6379], [587], [], [4318]], //
    );
    expect(portsOf(egressOf('migrate'))).to.deep.equal([names, database]);
  });

  itWithHelm('open the ports of Redis and of the mail server only with their settings', () => {
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
  });

  itWithHelm('name DNS servers where a value does', () => {
    const cidr = 'networkPolicy.dns.to=[{"ipBlock":{"cidr":"10.96.0.10/32"}}]';
    const manifests = renderManifests(cidr);
    for (const part of ['api', 'worker', 'migrate'])
      expect(egressOf(part, manifests)[0]?.to, part).to.deep.equal([
        { ipBlock: { cidr: '10.96.0.10/32' } },
      ]);
  });

  itWithHelm('take the values that deploy.md shows', () => {
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
