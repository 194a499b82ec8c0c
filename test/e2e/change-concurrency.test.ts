import { expect } from 'chai';
import { fetch } from 'undici';
import { createCheckout, makeOrder, makeOffer } from '../support/sales.js';
import { dataOf, endpointsPath, toProblem } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { openPage } from '../support/dashboard.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const form = { buyer_email: 'buyer@example.com', method: 'sandbox' };
/** More requests than the API has connections. */
const burst = 40;

describe('changes that wait for the same lock', () => {
  let service: Service;
  let clients: Tenant;
  let other: Tenant;

  before(async () => {
    service = await sharedService();
    clients = await createTenant(service);
    other = await createTenant(service);
  });

  const waiting = async () => {
    const text = await (await fetch(`${service.internalUrl}/metrics`)).text();
    return Number(/^signalpost_changes_waiting (\d+)$/m.exec(text)?.[1]);
  };

  /** Sends `burst` requests at once while `held` is locked, and others meanwhile. @returns the statuses */
  const sendBurst = async (held: string, send: (index: number) => Promise<{ status: number }>) => {
    const order: string[] = [];
    const page = await pageOf(other);
    const hold = await service.database.hold(`${held} for update`);
    const answers = Array.from({ length: burst }, async (_, index) => {
      let { status } = await send(index);
      // A request that waited for 5 s gets 503 and is not done: clients send it again.
      while (status === 503) ({ status } = await send(index));
      order.push('storm');
      return status;
    });

    try {
      await eventually(async () => expect(await waiting()).to.equal(burst - 2), 'all but two wait');
      // Sent at once, because a request that waits gets 503 after 5 s.
      const [listed, refunded, paid] = await Promise.all([
        other.rest.get(endpointsPath),
        other.rest.post(`/v1/commerce/payments/${payment}/refunds`, {}),
        openPage(page, { form }),
      ]);

      dataOf(listed, 200);
      dataOf(refunded, 201);
      expect(paid.status, paid.text).to.equal(303);
      order.push('others');
    } finally {
      await hold.release();
    }

    const statuses = await Promise.all(answers);
    expect(order[0]).to.equal('others');
    expect(await waiting()).to.equal(0);

    return statuses;
  };

  let payment: string;
  const pageOf = async (tenant: Tenant) =>
    `${service.url}/checkout/${await createCheckout(tenant)}`;

  beforeEach(async () => {
    payment = (await makeOrder(other)).payment.id;
  });

  it('concurrent refunds of one payment leave connections to other accounts', async () => {
    const { id } = (await makeOrder(clients)).payment;
    const path = `/v1/commerce/payments/${id}/refunds`;
    const statuses = await sendBurst(`select from payment where id = '${id}'`, (index) =>
      clients.rest.post(path, { amount_minor_units: 1 }, { key: `burst-${index}` }),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([201]));
  });

  it('concurrent cancellations of one offer leave connections to other accounts', async () => {
    const { id } = await makeOffer(clients.rest);
    const statuses = await sendBurst(`select from offer where id = '${id}'`, () =>
      clients.rest.post(`/v1/commerce/offers/${id}/cancel`),
    );
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 409)).to.have.length(burst - 1);
  });

  it('concurrent payments of one checkout leave connections to other buyers', async () => {
    const page = await pageOf(clients);
    const id = page.split('/').at(-1) ?? '';
    const statuses = await sendBurst(`select from checkout where id = '${id}'`, () =>
      openPage(page, { form }),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([303]));
  });

  it('concurrent visits of one offer leave connections to other buyers', async () => {
    const { id } = await makeOffer(clients.rest);
    const statuses = await sendBurst(`select from offer where id = '${id}'`, () =>
      openPage(`${service.url}/offer/${id}`, { form: {} }),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([303]));
  });

  it('answers 503 with Retry-After when too many changes wait, and makes them under the same key later', async () => {
    const { id } = (await makeOrder(clients)).payment;
    const refund = (number: number) =>
      clients.rest.post(
        `/v1/commerce/payments/${id}/refunds`,
        { amount_minor_units: 1 },
        { key: `many-${number}` },
      );

    const hold = await service.database.hold(`select from payment where id = '${id}' for update`);
    const sent: Promise<unknown>[] = [];
    let open = 0;

    /** Keeps 252 requests under way: others take the place of those that got 503 after 5 s. */
    const fill = () => {
      for (; open < 252; open += 1) sent.push(refund(sent.length).finally(() => (open -= 1)));
    };
    try {
      await eventually(async () => {
        fill();
        expect(await waiting()).to.equal(250);
      }, 'as many wait as may');
      const refused = await refund(sent.length);
      expect(toProblem(refused, 503).code).to.equal('service_unavailable');
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    } finally {
      await hold.release();
    }

    await Promise.all(sent);
    for (let number = 0; number <= sent.length; number += 1) dataOf(await refund(number), 201);
  });
});
