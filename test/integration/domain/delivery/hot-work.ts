import type { Database } from '../../../../src/database/database.js';
import { duePartitions } from '../../../../src/database/partitions.js';
import { forgetCredentials } from '../../../../src/domain/account/forget-credentials.js';
import { expireCheckouts } from '../../../../src/domain/checkout/expire-checkouts.js';
import { endAloneTurn, takeAloneTurn } from '../../../../src/domain/delivery/alone-turn.js';
import { readBacklog } from '../../../../src/domain/delivery/backlog.js';
import { cancelOwed, nextOwing } from '../../../../src/domain/delivery/cancel-owed.js';
import { sweepCancelled } from '../../../../src/domain/delivery/cancel-sweep.js';
import type { Claim, Lane } from '../../../../src/domain/delivery/claim.js';
import { Claimer } from '../../../../src/domain/delivery/claimer.js';
import { extendLeases } from '../../../../src/domain/delivery/extend-leases.js';
import { forgetLeases } from '../../../../src/domain/delivery/forget-leases.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { parkOrphans } from '../../../../src/domain/delivery/park-orphans.js';
import { aloneAsked, listParked } from '../../../../src/domain/delivery/parked.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { releaseUnheard } from '../../../../src/domain/delivery/release-unheard.js';
import { deferClaim, releaseClaims } from '../../../../src/domain/delivery/release.js';
import { signalReplays } from '../../../../src/domain/delivery/replay-signal.js';
import { settle } from '../../../../src/domain/delivery/settle.js';
import { forgetEndpoints } from '../../../../src/domain/endpoint/forget-endpoints.js';
import { forgetPublishKeys } from '../../../../src/domain/event/publish-keys.js';
import { forgetExpired } from '../../../../src/domain/idempotency/once.js';
import { readNoticeBacklog } from '../../../../src/domain/notice/backlog.js';
import type { NoticeClaim } from '../../../../src/domain/notice/claim.js';
import { forgetNotices } from '../../../../src/domain/notice/forget.js';
import { isStillTrue } from '../../../../src/domain/notice/still-true.js';
import type { TestDatabase } from '../../../support/database.js';
import { end, outcomes } from '../../../support/engine.js';
import { shareWork } from './share-work.js';
import { claimAndSettle } from '../../../support/notices.js';
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
export function hotWork(test: () => TestDatabase, door: () => Database): readonly Work[] {
  const claim = (lane: Lane = 'live', perEndpoint = 10): Promise<Claim[]> =>
    new Claimer(lane, 60_000).claim(door().read, { slots, perEndpoint, inFlight: new Map() });
  const settleAs = async (outcomeOf: (place: number) => Outcome) => {
    const claims = await claim();
    await door().transact((tx) =>
      settle(
        tx,
        claims.map((each, place) => end(each, outcomeOf(place))),
      ),
    );
    return claims;
  };
  const busiest = async () => {
    const [row] = await test().query<{ id: string }>(
      `select e.id from endpoint e where e.active and e.cancelling_since is null
        order by (select count(*) from chain c where c.endpoint_id = e.id) desc limit 1`,
    );
    return row?.id ?? '';
  };

  return [
    { title: 'claims', do: () => claim() },
    ...shareWork(test, door),
    { title: 'claims first attempts of replays', do: () => claim('replay') },
    { title: 'claims what runs alone', do: () => claim('alone') },
    {
      title: 'promotes what is due, and what was claimed under leases that ended',
      do: () => promoteDue(door().read),
      // 1,000 waiting chains and 10 leases of 200 chains, each found, locked and written.
      most: { rows: 12_000, blocks: 60_000 },
    },
    { title: 'settles what was accepted', do: () => settleAs(() => outcomes.ok) },
    {
      title: 'settles what failed, and the health of its endpoints',
      do: () => settleAs((place) => (place % 2 === 0 ? outcomes.down : outcomes.ok)),
    },
    {
      title: 'settles what disables an endpoint, and cancels its chains',
      do: () => settleAs((place) => (place === 0 ? outcomes.gone : outcomes.ok)),
      // As what is owed.
      most: { rows: 2_000, blocks: 8_000 },
    },
    { title: 'gives claims back', do: async () => releaseClaims(door().read, await claim()) },
    {
      title: 'extends leases, and gives back what it has not heard of',
      do: async () => {
        const tokens = (await claim()).map(({ token }) => token);
        await extendLeases(door().read, tokens, 60_000);
        await releaseUnheard(door().read, tokens);
      },
    },
    {
      title: 'puts a claim off',
      do: async () => {
        const [first] = await claim();
        if (first) await deferClaim(door().read, first);
      },
    },
    {
      title: 'forgets leases',
      do: async () => {
        const settled = await settleAs(() => outcomes.ok);
        await forgetLeases(
          door().read,
          settled.map(({ token }) => token),
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
          const owing = await nextOwing(door().read, '');
          if (!owing) break;
          await door().transact((tx) => cancelOwed(tx, owing, ''));
        }
      },
      // Some 220 chains, each found, looked at, deleted and its record closed: 20 pages or so.
      most: { rows: 2_000, blocks: 8_000 },
    },
    {
      title: 'cancels what was left over',
      do: async () => {
        await test().query('update endpoint set active = false where id = $1', [await busiest()]);
        await door().transact((tx) => sweepCancelled(tx, ''));
      },
      // It looks at the first hundred chains of each of 200 queues.
      most: { rows: 30_000, blocks: 60_000 },
    },
    {
      title: 'parks what has lost its event',
      do: async () => parkOrphans(door().read, await claim()),
    },
    {
      title: 'asks whether anything runs alone, and takes the turn',
      do: async () => {
        await aloneAsked(door().read);
        await takeAloneTurn(door().read, 1, 1_000);
        await endAloneTurn(door().read, 1, 0);
      },
    },
    { title: 'lists what is parked', do: () => listParked(door().read) },
    {
      title: 'counts the backlog',
      do: () => readBacklog(door().read),
      // It counts, up to 100,000, along the indexes of ready, waiting and parked chains; each may
      // be on a page of its own.
      most: { rows: 50_000, blocks: 60_000 },
    },
    {
      title: 'claims and settles notices',
      do: () => claimAndSettle(door()),
    },
    {
      title: 'asks whether a notice is still true',
      do: () => {
        const claim = { kind: 'offer_sent', told: [{ about: 'off_1' }] };
        return isStillTrue(door().read, claim as unknown as NoticeClaim);
      },
    },
    {
      title: 'counts notices that are not sent',
      do: () => readNoticeBacklog(door().read),
      // It counts, up to 10,000 of each kind, along indexes; each may be on a page of its own.
      most: { rows: 12_000, blocks: 12_000 },
    },
    { title: 'tells that replays have ended', do: () => door().transact(signalReplays) },
    {
      title: 'looks for partitions to make and to drop',
      do: () => door().transact((tx) => duePartitions(tx, tx.now)),
    },
    { title: 'looks for expired checkouts', do: () => door().transact(expireCheckouts) },
    {
      title: 'forgets what is long over',
      do: async () => {
        const forget = [
          ...[forgetExpired, forgetPublishKeys, forgetNotices],
          ...[forgetCredentials, forgetEndpoints],
        ];
        for (const each of forget) await door().transact((tx) => each(tx, slots));
      },
    },
  ];
}
