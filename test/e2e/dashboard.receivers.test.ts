import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { fetch } from 'undici';
import { createEndpoint } from '../support/endpoints.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { isInstalled, sampleLanguages, startSample } from '../support/sample-receiver.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const familyOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));

describe('the receivers that the dashboard shows', function () {
  // A compiler may run for the first time on this machine.
  let receiver: Receiver;
  let secret: string;
  let tenant: Tenant;

  before(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(await sharedService());
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url('/signed') });
    secret = endpoint.signing_secret;
  });
  after(() => receiver.close());

  /** Receives an event that is signed now. */
  const deliver = async () => {
    const event = await tenant.publish({ subject: 'order:Zoë' });
    return receiver.next(({ headers }) => headers['webhook-id'] === event);
  };
  const signedAt = (seconds: number, body: Buffer) => {
    const at = new Date(Date.now() + seconds * 1_000);
    const signature = new Webhook(secret).sign('evt_1', at, body.toString('utf8'));
    const time = String(Math.floor(at.getTime() / 1_000));
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': signature };
  };

  for (const language of sampleLanguages) {
    const title = `H189: take what was signed and refuse the rest, in ${language.name}`;
    if (!isInstalled(language)) {
      it(`${title} (pending: ${language.probe[0]} is not installed)`);
      continue;
    }
    it(title, async () => {
      const sample = await startSample(language, secret);
      const send = async (given: Readonly<Record<string, string>>, bytes: Buffer) => {
        const response = await fetch(sample.url, { method: 'POST', headers: given, body: bytes });
        return response.status;
      };
      try {
        const { headers: all, body } = await deliver();
        const headers = familyOf(all);
        const { 'webhook-signature': signature = '' } = headers;
        const rotated = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= ${signature}` };
        expect(await send(headers, body)).to.equal(204);
        expect(await send(rotated, body), 'two signatures').to.equal(204);
        const changed = Buffer.from(body);
        changed[changed.length - 3]! ^= 1;
        expect(await send(headers, changed), 'a changed body').to.equal(401);
        expect(await send({ ...headers, 'webhook-id': 'evt_2' }, body), 'an id').to.equal(401);
        expect(await send({}, body), 'no signature').to.equal(401);
        expect(await send(signedAt(0, body), body), 'signed now').to.equal(204);
        expect(await send(signedAt(-600, body), body), 'ten minutes old').to.equal(401);
        expect(await send(signedAt(600, body), body), 'ten minutes ahead').to.equal(401);
        expect(await send(headers, body), 'again').to.equal(204);
      } finally {
        await sample.end();
      }
    });
  }
});
