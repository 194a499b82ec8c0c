import type { WorkerRole } from '../src/config/setting-schemas.js';
import type { WakeupKind } from '../src/domain/wakeup.js';
import type { DeliveryWorker } from './delivery/delivery-worker.js';
import type { CheckoutExpiry } from './maintenance/checkout-expiry.js';
import type { NoticeSender } from './notifications/notice-sender.js';
import type { Poller } from './delivery/poller.js';

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
  deliveryWorker: DeliveryWorker,
  poller: Poller,
  expiry: CheckoutExpiry | undefined,
  notices: NoticeSender | undefined,
): Record<WakeupKind, Handler | undefined> {
  return {
    due: async (scheduled) => {
      // An immediate wake-up tells of pending deliveries that were written ready.
      if (scheduled) await poller.promote();
      await deliveryWorker.live?.poll();
    },
    replay: async () => deliveryWorker.replay?.poll(),
    notify: notices && (() => notices.poll()),
    expire: expiry && (() => expiry.poll()),
  };
}
