import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  engineServerSettings,
  type Claim,
  type Lane,
} from '../../../../src/domain/delivery/claim.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import {
  bulk,
  bulkFill,
  disableAutovacuum,
  setStatisticsToEmpty,
  setStatisticsToAfterBurst,
  avoidScansOption,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
  replannedOf,
  type LoggedPlan,
  type Allowance,
} from '../../../support/plans.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  eventType,
  end,
  evidence,
  outcomes,
} from '../../../support/engine.js';
import { shortened } from '../../../support/long-run.js';
import { partitionChanges } from '../../../../src/database/partitions.js';
import { purgeCredentials } from '../../../../src/domain/account/credentials.js';
import * as checkouts from '../../../../src/domain/checkout/checkouts.js';
import {
  releaseIsolationLock,
  acquireIsolationLock,
  hasIsolatedReady,
} from '../../../../src/domain/delivery/isolation.js';
import { readBacklog } from '../../../../src/domain/delivery/backlog.js';
import {
  cancelFromBacklog,
  cancelStale,
  nextPendingCancellation,
} from '../../../../src/domain/delivery/cancel.js';
import { Claimer } from '../../../../src/domain/delivery/claim-deliveries.js';
import {
  extendLeases,
  deleteLeases,
  releaseUnconfirmed,
  deferClaim,
  releaseClaims,
} from '../../../../src/domain/delivery/leases.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { deadLetterOrphans } from '../../../../src/domain/delivery/promote.js';
import { listDeadLetters } from '../../../../src/domain/delivery/dead-letters.js';
import { poll } from '../../../../src/domain/service/poll.js';
import { heldSubjects, SubjectOrder } from '../../../../src/domain/delivery/subject-order.js';
import { signalReplays } from '../../../../src/domain/delivery/replay.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { purgeEndpoints } from '../../../../src/domain/endpoint/change-endpoint.js';
import { purgePublishKeys } from '../../../../src/domain/event/events.js';
import { purgeIdempotencyRecords } from '../../../../src/domain/idempotency/idempotency-records.js';
import {
  readNoticeBacklog,
  hasUnsentNotices,
  purgeNotices,
} from '../../../../src/domain/notice/notices.js';
import type { NoticeClaim } from '../../../../src/domain/notice/claim.js';
import { isStillRelevant } from '../../../../src/domain/offer/offers.js';
import { claimAndRecord } from '../../../support/mail.js';
import { recentAttempts } from '../../../../src/domain/delivery/deliveries.js';
import { reserveSendTimes } from '../../../../src/domain/delivery/send-times.js';
import { smallestId } from '../../../../src/domain/values/id.js';
import { countRecoveries, recoveriesDue } from '../../../../src/domain/recovery/recoveries.js';
import type { RecoveryKind } from '../../../../src/domain/recovery/recovery.entity.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import { insertPastEvent, insertRecords } from '../../../support/recoveries.js';

/** PostgreSQL takes a table for a small one until it has looked at it, and for as large as it was after that. */
const states = ['unknown', 'known, and a burst over,', 'known to be empty'] as const;

/** Claims take this many and settlements get as many. */
const slots = 100;

/** What most of it may read. */
const usual: Allowance = { rows: 20 * slots, blocks: 60 * slots };

/** One step reads at most 2,000 events, each with its records and its pending delivery. */
const most = { rows: 12_000, blocks: 60_000 };

for (const state of shortened(states, 2)) {
  describe(`the statements of a worker on tables that were filled at once, ${state} before`, () => {
    let test: TestDatabase;
    let database: Database;
    let account: string;
    let big: ReadonlySet<string>;
    let whileEmpty: LoggedPlan[];
    const works = hotStatements(
      () => test,
      () => database,
    );

    const open = () =>
      test.open({ pool: 1, serverSettings: { ...engineServerSettings, ...explaining } });

    before(async () => {
      test = await createTestDatabase(undefined, avoidScansOption);
      await disableAutovacuum(test);
      database = await open();
      account = await insertAccount(test);

      const workOnce = () =>
        plansOf(async () => {
          for (const work of works) {
            await insertEndpoint(test, account);
            await database.transact((tx) =>
              publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
            );
            await work.do();
          }
        });

      whileEmpty = await workOnce();
      if (state === 'known to be empty') await setStatisticsToEmpty(test);
      if (state === 'known, and a burst over,') await setStatisticsToAfterBurst(test);
      if (state !== 'unknown') whileEmpty = await workOnce();
      await bulkFill(test, account);
      big = await bigTables(test);
    });

    after(() => test.drop());

    const runsAll = (checks: (plans: readonly LoggedPlan[]) => unknown = () => undefined) => {
      for (const { title, do: work, most = usual } of works) {
        it(`${title}: reads by indexes, and no more than it needs`, async () => {
          const plans = await plansOf(work);
          expect(plans).to.have.lengthOf.above(0);
          expect(excessesOf(plans, big, most)).to.deep.equal([]);
          await checks(plans);
        });
      }
    };

    describe('on a connection that prepared the statements while the tables were empty', () => {
      runsAll(async (plans) => {
        expect(await replannedOf(database, whileEmpty, plans), 'planned since').to.deep.equal([]);
      });
    });

    describe('on a connection that prepares the statements now', () => {
      before(async () => {
        await test.query(`update lease set until = now() - interval '1 second'`);
        database = await open();
      });
      runsAll();
    });

    it('fills the tables that are large in practice', async () => {
      const [row] = await test.query<{ pendingDeliveries: number }>(
        'select count(*)::int as "pendingDeliveries" from pending_delivery',
      );
      expect(row?.pendingDeliveries).to.be.above(bulk.busyEndpoints * bulk.readyEach);
      expect([...big]).to.include.members([
        'pending_delivery',
        'endpoint',
        'endpoint_secret',
        'notice',
      ]);
      expect([...big].filter((name) => /^(event|delivery)_/.test(name))).to.have.lengthOf(4);
    });
  });
}
/** One thing that a worker does again and again. */
interface Work {
  readonly title: string;
  readonly do: () => Promise<unknown>;
  readonly most?: Allowance;
}

/** All of it, done through `door` in the database `test`; both are asked for when work begins. */
function hotStatements(test: () => TestDatabase, database: () => Database): readonly Work[] {
  const claim = (lane: Lane = 'live', perEndpoint = 10): Promise<Claim[]> =>
    new Claimer({ lane, leaseMs: 60_000 }).claim(database().read, {
      slots,
      perEndpoint,
      usedSlots: new Map(),
    });
  const recordAs = async (outcomeOf: (place: number) => Outcome, kept?: typeof evidence) => {
    const claims = await claim();
    const ended = claims.map((claim, place) => ({
      ...end(claim, outcomeOf(place)),
      evidence: kept,
    }));
    await recordBatch(database(), ended);
    return claims;
  };

  const busiest = async () => {
    const [row] = await test().query<{ id: string }>(
      `select e.id from endpoint e where e.active and e.cancelling_since is null
        order by (select count(*) from pending_delivery c
                   where c.endpoint_id = e.id and c.due_at < 'infinity') desc limit 1`,
    );
    return row?.id ?? '';
  };

  /** Publishes an event to a new endpoint with order. @returns the id of the endpoint */
  const orderOne = async () => {
    const account = await insertAccount(test());
    const id = await insertEndpoint(test(), account, `ordering = 'subject'`);
    await database().transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
    return id;
  };

  return [
    { title: 'claims', do: () => claim() },
    ...slotStatements(test, database),
    { title: 'claims first attempts of replays', do: () => claim('replay') },
    { title: 'claims what runs alone', do: () => claim('isolated') },
    ...recoveryStatements(test, database),
    {
      title: 'promotes what is due, and what was claimed under leases that ended',
      do: () => poll(database().read, Infinity, { id: 'plans', roles: ['deliver'], version: null }),
      // 1,000 waiting pending deliveries and 10 leases of 200 pending deliveries, each found, locked and written.
      most: { rows: 12_000, blocks: 60_000 },
    },
    { title: 'settles what was accepted', do: () => recordAs(() => outcomes.ok) },
    { title: 'settles what follows a failure', do: () => recordAs(() => outcomes.ok, evidence) },
    {
      title: 'settles what failed, and the health of its endpoints',
      do: () => recordAs((place) => (place % 2 === 0 ? outcomes.down : outcomes.ok), evidence),
    },
    {
      title: 'records what disables an endpoint, and cancels its pending deliveries',
      do: () => recordAs((place) => (place === 0 ? outcomes.gone : outcomes.ok)),
      // Publishing the event of it reads all endpoints of the account: 18,000 here.
      most: { rows: 20_000, blocks: 30_000 },
    },
    {
      title: 'advances subjects, and finds those of which none is open',
      do: async () => {
        await orderOne();
        await new SubjectOrder({ database, onError: () => undefined }).poll();
      },
      // 1,000 subjects: a probe of the walk, of the open delivery and of the endpoint each; 100 are advanced.
      most: { rows: 5_000, blocks: 20_000 },
    },
    {
      title: 'makes ready what waits where the order was turned off',
      do: async () => {
        const id = await orderOne();
        await test().query('update endpoint set ordering = null where id = $1', [id]);
        await new SubjectOrder({ database, onError: () => undefined }).poll();
      },
      most: { rows: 5_000, blocks: 20_000 },
    },
    {
      title: 'shows what waits behind what',
      do: async () => {
        const [row] = await test().query<{ id: string }>(
          `select endpoint_id as id from pending_delivery where due_at = 'infinity' order by 1 limit 1`,
        );
        await heldSubjects(database().read, row?.id ?? '');
      },
    },
    { title: 'releases claims', do: async () => releaseClaims(database().read, await claim()) },
    {
      title: 'extends leases, and releases unconfirmed claims',
      do: async () => {
        const tokens = (await claim()).map(({ token }) => token);
        await extendLeases(database().read, tokens, 60_000);
        await releaseUnconfirmed(database().read, tokens);
      },
    },
    {
      title: 'puts a claim off',
      do: async () => {
        const [first] = await claim();
        if (first) await deferClaim(database().read, first);
      },
    },
    {
      title: 'puts off what an endpoint has ready',
      do: async () => {
        const claims = await claim();
        const endpoint = { lane: 'live', waitMs: 60_000 } as const;
        // Undone, so that what follows finds as much ready.
        const undo = new Error('undone');
        const work = database().transact(async (tx) => {
          if (claims[0]) await deferClaim(tx, claims[0], endpoint);
          throw undo;
        });
        await work.catch((error: unknown) => {
          if (error !== undo) throw error;
        });
        await releaseClaims(database().read, claims);
      },
    },
    {
      title: 'forgets leases',
      do: async () => {
        const recorded = await recordAs(() => outcomes.ok);
        await deleteLeases(
          database().read,
          recorded.map(({ token }) => token),
        );
      },
    },
    {
      title: 'cancels what is owed',
      do: async () => {
        await test().query(
          `update endpoint set active = false, cancelling_since = now(), cancel_before = now()
            where id = $1`,
          [await busiest()],
        );
        for (;;) {
          const pendingCancellation = await nextPendingCancellation(database().read, '');
          if (!pendingCancellation) break;
          await database().transact((tx) => cancelFromBacklog(tx, pendingCancellation, ''));
        }
      },
      // Some 220 pending deliveries, each found, looked at, deleted and its record closed: 20 pages or so.
      most: { rows: 2_000, blocks: 8_000 },
    },
    {
      title: 'cancels what was left over',
      do: async () => {
        await test().query('update endpoint set active = false where id = $1', [await busiest()]);
        await database().transact((tx) => cancelStale(tx, ''));
      },
      // It looks at the first hundred pending deliveries of each of 200 queues.
      most: { rows: 30_000, blocks: 60_000 },
    },
    {
      title: 'dead-letters deliveries whose event is gone',
      do: async () => deadLetterOrphans(database().read, await claim()),
    },
    {
      title: 'looks for a delivery that runs alone, and takes its turn',
      do: async () => {
        await hasIsolatedReady(database().read);
        await acquireIsolationLock(database().read, 1, 1_000);
        await releaseIsolationLock(database().read, 1, 0);
      },
    },
    { title: 'lists what is dead-lettered', do: () => listDeadLetters(database().read) },
    {
      title: 'counts the backlog',
      do: () => readBacklog(database().read),
      // It counts up to 100,000 index entries; each may be on a page of its own.
      most: { rows: 80_000, blocks: 60_000 },
    },
    { title: 'claims and settles notices', do: () => claimAndRecord(database()) },
    {
      title: 'asks whether a notice is still true',
      do: () => {
        const claim = { kind: 'offer_sent', entries: [{ resourceId: 'off_1' }] };
        return isStillRelevant(database().read, claim as unknown as NoticeClaim);
      },
    },
    {
      title: 'counts notices that are not sent',
      do: () => readNoticeBacklog(database().read),
      // It counts, up to 10,000 of each kind, along indexes; each may be on a page of its own.
      most: { rows: 12_000, blocks: 12_000 },
    },
    { title: 'tells that replays have ended', do: () => database().transact(signalReplays) },
    {
      title: 'looks for partitions to make and to drop',
      do: () => database().transact((tx) => partitionChanges(tx, tx.now)),
    },
    { title: 'asks for unsent notices', do: () => hasUnsentNotices(database().read) },
    { title: 'asks for expired ones', do: () => checkouts.hasExpirableCheckouts(database().read) },
    { title: 'expires checkouts', do: () => database().transact(checkouts.expireCheckouts) },
    {
      title: 'forgets what is long over',
      do: async () => {
        const purges = [
          purgeIdempotencyRecords,
          purgePublishKeys,
          purgeNotices,
          purgeCredentials,
          purgeEndpoints,
        ];
        for (const purge of purges) await database().transact((tx) => purge(tx, slots));
      },
    },
  ];
}

/** What a worker asks because accounts have shares. */
function slotStatements(test: () => TestDatabase, database: () => Database) {
  const ids = async () => (await test().query<{ id: string }>('select id from account')).map(idOf);
  return [
    {
      title: 'claims beside accounts that have their share, of their prompt endpoints alone',
      do: async () => {
        const accounts = new Map((await ids()).map((id) => [id, 0]));
        const fastEndpoints = await test().query<{ accountId: string; endpointId: string }>(
          // Not the first ones, which have most that is claimed already.
          `select distinct account_id as "accountId", endpoint_id as "endpointId" from pending_delivery
            where ready and lease_token is null order by 2 desc limit 50`,
        );
        const usedSlots = new Map<string, number>();
        const capacity = { slots: 100, perEndpoint: 10, usedSlots, accounts, fastEndpoints };
        const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
        for (let turn = 0; turn < 2; turn += 1) await claimer.claim(database().read, capacity);
      },
    },
    {
      title: 'claims past endpoints whose send times are used up',
      do: async () => {
        const busy = await test().query<{ accountId: string; endpointId: string }>(
          `select distinct account_id as "accountId", endpoint_id as "endpointId" from pending_delivery
            where ready and lease_token is null order by 2 limit 10`,
        );

        const rateLimited = busy.map((endpoint) => ({
          ...endpoint,
          waiting: 0,
          running: 0,
          room: 0,
          backlogged: true,
        }));

        const capacity = {
          slots: 100,
          perEndpoint: 10,
          usedSlots: new Map<string, number>(),
          rateLimited,
        };

        // Given back: what is claimed here, the claims after it would have to read past.
        const claims = await new Claimer({ lane: 'live', leaseMs: 60_000 }).claim(
          database().read,
          capacity,
        );
        await releaseClaims(database().read, claims);
      },
    },
    {
      title: 'reserves send times',
      do: async () => {
        // Of endpoints from the middle of the table.
        const limited = await test().query<{ id: string }>(
          `with chosen as (select id from endpoint where deleted_at is null order by id limit 20),
                limits as (update endpoint e set max_per_second = 10 from chosen c where c.id = e.id),
                rates as (insert into endpoint_rate select id, now() from endpoint on conflict do nothing)
           select id from chosen order by id`,
        );
        const wanted = limited.map(({ id }) => ({ endpointId: id, count: 5 }));
        await reserveSendTimes(database().read, wanted, 1_000);
        await test().query('update endpoint set max_per_second = null where max_per_second = 10');
      },
    },
    {
      title: 'reads recent attempts',
      do: async () => recentAttempts(database().read, await ids(), new Date()),
    },
  ];
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** What a worker asks for recoveries. */
function recoveryStatements(test: () => TestDatabase, database: () => Database) {
  const step = async (what: RecoveryKind) => {
    const [endpoint] = await test().query<{ id: string; account: string }>(
      `select id, account_id as account from endpoint e
        where e.active and e.deleted_at is null and e.cancelling_since is null
          and e.failing_since is null order by e.id desc limit 1`,
    );

    const { id, account } = endpoint!;
    const event = await insertPastEvent(test(), account);

    if (what === 'failed')
      await insertRecords(test(), { account, endpoint: id, event }, 'abandoned');

    const since = new Date(Date.now() - 8 * 86_400_000);
    await test().query(
      `insert into recovery (id, account_id, endpoint_id, what, since, until, include_before,
                             rate_per_second, idempotency_key, fingerprint, status, position,
                             credited_at, next_step_at, created_at, updated_at)
       values ('rcv_1', $4, $5, $1, $2, now(), true, 500, 'key', '', 'running', $3, $2, $2, now(),
               now())`,
      [what, since, smallestId('evt', since), account, id],
    );

    await recoveriesDue(database().read);
    await runRecoveryStep(database().transact);
    await countRecoveries(database().read);
    await test().query('delete from recovery');
  };

  return [
    { title: 'runs a step of a recovery of what was missed', do: () => step('missed'), most },
    { title: 'runs a step of a recovery of what failed', do: () => step('failed'), most },
  ];
}
