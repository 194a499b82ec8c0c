import { expect } from 'chai';
import { serverAudits } from 'graphql-http';
import { type Service, sharedService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

const json = 'application/json';
const graphqlResponse = 'application/graphql-response+json';

// `/graphql` takes POST only, so that no link can run an operation.
const ofGet = ['notice 5A70', 'notice D6D5', 'notice 6A70'];
// A validation error of the service is 422, here as on `/v1`.
const variablesOfAnotherType = ['notice 4760', 'notice 4761', 'notice 4762', 'notice 4763'];
// A document that cannot run is 400 for every client, so that logs, metrics and proxies see it.
const withoutOperation = ['warn 572B', 'warn FDE2', 'warn 7B9B'];

describe('GraphQL over HTTP', () => {
  let service: Service;
  let token: string;

  before(async () => {
    service = await sharedService();
    const tenant = await createTenant(service);
    ({ token } = await tenant.credential({ kind: 'internal' }));
  });

  const send: typeof fetch = (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  };

  const negotiated = async (accept: string) => {
    const response = await send(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': json, accept },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    await response.text();
    return [response.status, response.headers.get('content-type')];
  };

  it('H267: passes the public audits but those that it declines', async () => {
    const failed: string[] = [];
    for (const audit of serverAudits({ url: `${service.internalUrl}/graphql`, fetchFn: send })) {
      const result = await audit.fn();
      if (result.status !== 'ok') failed.push(`${result.status} ${result.id}`);
    }
    expect(failed).to.have.members([...ofGet, ...variablesOfAnotherType, ...withoutOperation]);
  });

  it('H267: reads parameters, weights and the order of Accept', async () => {
    for (const [accept, type] of [
      [`${json}; charset=utf-8`, json],
      [`${graphqlResponse}; charset=utf-8`, graphqlResponse],
      [`${graphqlResponse};charset=utf-8, ${json};charset=utf-8`, graphqlResponse],
      [`${json}, ${graphqlResponse};q=0.5`, json],
      [`${json};q=0.5, ${graphqlResponse}`, graphqlResponse],
      [`${json};q=0, */*`, graphqlResponse],
      ['Application/*', json],
      ['', json],
    ] as const) {
      const expected = [200, `${type}; charset=utf-8`];
      expect(await negotiated(accept), accept).to.deep.equal(expected);
    }
  });

  it('H267: answers 406 to an Accept that excludes both types', async () => {
    for (const accept of ['text/html', `${json};q=0`, '*/*;q=0']) {
      expect((await negotiated(accept))[0], accept).to.equal(406);
    }
  });
});
