// Made by "npm run generate" from cli/documents; changes belong there.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CheckoutStatus =
  | 'completed'
  | 'expired'
  | 'open';

export type DeliveryStatus =
  | 'abandoned'
  | 'failed'
  | 'success';

export type EndpointHeaderInput = {
  name: string;
  /** Absent or null keeps the stored value of this name. */
  value?: string | null | undefined;
};

/** Absent options keep their values; null removes an option. */
export type EndpointOptionsInput = {
  /** Sends it only events that match, such as `$.data.currency == "EUR"`. */
  filter?: string | null | undefined;
  /** All headers: at most 10, of at most 4,096 bytes together. */
  headers?: Array<EndpointHeaderInput> | null | undefined;
  /** Orders events that are published from now on. Null also sends what waits for its turn. */
  ordering?: EndpointOrdering | null | undefined;
  /** True makes a key pair, unless there is one. False deletes all key pairs: from then on receivers cannot verify with a public key. */
  publicKeySignature?: boolean | null | undefined;
  /** One of `retrySchedules`. */
  retrySchedule?: string | null | undefined;
};

/** What an endpoint gets in order. */
export type EndpointOrdering =
  | 'subject';

/** `disabled` by the service, `inactive` by its account; `failing` when the latest attempts failed. */
export type EndpointState =
  | 'disabled'
  | 'failing'
  | 'healthy'
  | 'inactive';

export type PermissionLevel =
  | 'none'
  | 'read'
  | 'write';

/** Events that the endpoint failed to accept, events that it missed, or both. */
export type RecoveryKind =
  | 'both'
  | 'failed'
  | 'missed';

export type RecoveryRangeInput = {
  endpoint: string;
  /** Types that the endpoint subscribes to. Defaults to all of them. */
  eventTypes?: Array<string> | null | undefined;
  /** Whether to send missed events from before the subscription. Requires `orders` at read level. Defaults to false. */
  includeBefore?: boolean | null | undefined;
  /** 1 to 500. Defaults to 50. */
  ratePerSecond?: number | null | undefined;
  /** Events from this time on. Defaults to 30 days ago, which is the earliest. */
  since?: string | null | undefined;
  /** Events up to this time. Defaults to now, which is the latest. */
  until?: string | null | undefined;
  what: RecoveryKind;
};

export type RecoveryStatus =
  | 'cancelled'
  | 'completed'
  | 'paused'
  | 'running';

export type ResponseBodyEncoding =
  | 'hex'
  | 'text';

export type Role =
  | 'accountant'
  | 'admin'
  | 'developer'
  | 'owner'
  | 'viewer';

export type SendTestEventInput = {
  account?: string | null | undefined;
  /** Must fit the schema of the version. Defaults to its example with fresh ids. */
  data?: Record<string, unknown> | null | undefined;
  /** Defaults to no endpoint: only the stream shows the event. */
  endpoint?: string | null | undefined;
  /** A type that the service emits. The endpoint need not subscribe to it. */
  type: string;
  /** Defaults to the lowest version of the type. */
  version?: string | null | undefined;
};

export type StartRecoveryInput = {
  endpoint: string;
  /** Types that the endpoint subscribes to. Defaults to all of them. */
  eventTypes?: Array<string> | null | undefined;
  /** The same key with the same input is the same recovery. 1 to 255 characters. */
  idempotencyKey: string;
  /** Whether to send missed events from before the subscription. Requires `orders` at read level. Defaults to false. */
  includeBefore?: boolean | null | undefined;
  /** 1 to 500. Defaults to 50. */
  ratePerSecond?: number | null | undefined;
  /** Events from this time on. Defaults to 30 days ago, which is the earliest. */
  since?: string | null | undefined;
  /** Events up to this time. Defaults to now, which is the latest. */
  until?: string | null | undefined;
  what: RecoveryKind;
};

/** What became of an event at an endpoint. `due` waits for a worker, `waiting` for its next attempt, `waiting_for_turn` for the event before it of its subject. `given_up` has no further attempt. The others never had one: `stream_only` and `other_endpoint` of test events, `created_later` and `subscribed_later` than the event, `not_subscribed` and `inactive` today, `filtered` by a filter older than the event, `filter_changed` since the event, so that nobody knows whether the filter of then matched. `not_addressed` would get the event today. `eventAtEndpoint` knows more: `not_subscribed` and `inactive` when the event was published, `cancelled` before the first attempt, `deleted`; and `not_addressed` if nothing tells. */
export type TrailState =
  | 'cancelled'
  | 'created_later'
  | 'dead_letter'
  | 'deleted'
  | 'delivered'
  | 'due'
  | 'filter_changed'
  | 'filtered'
  | 'given_up'
  | 'inactive'
  | 'not_addressed'
  | 'not_subscribed'
  | 'other_endpoint'
  | 'sending'
  | 'stream_only'
  | 'subscribed_later'
  | 'waiting'
  | 'waiting_for_turn';

export type checkoutsQueryVariables = Exact<{
  cursor?: string | null | undefined;
  limit: number;
}>;


export type checkoutsQuery = { checkouts: { data: Array<{ id: string, status: CheckoutStatus, externalReference: string, createdAt: string, expiresAt: string, order: { id: string } | null, totals: { currency: string, totalMinorUnits: number } }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type deliveriesQueryVariables = Exact<{
  cursor?: string | null | undefined;
  limit: number;
  status?: DeliveryStatus | null | undefined;
  endpoint?: string | null | undefined;
  type?: string | null | undefined;
  event?: string | null | undefined;
  since?: string | null | undefined;
  until?: string | null | undefined;
  test?: boolean | null | undefined;
  replayed?: boolean | null | undefined;
}>;


export type deliveriesQuery = { webhookDeliveries: { data: Array<{ id: string, status: DeliveryStatus, attempt: number, maxAttempts: number, responseStatus: number | null, durationMs: number | null, eventType: string, eventId: string, test: boolean, replayedFrom: string | null, createdAt: string, endpoint: { id: string } | null }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type deliveryQueryVariables = Exact<{
  id: string;
}>;


export type deliveryQuery = { webhookDelivery: { id: string, status: DeliveryStatus, failureReason: string | null, attempt: number, maxAttempts: number, createdAt: string, deliveredAt: string | null, durationMs: number | null, responseStatus: number | null, eventId: string, eventType: string, eventVersion: string, replayedFrom: string | null, nextAttemptAt: string | null, test: boolean, endpoint: { id: string } | null, evidence: { url: string, address: string | null, tlsVersion: string | null, failure: string | null, timings: { lookupMs: number | null, connectMs: number | null, tlsMs: number | null, firstByteMs: number | null, totalMs: number | null }, responseHeaders: Array<{ name: string, value: string }> | null, responseBody: { content: string, encoding: ResponseBodyEncoding, truncated: boolean } | null } | null } };

export type deliveryOptionsQueryVariables = Exact<{
  id: string;
}>;


export type deliveryOptionsQuery = { webhookEndpoint: { id: string, maxPerSecond: number | null, options: { ordering: EndpointOrdering | null, filter: string | null, retrySchedule: { name: string, delaysSeconds: Array<number> }, headers: { names: Array<string>, setAt: string, sent: boolean } | null, publicKeySignature: { url: string, keys: Array<{ publicKey: string, createdAt: string, expiresAt: string | null }> } | null } } };

export type eventAtEndpointQueryVariables = Exact<{
  event: string;
  endpoint: string;
}>;


export type eventAtEndpointQuery = { eventAtEndpoint: { endpointId: string, url: string, endpointState: EndpointState, state: TrailState, at: string | null, attempts: number, nextAttempt: number | null, dueAt: string | null, ahead: number | null, filter: string | null, filterChangedAt: string | null, matches: boolean | null } };

export type eventTypeQueryVariables = Exact<{
  id: string;
}>;


export type eventTypeQuery = { eventType: { versions: Array<{ version: string, schema: Record<string, unknown>, example: Record<string, unknown> }> } };

export type eventsQueryVariables = Exact<{
  cursor?: string | null | undefined;
  limit: number;
  since?: string | null | undefined;
  until?: string | null | undefined;
  type?: string | null | undefined;
  subject?: string | null | undefined;
}>;


export type eventsQuery = { events: { data: Array<{ id: string, type: string, version: string, subject: string, occurredAt: string, test: boolean }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type eventQueryVariables = Exact<{
  id: string;
}>;


export type eventQuery = { event: { id: string, type: string, version: string, subject: string, occurredAt: string, test: boolean, body: string, deliveries: { data: Array<{ id: string, attempt: number, status: DeliveryStatus, responseStatus: number | null, createdAt: string, endpoint: { id: string } | null }> } } };

export type eventTimeQueryVariables = Exact<{
  id: string;
}>;


export type eventTimeQuery = { event: { occurredAt: string } };

export type sendTestEventMutationVariables = Exact<{
  input: SendTestEventInput;
}>;


export type sendTestEventMutation = { sendTestEvent: { id: string } };

export type previewRecoveryQueryVariables = Exact<{
  input: RecoveryRangeInput;
}>;


export type previewRecoveryQuery = { previewRecovery: { failed: number, missed: number, oldest: string | null, newest: string | null, estimatedSeconds: number, complete: boolean, countedUntil: string } };

export type startRecoveryMutationVariables = Exact<{
  input: StartRecoveryInput;
}>;


export type startRecoveryMutation = { startRecovery: { id: string, status: RecoveryStatus } };

export type recoveryQueryVariables = Exact<{
  id: string;
}>;


export type recoveryQuery = { recovery: { id: string, endpointId: string, status: RecoveryStatus, reason: string | null, waitsFor: string | null, what: RecoveryKind, since: string, until: string, position: string, failed: number, missed: number, waiting: number, ratePerSecond: number } };

export type rotatePublicKeyMutationVariables = Exact<{
  id: string;
}>;


export type rotatePublicKeyMutation = { rotateEndpointPublicKey: { id: string } };

export type setEndpointOptionsMutationVariables = Exact<{
  id: string;
  input: EndpointOptionsInput;
}>;


export type setEndpointOptionsMutation = { setEndpointOptions: { id: string } };

export type setRateLimitMutationVariables = Exact<{
  id: string;
  maxPerSecond?: number | null | undefined;
}>;


export type setRateLimitMutation = { setEndpointRateLimit: { id: string } };

export type tryFilterQueryVariables = Exact<{
  id: string;
  filter: string;
}>;


export type tryFilterQuery = { tryEndpointFilter: Array<{ id: string, type: string, subject: string, occurredAt: string, matches: boolean }> };

export type viewerQueryVariables = Exact<{ [key: string]: never; }>;


export type viewerQuery = { viewer: { account: { id: string, name: string }, member: { email: string, role: Role } | null, permissions: { webhooks: PermissionLevel, orders: PermissionLevel } } };

/** An operation that the service executes by its id. `result` and `variables` exist only as types. */
export interface Document<Result, Variables> {
  readonly id: string;
  readonly kind: 'query' | 'mutation';
  readonly result?: Result;
  readonly variables?: Variables;
}

export const checkoutsDocument = {
  id: 'e02783f4a64a3dfb20bca4f2dc316c0d4bd0c1d20cac7efdc4014577daa6eb59',
  kind: 'query',
} as Document<checkoutsQuery, checkoutsQueryVariables>;

export const deliveriesDocument = {
  id: '346e630fe17918990cf111408bfa99e331e67bd4a88980819830fb2cd137c805',
  kind: 'query',
} as Document<deliveriesQuery, deliveriesQueryVariables>;

export const deliveryDocument = {
  id: '5ea33ec21d242f57a0380492841c68437c7afb9a705f2004578ed562618bc76f',
  kind: 'query',
} as Document<deliveryQuery, deliveryQueryVariables>;

export const deliveryOptionsDocument = {
  id: 'da576354fd2b26f4d855a56249ab95a97d95fefd6a1c8d8016609fe4511f798d',
  kind: 'query',
} as Document<deliveryOptionsQuery, deliveryOptionsQueryVariables>;

export const eventAtEndpointDocument = {
  id: '65f4bad45d9b1da82096d2088d1a6e2c6f9d548644d0ac3680f28281de50d0ad',
  kind: 'query',
} as Document<eventAtEndpointQuery, eventAtEndpointQueryVariables>;

export const eventTypeDocument = {
  id: '4aede84786ed8526381706488370826aec1ead58b7509e15b46a389e50a4b666',
  kind: 'query',
} as Document<eventTypeQuery, eventTypeQueryVariables>;

export const eventsDocument = {
  id: '2177b46b1fee3f599f87f4d643f880d4d643cae7ba5b3645278c5cc371609f02',
  kind: 'query',
} as Document<eventsQuery, eventsQueryVariables>;

export const eventDocument = {
  id: 'e63e61a590d2c9d59a245e9d6ba34e1298b832e73015cc6b07a01d37c8c9de30',
  kind: 'query',
} as Document<eventQuery, eventQueryVariables>;

export const eventTimeDocument = {
  id: '6faf5102ea6da14b2d2e00f78d143fc2c5ab67ad22dec302c437fd440346da70',
  kind: 'query',
} as Document<eventTimeQuery, eventTimeQueryVariables>;

export const sendTestEventDocument = {
  id: '632f079caa79cad6c631119304227c932f39d10b29ad7b935c3b3e01924360d1',
  kind: 'mutation',
} as Document<sendTestEventMutation, sendTestEventMutationVariables>;

export const previewRecoveryDocument = {
  id: '6df8d949b6ac1b6a5bb3a7b0be44f602e86cc665dde58a74feb9f38dc842d3cd',
  kind: 'query',
} as Document<previewRecoveryQuery, previewRecoveryQueryVariables>;

export const startRecoveryDocument = {
  id: '4fc6dd54e7e68e741ea1c78f40280e833a43a144d2b56f61facfc3bda848430e',
  kind: 'mutation',
} as Document<startRecoveryMutation, startRecoveryMutationVariables>;

export const recoveryDocument = {
  id: '3b0f23ee6a5ed5c5f93978be9d27a20f81aab14801963f56f170742e454a730b',
  kind: 'query',
} as Document<recoveryQuery, recoveryQueryVariables>;

export const rotatePublicKeyDocument = {
  id: '732fe6ca392e11f92850839b861b44fdafdb353e96d980b726d3b27e3e775d5f',
  kind: 'mutation',
} as Document<rotatePublicKeyMutation, rotatePublicKeyMutationVariables>;

export const setEndpointOptionsDocument = {
  id: '84fdb3d4ae638e9af51e8be7d02ab20c53a76cc77a25b07409d72a46e2951d24',
  kind: 'mutation',
} as Document<setEndpointOptionsMutation, setEndpointOptionsMutationVariables>;

export const setRateLimitDocument = {
  id: 'a800872ff2f2408a2dc1c3625eda6b248af5b4a62cc0f4d7d59b9fce9676dc2a',
  kind: 'mutation',
} as Document<setRateLimitMutation, setRateLimitMutationVariables>;

export const tryFilterDocument = {
  id: 'd0f41534ef24bbe00ecfa0bf40a8d2d4462dddae58add3b92b23fde7b3362d2a',
  kind: 'query',
} as Document<tryFilterQuery, tryFilterQueryVariables>;

export const viewerDocument = {
  id: 'ed7cccf6618f105c5a791298a6732b03749086f62e98e1a99ba508cbc62c71f1',
  kind: 'query',
} as Document<viewerQuery, viewerQueryVariables>;
