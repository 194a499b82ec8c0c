import { expirableCheckouts } from '../checkout/checkouts.js';
import { hasCancellationBacklog } from '../delivery/cancel.js';
import type { Lane } from '../delivery/claim.js';
import { isolatedReady } from '../delivery/isolation.js';
import { type Promoted, promoteText, promoteValues } from '../delivery/promote.js';
import { anyWaitsForTurn } from '../delivery/subject-order.js';
import { unsentNotices } from '../notice/notices.js';
import { runningRecoveries } from '../recovery/recoveries.js';
import { singleRow } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';
import type { WorkerIdentity } from '../worker/heartbeats.js';

/** What waited for workers when the poll began. */
export interface Waiting {
  /** Deliveries that are ready to be claimed, by lane. */
  readonly live: boolean;
  readonly replay: boolean;
  readonly recovery: boolean;
  readonly isolated: boolean;
  /** Pending deliveries that a change of their endpoint has still to cancel. */
  readonly cancellations: boolean;
  /** Notices that are not sent yet, due or not. */
  readonly notices: boolean;
  /** Checkouts that have expired. */
  readonly checkouts: boolean;
  /** Running recoveries, whether their next step is due or not. */
  readonly recoveries: boolean;
  /** Pending deliveries that wait until those of their subject before them have ended. */
  readonly subjects: boolean;
}

/** What a worker assumes if the poll failed. */
export const anythingWaits: Waiting = {
  live: true,
  replay: true,
  recovery: true,
  isolated: true,
  cancellations: true,
  notices: true,
  checkouts: true,
  recoveries: true,
  subjects: true,
};

/** The result of a poll. */
export type Polled = Promoted & { readonly waiting: Waiting };

const ready = (lane: Lane) =>
  `exists (select from pending_delivery c
            where c.ready and c.lease_token is null and c.lane = '${lane}')`;

const questions: Readonly<Record<keyof Waiting, string>> = {
  live: ready('live'),
  replay: ready('replay'),
  recovery: ready('recovery'),
  isolated: isolatedReady,
  cancellations: hasCancellationBacklog,
  notices: unsentNotices,
  checkouts: expirableCheckouts,
  recoveries: runningRecoveries,
  subjects: anyWaitsForTurn,
};

const pollStatement: Statement = {
  name: 'poll',
  text: promoteText(
    `, json_build_object(${Object.entries(questions)
      .map(([name, question]) => `'${name}', ${question}`)
      .join(', ')}) as waiting`,
  ),
};

/**
 * Makes due deliveries ready as `promoteDue` does, records the heartbeat of the worker, and returns what else waits.
 * An idle worker asks PostgreSQL nothing else in a second, so this is one round trip.
 */
export function poll(
  read: Read,
  endedBy: number,
  worker: WorkerIdentity | undefined,
): Promise<Polled> {
  return singleRow<Polled>(read, pollStatement, promoteValues(endedBy, worker));
}
