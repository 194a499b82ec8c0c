import { expect } from 'chai';
import type { CredentialInput } from '../../src/domain/account/credentials.js';
import { freePort } from '../../tools/launcher/ports.js';
import { endpointsPath, toProblem } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type ServiceProcess } from '../support/process.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql, createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

describe('a credential that changes while two API processes run', () => {
  let service: Service;
  let other: ServiceProcess;
  let otherUrl: string;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0 });

    const port = await freePort();
    const internalPort = await freePort();
    other = startProcess('src/main.js', {
      ...service.environment,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
    });

    otherUrl = `http://127.0.0.1:${port}`;

    await eventually(
      async () =>
        expect((await fetch(`http://127.0.0.1:${internalPort}/readyz`)).status).to.equal(200),
      'the other process is ready',
    );

    tenant = await createTenant(service);
  });

  after(async () => {
    await other.end();
    await service.stop();
  });

  const issue = (input: Omit<CredentialInput, 'account'>) => tenant.credential(input);

  /** Revokes through the first process. */
  const revoke = (id: string) =>
    tenant.graphql('mutation ($id: ID!) { revokeCredential(id: $id) }', { id });

  /** What both processes say to a request with the token: 200, or the code of the refusal. */
  async function askBoth(token: string): Promise<(string | number)[]> {
    const replies = await Promise.all(
      [service.url, otherUrl].map((url) => new RestClient(url, token).get(endpointsPath)),
    );
    return replies.map((reply) =>
      reply.status === 200 ? 200 : (toProblem(reply, 401).errors[0]?.code ?? reply.status),
    );
  }

  it('H125: the process that revokes a credential refuses it at once, the other within a second', async () => {
    const { id, token } = await issue({ kind: 'live' });
    expect(await askBoth(token)).to.deep.equal([200, 200]);
    await revoke(id);
    expect((await askBoth(token))[0]).to.equal('revoked_credential');
    await eventually(async () => {
      expect(await askBoth(token)).to.deep.equal(['revoked_credential', 'revoked_credential']);
    }, 'both refuse it');
  });

  it('H125: /graphql refuses a revoked credential too', async () => {
    const { id, token } = await issue({ kind: 'dashboard' });
    const ask = () => callGraphql(service, token, '{ eventTypes { data { id } } }');
    await ask();
    await revoke(id);
    const refused = await ask().then(
      () => undefined,
      (error: unknown) => error as GraphqlRefusal,
    );
    expect(refused?.extensions['errors']).to.have.nested.property('0.code', 'revoked_credential');
  });

  it('H125: both processes refuse a revoked credential when no notification is sent', async () => {
    const { id, token } = await issue({ kind: 'live' });
    await service.database.query('alter table credential disable trigger user');
    try {
      expect(await askBoth(token)).to.deep.equal([200, 200]);
      await service.database.query('update credential set revoked_at = now() where id = $1', [id]);
      await eventually(async () => {
        expect(await askBoth(token)).to.deep.equal(['revoked_credential', 'revoked_credential']);
      }, 'both refuse it');
    } finally {
      await service.database.query('alter table credential enable trigger user');
    }
  });

  it('H125: both processes refuse a credential from its expiry on, even if it was used just before', async () => {
    const { id, token } = await issue({ kind: 'dashboard' });
    await service.database.query(
      `update credential set expires_at = now() + interval '400 milliseconds' where id = $1`,
      [id],
    );

    await eventually(async () => {
      const [before] = await askBoth(token);
      const [row] = await service.database.query<{ over: boolean }>(
        'select expires_at <= now() as over from credential where id = $1',
        [id],
      );
      expect([before, row?.over]).to.deep.equal(['expired_credential', true]);
    }, 'it has expired');

    expect(await askBoth(token)).to.deep.equal(['expired_credential', 'expired_credential']);
  });
});
