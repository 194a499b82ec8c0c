import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  type Capacity,
  type Claim,
  engineServerSettings,
} from '../../../../src/domain/delivery/claim.js';
import { claimFewStatement, Claimer } from '../../../../src/domain/delivery/claiming.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { smallestId } from '../../../../src/domain/id.js';
import type { Read } from '../../../../src/domain/tx.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { emptyEngine, eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';

const dayMs = 86_400_000;
const few = 'pending_delivery_claim_few';
const walk = 'pending_delivery_claim';

describe('a claim of all that is ready', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;
  let statements: string[] = [];
  let claimer: Claimer;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    account = await insertAccount(test);
    endpoint = await insertEndpoint(test, account);
    claimer = new Claimer('live', 60_000);
    // The first one brings the database's clock.
    await claim();
    statements = [];
  });

  const publish = (count: number) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index } });
      }
    });

  const claim = (more: Partial<Capacity> = {}): Promise<Claim[]> => {
    const read: Read = {
      ...database.read,
      sql(statement, values) {
        statements.push(statement.name);
        return database.read.sql(statement, values);
      },
    };
    return claimer.claim(read, { slots: 100, perEndpoint: 100, inFlight: new Map(), ...more });
  };

  it('is one statement, also when nothing is ready', async () => {
    expect(await claim()).to.deep.equal([]);
    await publish(32);
    expect(await claim()).to.have.length(32);
    expect(await claim()).to.deep.equal([]);
    expect(statements).to.deep.equal([few, few, few]);
  });

  it('is given up for the walk when more is ready, and claims nothing itself', async () => {
    await publish(33);
    const claims = await claim();
    expect(claims).to.have.length(33);
    const [row] = await test.query<{ leases: number }>('select count(*)::int as leases from lease');
    expect(row?.leases).to.equal(1);
    await claim();
    expect(statements).to.deep.equal([few, walk, walk]);
  });

  it('is given up when an account has less room than that', async () => {
    await publish(6);
    expect(await claim({ perAccount: 5 })).to.have.length(5);
    expect(statements).to.deep.equal([few, walk]);
  });

  it('leaves what is beyond the limit of an endpoint', async () => {
    await publish(6);
    const inFlight = new Map([[endpoint, 3]]);
    expect(await claim({ perEndpoint: 5, inFlight })).to.have.length(2);
    expect(statements).to.deep.equal([few]);
  });

  it('claims what is behind unsubscribed types, up to the limit of the endpoint', async () => {
    await publish(3);
    await test.query(`update pending_delivery set event_type = 'invoice.issued'
       where id in (select id from pending_delivery order by due_at, id limit 2)`);
    expect(await claim({ perEndpoint: 2 })).to.have.length(1);
    expect(statements).to.deep.equal([few]);
  });

  it('leaves what endpoints do not receive now', async () => {
    await publish(1);

    for (const change of [
      'active = false',
      'cancelling_since = now()',
      `event_types = '{invoice.issued}'`,
    ]) {
      await test.query(
        `update endpoint set active = true, cancelling_since = null, cancel_before = null,
                             event_types = $1`,
        [[eventType]],
      );

      const cancelled = change.startsWith('cancelling') ? ', cancel_before = now()' : '';
      await test.query(`update endpoint set ${change}${cancelled}`);
      expect(await claim(), change).to.deep.equal([]);
    }

    expect(statements).to.deep.equal([few, few, few]);
  });

  it('leaves what another process locks, without waiting for it', async () => {
    await publish(2);
    const lock = await test.hold(
      'select from pending_delivery order by due_at, id limit 1 for update',
    );
    expect(await claim()).to.have.length(1);
    await lock.release();
    expect(await claim()).to.have.length(1);
    expect(statements).to.deep.equal([few, few]);
  });

  it('is given up for events that are more than a day old', async () => {
    await publish(1);
    const old = `${smallestId('evt', new Date(Date.now() - 2 * dayMs))}0000000000000000`;
    await test.query('update event set id = $1', [old]);
    await test.query('update pending_delivery set event_id = $1', [old]);
    const [claimed] = await claim();
    expect(claimed?.event.id).to.equal(old);
    expect(statements).to.deep.equal([few, walk]);
  });

  it('opens no partition of events but those of its days', async () => {
    const at = Date.now();
    const [from, until] = [at - 1, at + 1].map((ms) => smallestId('evt', new Date(ms)));
    // One connection, because it alone knows the prepared statement.
    const { manager } = (await test.open({ pool: 1, serverSettings: engineServerSettings })).read;
    await manager.query(`prepare few as ${claimFewStatement.text}`);
    const plan: unknown = await manager.query(
      `explain execute few ('live', 32, 1, 1, '{}', '${from}', '${until}', 1000)`,
    );
    const opened = JSON.stringify(plan).match(/ on event_\d+ v/g) ?? [];
    expect(opened).to.have.lengthOf(1);
  });
});
