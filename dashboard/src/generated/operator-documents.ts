// Made by "npm run generate" from dashboard/operators/documents; changes belong there.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DeliveryStatus =
  | 'abandoned'
  | 'failed'
  | 'success';

/** `missing`: it answers, but lacks something that the service needs. `refused`: PostgreSQL refused a write in the last minute, because its disk is full or because it is read-only. */
export type DependencyState =
  | 'away'
  | 'missing'
  | 'ok'
  | 'refused';

export type DisabledReason =
  | 'consecutive_failures'
  | 'receiver_gone';

/** `disabled` by the service, `inactive` by its account; `failing` when the latest attempts failed. */
export type EndpointState =
  | 'disabled'
  | 'failing'
  | 'healthy'
  | 'inactive';

/** The kind of object that an id names, by its prefix. */
export type IdKind =
  | 'account'
  | 'audit_entry'
  | 'checkout'
  | 'credential'
  | 'delivery'
  | 'endpoint'
  | 'erasure'
  | 'event'
  | 'invoice'
  | 'member'
  | 'notice'
  | 'offer'
  | 'operator_session'
  | 'order'
  | 'payment'
  | 'pending_delivery'
  | 'portal_link'
  | 'portal_session'
  | 'product'
  | 'recovery'
  | 'refund'
  | 'request'
  | 'session'
  | 'sign_in_link'
  | 'signing_secret';

/** Workers claim the deliveries of each lane separately. */
export type Lane =
  | 'isolated'
  | 'live'
  | 'recovery'
  | 'replay';

export type PermissionLevel =
  | 'none'
  | 'read'
  | 'write';

export type Role =
  | 'accountant'
  | 'admin'
  | 'developer'
  | 'owner'
  | 'viewer';

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

export type accountEndpointQueryVariables = Exact<{
  account: string;
  id: string;
}>;


export type accountEndpointQuery = { endpoint: { id: string, url: string, active: boolean, disabledReason: DisabledReason | null, maxPerSecond: number | null, backlog: { pendingCount: number, pendingCountIsComplete: boolean, oldestPendingAt: string | null } | null, summary: { state: EndpointState, lastSuccessAt: string | null, lastFailureAt: string | null } | null } };

export type accountEndpointsQueryVariables = Exact<{
  account: string;
  cursor?: string | null | undefined;
}>;


export type accountEndpointsQuery = { endpoints: { data: Array<{ id: string, url: string, active: boolean, disabledReason: DisabledReason | null, maxPerSecond: number | null, backlog: { pendingCount: number, pendingCountIsComplete: boolean, oldestPendingAt: string | null } | null, summary: { state: EndpointState, lastSuccessAt: string | null, lastFailureAt: string | null } | null }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type accountQueryVariables = Exact<{
  id: string;
  since: string;
}>;


export type accountQuery = { account: { id: string, name: string, sendsTraceparent: boolean, createdAt: string }, totals: { members: number, apiKeys: number, endpoints: number, pending: number, pendingIsComplete: boolean, fullSince: string | null, fullDeliveries: number | null, fullBytes: number | null }, lag: { oldestDueSeconds: number, oldestBacklogSeconds: number }, statistics: Array<{ startsAt: string, success: number, failed: number, abandoned: number }> };

export type accountsQueryVariables = Exact<{
  cursor?: string | null | undefined;
  search?: string | null | undefined;
}>;


export type accountsQuery = { accounts: { data: Array<{ id: string, name: string, sendsTraceparent: boolean, createdAt: string }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type attemptsQueryVariables = Exact<{
  account: string;
  endpoint: string;
  event: string;
}>;


export type attemptsQuery = { attempts: { data: Array<{ id: string, status: DeliveryStatus, attempt: number, responseStatus: number | null, failureReason: string | null, nextAttemptAt: string | null, createdAt: string }>, page: { hasMore: boolean } } };

export type deadLetterQueryVariables = Exact<{
  id: string;
}>;


export type deadLetterQuery = { deadLetter: { id: string, accountId: string, endpointId: string, eventId: string, eventType: string, attempt: number, replayedFrom: string | null, reason: string, since: string } };

export type deadLettersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type deadLettersQuery = { deadLetters: Array<{ id: string, accountId: string, endpointId: string, eventId: string, eventType: string, attempt: number, replayedFrom: string | null, reason: string, since: string }> };

export type eventTrailQueryVariables = Exact<{
  id: string;
}>;


export type eventTrailQuery = { trail: { id: string, accountId: string, type: string, version: string, subject: string, test: boolean, occurredAt: string, complete: boolean, endpoints: Array<{ endpointId: string, url: string, endpointState: EndpointState, deleted: boolean, state: TrailState, attempts: number, pendingDeliveryId: string | null, nextAttempt: number | null, dueAt: string | null, latest: { id: string, attempt: number, status: DeliveryStatus, responseStatus: number | null, failureReason: string | null, createdAt: string } | null }> } };

export type eventsAboutQueryVariables = Exact<{
  account: string;
  subject: string;
}>;


export type eventsAboutQuery = { events: { data: Array<{ id: string, type: string, occurredAt: string }>, page: { hasMore: boolean } } };

export type lookUpIdQueryVariables = Exact<{
  text: string;
}>;


export type lookUpIdQuery = { lookup: { id: string, kind: IdKind, found: boolean, madeAt: string | null, accountId: string | null, accountName: string | null, endpointId: string | null, eventId: string | null, resourceId: string | null, subject: string | null, logQuery: string | null } | null };

export type releaseDeadLetterMutationVariables = Exact<{
  id: string;
}>;


export type releaseDeadLetterMutation = { released: { id: string } };

export type serviceStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type serviceStatusQuery = { status: { ready: boolean, fullAccounts: number | null, dependencies: Array<{ name: string, state: DependencyState }>, workers: Array<{ id: string, roles: Array<string>, version: string | null, startedAt: string, seenSeconds: number }> | null, lanes: Array<{ lane: Lane, ready: number, claimed: number, complete: boolean, oldestDueSeconds: number, oldestBacklogSeconds: number }> | null, backlog: { ready: number, claimed: number, waiting: number, isolated: number, deadLettered: number, oldestDueSeconds: number, oldestBacklogSeconds: number } | null, notices: { pending: number, refused: number, oldestPendingSeconds: number } | null, recoveries: { running: number, paused: number } | null, outcomes: { since: string, success: number, failed: number, abandoned: number, complete: boolean } | null, queueDepths: Array<{ kind: string, depth: number }> | null } };

export type viewerQueryVariables = Exact<{ [key: string]: never; }>;


export type viewerQuery = { viewer: { account: { id: string, name: string }, member: { id: string, email: string, role: Role } | null, permissions: { webhooks: PermissionLevel, orders: PermissionLevel } } };

/** An operation that the service executes by its id. `result` and `variables` exist only as types. */
export interface Document<Result, Variables> {
  readonly id: string;
  readonly kind: 'query' | 'mutation';
  readonly result?: Result;
  readonly variables?: Variables;
}

export const accountEndpointDocument = {
  id: 'dc6451b813a8b81efb0c14c9015c8a3b649dafa1fedfc2c703fce197d1cb4fd3',
  kind: 'query',
} as Document<accountEndpointQuery, accountEndpointQueryVariables>;

export const accountEndpointsDocument = {
  id: '5bc7b1b619f4c8373aef54e1a10815667873ead63edb1c09792efd5259343778',
  kind: 'query',
} as Document<accountEndpointsQuery, accountEndpointsQueryVariables>;

export const accountDocument = {
  id: '77988754616ad518da8adfdc3894301bdf1bf9162dd1e58fb45c694a6288e3e9',
  kind: 'query',
} as Document<accountQuery, accountQueryVariables>;

export const accountsDocument = {
  id: 'bac9f762e3474f7611777a516210ec22754f154daa582c7da5059b48b2fe4af2',
  kind: 'query',
} as Document<accountsQuery, accountsQueryVariables>;

export const attemptsDocument = {
  id: '3c6c9ed3586381fae27dfada13604e63f43f8901d08529edcbcf7f706a8d3015',
  kind: 'query',
} as Document<attemptsQuery, attemptsQueryVariables>;

export const deadLetterDocument = {
  id: '2c8f57dc01e4e2eaa857d86e8677ffe6e36697188a75d00cf7b73e067842cd3b',
  kind: 'query',
} as Document<deadLetterQuery, deadLetterQueryVariables>;

export const deadLettersDocument = {
  id: '4292b47fc23b243fa22ce0a1977bc2588f4cc4e858f719f24393b57a50073207',
  kind: 'query',
} as Document<deadLettersQuery, deadLettersQueryVariables>;

export const eventTrailDocument = {
  id: 'f225fd2d64e3c44b1e61b5c4c6bc6fef0263e5ee271914c3346f4c703d1848a5',
  kind: 'query',
} as Document<eventTrailQuery, eventTrailQueryVariables>;

export const eventsAboutDocument = {
  id: '59617714d63c792a2ac5519482428a3138d26e862eb50c69ddf5651bba8e9339',
  kind: 'query',
} as Document<eventsAboutQuery, eventsAboutQueryVariables>;

export const lookUpIdDocument = {
  id: 'b6e741ec579645a01a923c66c1a6503dc0ced4283c8f751f4749763ba26f3049',
  kind: 'query',
} as Document<lookUpIdQuery, lookUpIdQueryVariables>;

export const releaseDeadLetterDocument = {
  id: '867972e897404b1b5a5ff6a500e6fc4c44f1e190953d79b9eccf70a0869b75a9',
  kind: 'mutation',
} as Document<releaseDeadLetterMutation, releaseDeadLetterMutationVariables>;

export const serviceStatusDocument = {
  id: '660482998698c9c2a60eda2fb5de56237c67e4235cc71aaf1fa3227c76379b79',
  kind: 'query',
} as Document<serviceStatusQuery, serviceStatusQueryVariables>;

export const viewerDocument = {
  id: '2cde3793d00f9239c0255ce7734914ada811e65ce858c7945105d858f36c6de8',
  kind: 'query',
} as Document<viewerQuery, viewerQueryVariables>;
