import { expect } from 'chai';
import { DashboardClient } from '../support/dashboard.js';
import { admin, adminJson } from '../support/admin.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { callGraphql, createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

interface Entry {
  readonly action: string;
  readonly resourceId: string | null;
  readonly actorKind: string;
  readonly credentialId: string | null;
  readonly memberEmail: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly changes: readonly object[];
}

interface Log {
  readonly auditLog: {
    readonly data: readonly Entry[];
    readonly page: { readonly hasMore: boolean; readonly nextCursor?: string };
  };
}

const logQuery = `query ($account: ID, $limit: Int! = 100, $cursor: String, $action: AuditAction,
    $member: ID, $resource: ID, $since: DateTime, $until: DateTime) {
  auditLog(account: $account, limit: $limit, cursor: $cursor, action: $action, member: $member,
           resource: $resource, since: $since, until: $until) {
    data { action resourceId actorKind credentialId memberEmail address userAgent
           changes { field from to } }
    page { hasMore nextCursor }
  }
}`;

describe('the audit log', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  async function log(variables: object = {}): Promise<Log['auditLog']> {
    const { account } = tenant;
    return (await tenant.graphql<Log>(logQuery, { account, ...variables })).auditLog;
  }

  async function createMember(email: string, role: string): Promise<string> {
    const created = await tenant.graphql<{ createMember: { id: string } }>(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input: { account: tenant.account, email, role } },
    );
    return created.createMember.id;
  }

  it('H191: records who changed what over /v1 and from where, once for each change', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: 'https://one.example/secret-path' });
    const path = `${endpointsPath}/${id}`;
    const body = { url: 'https://two.example/hidden?key=1', description: 'Words', active: true };
    const ask = { key: `change ${id}`, headers: { 'user-agent': 'shop/1.0' } };
    expect((await tenant.rest.patch(path, body, ask)).status).to.equal(200);
    expect((await tenant.rest.patch(path, body, ask)).status).to.equal(200);
    expect((await tenant.rest.patch(path, { url: 'ftp://x.example/' })).status).to.equal(422);

    const { data } = await log({ resource: id });
    expect(data.map(({ action }) => action)).to.deep.equal([
      'endpoint_updated',
      'endpoint_created',
    ]);

    const [changed] = data;
    expect(changed).to.deep.include({
      resourceId: id,
      actorKind: 'api_key',
      address: '127.0.0.1',
      userAgent: 'shop/1.0',
      changes: [
        { field: 'url', from: 'https://one.example', to: 'https://two.example' },
        { field: 'description', from: null, to: null },
      ],
    });

    expect(changed?.credentialId).to.match(/^crd_/);
    expect(changed?.memberEmail).to.match(/@/);
    expect(JSON.stringify(data)).not.to.match(/secret-path|hidden|Words/);
  });

  it('H191: records what an operator did with a command', async () => {
    const args = ['credentials', 'create', '--account', tenant.account, '--kind', 'live'];
    const { id } = (await adminJson(service.environment, args)) as { id: string };
    const { data } = await log({ resource: id });
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({
      action: 'credential_created',
      actorKind: 'command',
      credentialId: null,
      memberEmail: null,
      address: null,
      userAgent: null,
    });
  });

  it('H191: records who signed in and out, who printed the link, and what an operator did', async () => {
    const member = await createMember('ann@shop.example', 'developer');
    const printed = await admin(service.environment, 'dashboard-link', '--member', member);
    const [, token = ''] = /#(\S+)/.exec(printed.stdout) ?? [];
    const browser = new DashboardClient(service.url);
    const firefox = { 'user-agent': 'Firefox' };
    expect((await browser.send('POST', '/session', { token }, firefox)).status).to.equal(200);
    expect((await browser.send('DELETE', '/session', undefined, firefox)).status).to.equal(204);

    const { data } = await log({ limit: 4 });
    const signed = { actorKind: 'session', memberEmail: 'ann@shop.example', address: '127.0.0.1' };

    expect(data[0]).to.deep.include({ action: 'session_ended', userAgent: 'Firefox', ...signed });
    expect(data[1]).to.deep.include({ action: 'session_opened', userAgent: 'Firefox', ...signed });

    expect(data[2]).to.deep.include({
      action: 'sign_in_link_printed',
      actorKind: 'command',
      memberEmail: null,
      changes: [{ field: 'member', from: null, to: member }],
    });

    const link = data[2]?.resourceId;
    expect(link).to.match(/^lnk_/);
    expect(data[1]?.changes).to.deep.equal([{ field: 'link', from: null, to: link }]);

    expect(data[3]).to.deep.include({
      action: 'member_created',
      actorKind: 'operator',
      resourceId: member,
      changes: [
        { field: 'email', from: null, to: 'ann@shop.example' },
        { field: 'role', from: null, to: 'developer' },
      ],
    });
  });

  it('H191: lists the audit log by page, and by who, what and when', async () => {
    const other = await createTenant(service);
    const { id } = await createEndpoint(other.rest);
    const before = new Date(Date.now() - 3_600_000).toISOString();
    const own = async (variables: object) => {
      const { auditLog } = await other.graphql<Log>(logQuery, {
        account: other.account,
        ...variables,
      });
      return auditLog;
    };

    await other.rest.post(`${endpointsPath}/${id}/secret-rotations`, undefined);
    await other.rest.delete(`${endpointsPath}/${id}`);

    const actions = ['endpoint_deleted', 'signing_secret_rotated', 'endpoint_created'];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, page }: Log['auditLog'] = await own({ limit: 2, cursor });
      seen.push(...data.map(({ action }) => action));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(seen).to.deep.equal(actions);

    const rotated = await own({ action: 'signing_secret_rotated', since: before });
    expect(rotated.data.map(({ resourceId }) => resourceId)).to.deep.equal([id]);
    expect(rotated.page.hasMore).to.equal(false);
    expect((await own({ until: before })).data).to.deep.equal([]);
    expect((await own({ member: 'mem_none' })).data).to.deep.equal([]);
  });

  it('H192: PostgreSQL refuses to change or delete an audit entry', async () => {
    await createEndpoint(tenant.rest);

    const { account } = tenant;
    for (const statement of [
      `update audit_entry set action = 'x' where account_id = '${account}'`,
      `delete from audit_entry where account_id = '${account}'`,
      'truncate audit_entry',
    ]) {
      const refusal = await service.database.query(statement).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      expect(refusal, statement).to.include('The audit log is append-only.');
    }

    expect((await log()).data).not.to.deep.equal([]);
  });

  it('H193: shows the audit log to no dashboard token, not even to that of an owner', async () => {
    for (const role of ['owner', 'viewer'] as const) {
      const { token } = await tenant.credential({ kind: 'dashboard', role });
      const refusal = await callGraphql(service, token, logQuery).then(
        () => undefined,
        (error: unknown) => error as GraphqlRefusal,
      );
      expect(refusal?.code, role).to.equal('forbidden');
    }
  });
});
