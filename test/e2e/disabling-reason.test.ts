import { expect } from 'chai';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { callGraphql, createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

interface Log {
  readonly auditLog: {
    readonly data: readonly { readonly action: string; readonly changes: readonly object[] }[];
    readonly page: { readonly nextCursor?: string | null };
  };
}

const change = `mutation ($account: ID, $id: ID!, $input: UpdateWebhookEndpointInput!, $reason: String) {
  updateWebhookEndpoint(account: $account, id: $id, input: $input, reason: $reason) { active }
}`;
const logQuery = `query ($account: ID, $resource: ID, $field: String, $limit: Int, $cursor: String) {
  auditLog(account: $account, resource: $resource, field: $field, limit: $limit, cursor: $cursor) {
    data { action changes { field from to } }
    page { nextCursor }
  }
}`;
const disabled = { field: 'active', from: 'true', to: 'false' };
const enabled = { field: 'active', from: 'false', to: 'true' };

describe('the reason of a disabled endpoint', () => {
  let service: Service;
  let tenant: Tenant;
  let id: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  beforeEach(async () => {
    ({ id } = await createEndpoint(tenant.rest));
  });

  const set = (active: boolean, reason?: string | null) =>
    tenant.graphql(change, { account: tenant.account, id, input: { active }, reason });

  async function changesOf(variables: object = {}): Promise<readonly (readonly object[])[]> {
    const { account } = tenant;
    const asked = { account, resource: id, limit: 10, ...variables };
    const { auditLog } = await tenant.graphql<Log>(logQuery, asked);
    return auditLog.data
      .filter(({ action }) => action === 'endpoint_updated')
      .map(({ changes }) => changes);
  }

  it('H232: is in the entry of the change, whole and unchanged', async () => {
    const reason = '😀'.repeat(200);
    await set(false, ` ${reason} `);
    await set(true);
    await set(false, '<b>a</b>\u202e');
    expect(await changesOf()).to.deep.equal([
      [disabled, { field: 'reason', from: null, to: '<b>a</b>\u202e' }],
      [enabled],
      [disabled, { field: 'reason', from: null, to: reason }],
    ]);
  });

  it('H232: is named when it is refused, and nothing changes', async () => {
    for (const [active, reason] of [
      [false, 'a'.repeat(201)],
      [false, 'two\nlines'],
      [false, 'Asked by ann@shop.example'],
      [true, 'Why'],
    ] as const) {
      const refusal = await set(active, reason).catch((error: unknown) => error as GraphqlRefusal);
      expect(refusal, reason).to.include({ code: 'validation_failed' });
      const { extensions } = refusal as GraphqlRefusal;
      expect(extensions, reason).to.have.nested.property('errors[0].param', 'reason');
    }

    expect(await changesOf()).to.deep.equal([]);

    const { body } = await tenant.rest.get(`${endpointsPath}/${id}`);
    expect(body).to.have.nested.property('data.active', true);
  });

  it('H232: is no part of /v1', async () => {
    const path = `${endpointsPath}/${id}`;
    const refused = await tenant.rest.patch(path, { active: false, reason: 'Why' });
    expect(refused.status).to.equal(422);
    expect(refused.body).to.have.nested.property('errors[0].param', 'reason');
    await set(false, 'Why');
    const { body } = await tenant.rest.get(path);
    expect(JSON.stringify(body)).not.to.match(/Why|"reason"/);
  });

  it('H232: is for those who change webhooks, and not to be read by dashboard tokens', async () => {
    const { token } = await tenant.credential({ kind: 'dashboard', role: 'viewer' });
    const refusal = (query: string, variables: object) =>
      callGraphql(service, token, query, variables).then(
        () => undefined,
        (error: unknown) => (error as GraphqlRefusal).code,
      );
    const input = { active: false };
    expect(await refusal(change, { id, input, reason: 'Why' })).to.equal('forbidden');
    expect(await refusal(logQuery, { resource: id, limit: 1 })).to.equal('forbidden');
    expect(await changesOf()).to.deep.equal([]);
  });

  it('H193: entries are listed by the field that changed, page by page', async () => {
    await set(false, 'First');
    await set(true);
    await tenant.rest.patch(`${endpointsPath}/${id}`, { description: 'Words' });
    expect(await changesOf({ field: 'active' })).to.have.length(2);
    expect(await changesOf({ field: 'reason' })).to.have.length(1);
    expect(await changesOf({ field: 'url' })).to.deep.equal([]);

    const { account } = tenant;
    const asked = { account, resource: id, field: 'active', limit: 1 };
    const first = (await tenant.graphql<Log>(logQuery, asked)).auditLog;
    expect(first.data[0]?.changes).to.deep.equal([enabled]);

    const cursor = first.page.nextCursor;
    const second = (await tenant.graphql<Log>(logQuery, { ...asked, cursor })).auditLog;
    expect(second.data[0]?.changes[0]).to.deep.equal(disabled);

    const other = await tenant
      .graphql<Log>(logQuery, { ...asked, field: 'reason', cursor })
      .catch((error: unknown) => error as GraphqlRefusal);
    expect(other).to.include({ code: 'validation_failed' });
  });
});
