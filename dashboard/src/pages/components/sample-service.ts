import { session, type Viewer } from '../../api/session-state.js';
import * as documents from '../../generated/documents.js';
import type {
  auditLogQuery,
  deliveriesQuery,
  deliveryQuery,
  endpointDisablingQuery,
  eventAtEndpointQuery,
  endpointHealthQuery,
  endpointQuery,
  endpointsQuery,
  eventTypesQuery,
  membersQuery,
  offerQuery,
  orderQuery,
  paymentQuery,
  portalSessionsQuery,
  heldSubjectsQuery,
  retrySchedulesQuery,
  recoveryQuery,
  statisticsQuery,
  tryFilterQuery,
} from '../../generated/documents.js';
import type { SaleRow } from '../commerce/sale-list.js';

/** A text with invisible characters: a change of direction and a zero-width space. */
export const hiddenText = 'invoice\u202efdp.exe and a\u200bb';

/** A text of several lines in a narrow place. */
export const longText =
  'Everything that the warehouse in Klagenfurt needs to know about an order, with the name of who ordered it';

/** A URL without a place to break it. */
export const longUrl =
  'https://hooks.example.com/in/0d5f7c1be6a94f2f8a0c7c6e1a3b5d7f0d5f7c1be6a94f2f8a0c7c6e1a3b5d7f?tenant=alpine-prints';

const minuteMs = 60_000;
/** Samples are as old as the page is new, so that relative times read well. */
const now = Date.now();

/** The time this many minutes before the page was opened. A negative number is a time after it. */
export function minutesAgo(minutes: number): string {
  return new Date(now - minutes * minuteMs).toISOString();
}

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export const member: membersQuery['members'][number] = {
  id: 'mem_1',
  email: 'ada@example.com',
  role: 'owner',
  createdAt: minutesAgo(9_000),
};

const viewer: Viewer = {
  account: { id: 'acc_1', name: 'Alpine Prints' },
  member,
  permissions: { webhooks: 'write', orders: 'write' },
  portal: null,
};

const change: auditLogQuery['auditLog']['data'][number] = {
  id: 'aud_1',
  action: 'endpoint_updated',
  resourceId: 'whs_0Vb0000000000000000000a1',
  actorKind: 'session',
  credentialId: null,
  memberEmail: member.email,
  address: '192.0.2.7',
  userAgent: firefox,
  createdAt: minutesAgo(4),
  changes: [
    { field: 'description', from: 'Orders', to: hiddenText },
    { field: 'event_types', from: null, to: 'offer.sent' },
  ],
};

/** A change in a browser, one with a key, and one of an operator. */
export const changes: readonly (typeof change)[] = [
  change,
  {
    ...change,
    id: 'aud_2',
    action: 'credential_revoked',
    actorKind: 'api_key',
    memberEmail: null,
    resourceId: null,
    userAgent: 'curl/8.5.0',
    changes: [],
  },
  {
    ...change,
    id: 'aud_3',
    action: 'dead_letter_released',
    actorKind: 'operator',
    memberEmail: null,
    address: null,
    userAgent: null,
    changes: [],
  },
];

/** A member disabled an endpoint, and said why. */
const disabling: endpointDisablingQuery['auditLog']['data'][number] = {
  actorKind: 'session',
  memberEmail: 'ann@shop.example',
  createdAt: minutesAgo(90),
  changes: [
    { field: 'active', to: 'false' },
    { field: 'reason', to: hiddenText },
  ],
};

const portalSessions: portalSessionsQuery['portalSessions'] = ['viewer', 'developer'].map(
  (role, place) => ({
    id: `pss_${place}`,
    linkId: `plk_${place}`,
    memberId: null,
    userAgent: firefox,
    role: role === 'viewer' ? 'viewer' : 'developer',
    createdAt: minutesAgo(120),
    lastUsedAt: minutesAgo(place),
  }),
);

/** A link that a member created, and one of an operator. */
const portalLinks: portalSessionsQuery['portalLinks'] = [member.id, null].map((makerId, place) => ({
  id: `plk_${place}`,
  role: 'viewer',
  makerId,
  createdAt: minutesAgo(5),
  expiresAt: minutesAgo(-10),
}));

/** The schedules that an endpoint may choose. */
export const retrySchedules: retrySchedulesQuery['retrySchedules'] = [
  { name: 'default', delaysSeconds: [5, 300, 1_800, 7_200, 18_000] },
  { name: 'fast', delaysSeconds: [1, 5, 30] },
];

const [standardSchedule] = retrySchedules as [(typeof retrySchedules)[number]];

/** The static headers of an endpoint. */
export const headers: NonNullable<endpointQuery['endpoint']['options']['headers']> = {
  names: ['Authorization', 'X-Tenant'],
  setAt: minutesAgo(60),
  sent: true,
};

/** An endpoint's signature with a key pair, during a rotation. */
export const publicKeySignature: NonNullable<
  endpointQuery['endpoint']['options']['publicKeySignature']
> = {
  url: 'https://signalpost.example.com/webhooks/keys/whs_0Vb0000000000000000000a1',
  keys: [
    { publicKey: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', expiresAt: null },
    {
      publicKey: 'whpk_PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=',
      expiresAt: minutesAgo(-60),
    },
  ],
};

const unsent: eventAtEndpointQuery['trail'] = {
  state: 'filtered',
  at: null,
  filter: '$.data.currency == "EUR"',
  filterChangedAt: null,
  matches: false,
  ahead: null,
  attempts: 0,
  nextAttempt: null,
  dueAt: null,
  endpointState: 'healthy',
};

/** What became of an event at an endpoint. */
export const eventAnswers: readonly eventAtEndpointQuery['trail'][] = [
  unsent,
  { ...unsent, state: 'filter_changed', at: minutesAgo(3), filterChangedAt: minutesAgo(3) },
  { ...unsent, state: 'waiting', ahead: 12, attempts: 1, nextAttempt: 2, dueAt: minutesAgo(-5) },
];

/** Recent events, and whether a filter matches them. */
export const triedEvents: tryFilterQuery['events'] = [true, false].map((matches, place) => ({
  id: `evt_${place}`,
  type: 'cart.order.completed',
  subject: `order:ord_${place}`,
  occurredAt: minutesAgo(place + 1),
  matches,
}));

type Endpoint = endpointsQuery['endpoints']['data'][number] &
  Pick<endpointQuery['endpoint'], 'options'>;

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
  options: {
    retrySchedule: standardSchedule,
    ordering: 'subject',
    filter: '$.data.currency == "EUR"',
    headers,
    publicKeySignature: null,
  },
  summary: { state: 'healthy', lastSuccessAt: minutesAgo(3) },
};

/** One that awaits its retry, and one of an operator; then one of which the next is about to become ready. */
export const heldSubjects: readonly heldSubjectsQuery['held'][number][] = (
  ['retrying', 'dead_letter', undefined] as const
).map((state, place) => ({
  subject: place === 1 ? hiddenText : `cart:${place + 1}`,
  waiting: place === 1 ? 1_000 : place + 1,
  waitingIsComplete: place !== 1,
  heldBy:
    state === undefined
      ? null
      : {
          pendingDeliveryId: 'pdl_0Vb0000000000000000000p1',
          eventId: 'evt_0Vb0000000000000000000v1',
          eventType: 'cart.order.completed',
          state,
          attempt: 2,
          dueAt: minutesAgo(-5),
          lastDeliveryId: place === 0 ? 'whd_0Vb0000000000000000000d1' : null,
        },
}));

const endpointId = (end: string) => `whs_0Vb0000000000000000000${end}`;

/** One endpoint in each state, with short, long and odd texts. */
export const endpoints: readonly Endpoint[] = [
  endpoint,
  {
    ...endpoint,
    id: endpointId('a2'),
    url: longUrl,
    description: longText,
    summary: { state: 'failing', lastSuccessAt: minutesAgo(26 * hourMinutes) },
  },
  {
    ...endpoint,
    id: endpointId('a3'),
    active: false,
    description: hiddenText,
    disabledReason: 'receiver_gone',
    summary: { state: 'disabled', lastSuccessAt: null },
  },
  { ...endpoint, id: endpointId('a4'), active: false, description: null, summary: null },
];

const eventTypes: eventTypesQuery['eventTypes']['data'] = [
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

type Delivery = deliveriesQuery['deliveries']['data'][number];

const eventId = 'evt_0Vb0000000000000000000c1';

export const delivery: Delivery = {
  id: 'whd_0Vb0000000000000000000d0',
  status: 'failed',
  attempt: 3,
  maxAttempts: 8,
  createdAt: minutesAgo(4),
  durationMs: 128,
  responseStatus: 503,
  failureReason: null,
  eventId,
  eventType: 'cart.order.completed',
  test: false,
  replayedFrom: null,
  endpoint: { id: endpoint.id, url: endpoint.url },
};

const deliveryId = (number: number) => `whd_0Vb0000000000000000000d${number}`;

/** The attempts of one event, newest first, as the service lists them. */
const attempts: readonly Delivery[] = [
  { ...delivery, id: deliveryId(4), status: 'success', attempt: 4, responseStatus: 200 },
  delivery,
  {
    ...delivery,
    id: deliveryId(2),
    attempt: 2,
    createdAt: minutesAgo(9),
    responseStatus: null,
    failureReason: 'timeout',
  },
  { ...delivery, id: deliveryId(1), attempt: 1, createdAt: minutesAgo(2_000) },
];

/** Rows of each outcome: a test, a replay, one whose endpoint is gone, long and hidden texts. */
export const rows: readonly Delivery[] = [
  { ...delivery, id: deliveryId(5), status: 'success', responseStatus: 200, test: true },
  { ...delivery, id: deliveryId(6), status: 'abandoned', attempt: 8, replayedFrom: delivery.id },
  { ...delivery, id: deliveryId(7), endpoint: null, responseStatus: null, failureReason: 'tls' },
  { ...delivery, id: deliveryId(8), endpoint: { id: endpoint.id, url: longUrl }, durationMs: null },
  { ...delivery, id: deliveryId(9), eventType: hiddenText, createdAt: minutesAgo(5_000) },
];

/** Numbers keep all their digits. */
export const body = `{"id":"${eventId}","type":"cart.order.completed","data":{"total":12345678901234567890,\
"note":${JSON.stringify(hiddenText)},"lines":[{"name":"Poster","quantity":2},{},[]],"paid":true,"voucher":null}}`;

export const evidence: NonNullable<deliveryQuery['delivery']['evidence']> = {
  url: endpoint.url,
  failure: null,
  warning: 'The receiver accepted the event, but its response is incomplete.',
  address: '192.0.2.7',
  tlsVersion: 'TLSv1.3',
  requestHeaders: [
    { name: 'webhook-id', value: eventId },
    { name: 'webhook-timestamp', value: '1795608000' },
    { name: 'webhook-signature', value: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' },
  ],
  responseHeaders: [
    { name: 'content-type', value: 'application/json' },
    { name: 'x-note', value: hiddenText },
  ],
  responseBody: { content: '{"error":"closed"}', encoding: 'text', truncated: true },
  timings: { lookupMs: 4, connectMs: 12, tlsMs: 31, firstByteMs: 68, totalMs: 128 },
};

/** The attempt that the drawer shows. */
const inspected: deliveryQuery['delivery'] = {
  ...delivery,
  deliveredAt: null,
  nextAttemptAt: minutesAgo(-16),
  eventVersion: '1',
  evidence,
};

export const totals: orderQuery['order']['totals'] = {
  currency: 'EUR',
  subtotalMinorUnits: 8_000,
  discountMinorUnits: 500,
  shippingMinorUnits: 490,
  taxMinorUnits: 1_598,
  totalMinorUnits: 9_588,
};

export const lineItems: orderQuery['order']['lineItems'] = [
  ['Poster', 2, 2_500],
  [longText, 1, 3_000],
].map(([name, quantity, unitAmount]) => ({
  product: { name: String(name) },
  quantity: Number(quantity),
  unitAmountMinorUnits: Number(unitAmount),
  discountMinorUnits: 0,
  totalMinorUnits: Number(quantity) * Number(unitAmount),
}));

export const saleRows: readonly SaleRow[] = [
  {
    id: 'off_1',
    title: 'Posters for the fair',
    detail: 'ada@example.com',
    status: 'sent',
    minorUnits: 958_800,
    currency: 'EUR',
    at: minutesAgo(7),
  },
  {
    id: 'off_2',
    title: hiddenText,
    detail: longText,
    status: 'accepted',
    minorUnits: 1_200,
    currency: 'JPY',
    at: minutesAgo(3_000),
  },
  {
    id: 'off_3',
    title: ' ',
    detail: 'grace@example.com',
    minorUnits: -500,
    currency: 'USD',
    at: minutesAgo(9_000),
  },
];

export const offer: offerQuery['offer'] = {
  id: 'off_1',
  title: 'Posters for the fair',
  message: null,
  status: 'draft',
  recipientEmail: 'ada@example.com',
  offerUrl: 'https://example.com/offer',
  order: null,
  sendCount: 0,
  createdAt: minutesAgo(60),
  sentAt: null,
  acceptedAt: null,
  cancelledAt: null,
  expiresAt: minutesAgo(-9_000),
  lineItems,
  totals,
};

export const payment: paymentQuery['payment'] = {
  id: 'pay_1',
  order: 'ord_1',
  status: 'partially_refunded',
  currency: 'EUR',
  amountMinorUnits: 9_588,
  refundedMinorUnits: 588,
  feeMinorUnits: 120,
  netMinorUnits: 8_880,
  method: 'card',
  buyerEmail: 'ada@example.com',
  createdAt: minutesAgo(60),
  cashFlowAt: null,
};

const page = { hasMore: false, nextCursor: null };
const key = 'sk_live_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The answer to each document that a component of the page executes. */
const answers = new Map([
  answer(documents.endpointOptionsDocument, { endpoints: { data: [...endpoints], page } }),
  answer(documents.eventTypesDocument, { eventTypes: { data: eventTypes } }),
  answer(documents.membersDocument, { members: [member] }),
  answer(documents.auditLogDocument, { auditLog: { data: [...changes], page } }),
  answer(documents.endpointDisablingDocument, { auditLog: { data: [disabling] } }),
  answer(documents.portalSessionsDocument, { portalSessions, portalLinks }),
  answer(documents.deliveriesDocument, { deliveries: { data: [...attempts], page } }),
  answer(documents.deliveryDocument, { delivery: inspected }),
  answer(documents.eventBodyDocument, { event: { id: inspected.eventId, body } }),
  answer(documents.endpointHealthDocument, { health }),
  answer(documents.heldSubjectsDocument, { held: [...heldSubjects] }),
  answer(documents.endpointFailuresDocument, {
    failures: [{ failed: 31, abandoned: 2, endpoint: { id: endpoint.id, url: endpoint.url } }],
  }),
  answer(documents.recoverableDocument, {
    health: {
      id: endpoint.id,
      lastSuccessAt: null,
      recoverable: { failed: 1_204, missed: 310, complete: false },
    },
  }),
  answer(documents.recoveriesDocument, { recoveries: { data: [], page } }),
  answer(documents.rotateSecretDocument, { rotated: { id: endpoint.id, signingSecret: secret } }),
  answer(documents.createApiKeyDocument, { issued: { id: 'key_1', token: key } }),
  answer(documents.createPortalLinkDocument, {
    created: {
      id: 'plk_1',
      url: 'https://example.com/portal/acc_1#MfKQ9r8GKYqrTwjUPD8ILPZIo2',
      expiresAt: health.disablesAt ?? '',
    },
  }),
]);

/** The answer to every other document, so that dialogs show how they report an error. */
const refusal = {
  status: 409,
  code: 'conflict',
  detail: 'This page has no service. It shows how a component says why a request failed.',
};

/** Signs in a made-up member and answers requests with made-up data, so that the page needs no service. */
export function startSampleService(): void {
  session.value = { state: 'signedIn', viewer };
  globalThis.fetch = (_, init) => {
    const { id = '' } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as {
      readonly id?: string;
    };
    const data = answers.get(id);
    return Promise.resolve(
      data === undefined ? Response.json(refusal, refusal) : Response.json({ data }),
    );
  };
}

function answer<Result, Variables>(
  { id }: documents.Document<Result, Variables>,
  data: Result,
): readonly [id: string, data: unknown] {
  return [id, data];
}
