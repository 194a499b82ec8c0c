import { expect } from 'chai';
import { internalDocuments } from '../../src/graphql/generated/known-documents.js';
import { createCheckout } from '../support/sales.js';
import { sampleOf } from '../support/random.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** How often each operation is sent. */
const times = 4;

describe('an operation of /graphql that is sent again', () => {
  let service: Service;
  let tenant: Tenant;
  let internal: string;
  let dashboard: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ token: internal } = await tenant.credential({ kind: 'internal' }));
    ({ token: dashboard } = await tenant.credential({ kind: 'dashboard', role: 'viewer' }));
  });

  /** Sends an operation. @returns status, type and text of the response */
  async function send(body: object, token = internal): Promise<string> {
    const response = await fetch(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const type = response.headers.get('content-type');
    return `${response.status} ${String(type)} ${await response.text()}`;
  }

  /** Sends an operation several times. @returns each different response */
  async function responses(query: string, variables: object, token = internal): Promise<string[]> {
    const different = new Set<string>();
    for (let time = 1; time <= times; time += 1)
      different.add(await send({ query, variables }, token));
    return [...different];
  }

  it('H128: gets the same response each time', async () => {
    const list =
      'query ($of: ID) { webhookEndpoints(account: $of) { data { id } page { hasMore } } }';
    const cases: [string, object, RegExp][] = [
      [list, { of: tenant.account }, /^200 application\/json; charset=utf-8 \{"data":/],
      [list, { of: 'acc_unknown' }, /^200 .*"code":"not_found"/],
      [list, { of: [7] }, /^400 .*"code":"BAD_USER_INPUT"/],
      ['query ($n: Int) { accounts { id }', {}, /^400 .*"code":"GRAPHQL_PARSE_FAILED"/],
    ];
    for (const [query, variables, expected] of cases) {
      const found = await responses(query, variables);
      expect(found, query).to.have.length(1);
      expect(found[0]).to.match(expected);
    }
  });

  it('H128: passes its limits and permissions each time', async () => {
    const retire = 'mutation ($id: ID!) { retireEventType(id: $id) { id } }';
    await responses(retire, { id: 'no.such_type' });
    const refused = await responses(retire, { id: 'invoice.issued' }, dashboard);
    expect(refused.join()).to.match(/"code":"forbidden"/);

    const schema = '{ __schema { queryType { name } } }';
    expect((await responses(schema, {})).join()).to.match(/^200 /);
    expect((await responses(schema, {}, dashboard)).join()).to.match(/^403 /);

    const costly = `{ ${'accounts { id } '.repeat(400)} }`;
    expect((await responses(costly, {})).join()).to.match(/^400 .*GRAPHQL_PARSE_FAILED/);
  });

  it('H128, H290: gets the same response by id and by a text that is interpreted', async () => {
    const checkout = await createCheckout(tenant);
    const { account } = tenant;
    const event = {
      account,
      type: 'invoice.issued',
      subject: 's',
      data: sampleOf('invoice.issued'),
    };

    // A call with a key that was used changes nothing and has the same response.
    const keyed = { ...event, key: 'H290' };

    await tenant.publish({ ...keyed });

    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`, at]));
    const cases: Record<string, object[]> = {
      publishEvent: [
        { input: keyed },
        { input: { ...event, type: 'no.such' } },
        { input: { ...event, subject: '\0' } },
        { input: {} },
        { input: many },
        {},
      ],
      publishEvents: [
        { input: [keyed, { ...event, type: 'no.such' }, { ...event, subject: '\0' }] },
        { input: [keyed, { ...event, account: 'acc_000000000000000000000000' }], atomic: true },
        { input: [] },
        { input: Array.from({ length: 20 }, () => 7) },
      ],
      createCheckout: [{ input: { account, currency: 'XXX', successUrl: 'no', lineItems: [] } }],
      checkout: [
        { id: checkout, account },
        { id: 'chk_000000000000000000000000', account },
        { id: null },
      ],
      recordPayment: [
        { input: { checkout: 'chk_000000000000000000000000', buyerEmail: 'a@b.example' } },
      ],
      refundPayment: [
        { id: 'pay_000000000000000000000000', input: { amountMinorUnits: 1 }, account },
      ],
    };

    expect(Object.keys(cases)).to.have.members([...internalDocuments.keys()]);

    for (const [documentId, all] of Object.entries(cases)) {
      const text = internalDocuments.get(documentId) ?? '';

      for (const variables of all) {
        for (const token of [internal, dashboard]) {
          const byId = await send({ documentId, variables }, token);
          const interpreted = await send({ query: `${text} # not known`, variables }, token);
          const compact = text.replace(/\s+/g, ' ');
          expect(byId, documentId).to.equal(interpreted);
          expect(await send({ query: compact, variables }, token), compact).to.equal(
            await send({ query: `${compact} # not known`, variables }, token),
          );
        }
      }
    }
  });

  it('H290: is refused with an id that the listener does not know, or with an id and a text', async () => {
    const unknown = await send({ documentId: 'webhooks.endpoints.list' });
    expect(unknown).to.match(/^400 application\/json; charset=utf-8 .*"code":"document_unknown"/);
    const query = internalDocuments.get('checkout') ?? '';
    const both = await send({ documentId: 'checkout', query, variables: { id: 'chk_1' } });
    expect(both).to.match(/^422 .*"code":"validation_failed".*"param":"query"/);
  });
});
