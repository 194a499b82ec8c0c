import { expect } from 'chai';
import { DatabaseClient } from '../../../src/database/connection.js';
import { stateOf } from '../../../src/database/primary.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import {
  readKeyState,
  recordResponse,
} from '../../../src/domain/idempotency/idempotency-records.js';
import { startRecovery } from '../../../src/domain/recovery/change-recovery.js';
import { isUnavailable } from '../../../src/domain/transaction/unavailable.js';
import { adminJson } from '../../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { recordedAs } from '../../support/delivery-records.js';
import {
  createEndpoint,
  deliveriesPath,
  endpointInput,
  endpointsPath,
  toProblem,
} from '../../support/endpoints.js';
import { eventType, insertAccount, insertEndpoint } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';
import { ask, type FailoverPair, startFailoverPair } from '../../support/failover-pair.js';
import { startReceiver } from '../../support/receiver.js';
import type { Reply } from '../../support/rest-client.js';
import { startService } from '../../support/service.js';
import { createTenant } from '../../support/tenants.js';

describe('a primary with a synchronous standby', () => {
  let pair: FailoverPair;
  let database: TestDatabase;

  before(async () => {
    pair = await startFailoverPair();
    database = await createTestDatabase(pair);
  });

  after(async () => {
    await database.drop();
    await pair.stop();
  });

  const doctor = async ({ url }: TestDatabase) => {
    const environment = {
      DATABASE_URL: url,
      BASE_URL: 'https://api.example',
      SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    };
    const findings = await adminJson(environment, ['doctor'], 0);
    return (findings as { subject: string; level: string; detail: string }[])
      .filter(({ subject, detail }) => subject === 'database' && !detail.startsWith('PostgreSQL'))
      .map(({ level, detail }) => `${level} ${detail}`);
  };

  const hostOf = (server: FailoverPair['primary']) => new URL(server.url('postgres')).host;

  it('fails a commit whose wait for the standby is cancelled, though PostgreSQL says success', async () => {
    await database.query('create table item (id int)');
    const client = new DatabaseClient({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const failure = await pair.whileStalled(() => client.query('insert into item values (1)'));
    expect(failure).to.be.an('error').with.property('code', '08007');
    expect(isUnavailable(failure)).to.equal(true);
    await client.end().catch(() => undefined);
    expect(await database.query('select id from item')).to.deep.equal([{ id: 1 }]);
  });

  it('confirms nothing that is repeated under a key before the standby has it', async () => {
    const store = await database.open();
    const account = await insertAccount(database);
    const endpoint = await insertEndpoint(database, account);
    const since = new Date(Date.now() - 60_000);
    const request = { account, key: 'one', fingerprint: Buffer.alloc(32, 1) };
    const response = { status: 201, body: { data: {} } };
    const repeatable: Record<string, () => Promise<unknown>> = {
      'an event': () =>
        store.transact((tx) =>
          publishEvent(tx, account, { type: eventType, subject: 's', data: {}, key: 'one' }),
        ),
      'a request': () =>
        store.transact(async (tx) => {
          const state = await readKeyState(tx, account, 'one');
          if (state.kind === 'free') recordResponse(tx, request, response);
        }),
      'a recovery': () =>
        store.transact((tx) =>
          startRecovery(tx, account, {
            endpointId: endpoint,
            what: 'failed',
            idempotencyKey: 'one',
            since,
          }),
        ),
    };
    for (const [what, run] of Object.entries(repeatable)) {
      for (const time of ['first', 'second'])
        expect(await pair.whileStalled(run), `${what}, ${time}`).to.have.property('code', '08007');
      await eventually(run, `${what} is repeated`);
    }

    const stored =
      'select (select count(*)::int from event) + (select count(*)::int from recovery) n';
    expect(await database.query(stored)).to.deep.equal([{ n: 2 }]);
  });

  it('H205: confirms no response that the API repeats under a key before the standby has it', async () => {
    const receiver = await startReceiver();
    const service = await startService({ cluster: pair });
    try {
      const tenant = await createTenant(service);
      const { rest } = tenant;
      await createEndpoint(rest, { url: receiver.url() });

      const [record] = await recordedAs(rest, await tenant.publish({}), ['success']);
      const replayPath = `${deliveriesPath}/${record.id}/replay`;
      const repeatable: Record<string, () => Promise<Reply>> = {
        'a change': () => rest.post(endpointsPath, endpointInput(), { key: 'change' }),
        'a replay': () => rest.post(replayPath, undefined, { key: 'replay' }),
      };
      for (const [what, run] of Object.entries(repeatable)) {
        const first = await run();
        expect(first.status, `${what}: ${first.text}`).to.be.oneOf([200, 201]);

        const whileAway = async () => toProblem(await run(), 503);
        expect(await pair.whileStalled(whileAway), `${what} without standby`).to.equal(undefined);

        await eventually(async () => {
          const again = await run();
          expect(again.status, `${what}: ${again.text}`).to.equal(first.status);
          expect(again.headers).to.have.property('idempotent-replayed', 'true');
        }, `${what} is repeated`);
      }
    } finally {
      await service.stop();
      await receiver.close();
    }
  });

  it('a client connects to the primary, even when the standby comes first in the URL', async () => {
    const { pathname } = new URL(database.url.replace(/,[^/]*/, ''));
    const turned = pair.standby
      .url(pathname.slice(1))
      .replace(/(?=\/\w+$)/, `,${hostOf(pair.primary)}`);
    const client = new DatabaseClient({ connectionString: turned });
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as standby');
    await client.end();
    expect(rows).to.deep.equal([{ standby: false }]);
  });

  it('a client that finds no primary gets an error with the reason of each host', async () => {
    const url = database.url.replace(/\/\w+$/, '/absent');
    const host = (server: FailoverPair['primary']) =>
      `${hostOf(server)} (database "absent" does not exist)`;
    const wanted = `PostgreSQL at ${host(pair.primary)}, ${host(pair.standby)}: no host that answers takes writes`;
    // A host under load may answer too late, which is another reason.
    await eventually(async () => {
      const client = new DatabaseClient({ connectionString: url });
      const failure = await client.connect().catch((error: unknown) => error);
      expect(failure).to.be.an('error').with.property('code', '57P03');
      expect(failure).to.have.property('message', wanted);
    }, 'both hosts have answered');
  });

  it('a client uses the primary whether or not the standby reports its timeline', async () => {
    const asPlain = (url: string) => url.replace('//postgres:', '//plain:');

    for (const [change, timeline] of [
      [`create role plain login password 'test'`, 1],
      ['revoke execute on function pg_control_checkpoint() from public', 0],
    ] as const) {
      await ask(pair.primary.url('postgres'), change);

      await eventually(async () => {
        const state = await stateOf(asPlain(pair.standby.url('postgres')));
        expect(state).to.deep.include({ isStandby: true, timeline });
      }, change);

      const client = new DatabaseClient({ connectionString: asPlain(pair.url('postgres')) });
      await client.connect();
      await client.end();
    }
  });

  it('doctor reports the standby, and what a failover could lose', async () => {
    const good = `ok ${hostOf(pair.primary)} is the primary, ${hostOf(pair.standby)} is a standby`;
    // Without the deliveries of the tests above, which no worker sends: late ones are a problem.
    const empty = await createTestDatabase(pair);
    // A host counts as away when it does not answer in time, as on a machine under load.
    await eventually(
      async () => expect(await doctor(empty)).to.deep.equal([good]),
      'doctor sees both hosts',
    );

    const admin = pair.primary.url('postgres');
    await ask(admin, `alter system set synchronous_standby_names = ''`);
    await ask(admin, 'select pg_reload_conf()');

    await eventually(
      async () =>
        expect(await doctor(empty)).to.deep.equal([
          good,
          'warning the primary has no synchronous standby, so a failover can lose acknowledged events: set synchronous_standby_names there',
        ]),
      'doctor sees the new setting',
    );

    await pair.standby.end('SIGINT');

    const gone = `warning ${hostOf(pair.primary)} is the primary, ${hostOf(pair.standby)} is not responding`;
    await eventually(
      async () => expect((await doctor(empty))[0]).to.equal(gone),
      'doctor misses the standby',
    );

    await pair.standby.start();
    await empty.drop();
  });
});
