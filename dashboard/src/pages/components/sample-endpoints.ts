import type {
  endpointHealthQuery,
  endpointsQuery,
  eventTypesQuery,
  recoveryQuery,
  statisticsQuery,
} from '../../generated/documents.js';
import { hiddenText, longText, longUrl } from './sample-texts.js';
import { minutesAgo } from './sample-times.js';

type Endpoint = endpointsQuery['endpoints']['data'][number];

const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

export const endpoint: Endpoint = {
  id: 'whs_0Vb0000000000000000000a1',
  url: 'https://hooks.example.com/in',
  active: true,
  description: 'Orders into the warehouse',
  notificationEmail: 'ops@example.com',
  eventTypes: ['cart.order.completed', 'offer.sent'],
  disabledReason: null,
  createdAt: minutesAgo(90 * dayMinutes),
  updatedAt: minutesAgo(2 * dayMinutes),
  maxPerSecond: 50,
  summary: { state: 'healthy', lastSuccessAt: minutesAgo(3) },
};

const id = (end: string) => `whs_0Vb0000000000000000000${end}`;

/** One endpoint in each state, with short, long and odd texts. */
export const endpoints: readonly Endpoint[] = [
  endpoint,
  {
    ...endpoint,
    id: id('a2'),
    url: longUrl,
    description: longText,
    summary: { state: 'failing', lastSuccessAt: minutesAgo(26 * hourMinutes) },
  },
  {
    ...endpoint,
    id: id('a3'),
    active: false,
    description: hiddenText,
    disabledReason: 'receiver_gone',
    summary: { state: 'disabled', lastSuccessAt: null },
  },
  { ...endpoint, id: id('a4'), active: false, description: null, summary: null },
];

export const eventTypes: eventTypesQuery['eventTypes']['data'] = [
  ['cart.order.completed', 'cart', 'An order was paid.', true, true],
  ['cart.checkout.created', 'cart', 'A checkout was created.', true, true],
  ['offer.sent', 'offer', 'An offer was mailed to its buyer.', true, true],
  ['offer.printed', 'offer', 'An offer was printed.', false, true],
  ['offer.faxed', 'offer', 'An offer was faxed.', true, false],
].map(([type, category, summary, sent, offered]) => ({
  id: String(type),
  category: String(category),
  summary: String(summary),
  sent: sent === true,
  acceptsNewSubscriptions: offered === true,
}));

export const health: endpointHealthQuery['health'] = {
  id: endpoint.id,
  state: 'failing',
  disabledReason: null,
  failingSince: minutesAgo(5 * hourMinutes),
  failureCount: 1_284,
  disablesAt: minutesAgo(-4 * dayMinutes),
  failuresUntilDisabled: 20,
  lastSuccessAt: minutesAgo(26 * hourMinutes),
  lastFailureAt: minutesAgo(2),
  pendingCount: 10_000,
  pendingCountIsComplete: false,
  oldestPendingAt: minutesAgo(5 * hourMinutes),
};

/** A day, with an hour in which nothing was sent and one in which no receiver answered. */
export const buckets: statisticsQuery['statistics'] = Array.from({ length: 24 }, (_, hour) => {
  const success = hour === 9 ? 0 : 40 + ((hour * 37) % 160);
  const failed = hour === 9 ? 0 : (hour * 7) % 11;
  const abandoned = hour > 18 ? 4 : 0;
  return {
    startsAt: minutesAgo((24 - hour) * hourMinutes),
    success,
    failed,
    abandoned,
    attempts: success + failed + abandoned,
    latency: hour === 9 ? null : { p50Ms: 80 + ((hour * 13) % 50), p95Ms: 300 + hour * 9 },
  };
});

export const recovery: recoveryQuery['recovery'] = {
  id: 'rcv_0Vb0000000000000000000b1',
  endpointId: endpoint.id,
  what: 'both',
  since: minutesAgo(2 * dayMinutes),
  until: minutesAgo(hourMinutes),
  eventTypes: ['cart.order.completed'],
  ratePerSecond: 50,
  status: 'running',
  reason: null,
  waitsFor: null,
  position: minutesAgo(dayMinutes),
  failed: 1_204,
  missed: 310,
  waiting: 64,
  delivered: 1_420,
  retrying: 27,
  abandoned: 3,
  createdAt: minutesAgo(12),
  endedAt: null,
};
