import { expect } from 'chai';
import { createCheckout, payCheckout, ask, mailsAbout, makeOffer } from '../support/sales.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql, createTenant } from '../support/tenants.js';

describe('ids that open pages, in the logs', () => {
  let service: Service;

  before(async () => {
    service = await startService({ environment: { LOG_LEVEL: 'trace' } });
  });
  after(() => service.stop());

  const lines = () => [service.api, ...service.workers].flatMap((each) => each.lines);

  it('are cut in each request and in each spelling', async () => {
    const tenant = await createTenant(service);
    const { rest } = tenant;
    const { token } = await tenant.credential({ kind: 'internal' });
    const checkout = await createCheckout(tenant);
    const offer = await makeOffer(rest);
    await mailsAbout(service, offer.id, 1);

    for (const id of [checkout, offer.id]) {
      for (const written of [
        id,
        id.replace('_', '%5F'),
        `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
      ]) {
        await rest.get(`/v1/commerce/checkouts/${written}`);
        await rest.get(`/v1/commerce/offers/${written}/nothing`);
      }

      await rest.get('/v1/nothing', { headers: { 'x-request-id': `req-${id}` } });

      const query = `query ${id} { checkout(id: "${id}") { id } }`;
      await callGraphql(service, token, query).catch(() => undefined);
    }

    await ask(rest, offer.id, 'cancel');
    await payCheckout(tenant, checkout);

    for (const id of [checkout, offer.id]) {
      const shown = `${id.slice(0, 12)}…`;
      await eventually(() => {
        const own = lines().filter((line) => line.includes(shown));
        expect(own.length).to.be.at.least(6);
        expect(own.join()).to.include(`/v1/commerce/checkouts/${shown}"`);
      }, `lines of ${shown}`);
      expect(lines().filter((line) => line.includes(id.slice(12)))).to.deep.equal([]);
    }
  });
});
