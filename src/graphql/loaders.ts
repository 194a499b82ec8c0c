import DataLoader from 'dataloader';
import { type Delivery, endpointSummaries, nextAttempts } from '../domain/delivery/deliveries.js';
import { evidenceOfDeliveries } from '../domain/delivery/evidence-of-deliveries.js';
import { endpointBacklogs } from '../domain/delivery/health.js';
import { optionsById } from '../domain/endpoint/endpoint-options.js';
import { endpointsById } from '../domain/endpoint/endpoints.js';
import { invoicesOfOrders, paymentsOfOrders } from '../domain/payment/orders.js';
import type { Context } from './context.js';

type Loaders = ReturnType<typeof createLoaders>;

const loaders = new WeakMap<Context, Loaders>();

/** Returns the loaders of one request; their cache ends with it. */
export function loadersOf(context: Context): Loaders {
  const existing = loaders.get(context);
  if (existing) return existing;

  const created = createLoaders(context);
  loaders.set(context, created);
  return created;
}

/** Look-ups of fields, batched into one statement per kind and request. */
function createLoaders({ read }: Context) {
  return {
    endpoints: byId((ids) => endpointsById(read, ids), null),
    options: byId((ids) => optionsById(read, ids), null),
    backlogs: byId((ids) => endpointBacklogs(read, ids), null),
    summaries: byId((ids) => endpointSummaries(read, ids), null),
    nextAttempts: byDelivery((deliveries) => nextAttempts(read, deliveries)),
    evidence: byDelivery((deliveries) => evidenceOfDeliveries(read, deliveries)),
    /** Payments by the id of their order. */
    orderPayments: byId((ids) => paymentsOfOrders(read, ids), { ids: [], refundedMinorUnits: 0 }),
    /** Invoices by the id of their order. */
    orderInvoices: byId((ids) => invoicesOfOrders(read, ids), []),
  };
}

type ById<Value> = Promise<ReadonlyMap<string, Value>>;

/** @param absent the value for an id that is not found */
function byId<Value, Absent>(find: (ids: readonly string[]) => ById<Value>, absent: Absent) {
  return new DataLoader<string, Value | Absent>(async (ids) => {
    const values = await find(ids);
    return ids.map((id) => values.get(id) ?? absent);
  });
}

function byDelivery<Value>(find: (deliveries: readonly Delivery[]) => ById<Value>) {
  return new DataLoader<Delivery, Value | null, string>(
    async (deliveries) => {
      const values = await find(deliveries);
      return deliveries.map(({ id }) => values.get(id) ?? null);
    },
    { cacheKeyFn: ({ id }) => id },
  );
}
