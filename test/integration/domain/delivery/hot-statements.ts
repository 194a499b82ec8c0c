import type { Database } from '../../../../src/database/database.js';
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
import type { Claim, Lane } from '../../../../src/domain/delivery/claim.js';
import { Claimer } from '../../../../src/domain/delivery/claiming.js';
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
import { signalReplays } from '../../../../src/domain/delivery/replay.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { purgeEndpoints } from '../../../../src/domain/endpoint/change-endpoint.js';
import { purgePublishKeys } from '../../../../src/domain/event/events.js';
import { purgeIdempotencyRecords } from '../../../../src/domain/idempotency-records.js';
import {
  readNoticeBacklog,
  hasUnsentNotices,
  purgeNotices,
} from '../../../../src/domain/notice/notices.js';
import type { NoticeClaim } from '../../../../src/domain/notice/claim.js';
import { isStillRelevant } from '../../../../src/domain/offer/offers.js';
import type { TestDatabase } from '../../../support/database.js';
import { end, evidence, outcomes } from '../../../support/engine.js';
import { recoveryStatements } from './recovery-statements.js';
import { slotStatements } from './slot-statements.js';
import { claimAndRecord } from '../../../support/notices.js';
import type { Allowance } from '../../../support/plans.js';

/** Claims take this many and settlements get as many. */
const slots = 100;
/** One thing that a worker does again and again. */
export interface Work {
  readonly title: string;
  readonly do: () => Promise<unknown>;
  readonly most?: Allowance;
}

/** What most of it may read. */
export const usual: Allowance = { rows: 20 * slots, blocks: 60 * slots };

/** All of it, done through `door` in the database `test`; both are asked for when work begins. */
export function hotStatements(test: () => TestDatabase, database: () => Database): readonly Work[] {
  const claim = (lane: Lane = 'live', perEndpoint = 10): Promise<Claim[]> =>
    new Claimer(lane, 60_000).claim(database().read, { slots, perEndpoint, inFlight: new Map() });
  const recordAs = async (outcomeOf: (place: number) => Outcome, kept?: typeof evidence) => {
    const claims = await claim();
    const ended = claims.map((each, place) => ({ ...end(each, outcomeOf(place)), evidence: kept }));
    await recordBatch(database(), ended);
    return claims;
  };

  const busiest = async () => {
    const [row] = await test().query<{ id: string }>(
      `select e.id from endpoint e where e.active and e.cancelling_since is null
        order by (select count(*) from pending_delivery c where c.endpoint_id = e.id) desc limit 1`,
    );
    return row?.id ?? '';
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
    { title: 'releases claims', do: async () => releaseClaims(database().read, await claim()) },
    {
      title: 'extends leases, and releases ambiguous claims',
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
      title: 'parks what has lost its event',
      do: async () => deadLetterOrphans(database().read, await claim()),
    },
    {
      title: 'asks whether anything runs alone, and takes the turn',
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
      most: { rows: 50_000, blocks: 60_000 },
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
        for (const each of purges) await database().transact((tx) => each(tx, slots));
      },
    },
  ];
}
