import { expect } from 'chai';
import {
  createEndpoint,
  endpointsPath,
  type EndpointBody,
  type List,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import type { Reply, RestClient } from '../support/rest-client.js';
import { sharedService, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const listOf = (reply: Reply) => {
  expect(reply.status, reply.text).to.equal(200);
  return reply.body as List<EndpointBody>;
};

describe('webhooks.endpoints.list', () => {
  let tenant: Tenant;
  let rest: RestClient;
  const made: string[] = [];

  before(async () => {
    tenant = await createTenant(await sharedService());
    ({ rest } = tenant);
    for (let index = 0; index < 25; index += 1) {
      made.unshift((await createEndpoint(rest, { active: index % 5 !== 0 })).id);
    }
  });

  const list = async (query = '') => listOf(await rest.get(`${endpointsPath}${query}`));
  const ids = async (query = '') => (await list(query)).data.map(({ id }) => id);

  /** Every page of a list, from the first to the last. */
  async function walk(limit: number, filter = '', between?: () => Promise<void>) {
    const found: string[] = [];
    let page = await list(`?limit=${limit}${filter}`);
    for (;;) {
      found.push(...page.data.map(({ id }) => id));
      if (!page.page.has_more) return found;
      await between?.();
      const cursor = encodeURIComponent(page.page.next_cursor ?? '');
      page = await list(`?limit=${limit}${filter}&cursor=${cursor}`);
    }
  }

  it('H30, A27: filters by whether an endpoint is active', async () => {
    const active = await list('?status=active&limit=100');
    const inactive = await list('?status=inactive&limit=100');
    expect(active.data.every((endpoint) => endpoint.active)).to.equal(true);
    expect(inactive.data.every((endpoint) => !endpoint.active)).to.equal(true);
    expect([active.data.length, inactive.data.length]).to.deep.equal([20, 5]);
    const both = [...active.data, ...inactive.data].map(({ id }) => id);
    expect(both).to.have.members(made);
    expect(refusalsOf(await rest.get(`${endpointsPath}?status=disabled`))).to.deep.equal([
      'status: invalid_value',
    ]);
  });

  it('H31: returns 20 by default, and refuses a limit outside 1 to 100', async () => {
    expect(await ids()).to.have.lengthOf(20);
    expect(await ids('?limit=1')).to.have.lengthOf(1);
    expect(await ids('?limit=100')).to.have.lengthOf(25);

    for (const [limit, code] of [
      ['0', 'out_of_range'],
      ['101', 'out_of_range'],
      ['-1', 'out_of_range'],
      ['1.5', 'invalid_type'],
      ['ten', 'invalid_type'],
      ['1e1', 'invalid_type'],
      ['0x10', 'invalid_type'],
    ]) {
      const reply = await rest.get(`${endpointsPath}?limit=${limit ?? ''}`);
      expect(refusalsOf(reply), limit).to.deep.equal([`limit: ${code ?? ''}`]);
    }
  });

  it('H32: shows the newest first', async () => {
    expect(await ids('?limit=100')).to.deep.equal(made);
  });

  it('H33, A8: names no cursor on the last page', async () => {
    expect((await list('?limit=100')).page).to.deep.equal({ has_more: false });
    const first = await list('?limit=24');
    expect(first.page.has_more).to.equal(true);
    expect(first.page.next_cursor).to.be.a('string').and.not.equal('');
    expect((await list('?limit=25')).page).to.deep.equal({ has_more: false });
  });

  it('H34: shows each endpoint once while others come and go', async () => {
    const other = await createTenant(await sharedService());
    const kept: string[] = [];
    for (let index = 0; index < 6; index += 1) kept.unshift((await createEndpoint(other.rest)).id);

    const doomed = kept.splice(1, 1)[0] ?? '';
    const found: string[] = [];
    let reply = listOf(await other.rest.get(`${endpointsPath}?limit=2`));

    // The anchor of the next page is deleted and newer ones are added between two pages.
    await other.rest.delete(`${endpointsPath}/${doomed}`);
    await createEndpoint(other.rest);

    for (;;) {
      found.push(...reply.data.map(({ id }) => id));
      const { has_more: more, next_cursor: cursor = '' } = reply.page;
      if (!more) break;
      expect(cursor.length).to.be.at.most(512);
      const query = `?limit=2&cursor=${encodeURIComponent(cursor)}`;
      reply = listOf(await other.rest.get(endpointsPath + query));
    }

    expect(found.filter((id) => id !== doomed)).to.deep.equal(kept);
    expect(await walk(7)).to.deep.equal(made);
    expect(await walk(2, '&status=inactive')).to.have.lengthOf(5);
  });

  it('H36: refuses a cursor that is not of this list, filter and account', async () => {
    const { page } = await list('?limit=2&status=active');
    const { next_cursor: cursor = '' } = page;
    const refused = async (client: RestClient, query: string) => {
      const reply = await client.get(query);
      expect(refusalsOf(reply), query).to.deep.equal(['cursor: invalid_cursor']);
      expect(toProblem(reply, 422).errors[0]?.detail).to.equal('Invalid cursor.');
    };

    const middle = Math.floor(cursor.length / 2);
    const tampered =
      cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    for (const wrong of [tampered, 'x', cursor.slice(0, -1), `${cursor}A`, '%00', 'é']) {
      const query = `${endpointsPath}?status=active&cursor=${encodeURIComponent(wrong)}`;
      await refused(rest, query);
    }

    await refused(rest, `${endpointsPath}?cursor=${cursor}`);
    await refused(rest, `${endpointsPath}?status=inactive&cursor=${cursor}`);
    await refused(rest, `/v1/webhooks/deliveries?cursor=${cursor}`);

    const stranger = await createTenant(await sharedService());
    await refused(stranger.rest, `${endpointsPath}?status=active&cursor=${cursor}`);

    const other = await rest.get(`${endpointsPath}?status=active&limit=7&cursor=${cursor}`);
    expect(listOf(other).data).to.have.lengthOf(7);
  });

  it('H37: refuses query parameters that are unknown, repeated or empty', async () => {
    for (const [query, refusal] of [
      ['?Limit=5', 'Limit: unknown_parameter'],
      ['?state=active', 'state: unknown_parameter'],
      ['?limit=5&limit=5', 'limit: invalid_value'],
      ['?limit=', 'limit: invalid_value'],
      ['?cursor=', 'cursor: invalid_value'],
      ['?status=', 'status: invalid_value'],
    ] as const) {
      expect(refusalsOf(await rest.get(endpointsPath + query)), query).to.deep.equal([refusal]);
    }
  });

  it('H39: shows what belongs to the account, to each credential of it', async () => {
    const stranger = await createTenant(await sharedService());
    expect(listOf(await stranger.rest.get(endpointsPath)).data).to.deep.equal([]);
    const reader = await tenant.client({ kind: 'live', level: 'read' });
    expect(listOf(await reader.get(`${endpointsPath}?limit=100`)).data).to.have.lengthOf(25);
  });

  it('A9: answers 401, 403 and 422 to what it refuses', async () => {
    expect(toProblem(await rest.as('sk_live_unknown').get(endpointsPath), 401).code).to.equal(
      'unauthorized',
    );
    const accountant = await tenant.client({ kind: 'live', role: 'accountant' });
    expect(toProblem(await accountant.get(endpointsPath), 403).code).to.equal('forbidden');
    toProblem(await rest.get(`${endpointsPath}?limit=0`), 422);
  });
});

describe('webhooks.endpoints.list after a restart', () => {
  it('H35: takes a cursor of the process before, and of the key before', async () => {
    const service = await startService({ workers: 0 });
    try {
      const { rest } = await createTenant(service);
      const older = await createEndpoint(rest);
      const newer = await createEndpoint(rest);
      const first = listOf(await rest.get(`${endpointsPath}?limit=1`));
      expect(first.data.map(({ id }) => id)).to.deep.equal([newer.id]);
      await service.api.end();
      await service.startApi();

      const query = `?limit=1&cursor=${encodeURIComponent(first.page.next_cursor ?? '')}`;
      const second = listOf(await rest.get(endpointsPath + query));
      expect(second.data.map(({ id }) => id)).to.deep.equal([older.id]);

      const send = service.environment['SECRET_KEY'] ?? '';
      const next = `t2:${Buffer.alloc(32, 4).toString('base64')}`;

      await service.api.end();
      await service.startApi({ SECRET_KEY: `${next},${send}` });

      const third = listOf(await rest.get(endpointsPath + query));
      expect(third.data.map(({ id }) => id)).to.deep.equal([older.id]);
    } finally {
      await service.stop();
    }
  });
});
