import { expect } from 'chai';
import {
  countFullAccounts,
  markFullAccounts,
} from '../../../../src/domain/delivery/full-accounts.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { startReplay } from '../../../../src/domain/delivery/replay.js';
import {
  claimAll,
  end,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
} from '../../../support/engine.js';
import { refusalOf } from '../../../support/refusal.js';
import { codeOf, Publishing } from '../../../support/publisher.js';

const limit = 100;
const manyBytes = 10 ** 12;

describe('the limit of pending deliveries', () => {
  let publishing: Publishing;

  before(async () => {
    publishing = await Publishing.create();
  });
  after(() => publishing.test.drop());

  beforeEach(async () => {
    await publishing.reset();
    await publishing.test.query('truncate full_account, full_account_count');
  });

  const mark = (at = limit) =>
    publishing.database.transact((tx) =>
      markFullAccounts(tx, { deliveries: at, bytes: manyBytes }),
    );

  const full = () => countFullAccounts(publishing.database.read);

  /** The bytes of what is pending, as the events have them. */
  const sentBytes = async () => {
    const [row] = await publishing.test.query<{ bytes: number }>(
      `select sum(octet_length(v.body))::int as bytes
         from pending_delivery c join event v on v.id = c.event_id`,
    );
    return row!.bytes;
  };

  /** Leaves so many pending deliveries of the account. */
  const leave = (count: number) =>
    publishing.test.query(
      `delete from pending_delivery where id not in (
         select id from pending_delivery where account_id = $1 order by id limit $2)
         and account_id = $1`,
      [publishing.account, count],
    );

  it('H134: refuses events of an account that has reached its limit, until a tenth of that is delivered', async () => {
    await publishing.many(limit);
    await leave(limit - 1);
    await mark();
    expect(await full()).to.equal(0);
    await publishing.publish();
    await mark();
    expect(await full()).to.equal(1);

    const refused = await publishing.send();
    expect(codeOf(refused)).to.equal('pending_limit_reached');
    expect(refused).to.include({ retryAfterSeconds: 10 });
    await leave(0.9 * limit + 1);
    await mark();
    expect(codeOf(await publishing.send())).to.equal('pending_limit_reached');
    await leave(0.9 * limit);
    await mark();
    expect(await full()).to.equal(0);
    await publishing.publish();
  });

  it('H135: refuses no other account, no neighbour in a group commit and no repetition', async () => {
    const first = await publishing.publish({ key: 'once' });
    await publishing.many(limit);
    await mark();

    const other = await insertAccount(publishing.test);
    await insertEndpoint(publishing.test, other);

    const results = await publishing.many(6, (place) =>
      place % 2 === 0 ? { accountId: other } : {},
    );
    expect(results.map(codeOf)).to.deep.equal(
      [0, 1, 2].flatMap(() => [undefined, 'pending_limit_reached']),
    );
    expect(await publishing.publish({ key: 'once' })).to.deep.equal({ ...first, created: false });
    expect(codeOf(await publishing.send({ key: 'new' }))).to.equal('pending_limit_reached');

    const keys = await publishing.test.query(`select from publish_key where key = 'new'`);
    expect(keys).to.deep.equal([]);
  });

  it('H164: refuses a replay until its account has room', async () => {
    const { account, database } = publishing;
    await publishing.publish();

    const [claim] = await claimAll(database.read);
    const ended = end(claim!, outcomes.ok);
    await recordBatch(database, [ended]);
    await publishing.many(limit);
    await mark();

    const replay = () => database.transact((tx) => startReplay(tx, account, ended.deliveryId));
    expect(await refusalOf(replay())).to.include({ code: 'pending_limit_reached' });
    expect(await replay().catch(String)).to.match(/reached its limit .*: \d+ are pending\./);
    await leave(0.9 * limit);
    await mark();
    expect((await replay()).pendingDeliveryId).to.match(/^pdl_/);
  });

  it('H185: refuses events of an account whose pending deliveries send too many bytes', async () => {
    await publishing.many(limit - 1);

    const sent = await sentBytes();
    const markBytes = (bytes: number) =>
      publishing.database.transact((tx) => markFullAccounts(tx, { deliveries: 10 ** 9, bytes }));
    await markBytes(sent + 1);
    expect(await full()).to.equal(0);
    await markBytes(sent);
    expect(codeOf(await publishing.send())).to.equal('pending_limit_reached');
    await leave(0.9 * limit + 1);
    await markBytes(sent);
    expect(await full()).to.equal(1);
    await leave(0.9 * limit);
    await markBytes(sent);
    expect(await full()).to.equal(0);
    await publishing.publish();
  });

  it('H185: counts the bytes of a replay towards the limit', async () => {
    const { account, database } = publishing;
    const bytes = await sentBytes();
    const [claim] = await claimAll(database.read);
    const ended = end(claim!, outcomes.ok);
    await recordBatch(database, [ended]);
    await database.transact((tx) => startReplay(tx, account, ended.deliveryId));
    const rows = await publishing.test.query(
      'select lane, body_bytes as bytes from pending_delivery',
    );
    expect(rows).to.deep.equal([{ lane: 'replay', bytes }]);
  });

  it('lets one worker count for all', async () => {
    const rest = 60_000;
    const limits = { deliveries: limit, bytes: manyBytes };

    await publishing.many(limit);

    const { transact } = publishing.database;
    await transact((tx) => markFullAccounts(tx, limits, rest));
    expect(await full()).to.equal(1);
    await leave(1);
    await transact((tx) => markFullAccounts(tx, limits, rest));
    expect(await full()).to.equal(1);
    await publishing.test.query(
      `update full_account_count set counted_at = counted_at - interval '1 minute'`,
    );
    await transact((tx) => markFullAccounts(tx, limits, rest));
    expect(await full()).to.equal(0);
  });

  it('H135: refuses no event that a transaction publishes, such as the event of a payment', async () => {
    await publishing.many(limit);
    await mark();
    const input = { type: eventType, subject: 'order:1', data: {} };
    const { account, database } = publishing;
    const { created } = await database.transact((tx) => publishEvent(tx, account, input));
    expect(created).to.equal(true);
  });

  it('reads no rows while the table is too small for any account to reach its limit', async () => {
    const seen: string[] = [];
    await publishing.database.transact((tx) =>
      markFullAccounts(
        {
          ...tx,
          sql: (statement, values) => {
            seen.push(statement.name);
            return tx.sql(statement, values);
          },
        },
        { deliveries: 1_000_000, bytes: 10_737_418_240 },
      ),
    );

    expect(seen).to.deep.equal(['full_account_size']);
  });

  it('estimates a large table from a sample of its pages', async () => {
    await publishing.test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                     due_at, attempt, max_attempts, test, created_at)
       select 'pdl_' || lpad(n::text, 24, '0'), case when n <= 250000 then 'acc_large' else 'acc_half' end,
              'whs_' || lpad('', 24, '0'), 'evt_' || lpad('', 24, '0'), 'a.b', 'live', false, now(),
              1, 10, false, now()
         from generate_series(1, 375000) n`,
    );

    await mark(200_000);

    const rows = await publishing.test.query<{ account_id: string; pending: string }>(
      'select account_id, pending from full_account',
    );
    expect(rows.map(({ account_id }) => account_id)).to.deep.equal(['acc_large']);
    expect(Number(rows[0]?.pending)).to.be.within(225_000, 275_000);
  });
});
