import type { WorkerRole } from '../src/setting-schemas.js';
import type { WakeupKind } from '../src/domain/wakeup.js';
import type { Deliveries } from './deliver.js';
import type { Expiry } from './expiry.js';
import type { Notices } from './notices.js';
import type { Sweep } from './sweep.js';

/** What a wake-up makes a worker do; `scheduled` when it was for a later second. */
export type Handler = (scheduled: boolean) => Promise<unknown>;

/** Which queue serves which role. */
const kindOf = {
  deliver: 'due',
  replay: 'replay',
  notify: 'notify',
  expire: 'expire',
} as const satisfies Record<WorkerRole, WakeupKind>;

/** The queues that `roles` listen to, of those that have a handler. */
export function kindsOf(
  roles: readonly WorkerRole[],
  handlers: Readonly<Record<WakeupKind, Handler | undefined>>,
): WakeupKind[] {
  return roles.map((role) => kindOf[role]).filter((kind) => handlers[kind] !== undefined);
}

/**
 * What each wake-up does; a kind that is missing does not compile. Undefined: this process has
 * not that role, its wake-ups are for others.
 */
export function handlersOf(
  deliveries: Deliveries,
  sweep: Sweep,
  expiry: Expiry | undefined,
  notices: Notices | undefined,
): Record<WakeupKind, Handler | undefined> {
  return {
    due: async (scheduled) => {
      // An immediate wake-up tells of chains that were written ready.
      if (scheduled) await sweep.promote();
      await deliveries.live?.look();
    },
    replay: async () => deliveries.replay?.look(),
    notify: notices && (() => notices.look()),
    expire: expiry && (() => expiry.look()),
  };
}
