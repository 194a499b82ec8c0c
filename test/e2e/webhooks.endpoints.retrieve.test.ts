import { expect } from 'chai';
import {
  comparable,
  createEndpoint,
  dataOf,
  endpointsPath,
  toProblem,
} from '../support/endpoints.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('webhooks.endpoints.retrieve', () => {
  let tenant: Tenant;

  before(async () => {
    tenant = await createTenant(await sharedService());
  });

  it('H1: shows the endpoint as create did, without the secret', async () => {
    const { signing_secret: secret, ...endpoint } = await createEndpoint(tenant.rest, {
      description: 'Orders',
      active: false,
    });
    const reply = await tenant.rest.get(`${endpointsPath}/${endpoint.id}`);
    expect(dataOf(reply, 200)).to.deep.equal(endpoint);
    expect(reply.text).not.to.include(secret);
  });

  it('H91: answers alike to an unknown id and to one of another account', async () => {
    const stranger = await createTenant(await sharedService());
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await tenant.rest.get(`${endpointsPath}/${id}`), 404);
    const unknown = `${endpointsPath}/whs_${'0'.repeat(24)}`;
    for (const path of [unknown, `${endpointsPath}/whs_x`, `${endpointsPath}/nothing`]) {
      const problem = toProblem(await tenant.rest.get(path), 404);
      expect(comparable(problem), path).to.deep.equal(comparable(foreign));
      expect(problem.request_id).not.to.equal(foreign.request_id);
    }
  });

  it('A9: answers 401, 403 and 404 to what it refuses', async () => {
    const { id } = await createEndpoint(tenant.rest);
    const path = `${endpointsPath}/${id}`;
    toProblem(await tenant.rest.as('sk_live_unknown').get(path), 401);
    const accountant = await tenant.client({ kind: 'live', role: 'accountant' });
    toProblem(await accountant.get(path), 403);
    toProblem(await accountant.get(`${endpointsPath}/whs_unknown`), 403);
    toProblem(await tenant.rest.get(`${endpointsPath}/whs_unknown`), 404);
  });
});
