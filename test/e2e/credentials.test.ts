import { expect } from 'chai';
import type { CredentialInput } from '../../src/domain/account/credentials.js';
import { createCheckout } from '../support/sales.js';
import { endpointsPath, toProblem } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { call, publicOperations, unknownSubjects } from '../support/every-operation.js';
import { sendRaw, type Reply, RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, setRole, type Tenant } from '../support/tenants.js';

const webhooks = publicOperations.filter(({ permission }) => permission.startsWith('webhooks:'));

describe('credentials on /v1', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const issue = (input: Omit<CredentialInput, 'account'>) => tenant.credential(input);

  const client = (input: Omit<CredentialInput, 'account'>) => tenant.client(input);

  const withToken = (token: string) => new RestClient(service.url, token);

  /** The code of a 401; undefined when the credential was let in. */
  async function refusalOf(
    rest: RestClient,
    operation = webhooks[1]!,
  ): Promise<string | undefined> {
    const reply = await call(rest, operation);
    return reply.status === 401 ? codeOf(reply) : undefined;
  }

  it('H86: lets in keys of both prefixes and refuses the reserved one', async () => {
    const live = await issue({ kind: 'live' });
    const legacy = await issue({ kind: 'legacy' });
    expect(live.token).to.match(/^sk_live_[0-9A-Za-z]+$/);
    expect(legacy.token).to.match(/^live_[0-9A-Za-z]+$/);
    expect(await refusalOf(withToken(live.token))).to.equal(undefined);
    expect(await refusalOf(withToken(legacy.token))).to.equal(undefined);
    const test = withToken(live.token.replace('sk_live_', 'sk_test_'));
    for (const operation of publicOperations) {
      expect(await refusalOf(test, operation), operation.id).to.equal(
        'credential_kind_not_accepted',
      );
    }
  });

  it('H86: ends a dashboard token after one hour, and says so', async () => {
    const { id, token } = await issue({ kind: 'dashboard' });
    expect(token).to.match(/^dst_[0-9A-Za-z]+$/);
    expect(await refusalOf(withToken(token))).to.equal(undefined);

    const [row] = await service.database.query<{ seconds: number }>(
      `select extract(epoch from expires_at - created_at)::int as seconds
           from credential where id = $1`,
      [id],
    );

    expect(row?.seconds).to.equal(3_600);

    await service.database.query(
      `update credential set created_at = created_at - interval '1 hour',
           expires_at = expires_at - interval '1 hour' where id = $1`,
      [id],
    );

    await eventually(
      async () => expect(await refusalOf(withToken(token))).to.equal('expired_credential'),
      'the token has expired',
    );
  });

  it('H86: refuses a revoked key at once, and says so', async () => {
    const { id, token } = await issue({ kind: 'live' });
    expect(await refusalOf(withToken(token))).to.equal(undefined);
    await tenant.graphql(
      'mutation ($id: ID!, $account: ID!) { revokeCredential(id: $id, account: $account) }',
      { id, account: tenant.account },
    );
    expect(await refusalOf(withToken(token))).to.equal('revoked_credential');
  });

  it('H86: keeps nothing of a token but its hash and its last four characters', async () => {
    const { id, token } = await issue({ kind: 'live' });
    await refusalOf(withToken(token));
    const [row] = await service.database.query<{ text: string }>(
      'select to_json(credential)::text as text from credential where id = $1',
      [id],
    );
    expect(row?.text).to.include(token.slice(-4));
    expect(row?.text).not.to.include(token.slice(-5));
    expect(service.api.lines.join('\n')).not.to.include(token.slice(8));
  });

  it('H87, A29: takes live, legacy and dashboard credentials for webhooks, internal ones for nothing', async () => {
    for (const kind of ['live', 'legacy', 'dashboard'] as const) {
      const rest = await client({ kind });
      for (const operation of webhooks) {
        const { status } = await call(rest, operation);
        expect(status, `${kind} ${operation.id}`).to.be.oneOf([200, 201, 404]);
      }
    }

    const internal = await client({ kind: 'internal' });

    for (const operation of publicOperations) {
      expect(await refusalOf(internal, operation), operation.id).to.equal(
        'credential_kind_not_accepted',
      );
    }
  });

  it('H87, A28: takes API keys for a checkout, and answers 401 to a dashboard token', async () => {
    const path = `/v1/commerce/checkouts/${await createCheckout(tenant)}`;
    for (const kind of ['live', 'legacy'] as const) {
      expect((await (await client({ kind })).get(path)).status).to.equal(200);
    }
    const refused = await (await client({ kind: 'dashboard' })).get(path);
    expect(toProblem(refused, 401).errors).to.deep.equal([
      {
        code: 'credential_kind_not_accepted',
        detail: 'This operation accepts live API keys only.',
      },
    ]);
  });

  it('H88: asks for the permission and level of each operation, and names it', async () => {
    const none = await client({ kind: 'live', role: 'accountant' });
    const read = await client({ kind: 'live', role: 'viewer' });

    for (const operation of publicOperations) {
      const [name, level] = operation.permission.split(':') as [string, string];
      const memberWithoutRole = await call(none, operation);
      const reader = await call(read, operation);
      const beyondAccountant = name === 'webhooks' || level === 'write';
      expect(memberWithoutRole.status === 403, `none ${operation.id}`).to.equal(beyondAccountant);
      expect(reader.status === 403, `read ${operation.id}`).to.equal(level === 'write');

      for (const reply of [memberWithoutRole, reader].filter(({ status }) => status === 403)) {
        const { code, errors } = toProblem(reply, 403);
        expect(code).to.equal('forbidden');
        expect(errors.map((entry) => entry.code)).to.deep.equal(['permission_missing']);
        expect(errors[0]?.detail).to.include(`\`${name}\` permission at ${level} level`);
      }
    }
  });

  it('H89: allows what both the level of the key and the role of its holder allow', async () => {
    const allowed = {
      owner: ['webhooks:read', 'webhooks:write', 'orders:read', 'orders:write'],
      admin: ['webhooks:read', 'webhooks:write', 'orders:read', 'orders:write'],
      developer: ['webhooks:read', 'webhooks:write', 'orders:read'],
      accountant: ['orders:read'],
      viewer: ['webhooks:read', 'orders:read'],
    } as const;

    const samples = [
      'webhooks.endpoints.list',
      'webhooks.endpoints.delete',
      'commerce.checkouts.retrieve',
      'commerce.payments.refunds.create',
    ].map((id) => publicOperations.find((operation) => operation.id === id)!);

    for (const role of Object.keys(allowed) as (keyof typeof allowed)[]) {
      for (const level of ['full', 'read'] as const) {
        const rest = await client({ kind: 'live', role, level });
        const reached: string[] = [];

        for (const operation of samples) {
          if ((await call(rest, operation)).status !== 403) reached.push(operation.permission);
        }

        expect(reached, `${role} ${level}`).to.deep.equal(
          allowed[role].filter((need) => level === 'full' || !need.endsWith(':write')),
        );
      }
    }
  });

  it('H89: follows the role that the holder has at this moment', async () => {
    const { id, token } = await issue({ kind: 'live', role: 'viewer' });
    const create = () => call(withToken(token), publicOperations[0]!);
    expect((await create()).status).to.equal(403);
    await setRole(service, id, 'developer');
    expect((await create()).status).to.equal(201);
    await setRole(service, id, 'accountant');
    expect((await create()).status).to.equal(403);
    expect((await withToken(token).get(endpointsPath)).status).to.equal(403);
  });

  it('H90, A31: answers 401 with a challenge on every operation', async () => {
    const wrong = withToken('sk_live_000000000000000000000000000000000000000000A');
    for (const operation of publicOperations) {
      const missing = await call(new RestClient(service.url), operation);
      expect(codeOf(missing), operation.id).to.equal('missing_credential');
      expect(missing.headers['www-authenticate']).to.equal('Bearer realm="api"');
      const invalid = await call(wrong, operation);
      expect(codeOf(invalid), operation.id).to.equal('invalid_credential');
      expect(invalid.headers['www-authenticate']).to.equal(
        'Bearer realm="api", error="invalid_token"',
      );
    }
  });

  it('H90: takes the scheme in any case, and nothing else', async () => {
    const { token } = await issue({ kind: 'live' });
    const ask = (authorization: string | string[]) =>
      new RestClient(service.url).get(endpointsPath, { headers: { authorization } });

    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect((await ask(`${scheme} ${token}`)).status, scheme).to.equal(200);
    }

    for (const value of [
      token,
      `Basic ${token}`,
      `Token ${token}`,
      'Bearer',
      `Bearer${token}`,
      `Bearer "${token}"`,
      `Bearer ${token} x`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token.toUpperCase()}`,
    ]) {
      expect(codeOf(await ask(value)), value).to.equal('invalid_credential');
    }

    const twice = await sendRaw(
      service.url,
      `GET ${endpointsPath} HTTP/1.1\r\nHost: api\r\nConnection: close\r\n`,
      `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    expect(codeOf(twice)).to.equal('invalid_credential');
  });

  it('H91: checks permission before existence, key and body', async () => {
    const viewer = await client({ kind: 'live', role: 'viewer' });
    for (const operation of webhooks.filter(({ method }) => method !== 'GET')) {
      const headers = { 'content-type': 'application/json' };
      const reply = await call(viewer, operation, unknownSubjects, {
        key: null,
        bytes: '{',
        headers,
      });
      expect(reply.status, operation.id).to.equal(403);
    }
  });
});

/** The one reason that a 401 gives. */
function codeOf(reply: Reply): string | undefined {
  const { code, errors } = toProblem(reply, 401);
  expect(code).to.equal('unauthorized');
  expect(errors).to.have.lengthOf(1);
  return errors[0]?.code;
}
