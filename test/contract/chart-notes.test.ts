import { expect } from 'chai';
import { itWithHelm, renderNotes } from '../support/chart.js';

const secrets = (...more: string[]) =>
  `secret.keys=${JSON.stringify(['DATABASE_URL', 'SECRET_KEY', ...more])}`;
const host = ['ingress.enabled=true', 'ingress.host="a.example"'];

describe('the notes of the chart', () => {
  itWithHelm('warn of each port that is open at private addresses, and of no other', () => {
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

  itWithHelm('warn of mails that are files until there is a mail server', () => {
    expect(renderNotes()).to.include('No mail leaves the cluster: SMTP_URL is not set.');
    expect(renderNotes(secrets('SMTP_URL'))).not.to.include('No mail');
  });

  itWithHelm('warn of an ingress whose clients all share one address', () => {
    const warning = 'All clients share one address';
    expect(renderNotes(...host)).to.include(warning);
    expect(renderNotes(...host, 'settings.TRUSTED_PROXIES="0"')).to.include(warning);
    for (const part of ['', 'api.'])
      expect(renderNotes(...host, `${part}settings.TRUSTED_PROXIES="1"`)).not.to.include(warning);
    expect(renderNotes()).not.to.include(warning);
  });

  itWithHelm('warn of an OpenID provider that no rule lets the API reach', () => {
    const issuer = 'settings.OIDC_ISSUER="https://login.example"';
    expect(renderNotes(issuer)).to.include('cannot reach OIDC_ISSUER');
    expect(
      renderNotes(issuer, 'networkPolicy.apiEgress=[{"ports":[{"port":443}]}]'),
    ).not.to.include('cannot reach');
  });

  itWithHelm('count the connections to PostgreSQL that the values allow', () => {
    const sum = (...values: string[]) => /at most: (.*)\n/.exec(renderNotes(...values))?.[1];
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
