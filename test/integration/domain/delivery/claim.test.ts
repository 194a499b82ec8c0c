import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  type Claim,
  Claimer,
  engineServerSettings,
} from '../../../../src/domain/delivery/claim.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { releaseClaims } from '../../../../src/domain/delivery/release.js';
import { settle } from '../../../../src/domain/delivery/settle.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, testRules, type TestDatabase } from '../../../support/database.js';
import {
  arrangeAccount,
  arrangeEndpoint,
  arrangeSecret,
  claimAll,
  end,
  eventType,
  outcomes,
} from '../../../support/engine.js';

describe('claims', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
  });
  after(() => testDatabase.drop());
  beforeEach(async () => {
    await testDatabase.query('truncate chain, delivery, event, notice, endpoint_secret, endpoint');
    account = await arrangeAccount(testDatabase);
  });

  const publish = (count = 1, test = false) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index }, test });
      }
    });

  it('H81: bring everything that an attempt needs', async () => {
    const endpoint = await arrangeEndpoint(testDatabase, account);
    const newest = await arrangeSecret(testDatabase, endpoint);
    await arrangeSecret(testDatabase, endpoint, '-1 second');
    await publish();
    const [claim, ...others] = await claimAll(database.read);
    expect(others).to.deep.equal([]);
    expect(claim).to.include({ accountId: account, endpointId: endpoint, attempt: 1 });
    expect(claim).to.include({ maxAttempts: 10, replayedFrom: null, test: false });
    expect(claim!.url).to.equal('https://shop.example/hook');
    expect(claim!.event).to.include({ type: eventType, version: 'v1' });
    expect(JSON.parse(claim!.event.body.toString())).to.include({ id: claim!.event.id });
    const { sealer } = testRules();
    const secrets = claim!.secrets.map((secret) => sealer.open(secret, endpoint));
    expect(secrets).to.have.length(2);
    expect(secrets[0]).to.equal(newest);
  });

  it('are given once: four processes never share one', async () => {
    for (let index = 0; index < 20; index += 1) await arrangeEndpoint(testDatabase, account);
    await publish(30);
    const claims: Claim[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const claimer = new Claimer('live', 60_000);
        for (;;) {
          const room = { slots: 37, perEndpoint: 5, inFlight: new Map<string, number>() };
          const batch = await claimer.claim(database.read, room);
          if (batch.length === 0) return;
          claims.push(...batch);
        }
      }),
    );
    expect(claims).to.have.length(600);
    expect(new Set(claims.map(({ chainId }) => chainId)).size).to.equal(600);
  });

  it('are fair: a long backlog takes no more than its cap, less what is in flight', async () => {
    const busy = await arrangeEndpoint(testDatabase, account);
    await publish(50);
    const quiet = await arrangeEndpoint(testDatabase, account);
    await publish();
    const claims = await claimAll(database.read, {
      perEndpoint: 10,
      inFlight: new Map([[busy, 7]]),
    });
    const per = (id: string) => claims.filter(({ endpointId }) => endpointId === id).length;
    expect([per(busy), per(quiet)]).to.deep.equal([3, 1]);
  });

  it('go once around all endpoints, from where the last claim stopped', async () => {
    const endpoints: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      endpoints.push(await arrangeEndpoint(testDatabase, account));
    }
    await publish(3);
    const claimer = new Claimer('live', 60_000);
    const room = { slots: 2, perEndpoint: 1, inFlight: new Map<string, number>() };
    const turns: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const claims = await claimer.claim(database.read, room);
      turns.push(...claims.map(({ endpointId }) => endpointId));
    }
    expect(new Set(turns.slice(0, 6))).to.deep.equal(new Set(endpoints));
    const counts = endpoints.sort().map((id) => turns.filter((turn) => turn === id).length);
    expect(counts).to.deep.equal([2, 2, 2, 1, 1]);
  });

  it('leave chains alone whose endpoint is off, deleted or no longer subscribed', async () => {
    const off = await arrangeEndpoint(testDatabase, account);
    const deleted = await arrangeEndpoint(testDatabase, account);
    const other = await arrangeEndpoint(testDatabase, account);
    const good = await arrangeEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query('update endpoint set active = false where id = $1', [off]);
    await testDatabase.query('update endpoint set deleted_at = now() where id = $1', [deleted]);
    await testDatabase.query(`update endpoint set event_types = '{x.y}' where id = $1`, [other]);
    const claims = await claimAll(database.read);
    expect(claims.map(({ endpointId }) => endpointId)).to.deep.equal([good]);
  });

  it('H76: first attempts of replays are claimed in their own lane', async () => {
    await arrangeEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query(`update chain set lane = 'replay'`);
    expect(await claimAll(database.read)).to.deep.equal([]);
    expect(await claimAll(database.read, { lane: 'replay' })).to.have.length(1);
  });

  it('come again when the lease ends, counted as interrupted, and the old claim cannot settle', async () => {
    await arrangeEndpoint(testDatabase, account);
    await publish();
    const [lost] = await claimAll(database.read);
    expect(await promoteDue(database.read)).to.deep.include({ live: 0, interrupted: 0 });
    await testDatabase.query(`update chain set due_at = now() - interval '1 second'`);
    expect(await promoteDue(database.read)).to.deep.include({ live: 1, interrupted: 1 });
    const interruptions = await testDatabase.query('select interruptions from chain');
    expect(interruptions).to.deep.equal([{ interruptions: 1 }]);
    const [again] = await claimAll(database.read);
    expect(again).to.include({ chainId: lost!.chainId, attempt: 1 });
    const late = await database.transact((tx) => settle(tx, [end(lost!, outcomes.ok)]));
    expect(late.settled).to.deep.equal([]);
    const timely = await database.transact((tx) => settle(tx, [end(again!, outcomes.ok)]));
    expect(timely.settled).to.have.length(1);
    expect(await testDatabase.query('select id from delivery')).to.have.length(1);
  });

  it('that are given back can be claimed at once and do not count as interrupted', async () => {
    await arrangeEndpoint(testDatabase, account);
    await publish();
    await releaseClaims(database.read, await claimAll(database.read));
    expect(await testDatabase.query('select interruptions from chain where ready')).to.deep.equal([
      { interruptions: 0 },
    ]);
    expect(await claimAll(database.read)).to.have.length(1);
  });

  it('read less than three rows of the backlog for each row claimed', async () => {
    const id = await arrangeEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query(
      `insert into chain (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'chn_' || lpad(g::text, 24, '0'), account_id, endpoint_id, event_id, event_type, 'live',
              true, due_at, 1, 10, false, now() from chain, generate_series(1, 20000) g
        where endpoint_id = $1`,
      [id],
    );
    // What this connection has read and not reported yet: the server's totals hear late of others.
    const reading = {
      name: 'reads',
      text: `select (sum(idx_tup_fetch) + sum(seq_tup_read))::int as reads
               from pg_stat_xact_user_tables where relname = 'chain'`,
    };
    const [claims, reads] = await database.transact(async (tx) => {
      const [before] = await tx.sql<{ reads: number }>(reading, []);
      const claimed = await claimAll(tx, { slots: 200, perEndpoint: 200 });
      const [after] = await tx.sql<{ reads: number }>(reading, []);
      return [claimed, after!.reads - before!.reads];
    });
    expect(claims).to.have.length(200);
    expect(reads).to.be.within(200, 599);
  });
});
