import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import type { PageRequest } from '../../../../src/domain/cursor-page.js';
import {
  getDelivery,
  listDeliveries,
  nextAttempts,
} from '../../../../src/domain/delivery/deliveries.js';
import type { DeliveryStatus } from '../../../../src/domain/delivery/attempt-result.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { makeId } from '../../../../src/domain/id.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const day = 86_400_000;

describe('deliveries', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let now: Date;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open();
    const [row] = await testDatabase.query<{ now: Date }>('select now() as now');
    now = row!.now;
    // Partitions of the past, for records that are older than the service of this test.
    await testDatabase.query(
      `create table delivery_past partition of delivery
       for values from ('whd_0') to ('${await oldestBound()}')`,
    );
  });

  after(() => testDatabase.drop());
  beforeEach(() => testDatabase.query('truncate delivery, pending_delivery'));

  const oldestBound = async () => {
    const [row] = await testDatabase.query<{ bound: string }>(
      `select min(split_part(pg_get_expr(c.relpartbound, c.oid), '''', 2)) as bound
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'delivery'::regclass`,
    );
    return row!.bound;
  };

  const arrange = async (ageMs: number, status = 'success', account = 'acc_1'): Promise<string> => {
    const at = new Date(now.getTime() - ageMs);
    const id = makeId('whd', at);
    await testDatabase.query(
      `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type, event_version,
                             attempt, max_attempts, status, test, created_at)
       values ($1, $2, 'whs_1', 'pdl_1', 'evt_1', 'a.b', 'v1', 1, 10, $3, false, $4)`,
      [id, account, status, at],
    );
    return id;
  };

  const pages = async (filter: PageRequest<DeliveryStatus>): Promise<string[][]> => {
    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await listDeliveries(database.read, 'acc_1', { ...filter, cursor });
      found.push(page.data.map(({ id }) => id));
      cursor = page.page.nextCursor;
    } while (cursor !== null);
    return found;
  };

  it('H32, H33: are listed newest first, page by page, without gap or repetition', async () => {
    const ids: string[] = [];
    for (const age of [5, 4, 3, 2, 1]) ids.unshift(await arrange(age * 1_000));
    expect(await pages({ limit: 2 })).to.deep.equal([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect(await pages({ limit: 5 })).to.deep.equal([ids]);
  });

  it('H30, H39: only those of the account and the status asked for', async () => {
    const failed = await arrange(1_000, 'failed');
    await arrange(2_000);
    await arrange(3_000, 'failed', 'acc_2');
    expect(await pages({ limit: 1, status: 'failed' })).to.deep.equal([[failed]]);
    expect(await pages({ limit: 10, status: 'abandoned' })).to.deep.equal([[]]);
  });

  it('H36: refuse a cursor of another filter', async () => {
    await arrange(1_000);
    await arrange(2_000);
    const { page } = await listDeliveries(database.read, 'acc_1', { limit: 1 });
    const refused = await listDeliveries(database.read, 'acc_1', {
      limit: 1,
      cursor: page.nextCursor,
      status: 'success',
    }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(DomainError);
  });

  it('H66: are listed and found for 30 days', async () => {
    const young = await arrange(30 * day - 60_000);
    const old = await arrange(30 * day + 60_000);
    expect(await pages({ limit: 10 })).to.deep.equal([[young]]);
    expect(await getDelivery(database.read, 'acc_1', young)).to.include({ id: young });
    const missing = await getDelivery(database.read, 'acc_1', old).catch((error: unknown) => error);
    expect(missing).to.include({ code: 'not_found' });
  });

  it('H91: another account’s record is not found', async () => {
    const id = await arrange(1_000);
    const missing = await getDelivery(database.read, 'acc_2', id).catch((error: unknown) => error);
    expect(missing).to.include({ code: 'not_found' });
  });

  it('tell when the next attempt is due', async () => {
    const id = await arrange(1_000, 'failed');
    const due = new Date(now.getTime() + 5_000);
    await testDatabase.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, last_delivery_id, created_at)
       values ('pdl_1', 'acc_1', 'whs_1', 'evt_1', 'a.b', 'live', false, $2, 2, 10, false, $1, now())`,
      [id, due],
    );
    const earlier = await arrange(2_000, 'failed');
    const records = [id, earlier].map((one) => ({ id: one, pendingDeliveryId: 'pdl_1' }));
    expect(await nextAttempts(database.read, records)).to.deep.equal(new Map([[id, due]]));
  });

  it('come in order from the index, not from a sort', async () => {
    const plan = await testDatabase.query<{ 'QUERY PLAN': string }>(
      `explain select id from delivery
        where account_id = 'acc_1' and id < 'whd_~' order by id desc limit 21`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).to.contain('Append').and.not.to.contain('Sort');
  });
});
