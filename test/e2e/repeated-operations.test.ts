import { expect } from 'chai';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** The third time a text is compiled, if it can be. */
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

  /** Sends an operation several times. @returns each different response */
  async function responses(query: string, variables: object, token = internal): Promise<string[]> {
    const found = new Set<string>();
    for (let time = 1; time <= times; time += 1) {
      const response = await fetch(`${service.internalUrl}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const type = response.headers.get('content-type');
      found.add(`${response.status} ${String(type)} ${await response.text()}`);
    }
    return [...found];
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
});
