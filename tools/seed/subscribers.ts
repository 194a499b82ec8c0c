import type { Endpoint } from '../../src/domain/endpoint/endpoint.entity.js';
import { addSecret } from '../../src/domain/endpoint/secrets.js';
import { makeId } from '../../src/domain/id.js';
import type { Read, Statement, Transact } from '../../src/domain/tx.js';
import type { Subscriber } from './deliveries.js';
import { insertRows } from './insert-rows.js';

/** The endpoints of the made-up shop: one active, one that the service disabled, one inactive. */
const endpoints = [
  {
    url: 'https://hooks.shop.example/orders',
    description: 'Order pipeline',
    eventTypes: [
      'cart.checkout.created',
      'cart.order.completed',
      'payment.sale.succeeded',
      'payment.refund.created',
    ],
    medianMs: 140,
    state: 'active',
  },
  {
    url: 'https://books.shop.example/invoices',
    description: 'Bookkeeping',
    eventTypes: ['invoice.issued', 'invoice.credit_note.issued'],
    medianMs: 420,
    state: 'disabled',
  },
  {
    url: 'https://staging.shop.example/everything',
    description: 'Staging',
    eventTypes: ['cart.checkout.created', 'cart.checkout.expired', 'cart.order.completed'],
    medianMs: 0,
    state: 'inactive',
  },
] as const;

const hourMs = 3_600_000;

const find: Statement = {
  name: 'seed-endpoints',
  text: `select id, url, event_types as "eventTypes", failing_since as "failingSince",
                updated_at as "updatedAt", disabled_reason as "disabledReason"
           from endpoint
          where account_id = $1 and url = any($2::text[]) and deleted_at is null`,
};

type ExistingEndpoint = Pick<
  Endpoint,
  'id' | 'url' | 'eventTypes' | 'failingSince' | 'updatedAt' | 'disabledReason'
>;

/**
 * Returns the endpoints that received events. If an earlier run created none for the account, creates
 * new ones with the time `at`. Their signing secrets are random, as always.
 */
export async function createSubscribers(
  { read, transact }: { readonly read: Read; readonly transact: Transact },
  account: string,
  at: Date,
): Promise<readonly Subscriber[]> {
  const earlier = await findEarlier(read, account);
  if (earlier.length > 0) return earlier.filter(hasReceivedEvents).map(toSubscriber);
  return transact(async (tx) => {
    const created = endpoints.map((_, index) => endpointOf(account, index, at, tx.now));
    await insertRows(tx, 'endpoint', created);
    for (const { id } of created) await addSecret(tx, id, at);
    return created.filter(hasReceivedEvents).map(toSubscriber);
  });
}

/** Whether an earlier run has begun to fill the account. */
export async function isSeeded(read: Pick<Read, 'sql'>, account: string): Promise<boolean> {
  return (await findEarlier(read, account)).length > 0;
}

function findEarlier(read: Pick<Read, 'sql'>, account: string): Promise<ExistingEndpoint[]> {
  return read.sql<ExistingEndpoint>(find, [account, endpoints.map(({ url }) => url)]);
}

function endpointOf(account: string, index: number, at: Date, now: Date): ExistingEndpoint {
  const { url, description, eventTypes, state } = endpoints[index] ?? endpoints[0];
  const createdAt = new Date(at.getTime() + index);
  const disabled = state === 'disabled';

  // Other columns stay null.
  const row = {
    id: makeId('whs', createdAt),
    accountId: account,
    url,
    description,
    createdAt,
    active: state === 'active',
    notificationEmail: 'ops@shop.example',
    eventTypes: [...eventTypes],
    disabledReason: disabled ? 'consecutive_failures' : null,
    // The 120 h after which the service disables an endpoint, plus a day.
    failingSince: disabled ? new Date(now.getTime() - 144 * hourMs) : null,
    failureCount: disabled ? 10 : 0,
    warnings: disabled ? 2 : 0,
    updatedAt: disabled ? new Date(now.getTime() - 24 * hourMs) : createdAt,
  } satisfies Partial<Endpoint>;
  return row;
}

function toSubscriber({
  id,
  url,
  eventTypes,
  disabledReason,
  failingSince,
  updatedAt,
}: ExistingEndpoint): Subscriber {
  const failing = disabledReason !== null && failingSince !== null;
  return {
    id,
    url,
    medianMs: endpoints.find((endpoint) => endpoint.url === url)?.medianMs ?? 0,
    eventTypes,
    failing: failing ? { from: failingSince, until: updatedAt } : null,
  };
}

/** False for the endpoint that was always inactive. */
function hasReceivedEvents({ url }: ExistingEndpoint): boolean {
  return endpoints.some((endpoint) => endpoint.url === url && endpoint.state !== 'inactive');
}
