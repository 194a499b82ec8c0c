import { expirableCheckouts } from '../checkout/checkouts.js';
import type { Lane } from '../delivery/claim.js';
import { isolatedReady } from '../delivery/dead-letters.js';
import { hasCancellationBacklog } from '../delivery/cancel.js';
import { type Promoted, promoteText, promoteValues } from '../delivery/promote.js';
import { unsentNotices } from '../notice/has-unsent-notices.js';
import { runningRecoveries } from '../recovery/recoveries.js';
import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import type { WorkerIdentity } from '../worker/heartbeats.js';

/** What waited for workers when a poll began. */
export interface Waiting {
  /** Deliveries that are ready to be claimed, by lane. */
  readonly live: boolean;
  readonly replay: boolean;
  readonly recovery: boolean;
  readonly isolated: boolean;
  /** Pending deliveries that changes of endpoints left behind. */
  readonly cancellations: boolean;
  /** Notices that are not sent yet, also those whose time has not come. */
  readonly notices: boolean;
  /** Checkouts that are past their time. */
  readonly checkouts: boolean;
  /** Recoveries that run, also those whose next step is not due. */
  readonly recoveries: boolean;
}

/** What a worker assumes when it could not ask. */
export const anythingWaits: Waiting = {
  live: true,
  replay: true,
  recovery: true,
  isolated: true,
  cancellations: true,
  notices: true,
  checkouts: true,
  recoveries: true,
};

/** What one poll found and did. */
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
 * Promotes as `promoteDue`, writes the heartbeat of the worker that polls, and says what else waits: all
 * that an idle worker asks PostgreSQL in a second, in one round trip.
 */
export function poll(
  read: Read,
  endedBy: number,
  worker: WorkerIdentity | undefined,
): Promise<Polled> {
  return singleRow<Polled>(read, pollStatement, promoteValues(endedBy, worker));
}
