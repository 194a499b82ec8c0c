import type { WorkerRole } from '../src/config/schemas.js';
import type { WakeupKind } from '../src/domain/transaction/wakeup.js';
import type { DeliveryWorker } from './delivery/worker.js';
import type { CheckoutExpiry } from './checkout-expiry.js';
import type { NoticeSender } from './notices.js';
import type { Poller } from './delivery/poller.js';

/**
 * Handles one wake-up; `scheduled` is true for a wake-up that was sent for a later second.
 * @returns the number of rows it found, if it counts them
 */
export type Handler = (scheduled: boolean) => Promise<unknown>;

/** The kind of wake-up that each role handles. */
const wakeupKindByRole = {
  deliver: 'due',
  replay: 'replay',
  notify: 'notify',
  expire: 'expire',
} as const satisfies Record<WorkerRole, WakeupKind>;

/** The kinds of wake-up that these roles listen to, if they have a handler. */
export function wakeupKinds(
  roles: readonly WorkerRole[],
  handlers: Readonly<Record<WakeupKind, Handler | undefined>>,
): WakeupKind[] {
  return roles.map((role) => wakeupKindByRole[role]).filter((kind) => handlers[kind] !== undefined);
}

/**
 * The handler of each kind of wake-up; a missing kind does not compile. A kind is undefined when this
 * process lacks the role: other processes handle its wake-ups.
 */
export function wakeupHandlers(
  deliveryWorker: DeliveryWorker,
  poller: Poller,
  expiry: CheckoutExpiry | undefined,
  notices: NoticeSender | undefined,
): Record<WakeupKind, Handler | undefined> {
  return {
    due: async (scheduled) => {
      // Publishing writes pending deliveries ready, so only scheduled ones need the promotion.
      if (scheduled) await poller.promote();
      return deliveryWorker.live?.poll();
    },
    replay: async () => deliveryWorker.replay?.poll(),
    notify: notices && (() => notices.poll()),
    expire: expiry && (() => expiry.poll()),
  };
}
