import DataLoader from 'dataloader';
import {
  invoicesOfOrders,
  type OrderPayments,
  paymentsOfOrders,
} from '../domain/commerce/orders.js';
import { type EndpointSummary, endpointSummaries } from '../domain/delivery/endpoint-summaries.js';
import { type Delivery, nextAttempts } from '../domain/delivery/deliveries.js';
import {
  evidenceOfDeliveries,
  type ShownEvidence,
} from '../domain/delivery/evidence/evidence-of-deliveries.js';
import type { EndpointView } from '../domain/endpoint/endpoint.entity.js';
import { endpointsById } from '../domain/endpoint/endpoints.js';
import type { Context } from './context.js';

/** Look-ups of fields, batched into one statement per kind and request. */
interface Loaders {
  readonly endpoints: DataLoader<string, EndpointView | null>;
  readonly summaries: DataLoader<string, EndpointSummary | null>;
  readonly nextAttempts: DataLoader<Delivery, Date | null, string>;
  readonly evidence: DataLoader<Delivery, ShownEvidence | null, string>;
  /** By the id of the order, as is the next one. */
  readonly orderPayments: DataLoader<string, OrderPayments>;
  readonly orderInvoices: DataLoader<string, readonly string[]>;
}

const loaders = new WeakMap<Context, Loaders>();

/** Returns the loaders of one request; their cache ends with it. */
export function loadersOf(context: Context): Loaders {
  const known = loaders.get(context);
  if (known) return known;
  const { read } = context;
  const made: Loaders = {
    endpoints: new DataLoader(async (ids) => {
      const found = await endpointsById(read, ids);
      return ids.map((id) => found.get(id) ?? null);
    }),
    summaries: new DataLoader(async (ids) => {
      const found = await endpointSummaries(read, ids);
      return ids.map((id) => found.get(id) ?? null);
    }),
    nextAttempts: new DataLoader(
      async (deliveries) => {
        const due = await nextAttempts(read, deliveries);
        return deliveries.map(({ id }) => due.get(id) ?? null);
      },
      { cacheKeyFn: ({ id }) => id },
    ),
    evidence: new DataLoader(
      async (deliveries) => {
        const found = await evidenceOfDeliveries(read, deliveries);
        return deliveries.map(({ id }) => found.get(id) ?? null);
      },
      { cacheKeyFn: ({ id }) => id },
    ),
    orderPayments: new DataLoader(async (ids) => {
      const found = await paymentsOfOrders(read, ids);
      return ids.map((id) => found.get(id) ?? { ids: [], refundedMinorUnits: 0 });
    }),
    orderInvoices: new DataLoader(async (ids) => {
      const found = await invoicesOfOrders(read, ids);
      return ids.map((id) => found.get(id) ?? []);
    }),
  };
  loaders.set(context, made);
  return made;
}
