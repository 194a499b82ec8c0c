import { expect } from 'chai';
import { Client, fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const clients = 30;
const path = '/v1/webhooks/event-types';

describe('an API that stops', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0, environment: { LAME_DUCK: '10s' } });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  it('says that it is stopping, keeps serving for a while, and resets no kept connection', async () => {
    const { token } = await tenant.credential({ kind: 'live', role: 'owner' });
    const headers = { authorization: `Bearer ${token}` };
    const answers = { sent: 0, ok: 0 };

    /** Sends one request after the other on one connection, until the server closes it. */
    const send = async () => {
      const client = new Client(service.url, { pipelining: 1 });
      try {
        for (let stays = true; stays;) {
          answers.sent += 1;
          const response = await client.request({ path, method: 'GET', headers });
          await response.body.dump();
          if (response.statusCode === 200) answers.ok += 1;
          stays = response.headers['connection'] !== 'close';
        }
      } finally {
        await client.destroy();
      }
    };

    const sending = Promise.all(Array.from({ length: clients }, send));

    await eventually(() => expect(answers.ok).to.be.at.least(clients * 3), 'all send');

    const ended = service.api.end();
    await eventually(async () => {
      expect((await fetch(`${service.internalUrl}/readyz`)).status).to.equal(503);
    }, 'it is not ready any more');

    const later = await fetch(`${service.url}${path}`, { headers });
    expect(later.status).to.equal(200);
    await sending;
    expect(answers.ok).to.equal(answers.sent);
    expect(await ended).to.equal(0);
  });
});
