import { expect } from 'chai';
import {
  codeOf,
  ask,
  dayAhead,
  expireOfferIn,
  mailsAbout,
  makeOffer,
  type OfferBody,
  pendingNoticesAbout,
} from '../support/sales.js';
import { dataOf, toProblem } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('commerce.offers.send', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const draft = (changes: object = {}) => makeOffer(tenant.rest, changes, []);

  it('makes a draft a sent offer, and changes nothing else of it', async () => {
    const before = await draft();
    const sent = dataOf<OfferBody>(await ask(tenant.rest, before.id, 'send'), 200);
    expect(sent.sent_at).to.match(/Z$/);
    expect(sent.updated_at > before.updated_at).to.equal(true);
    const { sent_at, updated_at } = sent;
    expect(sent).to.deep.equal({ ...before, status: 'sent', send_count: 1, sent_at, updated_at });
  });

  it('sends the recipient one mail: what it costs, until when, and where to accept it', async () => {
    const day = dayAhead(30);
    const offer = await makeOffer(tenant.rest, {
      recipient_email: 'büro@example.com',
      title: 'Zwölf Poster 🖼',
      message: 'Hallo,\r\nTotal: 0\u2028Total: 1',
      currency: 'KWD',
      expires_at: `${day}T12:00:00+01:00`,
    });

    const [mail] = await mailsAbout(service, offer.id, 1);
    expect(mail?.headers['to']).to.deep.equal(['büro@example.com']);
    expect(mail?.headers['subject']).to.deep.equal(['Offer from Test shop: Zwölf Poster 🖼']);
    expect(mail?.headers['content-type']?.[0]).to.match(/^text\/plain; charset=utf-8/);

    const lines = mail?.text.split('\n') ?? [];
    const written = new Date(day).toLocaleDateString('en-GB', {
      dateStyle: 'long',
      timeZone: 'UTC',
    });

    expect(lines).to.include.members([
      'Offer: Zwölf Poster 🖼',
      'Total: KWD\u00a01.900',
      `Open until: ${written} at 11:00 UTC`,
      '> Hallo,',
      '> Total: 0',
      '> Total: 1',
      offer.offer_url,
    ]);

    expect(lines.filter((line) => line.startsWith('Total:'))).to.have.length(1);
  });

  it('adds no header to the mail for a line break in the name of the shop', async () => {
    const name = 'Shop\r\nBcc: evil@evil.example\r\n\r\nTotal: 0';
    await service.database.query('update account set name = $2 where id = $1', [
      tenant.account,
      name,
    ]);

    const [mail] = await mailsAbout(service, (await makeOffer(tenant.rest)).id, 1);
    await service.database.query(`update account set name = 'Test shop' where id = $1`, [
      tenant.account,
    ]);
    expect(mail?.headers).not.to.have.property('bcc');
    expect(mail?.headers['subject']).to.deep.equal([
      'Offer from Shop Bcc: evil@evil.example Total: 0: One poster',
    ]);
    expect(mail?.text.split('\n').filter((line) => line.startsWith('Total:'))).to.have.length(1);
  });

  it('sends once, however many ask at once, and refuses the others', async () => {
    const { id } = await draft();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask(tenant.rest, id, 'send')),
    );
    const sent = replies.filter(({ status }) => status === 200);
    expect(sent).to.have.length(1);
    for (const reply of replies.filter((each) => !sent.includes(each))) {
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
    }
    expect(await pendingNoticesAbout(service, id)).to.have.length(1);
  });

  it('refuses an offer that is not a draft, says its status, and enqueues no mail', async () => {
    const expired = await draft();
    await expireOfferIn(service, expired.id, 0);

    for (const [offer, mails, state] of [
      [await makeOffer(tenant.rest), 1, 'already sent'],
      [await makeOffer(tenant.rest, {}, ['cancel']), 0, 'cancelled'],
      [expired, 0, 'expired'],
    ] as const) {
      const { code, detail, errors } = toProblem(await ask(tenant.rest, offer.id, 'send'), 409);
      expect(code).to.equal('offer_state_conflict');
      expect(detail).to.equal(`The offer cannot be sent: it is ${state}.`);
      expect(errors).to.deep.equal([{ code, detail }]);
      expect(await pendingNoticesAbout(service, offer.id)).to.have.length(mails);
    }
  });

  it('H57, A7, H48: requires an idempotency key, and enqueues one mail under it', async () => {
    const { id } = await draft();
    expect(codeOf(await ask(tenant.rest, id, 'send', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );

    const key = `send-${id}`;
    const first = await ask(tenant.rest, id, 'send', { key });
    const again = await ask(tenant.rest, id, 'send', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(codeOf(await ask(tenant.rest, id, 'resend', { key }), 409)).to.equal(
      'idempotency_key_conflict',
    );
    expect(await pendingNoticesAbout(service, id)).to.have.length(1);
  });
});
