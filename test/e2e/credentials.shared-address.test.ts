import { expect } from 'chai';
import type { Finding } from '../../tools/doctor/finding.js';
import { adminJson } from '../support/admin.js';
import { createEndpoint, deliveriesPath, toProblem } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { sendRaw } from '../support/rest-client.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('clients that share an address', () => {
  let service: Service;

  before(async () => {
    service = await startService({ environment: { RATE_LIMIT: '6000' }, workers: 0 });
  });
  after(() => service.stop());

  /** Sends unknown credentials, 50 at a time. @returns the number of responses by status */
  async function guess(count: number): Promise<Record<number, number>> {
    const { rest } = await createTenant(service);
    const statuses: Record<number, number> = {};
    let left = count;
    const one = async () => {
      while (left > 0) {
        const token = `sk_live_${String((left -= 1)).padStart(43, '0')}`;
        const { status } = await rest.as(token).get(deliveriesPath);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 50 }, one));
    return statuses;
  }

  it('H95: accepts a credential never seen before, however many others from its address were wrong', async () => {
    const newcomers = await Promise.all([1, 2, 3].map(() => createTenant(service)));
    expect(Object.keys(await guess(700))).to.include('401');
    for (const { rest } of newcomers) {
      expect((await rest.get(deliveriesPath)).status).to.equal(200);
      await createEndpoint(rest);
    }
  });

  it('H95: gives the same response to a wrong credential each time', async () => {
    const { rest } = await createTenant(service);
    for (let count = 0; count < 800; count += 1) {
      const reply = await rest.as('sk_live_again').get(deliveriesPath);
      expect(toProblem(reply, 401).errors[0]?.code).to.equal('invalid_credential');
    }
  });

  it('warns once in the log and in doctor when TRUSTED_PROXIES omits a proxy', async () => {
    const raw = `GET ${deliveriesPath} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`;
    for (let count = 0; count < 3; count += 1) await sendRaw(service.url, raw);
    const warned = () => service.api.lines.filter((line) => line.includes('TRUSTED_PROXIES is 0'));
    await eventually(() => expect(warned()).to.have.length(1), 'the log says so');
    expect(JSON.parse(warned()[0] ?? '{}')).to.include({ level: 40 });
    const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
    expect(metrics).to.match(/^signalpost_forwarded_for_ignored_total 3$/m);
    // No worker runs, which doctor reports as an error.
    const findings = (await adminJson(service.environment, ['doctor'], 1)) as Finding[];
    const [finding] = findings.filter(({ detail }) => detail.includes('TRUSTED_PROXIES is 0'));
    expect(finding).to.include({ subject: 'settings', level: 'warning' });
  });
});

describe('clients behind a trusted proxy', () => {
  let service: Service;

  before(async () => {
    // Each address gets a tenth of the limit.
    const environment = { TRUSTED_PROXIES: '1', RATE_LIMIT: '40' };
    service = await startService({ environment, workers: 0 });
  });

  after(() => service.stop());

  /** The statuses of five requests; `appended` returns what the proxy adds to each. */
  async function statuses(appended: (place: number) => string): Promise<number[]> {
    const answered: number[] = [];
    for (let place = 1; place <= 5; place += 1) {
      const headers = { 'x-forwarded-for': appended(place) };
      answered.push((await fetch(service.url, { headers })).status);
    }
    return answered;
  }

  it('H260: counts a client by its address, whatever ports it has', async () => {
    const limited = [200, 200, 200, 200, 429];
    expect(await statuses((place) => `203.0.113.10:${40_000 + place}`)).to.deep.equal(limited);
    expect(await statuses((place) => `[2001:db8::${place}]:50000`)).to.deep.equal(limited);
  });

  it('H260: counts clients by the address of a proxy that appends text; log and doctor warn', async () => {
    expect(await statuses((place) => `client-${place}`)).to.deep.equal([200, 200, 200, 200, 429]);
    const warned = () =>
      service.api.lines.filter((line) => line.includes('X-Forwarded-For has text'));
    await eventually(() => expect(warned()).to.have.length(1), 'the log says so');
    const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
    expect(metrics).to.match(/^signalpost_forwarded_for_invalid_total 5$/m);
    // No worker runs, which doctor reports as an error.
    const findings = (await adminJson(service.environment, ['doctor'], 1)) as Finding[];
    const [finding] = findings.filter(({ detail }) => detail.includes('X-Forwarded-For has text'));
    expect(finding).to.include({ subject: 'settings', level: 'warning' });
  });
});
