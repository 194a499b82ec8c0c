// Made by "npm run generate" from dashboard/documents; changes belong there.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** How the author of a change was authenticated. */
export type ActorKind =
  | 'api_key'
  | 'command'
  | 'dashboard_token'
  | 'operator'
  | 'portal'
  | 'session';

/** The kind of change. */
export type AuditAction =
  | 'account_created'
  | 'account_erasure_started'
  | 'account_updated'
  | 'buyer_erasure_started'
  | 'checkout_created'
  | 'credential_created'
  | 'credential_revoked'
  | 'dead_letter_released'
  | 'delivery_given_up'
  | 'delivery_replayed'
  | 'endpoint_created'
  | 'endpoint_deleted'
  | 'endpoint_options_changed'
  | 'endpoint_updated'
  | 'event_type_put'
  | 'event_type_retired'
  | 'event_type_unlisted'
  | 'isolated_deliveries_released'
  | 'member_created'
  | 'member_removed'
  | 'member_role_changed'
  | 'offer_cancelled'
  | 'offer_created'
  | 'offer_sent'
  | 'payment_recorded'
  | 'payment_refunded'
  | 'portal_link_created'
  | 'portal_link_revoked'
  | 'portal_session_ended'
  | 'portal_session_opened'
  | 'portal_settings_updated'
  | 'public_key_rotated'
  | 'rate_limit_changed'
  | 'recovery_cancelled'
  | 'recovery_paused'
  | 'recovery_resumed'
  | 'recovery_started'
  | 'session_ended'
  | 'session_opened'
  | 'sign_in_link_printed'
  | 'signing_secret_rotated'
  | 'test_event_sent';

export type ChangeMemberRoleInput = {
  account: string;
  member: string;
  role: Role;
};

export type CheckoutStatus =
  | 'completed'
  | 'expired'
  | 'open';

export type CreateCredentialInput = {
  account: string;
  kind: CredentialKind;
  /** Defaults to full, and to restricted when `webhooks` or `orders` is given. */
  level?: CredentialLevel | null | undefined;
  /** Its holder. Defaults to a new member. */
  member?: string | null | undefined;
  /** Creates a restricted key. Defaults to none if the other level is given. */
  orders?: PermissionLevel | null | undefined;
  /** Role of the holder. Defaults to owner. */
  role?: Role | null | undefined;
  /** Creates a restricted key. Defaults to none if the other level is given. */
  webhooks?: PermissionLevel | null | undefined;
};

export type CreateMemberInput = {
  account: string;
  email: string;
  role: Role;
};

export type CreatePortalLinkInput = {
  /** Required from an internal credential. */
  account?: string | null | undefined;
  /** The member for whom the session acts. A member can only name themselves. */
  member?: string | null | undefined;
  /** What the session may do without a member: `developer` or `viewer`. */
  role?: Role | null | undefined;
  /** Overrides the theme of the settings. */
  theme?: PortalThemeInput | null | undefined;
  /** How long the link can be used: 60 to 604,800 seconds. Defaults to 900. */
  ttlSeconds?: number | null | undefined;
};

export type CreateWebhookEndpointInput = {
  /** Defaults to true. */
  active?: boolean | null | undefined;
  description?: string | null | undefined;
  eventTypes: Array<string>;
  notificationEmail: string;
  url: string;
};

export type CredentialKind =
  | 'dashboard'
  | 'internal'
  | 'legacy'
  | 'live';

export type CredentialLevel =
  | 'full'
  | 'read'
  | 'restricted';

export type DeliveryStatus =
  | 'abandoned'
  | 'failed'
  | 'success';

export type DisabledReason =
  | 'consecutive_failures'
  | 'receiver_gone';

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

export type EndpointStatus =
  | 'active'
  | 'inactive';

/** What the service does with published data that breaks its schema. */
export type EventValidation =
  /** The event is refused. */
  | 'enforce'
  /** The event is published, counted and logged. */
  | 'warn';

export type HeldByState =
  | 'dead_letter'
  | 'due'
  | 'retrying'
  | 'sending';

export type InvoiceType =
  | 'credit_note'
  | 'invoice';

export type OfferStatus =
  | 'accepted'
  | 'cancelled'
  | 'draft'
  | 'expired'
  | 'sent';

export type PaymentStatus =
  | 'charged_back'
  | 'partially_refunded'
  | 'refunded'
  | 'succeeded';

export type PermissionLevel =
  | 'none'
  | 'read'
  | 'write';

/** Light or dark; `system` follows the device of the customer. */
export type PortalScheme =
  | 'dark'
  | 'light'
  | 'system';

export type PortalThemeInput = {
  /** Colour of buttons and links, as `#rrggbb`. A colour with too little contrast is not used. */
  accent?: string | null | undefined;
  /** Background of the page, as `#rrggbb`. A colour with too little contrast is not used. */
  background?: string | null | undefined;
  scheme?: PortalScheme | null | undefined;
};

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

export type RefundPaymentInput = {
  amountMinorUnits?: number | null | undefined;
  /** At most 500 characters. */
  note?: string | null | undefined;
  reason?: RefundReason | null | undefined;
  /** The refunded amount that the caller has read. If it has changed, nothing is refunded, so a repeated request refunds once. */
  refundedMinorUnits?: number | null | undefined;
};

export type RefundReason =
  | 'duplicate'
  | 'fraudulent'
  | 'other'
  | 'requested_by_customer';

export type RefundStatus =
  | 'failed'
  | 'pending'
  | 'succeeded';

export type ResponseBodyEncoding =
  | 'hex'
  | 'text';

export type Role =
  | 'accountant'
  | 'admin'
  | 'developer'
  | 'owner'
  | 'viewer';

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

export type StatisticsSpan =
  | 'day'
  | 'hour';

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

export type UpdatePortalSettingsInput = {
  /** Required from an internal credential. */
  account?: string | null | undefined;
  /** A PNG, JPEG or WebP of at most 32 KiB as a `data:` URL. Null removes it. Absent: unchanged. */
  logo?: string | null | undefined;
  /** All origins that may frame the portal, at most 10: `https://…`, or `http://localhost:…`. Absent: unchanged. */
  origins?: Array<string> | null | undefined;
  /** Absent: unchanged. */
  theme?: PortalThemeInput | null | undefined;
};

/** Absent fields keep their values. Only `description` may be null. */
export type UpdateWebhookEndpointInput = {
  active?: boolean | null | undefined;
  description?: string | null | undefined;
  eventTypes?: Array<string> | null | undefined;
  notificationEmail?: string | null | undefined;
  url?: string | null | undefined;
};

export type apiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type apiKeysQuery = { apiKeys: Array<{ id: string, last4: string, kind: CredentialKind, level: CredentialLevel, webhooks: PermissionLevel, orders: PermissionLevel, createdAt: string, lastUsedAt: string | null }> };

export type auditLogQueryVariables = Exact<{
  cursor?: string | null | undefined;
  member?: string | null | undefined;
  action?: AuditAction | null | undefined;
  resource?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type auditLogQuery = { auditLog: { data: Array<{ id: string, action: AuditAction, resourceId: string | null, actorKind: ActorKind, credentialId: string | null, memberEmail: string | null, address: string | null, userAgent: string | null, createdAt: string, changes: Array<{ field: string, from: string | null, to: string | null }> }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type cancelOfferMutationVariables = Exact<{
  id: string;
}>;


export type cancelOfferMutation = { cancelOffer: { id: string } };

export type cancelRecoveryMutationVariables = Exact<{
  id: string;
}>;


export type cancelRecoveryMutation = { changed: { id: string, endpointId: string, what: RecoveryKind, since: string, until: string, eventTypes: Array<string> | null, ratePerSecond: number, status: RecoveryStatus, reason: string | null, waitsFor: string | null, position: string, failed: number, missed: number, waiting: number, delivered: number | null, retrying: number, abandoned: number, createdAt: string, endedAt: string | null } };

export type changeMemberRoleMutationVariables = Exact<{
  input: ChangeMemberRoleInput;
}>;


export type changeMemberRoleMutation = { member: { id: string } };

export type checkoutQueryVariables = Exact<{
  id: string;
}>;


export type checkoutQuery = { checkout: { id: string, status: CheckoutStatus, externalReference: string, createdAt: string, expiresAt: string, checkoutUrl: string | null, successUrl: string, cancelUrl: string, order: { id: string } | null, totals: { currency: string, subtotalMinorUnits: number, discountMinorUnits: number, shippingMinorUnits: number, taxMinorUnits: number, totalMinorUnits: number } } };

export type checkoutsQueryVariables = Exact<{
  cursor?: string | null | undefined;
}>;


export type checkoutsQuery = { checkouts: { data: Array<{ id: string, status: CheckoutStatus, createdAt: string, externalReference: string, totals: { currency: string, totalMinorUnits: number } }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type createApiKeyMutationVariables = Exact<{
  input: CreateCredentialInput;
}>;


export type createApiKeyMutation = { issued: { id: string, token: string } };

export type createEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type createEndpointMutation = { created: { id: string, url: string, signingSecret: string } };

export type createMemberMutationVariables = Exact<{
  input: CreateMemberInput;
}>;


export type createMemberMutation = { member: { id: string } };

export type createPortalLinkMutationVariables = Exact<{
  input: CreatePortalLinkInput;
}>;


export type createPortalLinkMutation = { created: { id: string, url: string, expiresAt: string } };

export type deleteEndpointMutationVariables = Exact<{
  id: string;
}>;


export type deleteEndpointMutation = { deleted: boolean };

export type deliveriesQueryVariables = Exact<{
  cursor?: string | null | undefined;
  endpoint?: string | null | undefined;
  event?: string | null | undefined;
  eventType?: string | null | undefined;
  status?: DeliveryStatus | null | undefined;
  since?: string | null | undefined;
  until?: string | null | undefined;
}>;


export type deliveriesQuery = { deliveries: { data: Array<{ id: string, status: DeliveryStatus, attempt: number, maxAttempts: number, createdAt: string, durationMs: number | null, responseStatus: number | null, failureReason: string | null, eventId: string, eventType: string, test: boolean, replayedFrom: string | null, endpoint: { id: string, url: string } | null }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type deliveryQueryVariables = Exact<{
  id: string;
}>;


export type deliveryQuery = { delivery: { id: string, status: DeliveryStatus, attempt: number, maxAttempts: number, createdAt: string, durationMs: number | null, responseStatus: number | null, failureReason: string | null, eventId: string, eventType: string, test: boolean, replayedFrom: string | null, deliveredAt: string | null, nextAttemptAt: string | null, eventVersion: string, endpoint: { id: string, url: string } | null, evidence: { url: string, failure: string | null, warning: string | null, address: string | null, tlsVersion: string | null, requestHeaders: Array<{ name: string, value: string }>, responseHeaders: Array<{ name: string, value: string }> | null, responseBody: { content: string, encoding: ResponseBodyEncoding, truncated: boolean } | null, timings: { lookupMs: number | null, connectMs: number | null, tlsMs: number | null, firstByteMs: number | null, totalMs: number | null } } | null } };

export type endOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type endOtherSessionsMutation = { ended: number };

export type endPortalSessionMutationVariables = Exact<{
  id: string;
}>;


export type endPortalSessionMutation = { endPortalSession: boolean };

export type endPortalSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type endPortalSessionsMutation = { ended: number };

export type endSessionMutationVariables = Exact<{
  id: string;
}>;


export type endSessionMutation = { ended: boolean };

export type endpointDisablingQueryVariables = Exact<{
  id: string;
}>;


export type endpointDisablingQuery = { auditLog: { data: Array<{ actorKind: ActorKind, memberEmail: string | null, createdAt: string, changes: Array<{ field: string, to: string | null }> }> } };

export type endpointFailuresQueryVariables = Exact<{
  since: string;
}>;


export type endpointFailuresQuery = { failures: Array<{ failed: number, abandoned: number, endpoint: { id: string, url: string } | null }> };

export type endpointHealthQueryVariables = Exact<{
  id: string;
}>;


export type endpointHealthQuery = { health: { id: string, state: EndpointState, disabledReason: DisabledReason | null, failingSince: string | null, failureCount: number, disablesAt: string | null, failuresUntilDisabled: number | null, lastSuccessAt: string | null, lastFailureAt: string | null, pendingCount: number, pendingCountIsComplete: boolean, oldestPendingAt: string | null } };

export type endpointOptionsQueryVariables = Exact<{
  cursor?: string | null | undefined;
}>;


export type endpointOptionsQuery = { endpoints: { data: Array<{ id: string, url: string, description: string | null, active: boolean }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type endpointQueryVariables = Exact<{
  id: string;
}>;


export type endpointQuery = { endpoint: { id: string, url: string, active: boolean, description: string | null, notificationEmail: string, eventTypes: Array<string>, disabledReason: DisabledReason | null, createdAt: string, updatedAt: string, maxPerSecond: number | null, options: { ordering: EndpointOrdering | null, filter: string | null, retrySchedule: { name: string, delaysSeconds: Array<number> }, headers: { names: Array<string>, setAt: string, sent: boolean } | null, publicKeySignature: { url: string, keys: Array<{ publicKey: string, expiresAt: string | null }> } | null } } };

export type endpointsQueryVariables = Exact<{
  cursor?: string | null | undefined;
  status?: EndpointStatus | null | undefined;
}>;


export type endpointsQuery = { endpoints: { data: Array<{ id: string, url: string, active: boolean, description: string | null, notificationEmail: string, eventTypes: Array<string>, disabledReason: DisabledReason | null, createdAt: string, updatedAt: string, maxPerSecond: number | null, summary: { state: EndpointState, lastSuccessAt: string | null } | null }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type eventAtEndpointQueryVariables = Exact<{
  event: string;
  endpoint: string;
}>;


export type eventAtEndpointQuery = { trail: { state: TrailState, at: string | null, filter: string | null, filterChangedAt: string | null, matches: boolean | null, ahead: number | null, attempts: number, nextAttempt: number | null, dueAt: string | null, endpointState: EndpointState } };

export type eventBodyQueryVariables = Exact<{
  id: string;
}>;


export type eventBodyQuery = { event: { id: string, body: string } };

export type eventTypeQueryVariables = Exact<{
  id: string;
}>;


export type eventTypeQuery = { eventType: { id: string, category: string, summary: string, description: string, listed: boolean, offered: boolean, sent: boolean, validation: EventValidation, versions: Array<{ version: string, schema: Record<string, unknown>, example: Record<string, unknown> }> } };

export type eventTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type eventTypesQuery = { eventTypes: { data: Array<{ id: string, category: string, summary: string, sent: boolean, acceptsNewSubscriptions: boolean }> } };

export type eventQueryVariables = Exact<{
  id: string;
}>;


export type eventQuery = { event: { id: string, type: string, version: string, subject: string, occurredAt: string, test: boolean } };

export type firstEndpointQueryVariables = Exact<{ [key: string]: never; }>;


export type firstEndpointQuery = { endpoints: { data: Array<{ id: string }> } };

export type giveUpDeliveryMutationVariables = Exact<{
  id: string;
}>;


export type giveUpDeliveryMutation = { givenUp: boolean };

export type heldSubjectsQueryVariables = Exact<{
  endpoint: string;
}>;


export type heldSubjectsQuery = { held: Array<{ subject: string, waiting: number, waitingIsComplete: boolean, heldBy: { pendingDeliveryId: string, eventId: string, eventType: string, state: HeldByState, attempt: number, dueAt: string, lastDeliveryId: string | null } | null }> };

export type invoiceQueryVariables = Exact<{
  id: string;
}>;


export type invoiceQuery = { invoice: { id: string, number: string, type: InvoiceType, order: string, payment: string, refund: string | null, issuedAt: string, pdfUrl: string, buyer: { email: string, name: string | null, country: string | null }, totals: { currency: string, subtotalMinorUnits: number, discountMinorUnits: number, shippingMinorUnits: number, taxMinorUnits: number, totalMinorUnits: number } } };

export type invoicesQueryVariables = Exact<{
  page: number;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  buyerEmail?: string | null | undefined;
  number?: string | null | undefined;
}>;


export type invoicesQuery = { invoices: { data: Array<{ id: string, number: string, type: InvoiceType, issuedAt: string, currency: string, buyer: { email: string, name: string | null }, totals: { totalMinorUnits: number } }>, pagination: { currentPage: number, totalPages: number, totalCount: number } } };

export type membersQueryVariables = Exact<{ [key: string]: never; }>;


export type membersQuery = { members: Array<{ id: string, email: string, role: Role, createdAt: string }> };

export type offerQueryVariables = Exact<{
  id: string;
}>;


export type offerQuery = { offer: { id: string, title: string, message: string | null, status: OfferStatus, recipientEmail: string, offerUrl: string, order: string | null, sendCount: number, createdAt: string, sentAt: string | null, acceptedAt: string | null, cancelledAt: string | null, expiresAt: string, lineItems: Array<{ quantity: number, unitAmountMinorUnits: number, discountMinorUnits: number, totalMinorUnits: number, product: { name: string } }>, totals: { currency: string, subtotalMinorUnits: number, discountMinorUnits: number, shippingMinorUnits: number, taxMinorUnits: number, totalMinorUnits: number } } };

export type offersQueryVariables = Exact<{
  page: number;
}>;


export type offersQuery = { offers: { data: Array<{ id: string, title: string, status: OfferStatus, recipientEmail: string, createdAt: string, currency: string, totals: { totalMinorUnits: number } }>, pagination: { currentPage: number, totalPages: number, totalCount: number } } };

export type orderQueryVariables = Exact<{
  id: string;
}>;


export type orderQuery = { order: { id: string, checkout: string | null, createdAt: string, completedAt: string, currency: string, refundedMinorUnits: number, externalReference: string, paymentIds: Array<string>, invoiceIds: Array<string>, buyer: { email: string, name: string | null, country: string | null }, lineItems: Array<{ quantity: number, unitAmountMinorUnits: number, discountMinorUnits: number, totalMinorUnits: number, product: { name: string } }>, totals: { currency: string, subtotalMinorUnits: number, discountMinorUnits: number, shippingMinorUnits: number, taxMinorUnits: number, totalMinorUnits: number } } };

export type ordersQueryVariables = Exact<{
  page: number;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  buyerEmail?: string | null | undefined;
  number?: string | null | undefined;
}>;


export type ordersQuery = { orders: { data: Array<{ id: string, createdAt: string, currency: string, refundedMinorUnits: number, externalReference: string, buyer: { email: string, name: string | null }, totals: { totalMinorUnits: number } }>, pagination: { currentPage: number, totalPages: number, totalCount: number } } };

export type pauseRecoveryMutationVariables = Exact<{
  id: string;
}>;


export type pauseRecoveryMutation = { changed: { id: string, endpointId: string, what: RecoveryKind, since: string, until: string, eventTypes: Array<string> | null, ratePerSecond: number, status: RecoveryStatus, reason: string | null, waitsFor: string | null, position: string, failed: number, missed: number, waiting: number, delivered: number | null, retrying: number, abandoned: number, createdAt: string, endedAt: string | null } };

export type paymentQueryVariables = Exact<{
  id: string;
}>;


export type paymentQuery = { payment: { id: string, order: string, status: PaymentStatus, currency: string, amountMinorUnits: number, refundedMinorUnits: number, feeMinorUnits: number, netMinorUnits: number, method: string, buyerEmail: string, createdAt: string, cashFlowAt: string | null } };

export type paymentsQueryVariables = Exact<{
  page: number;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  buyerEmail?: string | null | undefined;
}>;


export type paymentsQuery = { payments: { data: Array<{ id: string, createdAt: string, currency: string, amountMinorUnits: number, status: PaymentStatus, buyerEmail: string }>, pagination: { currentPage: number, totalPages: number, totalCount: number } } };

export type portalSessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type portalSessionsQuery = { portalSessions: Array<{ id: string, linkId: string, memberId: string | null, role: Role, userAgent: string, createdAt: string, lastUsedAt: string }>, portalLinks: Array<{ id: string, role: Role, makerId: string | null, createdAt: string, expiresAt: string }> };

export type portalSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type portalSettingsQuery = { portalSettings: { origins: Array<string>, logo: string | null, theme: { scheme: PortalScheme | null, accent: string | null, background: string | null } } };

export type previewRecoveryQueryVariables = Exact<{
  input: RecoveryRangeInput;
}>;


export type previewRecoveryQuery = { preview: { failed: number, missed: number, oldest: string | null, newest: string | null, complete: boolean, countedUntil: string, estimatedSeconds: number } };

export type recoverableQueryVariables = Exact<{
  id: string;
}>;


export type recoverableQuery = { health: { id: string, lastSuccessAt: string | null, recoverable: { failed: number, missed: number, complete: boolean } } };

export type recoveriesQueryVariables = Exact<{
  cursor?: string | null | undefined;
  status?: RecoveryStatus | null | undefined;
}>;


export type recoveriesQuery = { recoveries: { data: Array<{ id: string, endpointId: string, what: RecoveryKind, since: string, until: string, eventTypes: Array<string> | null, ratePerSecond: number, status: RecoveryStatus, reason: string | null, waitsFor: string | null, position: string, failed: number, missed: number, waiting: number, delivered: number | null, retrying: number, abandoned: number, createdAt: string, endedAt: string | null }>, page: { hasMore: boolean, nextCursor: string | null } } };

export type recoveryQueryVariables = Exact<{
  id: string;
}>;


export type recoveryQuery = { recovery: { id: string, endpointId: string, what: RecoveryKind, since: string, until: string, eventTypes: Array<string> | null, ratePerSecond: number, status: RecoveryStatus, reason: string | null, waitsFor: string | null, position: string, failed: number, missed: number, waiting: number, delivered: number | null, retrying: number, abandoned: number, createdAt: string, endedAt: string | null } };

export type refundPaymentMutationVariables = Exact<{
  id: string;
  input: RefundPaymentInput;
}>;


export type refundPaymentMutation = { refundPayment: { id: string } };

export type refundQueryVariables = Exact<{
  id: string;
}>;


export type refundQuery = { refund: { id: string, order: string, payment: string, status: RefundStatus, reason: RefundReason | null, note: string | null, currency: string, amountMinorUnits: number, createdAt: string, cashFlowAt: string | null } };

export type refundsQueryVariables = Exact<{
  page: number;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  buyerEmail?: string | null | undefined;
  number?: string | null | undefined;
}>;


export type refundsQuery = { refunds: { data: Array<{ id: string, createdAt: string, currency: string, amountMinorUnits: number, status: RefundStatus, reason: RefundReason | null }>, pagination: { currentPage: number, totalPages: number, totalCount: number } } };

export type removeMemberMutationVariables = Exact<{
  id: string;
}>;


export type removeMemberMutation = { removed: boolean };

export type replayDeliveryMutationVariables = Exact<{
  id: string;
}>;


export type replayDeliveryMutation = { replay: { id: string, status: DeliveryStatus, attempt: number, maxAttempts: number, createdAt: string, durationMs: number | null, responseStatus: number | null, failureReason: string | null, eventId: string, eventType: string, test: boolean, replayedFrom: string | null, endpoint: { id: string, url: string } | null } };

export type resendOfferMutationVariables = Exact<{
  id: string;
}>;


export type resendOfferMutation = { resendOffer: { id: string } };

export type resumeRecoveryMutationVariables = Exact<{
  id: string;
}>;


export type resumeRecoveryMutation = { changed: { id: string, endpointId: string, what: RecoveryKind, since: string, until: string, eventTypes: Array<string> | null, ratePerSecond: number, status: RecoveryStatus, reason: string | null, waitsFor: string | null, position: string, failed: number, missed: number, waiting: number, delivered: number | null, retrying: number, abandoned: number, createdAt: string, endedAt: string | null } };

export type retrySchedulesQueryVariables = Exact<{ [key: string]: never; }>;


export type retrySchedulesQuery = { retrySchedules: Array<{ name: string, delaysSeconds: Array<number> }> };

export type revokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type revokeApiKeyMutation = { revoked: boolean };

export type rotatePublicKeyMutationVariables = Exact<{
  id: string;
}>;


export type rotatePublicKeyMutation = { endpoint: { id: string, maxPerSecond: number | null, options: { ordering: EndpointOrdering | null, filter: string | null, retrySchedule: { name: string, delaysSeconds: Array<number> }, headers: { names: Array<string>, setAt: string, sent: boolean } | null, publicKeySignature: { url: string, keys: Array<{ publicKey: string, expiresAt: string | null }> } | null } } };

export type rotateSecretMutationVariables = Exact<{
  id: string;
}>;


export type rotateSecretMutation = { rotated: { id: string, signingSecret: string } };

export type sendOfferMutationVariables = Exact<{
  id: string;
}>;


export type sendOfferMutation = { sendOffer: { id: string } };

export type sendTestEventMutationVariables = Exact<{
  endpoint: string;
  type: string;
}>;


export type sendTestEventMutation = { event: { id: string } };

export type sessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type sessionsQuery = { sessions: Array<{ id: string, userAgent: string, createdAt: string, lastUsedAt: string, expiresAt: string, current: boolean }> };

export type setEndpointOptionsMutationVariables = Exact<{
  id: string;
  input: EndpointOptionsInput;
}>;


export type setEndpointOptionsMutation = { endpoint: { id: string, maxPerSecond: number | null, options: { ordering: EndpointOrdering | null, filter: string | null, retrySchedule: { name: string, delaysSeconds: Array<number> }, headers: { names: Array<string>, setAt: string, sent: boolean } | null, publicKeySignature: { url: string, keys: Array<{ publicKey: string, expiresAt: string | null }> } | null } } };

export type setRateLimitMutationVariables = Exact<{
  id: string;
  maxPerSecond?: number | null | undefined;
}>;


export type setRateLimitMutation = { endpoint: { id: string, url: string, active: boolean, description: string | null, notificationEmail: string, eventTypes: Array<string>, disabledReason: DisabledReason | null, createdAt: string, updatedAt: string, maxPerSecond: number | null } };

export type startRecoveryMutationVariables = Exact<{
  input: StartRecoveryInput;
}>;


export type startRecoveryMutation = { started: { id: string, endpointId: string, what: RecoveryKind, since: string, until: string, eventTypes: Array<string> | null, ratePerSecond: number, status: RecoveryStatus, reason: string | null, waitsFor: string | null, position: string, failed: number, missed: number, waiting: number, delivered: number | null, retrying: number, abandoned: number, createdAt: string, endedAt: string | null } };

export type statisticsQueryVariables = Exact<{
  by: StatisticsSpan;
  since: string;
}>;


export type statisticsQuery = { statistics: Array<{ startsAt: string, success: number, failed: number, abandoned: number, attempts: number, latency: { p50Ms: number, p95Ms: number } | null }>, lag: { oldestDueSeconds: number, oldestBacklogSeconds: number } };

export type tryFilterQueryVariables = Exact<{
  id: string;
  filter: string;
}>;


export type tryFilterQuery = { events: Array<{ id: string, type: string, subject: string, occurredAt: string, matches: boolean }> };

export type updateEndpointMutationVariables = Exact<{
  id: string;
  input: UpdateWebhookEndpointInput;
  reason?: string | null | undefined;
}>;


export type updateEndpointMutation = { endpoint: { id: string, url: string, active: boolean, description: string | null, notificationEmail: string, eventTypes: Array<string>, disabledReason: DisabledReason | null, createdAt: string, updatedAt: string, maxPerSecond: number | null } };

export type updatePortalSettingsMutationVariables = Exact<{
  input: UpdatePortalSettingsInput;
}>;


export type updatePortalSettingsMutation = { updatePortalSettings: { origins: Array<string> } };

export type viewerQueryVariables = Exact<{ [key: string]: never; }>;


export type viewerQuery = { viewer: { account: { id: string, name: string }, member: { id: string, email: string, role: Role } | null, permissions: { webhooks: PermissionLevel, orders: PermissionLevel }, portal: { role: Role, theme: { scheme: PortalScheme | null, accent: string | null, background: string | null } } | null } };

/** An operation that the service executes by its id. `result` and `variables` exist only as types. */
export interface Document<Result, Variables> {
  readonly id: string;
  readonly kind: 'query' | 'mutation';
  readonly result?: Result;
  readonly variables?: Variables;
}

export const apiKeysDocument = {
  id: '29665cff18d58cdf428e35fac1d6df3281f52490b5751b31388a9b27a383aa23',
  kind: 'query',
} as Document<apiKeysQuery, apiKeysQueryVariables>;

export const auditLogDocument = {
  id: '0e4b656c0bdd04fb791b01f2a9b8618432c9eeedce137bb094906901a19e06f7',
  kind: 'query',
} as Document<auditLogQuery, auditLogQueryVariables>;

export const cancelOfferDocument = {
  id: 'fe8dc7851cbc4ab6c2f0be8449a0eca45356c2984beec28c81f3030fd1b8fe4d',
  kind: 'mutation',
} as Document<cancelOfferMutation, cancelOfferMutationVariables>;

export const cancelRecoveryDocument = {
  id: 'ce5a9ef4359097124dbaaabf8e93e44b03d8fc9e02932d1ff74f7e1ac6116c08',
  kind: 'mutation',
} as Document<cancelRecoveryMutation, cancelRecoveryMutationVariables>;

export const changeMemberRoleDocument = {
  id: '2a7573523c63d2e626c1769d07edaf1ddb3146e7b01ad3e651872c49b48b9adc',
  kind: 'mutation',
} as Document<changeMemberRoleMutation, changeMemberRoleMutationVariables>;

export const checkoutDocument = {
  id: 'b2289ee9458f9297f86fe0fdae3af9669c6b09c36adc1f102f2b111df687a53f',
  kind: 'query',
} as Document<checkoutQuery, checkoutQueryVariables>;

export const checkoutsDocument = {
  id: 'fa85c0c96edd6d4f4016d88505991954df841f9491df7117b84ed711e1f32c81',
  kind: 'query',
} as Document<checkoutsQuery, checkoutsQueryVariables>;

export const createApiKeyDocument = {
  id: 'bc295de2a567450cd8caa11f83fb53e16c07d8ec82173bacd3c13c109cb73b1b',
  kind: 'mutation',
} as Document<createApiKeyMutation, createApiKeyMutationVariables>;

export const createEndpointDocument = {
  id: 'a7788f95bbb4bee2e4abcb0a192e36c07f0cf2f6356c465dee7d3b62340e4391',
  kind: 'mutation',
} as Document<createEndpointMutation, createEndpointMutationVariables>;

export const createMemberDocument = {
  id: '9e4218448a2049c15ae56b78fbb9c8985b452ef0f8b5f168d5d0289ddf67990f',
  kind: 'mutation',
} as Document<createMemberMutation, createMemberMutationVariables>;

export const createPortalLinkDocument = {
  id: 'ccb5e7c14947129d14fbfc1a04cf9de1b4afe86eb70ae981aed0608a6ec37218',
  kind: 'mutation',
} as Document<createPortalLinkMutation, createPortalLinkMutationVariables>;

export const deleteEndpointDocument = {
  id: 'aac0d4b2214f89198d7e97dc3adef64e83500a3fdc65325de9e648dc46f2d9c6',
  kind: 'mutation',
} as Document<deleteEndpointMutation, deleteEndpointMutationVariables>;

export const deliveriesDocument = {
  id: '28ed97abe8dc5c94809eb7df0acc8c902fdedbfcbefa4ef5385b0df6ba49f13a',
  kind: 'query',
} as Document<deliveriesQuery, deliveriesQueryVariables>;

export const deliveryDocument = {
  id: '873944c82ec558eef639c183a8e2b989ac7591119732cc133040d45a9885ed00',
  kind: 'query',
} as Document<deliveryQuery, deliveryQueryVariables>;

export const endOtherSessionsDocument = {
  id: '2fcf68789b85a420ebb2fba6006511d194ac6b0f3ebce9a39e6d6f1592cee5c1',
  kind: 'mutation',
} as Document<endOtherSessionsMutation, endOtherSessionsMutationVariables>;

export const endPortalSessionDocument = {
  id: '35487eb8e07443c7157c0587083aa24f64b3f8e7ce861959ed62b414b68a19f7',
  kind: 'mutation',
} as Document<endPortalSessionMutation, endPortalSessionMutationVariables>;

export const endPortalSessionsDocument = {
  id: 'b31deebb6e4c76ecee219fcf47a16a35ff5f46a0f24a06329cf23cad18742015',
  kind: 'mutation',
} as Document<endPortalSessionsMutation, endPortalSessionsMutationVariables>;

export const endSessionDocument = {
  id: 'ceb35b12aba5c0aabc8920c19fc0b7a8436a1466a4adca72f0cbc7c3e51bb361',
  kind: 'mutation',
} as Document<endSessionMutation, endSessionMutationVariables>;

export const endpointDisablingDocument = {
  id: '497d60d84098f9f4d5e72acb6e67a5b6811ba2fd6f32c9ba9c0fe255f4f268b7',
  kind: 'query',
} as Document<endpointDisablingQuery, endpointDisablingQueryVariables>;

export const endpointFailuresDocument = {
  id: '59eb02ba0a1cc55b6dfc71e8fec0d84dbaec1ac3d1c19c2c817ca313b1440cbc',
  kind: 'query',
} as Document<endpointFailuresQuery, endpointFailuresQueryVariables>;

export const endpointHealthDocument = {
  id: 'a3e50d92b8d42a10921d9ef3b6d18a91ec5e22b2b07998328b6aac62b66b01da',
  kind: 'query',
} as Document<endpointHealthQuery, endpointHealthQueryVariables>;

export const endpointOptionsDocument = {
  id: 'c9a119d80f90a7bdbcd5b562edb030c5def6bb30797ed92b15ddb476235ed53a',
  kind: 'query',
} as Document<endpointOptionsQuery, endpointOptionsQueryVariables>;

export const endpointDocument = {
  id: '509b90e500a4f9bc2915276a92b4a58bf424f5398a79b8e65246cae819b33710',
  kind: 'query',
} as Document<endpointQuery, endpointQueryVariables>;

export const endpointsDocument = {
  id: '1189e873e7850dfe5a7ca09186692e9a5035ed188198eae68c3c4cde0b4a6ec6',
  kind: 'query',
} as Document<endpointsQuery, endpointsQueryVariables>;

export const eventAtEndpointDocument = {
  id: 'ee27f8bd2e46afaf002add2196c61c2c19204cbd12c05d3a77c97b5fe7c599d6',
  kind: 'query',
} as Document<eventAtEndpointQuery, eventAtEndpointQueryVariables>;

export const eventBodyDocument = {
  id: '71d923004914da8984e172157cd5319ae9ff80169221247a3d7025f3536809f9',
  kind: 'query',
} as Document<eventBodyQuery, eventBodyQueryVariables>;

export const eventTypeDocument = {
  id: '338d100483a43b0cd35ae9341cb9d318b26a73b0042fb996ac41c671d323e0c1',
  kind: 'query',
} as Document<eventTypeQuery, eventTypeQueryVariables>;

export const eventTypesDocument = {
  id: 'dbe569fb16aae55459ab1bba9a28395ed0f99f257d5a3cd2fa8dd2f94cc0adf7',
  kind: 'query',
} as Document<eventTypesQuery, eventTypesQueryVariables>;

export const eventDocument = {
  id: 'b9124342d09eab8ca574bdcf807e92964a2906fbc529a507f3f9d8fe6aeda5bf',
  kind: 'query',
} as Document<eventQuery, eventQueryVariables>;

export const firstEndpointDocument = {
  id: 'f31c6b46e128fd7516a4e0fca8835c65e935487a5b5ce1e3899ce1a3c2393e9e',
  kind: 'query',
} as Document<firstEndpointQuery, firstEndpointQueryVariables>;

export const giveUpDeliveryDocument = {
  id: '047d3710815ab4a1863dc8a08dbd6f61c8d0c931be7494ae0bff951db3f387a2',
  kind: 'mutation',
} as Document<giveUpDeliveryMutation, giveUpDeliveryMutationVariables>;

export const heldSubjectsDocument = {
  id: '8a790d8df415f20005ba5acb671503e90032106bd3e3c51c8941d4f187003453',
  kind: 'query',
} as Document<heldSubjectsQuery, heldSubjectsQueryVariables>;

export const invoiceDocument = {
  id: '60030d5541f4bf0ca22502c26bf9a6fa72e0d151495a2c6c0a169de3b965dcb5',
  kind: 'query',
} as Document<invoiceQuery, invoiceQueryVariables>;

export const invoicesDocument = {
  id: '35abd9cbbb725716a0f8668bf867cf49078edbb852d825c744ce34211aac013c',
  kind: 'query',
} as Document<invoicesQuery, invoicesQueryVariables>;

export const membersDocument = {
  id: '522898ac1857b9232316fc0a486b31137c5e99f883d39d1f8d1d0ea4168960dd',
  kind: 'query',
} as Document<membersQuery, membersQueryVariables>;

export const offerDocument = {
  id: '05b1ef1cbd5275d4115ae29b228d812c1de386ec54b3a65dcdf33d0cc07017ae',
  kind: 'query',
} as Document<offerQuery, offerQueryVariables>;

export const offersDocument = {
  id: 'df4a59196937162ca877e703f9b0811b137240a1c629c29a20d1973271f08b04',
  kind: 'query',
} as Document<offersQuery, offersQueryVariables>;

export const orderDocument = {
  id: '8ab61bd1de2db554a7ecb351f26ac5b5ac6ca77b835575fa5b44dadb620d3e06',
  kind: 'query',
} as Document<orderQuery, orderQueryVariables>;

export const ordersDocument = {
  id: '793524e6fe45847440cc29a2c952dc92d65b10d767ad3bd8a9f4dd5f7a776623',
  kind: 'query',
} as Document<ordersQuery, ordersQueryVariables>;

export const pauseRecoveryDocument = {
  id: '550449b2da2cd65cd190ed2995ac2bda45620325f7a142f305435063525066bb',
  kind: 'mutation',
} as Document<pauseRecoveryMutation, pauseRecoveryMutationVariables>;

export const paymentDocument = {
  id: 'b8f876d4fa6aade748620ce2d49981f368dc3adbd676dea1553b908bbb254772',
  kind: 'query',
} as Document<paymentQuery, paymentQueryVariables>;

export const paymentsDocument = {
  id: '2ca87be224146334b5ce48e36d6e0c637525a18e5c493aa25e39f43f5d8ef108',
  kind: 'query',
} as Document<paymentsQuery, paymentsQueryVariables>;

export const portalSessionsDocument = {
  id: 'cd6d806d1ea9cf2177c7e180c881607c0ac3d85fcce4e2a738f9b0ac880307bd',
  kind: 'query',
} as Document<portalSessionsQuery, portalSessionsQueryVariables>;

export const portalSettingsDocument = {
  id: 'da084f6ff761f4aae0508f4ff12d036068aa98acf33a1c985aee345f50238b89',
  kind: 'query',
} as Document<portalSettingsQuery, portalSettingsQueryVariables>;

export const previewRecoveryDocument = {
  id: 'c5d6b36f8d64425b427eed342fc255f42aeb6c41ef8ec1aa45f8b985c83694f7',
  kind: 'query',
} as Document<previewRecoveryQuery, previewRecoveryQueryVariables>;

export const recoverableDocument = {
  id: '6a2521273142abd8e59692d6aa5645dfafda928e4f721953026eaeadb0823409',
  kind: 'query',
} as Document<recoverableQuery, recoverableQueryVariables>;

export const recoveriesDocument = {
  id: 'ff612838b25f271c4ee387e13fe02bd96c5a03c49ce64676fa57a265f012fc93',
  kind: 'query',
} as Document<recoveriesQuery, recoveriesQueryVariables>;

export const recoveryDocument = {
  id: 'e3282365f4c48f1c7cedb2a4899a7908fac10ad5ca70d002fe8cfbcdb5bae132',
  kind: 'query',
} as Document<recoveryQuery, recoveryQueryVariables>;

export const refundPaymentDocument = {
  id: 'a401e100d731027da9d46fe491300481f7a9ef723011aca372f765ff1132cdfa',
  kind: 'mutation',
} as Document<refundPaymentMutation, refundPaymentMutationVariables>;

export const refundDocument = {
  id: '9070811f3235e6019d44ff73fd8b4ec2619fe67d404d677a82b9b55836acf665',
  kind: 'query',
} as Document<refundQuery, refundQueryVariables>;

export const refundsDocument = {
  id: '2461b21775b62e55c45b991f6ed456ea4efc81c1fecb177180492dda4ed74412',
  kind: 'query',
} as Document<refundsQuery, refundsQueryVariables>;

export const removeMemberDocument = {
  id: '164e79f5b2eaefc25d7b397eb23e86140d370c242d2db10f3483e2ec646348aa',
  kind: 'mutation',
} as Document<removeMemberMutation, removeMemberMutationVariables>;

export const replayDeliveryDocument = {
  id: '1c08a5817e63dc12e218f9d18c0c530df0d79b224ad922a47b37e90e6a2b1df8',
  kind: 'mutation',
} as Document<replayDeliveryMutation, replayDeliveryMutationVariables>;

export const resendOfferDocument = {
  id: '65aaaba04f050ad16ad70a9532fd9e90e8c2756826278f96930015f4c2e9b637',
  kind: 'mutation',
} as Document<resendOfferMutation, resendOfferMutationVariables>;

export const resumeRecoveryDocument = {
  id: '125c1e13623841ea3759abebf2503c221034873e63db623c312494e8fe57c764',
  kind: 'mutation',
} as Document<resumeRecoveryMutation, resumeRecoveryMutationVariables>;

export const retrySchedulesDocument = {
  id: 'ff65e929627656b2dc8d9c192920e98b503f73d1e6b13aca1de75a3da708a14d',
  kind: 'query',
} as Document<retrySchedulesQuery, retrySchedulesQueryVariables>;

export const revokeApiKeyDocument = {
  id: '04e4e028a1c3b19031235e02295ed0629609c64e84163e6095f6a998310d612d',
  kind: 'mutation',
} as Document<revokeApiKeyMutation, revokeApiKeyMutationVariables>;

export const rotatePublicKeyDocument = {
  id: 'c7dcaf0104a69196fdfafe66a00d5cad5828d8c14d6bd7c30746088b5a20b97c',
  kind: 'mutation',
} as Document<rotatePublicKeyMutation, rotatePublicKeyMutationVariables>;

export const rotateSecretDocument = {
  id: '4f99b7ed3ce6fe46daabca81d87a33a528bdfc56493fa0ee0b72c52c07c2dba4',
  kind: 'mutation',
} as Document<rotateSecretMutation, rotateSecretMutationVariables>;

export const sendOfferDocument = {
  id: '72cd689bb0667dc4a7df7e79d28d8e688d7394f347568a533aade90699e624f9',
  kind: 'mutation',
} as Document<sendOfferMutation, sendOfferMutationVariables>;

export const sendTestEventDocument = {
  id: 'ecb08902654d68b62f841ddb9bd1e34389b1b0ce439c0b7e58c6bed9ad09d62e',
  kind: 'mutation',
} as Document<sendTestEventMutation, sendTestEventMutationVariables>;

export const sessionsDocument = {
  id: 'bf7c53a386ddb1c04dff13f227476989b22d7a43d0af011acaff8331aa351e85',
  kind: 'query',
} as Document<sessionsQuery, sessionsQueryVariables>;

export const setEndpointOptionsDocument = {
  id: '3922b63d9f91fb87014bd8ec9593384e010d5706882e22fd4cf7ad6e10125743',
  kind: 'mutation',
} as Document<setEndpointOptionsMutation, setEndpointOptionsMutationVariables>;

export const setRateLimitDocument = {
  id: '3f076381f7ade70a4e7c445546caa134ddf272e2e1d04af4db185d25cb4fdb46',
  kind: 'mutation',
} as Document<setRateLimitMutation, setRateLimitMutationVariables>;

export const startRecoveryDocument = {
  id: '0651ec1d737cc6909ec8fcf88f2f26fe9e9c72c275f98616ba48a5358b1bbab4',
  kind: 'mutation',
} as Document<startRecoveryMutation, startRecoveryMutationVariables>;

export const statisticsDocument = {
  id: '44053e00ca02578bb18e16b3c4bdb03166a53104225072dd263a706f465471f9',
  kind: 'query',
} as Document<statisticsQuery, statisticsQueryVariables>;

export const tryFilterDocument = {
  id: '842a7f10df9d0a01ed1b3b1eb306289779777e499f2edddd52cfa5d5e682dc3d',
  kind: 'query',
} as Document<tryFilterQuery, tryFilterQueryVariables>;

export const updateEndpointDocument = {
  id: 'c03bbdb375c192046b24b67b8d9fbef5177daf8faaebd1519d5c90b47dcc9569',
  kind: 'mutation',
} as Document<updateEndpointMutation, updateEndpointMutationVariables>;

export const updatePortalSettingsDocument = {
  id: '5cb3994701e70111c1a5c53b0dcd55c371114889df8736903b5169b643d3a651',
  kind: 'mutation',
} as Document<updatePortalSettingsMutation, updatePortalSettingsMutationVariables>;

export const viewerDocument = {
  id: '98952e37e90f8d0f4c2ac9a8bebc34339fd2ff1dd29c9312ccf1d0763772b497',
  kind: 'query',
} as Document<viewerQuery, viewerQueryVariables>;
