import DataLoader from 'dataloader';
import { type Delivery, endpointSummaries, nextAttempts } from '../domain/delivery/deliveries.js';
import { evidenceOfDeliveries } from '../domain/delivery/evidence-of-deliveries.js';
import { endpointBacklogs } from '../domain/delivery/health.js';
import { endpointsById } from '../domain/endpoint/endpoints.js';
import { invoicesOfOrders, paymentsOfOrders } from '../domain/payment/orders.js';
import type { Context } from './context.js';

type Loaders = ReturnType<typeof makeLoaders>;

const loaders = new WeakMap<Context, Loaders>();

/** Returns the loaders of one request; their cache ends with it. */
export function loadersOf(context: Context): Loaders {
  const known = loaders.get(context);
  if (known) return known;
  const made = makeLoaders(context);
  loaders.set(context, made);
  return made;
}

/** Look-ups of fields, batched into one statement per kind and request. */
function makeLoaders({ read }: Context) {
  return {
    endpoints: byId((ids) => endpointsById(read, ids), null),
    backlogs: byId((ids) => endpointBacklogs(read, ids), null),
    summaries: byId((ids) => endpointSummaries(read, ids), null),
    nextAttempts: byDelivery((deliveries) => nextAttempts(read, deliveries)),
    evidence: byDelivery((deliveries) => evidenceOfDeliveries(read, deliveries)),
    /** By the id of the order, as is the next one. */
    orderPayments: byId((ids) => paymentsOfOrders(read, ids), { ids: [], refundedMinorUnits: 0 }),
    orderInvoices: byId((ids) => invoicesOfOrders(read, ids), []),
  };
}

type Found<Value> = Promise<ReadonlyMap<string, Value>>;

/** @param absent stands for what is not found */
function byId<Value, Absent>(find: (ids: readonly string[]) => Found<Value>, absent: Absent) {
  return new DataLoader<string, Value | Absent>(async (ids) => {
    const found = await find(ids);
    return ids.map((id) => found.get(id) ?? absent);
  });
}

function byDelivery<Value>(find: (deliveries: readonly Delivery[]) => Found<Value>) {
  return new DataLoader<Delivery, Value | null, string>(
    async (deliveries) => {
      const found = await find(deliveries);
      return deliveries.map(({ id }) => found.get(id) ?? null);
    },
    { cacheKeyFn: ({ id }) => id },
  );
}
