import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  codeOf,
  ask,
  expireOfferIn,
  moveOffersBack,
  mailsAbout,
  makeOffer,
  offerInput,
  offersPath,
  type OfferBody,
  pendingNoticesAbout,
} from '../support/sales.js';
import { dataOf, toProblem } from '../support/endpoints.js';
import type { Ask } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('commerce.offers.resend', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  it('sends the same mail once more under a Message-ID of its own, and counts it', async () => {
    const sent = await makeOffer(tenant.rest);
    const again = dataOf<OfferBody>(await ask(tenant.rest, sent.id, 'resend'), 200);
    const { created_at, sent_at, updated_at } = again;
    expect(updated_at > sent.updated_at).to.equal(true);
    expect(again).to.deep.equal({ ...sent, send_count: 2, created_at, sent_at, updated_at });
    const [first, second] = await mailsAbout(service, sent.id, 2);
    expect(second?.text).to.equal(first?.text);
    expect(second?.headers['message-id']).not.to.deep.equal(first?.headers['message-id']);
  });

  it('refuses a third mail within a minute of the second, however many ask at once, and says when', async () => {
    const { id } = await makeOffer(tenant.rest);
    dataOf(await ask(tenant.rest, id, 'resend'), 200);

    const early = await ask(tenant.rest, id, 'resend');
    const { code, detail } = toProblem(early, 409);
    expect(code).to.equal('offer_state_conflict');
    expect(detail).to.equal('The offer cannot be resent within 60 seconds of its last mail.');
    expect(Number(early.headers['retry-after'])).to.be.within(1, 60);
    await moveOffersBack(service, id);

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ask(tenant.rest, id, 'resend')),
    );
    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).to.deep.equal([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await pendingNoticesAbout(service, id)).to.have.length(3);
  });

  it('sends an offer at most ten times, by any operation', async () => {
    const { id } = await makeOffer(tenant.rest);
    const byGraphql = 'mutation ($of: ID!, $id: ID!) { resendOffer(account: $of, id: $id) { id } }';
    const graphql = () => tenant.graphql(byGraphql, { of: tenant.account, id });
    for (let count = 2; count <= 10; count += 1) {
      await moveOffersBack(service, id);
      if (count % 2) await graphql();
      else dataOf(await ask(tenant.rest, id, 'resend'), 200);
    }

    await moveOffersBack(service, id);

    const refused = toProblem(await ask(tenant.rest, id, 'resend'), 409);
    expect(refused.detail).to.equal(
      'The offer cannot be resent: it has reached its limit of 10 mails.',
    );

    const refusal = await graphql().catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'offer_state_conflict' });
    expect(await pendingNoticesAbout(service, id)).to.have.length(10);
    await ask(tenant.rest, id, 'cancel');
    expect(toProblem(await ask(tenant.rest, id, 'resend'), 409).detail).to.include('cancelled');
  });

  it('H26, A46: and the other steps ignore any body', async () => {
    for (const bytes of ['{"a":', '\xff\xfe']) {
      const { id } = dataOf<OfferBody>(await tenant.rest.post(offersPath, offerInput()), 201);

      for (const step of ['send', 'resend', 'cancel']) {
        const key = randomUUID();
        const path = `${offersPath}/${id}/${step}`;
        const headers = { 'content-type': 'text/plain' };
        expect((await tenant.rest.send('POST', path, { key, bytes, headers })).status).to.equal(
          200,
        );

        const again = await tenant.rest.send('POST', path, { key, bytes: '{"other":1}' });
        expect(again.headers['idempotent-replayed']).to.equal('true');
      }
    }
  });

  it('H95: is refused with 429 beyond 60 mails in a minute with send, by a limit of its own', async () => {
    const { rest } = await createTenant(service);
    const drafts = await Promise.all(
      Array.from({ length: 31 }, async () => (await makeOffer(rest, {}, [])).id),
    );
    for (const id of drafts.slice(0, 30)) {
      expect((await ask(rest, id, 'send')).status).to.equal(200);
      expect((await ask(rest, id, 'resend')).status).to.equal(200);
    }

    for (const step of ['send', 'resend'] as const) {
      const refused = await ask(rest, drafts[30] ?? '', step);
      expect(codeOf(refused, 429)).to.equal('rate_limit_exceeded');
      expect(refused.headers['ratelimit-policy']).to.equal('"mail";q=60;w=60');
      expect(refused.headers['ratelimit']).to.match(/^"mail";r=0;t=\d+$/);
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    }

    expect((await ask(rest, drafts[30] ?? '', 'cancel')).status).to.equal(200);
  });

  it('H95: uses up nothing of the limit of mails when it sends none', async () => {
    const { rest } = await createTenant(service);
    const { id } = await makeOffer(rest);
    const key = randomUUID();
    const left = async (status: number, of: string, step: 'send' | 'resend', options: Ask = {}) => {
      const reply = await ask(rest, of, step, options);
      expect(reply.status).to.equal(status);
      return Number(/^"mail";r=(\d+);/.exec(reply.headers['ratelimit'] ?? '')?.[1]);
    };

    expect(await left(200, id, 'resend', { key })).to.equal(58);

    const unknown = 'off_0000000000000000000000AB';
    for (let each = 0; each < 40; each += 1) {
      expect(await left(404, unknown, each % 2 ? 'send' : 'resend')).to.equal(58);
      expect(await left(409, id, 'send')).to.equal(58);
    }

    expect(await left(400, id, 'send', { key: null })).to.equal(58);
    expect(await left(406, id, 'send', { headers: { accept: 'text/html' } })).to.equal(58);
    expect(await left(409, id, 'send', { key })).to.equal(58);
    expect(await left(200, id, 'resend', { key })).to.equal(58);
    expect(await left(200, (await makeOffer(rest, {}, [])).id, 'send')).to.equal(57);
  });

  it('refuses what was not sent or is open no longer', async () => {
    const expired = await makeOffer(tenant.rest);
    await expireOfferIn(service, expired.id, 0);

    const { id: cancelled } = await makeOffer(tenant.rest, {}, ['send', 'cancel']);
    const { id: draft } = await makeOffer(tenant.rest, {}, []);
    for (const [id, mails] of [
      [draft, 0],
      [cancelled, 1],
      [expired.id, 1],
    ] as const) {
      const reply = await ask(tenant.rest, id, 'resend');
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
      expect(await pendingNoticesAbout(service, id)).to.have.length(mails);
    }
  });

  it('H57, H43: requires an idempotency key, and sends once under it', async () => {
    const { id } = await makeOffer(tenant.rest);
    expect(codeOf(await ask(tenant.rest, id, 'resend', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );
    const key = `resend-${id}`;
    const first = await ask(tenant.rest, id, 'resend', { key });
    const again = await ask(tenant.rest, id, 'resend', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(await pendingNoticesAbout(service, id)).to.have.length(2);
  });
});
