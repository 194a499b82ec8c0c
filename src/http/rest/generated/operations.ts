// Made by "npm run generate" from schema/operations and schema/fragments; changes belong there.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CheckoutStatus =
  | 'completed'
  | 'expired'
  | 'open';

export type CreateOfferInput = {
  /** ISO 4217, upper case, and in use. */
  currency: string;
  /** An RFC 3339 date-time, or a date, meaning its end in UTC. Defaults to 30 days from now. */
  expiresAt?: string | null | undefined;
  lineItems: Array<LineItemInput>;
  /** At most 2,000 characters. */
  message?: string | null | undefined;
  /** An object of any keys and values. */
  metadata?: Record<string, unknown> | null | undefined;
  recipientEmail: string;
  shippingMinorUnits?: number | null | undefined;
  /** One line of at most 250 characters. */
  title: string;
};

export type CreateWebhookEndpointInput = {
  /** Defaults to true. */
  active?: boolean | null | undefined;
  description?: string | null | undefined;
  eventTypes: Array<string>;
  notificationEmail: string;
  url: string;
};

export type DeliveryStatus =
  | 'abandoned'
  | 'failed'
  | 'success';

export type DisabledReason =
  | 'consecutive_failures'
  | 'receiver_gone';

export type EndpointStatus =
  | 'active'
  | 'inactive';

export type InvoiceType =
  | 'credit_note'
  | 'invoice';

export type LineItemInput = {
  /** For the whole line item. */
  discountMinorUnits?: number | null | undefined;
  name: string;
  /** Defaults to a generated id. */
  productId?: string | null | undefined;
  quantity: number;
  /** For the whole line item. */
  taxMinorUnits?: number | null | undefined;
  /** A decimal such as "19.00". */
  taxPercentage?: string | null | undefined;
  unitAmountMinorUnits: number;
};

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

/** Absent fields keep their values. Only `description` may be null. */
export type UpdateWebhookEndpointInput = {
  active?: boolean | null | undefined;
  description?: string | null | undefined;
  eventTypes?: Array<string> | null | undefined;
  notificationEmail?: string | null | undefined;
  url?: string | null | undefined;
};

export type commerce_checkouts_retrieveQueryVariables = Exact<{
  id: string;
}>;


export type commerce_checkouts_retrieveQuery = { data: { object: string, id: string, status: CheckoutStatus, metadata: Record<string, unknown>, buyer_email_locked: boolean, cancel_url: string, success_url: string, checkout_url: string | null, embed_url: string | null, embed_origin: string | null, external_reference: string, created_at: string, expires_at: string, order: { id: string, object: string } | null, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number } } };

export type commerce_invoices_listQueryVariables = Exact<{
  page: number;
  per_page: number;
}>;


export type commerce_invoices_listQuery = { body: { data: Array<{ object: string, id: string, number: string, type: InvoiceType, order: string, payment: string, refund: string | null, currency: string, issued_at: string, created_at: string, pdf_url: string, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number }, buyer: { email: string, name: string | null, country: string | null } }>, pagination: { total_pages: number, current_page: number, per_page: number, total_count: number } } };

export type commerce_invoices_retrieveQueryVariables = Exact<{
  id: string;
}>;


export type commerce_invoices_retrieveQuery = { data: { object: string, id: string, number: string, type: InvoiceType, order: string, payment: string, refund: string | null, currency: string, issued_at: string, created_at: string, pdf_url: string, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number }, buyer: { email: string, name: string | null, country: string | null } } };

export type commerce_offers_cancelMutationVariables = Exact<{
  id: string;
}>;


export type commerce_offers_cancelMutation = { data: { object: string, id: string, status: OfferStatus, title: string, message: string | null, currency: string, metadata: Record<string, unknown>, order: string | null, recipient_email: string, offer_url: string, send_count: number, sent_at: string | null, accepted_at: string | null, cancelled_at: string | null, expires_at: string, created_at: string, updated_at: string, line_items: Array<{ quantity: number, unit_amount_minor_units: number, discount_minor_units: number, tax_minor_units: number, tax_percentage: string, total_minor_units: number, product: { id: string, name: string } }>, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number } } };

export type commerce_offers_createMutationVariables = Exact<{
  input: CreateOfferInput;
}>;


export type commerce_offers_createMutation = { data: { object: string, id: string, status: OfferStatus, title: string, message: string | null, currency: string, metadata: Record<string, unknown>, order: string | null, recipient_email: string, offer_url: string, send_count: number, sent_at: string | null, accepted_at: string | null, cancelled_at: string | null, expires_at: string, created_at: string, updated_at: string, line_items: Array<{ quantity: number, unit_amount_minor_units: number, discount_minor_units: number, tax_minor_units: number, tax_percentage: string, total_minor_units: number, product: { id: string, name: string } }>, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number } } };

export type commerce_offers_resendMutationVariables = Exact<{
  id: string;
}>;


export type commerce_offers_resendMutation = { data: { object: string, id: string, status: OfferStatus, title: string, message: string | null, currency: string, metadata: Record<string, unknown>, order: string | null, recipient_email: string, offer_url: string, send_count: number, sent_at: string | null, accepted_at: string | null, cancelled_at: string | null, expires_at: string, created_at: string, updated_at: string, line_items: Array<{ quantity: number, unit_amount_minor_units: number, discount_minor_units: number, tax_minor_units: number, tax_percentage: string, total_minor_units: number, product: { id: string, name: string } }>, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number } } };

export type commerce_offers_sendMutationVariables = Exact<{
  id: string;
}>;


export type commerce_offers_sendMutation = { data: { object: string, id: string, status: OfferStatus, title: string, message: string | null, currency: string, metadata: Record<string, unknown>, order: string | null, recipient_email: string, offer_url: string, send_count: number, sent_at: string | null, accepted_at: string | null, cancelled_at: string | null, expires_at: string, created_at: string, updated_at: string, line_items: Array<{ quantity: number, unit_amount_minor_units: number, discount_minor_units: number, tax_minor_units: number, tax_percentage: string, total_minor_units: number, product: { id: string, name: string } }>, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number } } };

export type commerce_orders_listQueryVariables = Exact<{
  page: number;
  per_page: number;
}>;


export type commerce_orders_listQuery = { body: { data: Array<{ object: string, id: string, status: string, checkout: string | null, currency: string, metadata: Record<string, unknown>, external_reference: string, created_at: string, completed_at: string, refunded_minor_units: number, payments: Array<string>, invoices: Array<string>, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number }, buyer: { email: string, name: string | null, country: string | null }, line_items: Array<{ quantity: number, unit_amount_minor_units: number, discount_minor_units: number, tax_minor_units: number, tax_percentage: string, total_minor_units: number, product: { id: string, name: string } }>, affiliate: { code: string } | null }>, pagination: { total_pages: number, current_page: number, per_page: number, total_count: number } } };

export type commerce_orders_retrieveQueryVariables = Exact<{
  id: string;
}>;


export type commerce_orders_retrieveQuery = { data: { object: string, id: string, status: string, checkout: string | null, currency: string, metadata: Record<string, unknown>, external_reference: string, created_at: string, completed_at: string, refunded_minor_units: number, payments: Array<string>, invoices: Array<string>, totals: { currency: string, subtotal_minor_units: number, discount_minor_units: number, shipping_minor_units: number, tax_minor_units: number, total_minor_units: number }, buyer: { email: string, name: string | null, country: string | null }, line_items: Array<{ quantity: number, unit_amount_minor_units: number, discount_minor_units: number, tax_minor_units: number, tax_percentage: string, total_minor_units: number, product: { id: string, name: string } }>, affiliate: { code: string } | null } };

export type commerce_payments_listQueryVariables = Exact<{
  page: number;
  per_page: number;
  created_from?: string | null | undefined;
  created_to?: string | null | undefined;
  cash_flow_from?: string | null | undefined;
  cash_flow_to?: string | null | undefined;
  buyer_email?: string | null | undefined;
}>;


export type commerce_payments_listQuery = { body: { data: Array<{ object: string, id: string, order: string, status: PaymentStatus, currency: string, method: string, amount_minor_units: number, refunded_minor_units: number, fee_minor_units: number, net_minor_units: number, buyer_email: string, created_at: string, cash_flow_at: string | null }>, pagination: { total_pages: number, current_page: number, per_page: number, total_count: number } } };

export type commerce_payments_refunds_createMutationVariables = Exact<{
  id: string;
  input: RefundPaymentInput;
}>;


export type commerce_payments_refunds_createMutation = { data: { object: string, id: string, payment: string, order: string, status: RefundStatus, currency: string, reason: RefundReason | null, note: string | null, amount_minor_units: number, created_at: string, cash_flow_at: string | null } };

export type commerce_payments_retrieveQueryVariables = Exact<{
  id: string;
}>;


export type commerce_payments_retrieveQuery = { data: { object: string, id: string, order: string, status: PaymentStatus, currency: string, method: string, amount_minor_units: number, refunded_minor_units: number, fee_minor_units: number, net_minor_units: number, buyer_email: string, created_at: string, cash_flow_at: string | null } };

export type commerce_refunds_listQueryVariables = Exact<{
  page: number;
  per_page: number;
}>;


export type commerce_refunds_listQuery = { body: { data: Array<{ object: string, id: string, payment: string, order: string, status: RefundStatus, currency: string, reason: RefundReason | null, note: string | null, amount_minor_units: number, created_at: string, cash_flow_at: string | null }>, pagination: { total_pages: number, current_page: number, per_page: number, total_count: number } } };

export type commerce_refunds_retrieveQueryVariables = Exact<{
  id: string;
}>;


export type commerce_refunds_retrieveQuery = { data: { object: string, id: string, payment: string, order: string, status: RefundStatus, currency: string, reason: RefundReason | null, note: string | null, amount_minor_units: number, created_at: string, cash_flow_at: string | null } };

export type webhooks_deliveries_listQueryVariables = Exact<{
  limit: number;
  cursor?: string | null | undefined;
  status?: DeliveryStatus | null | undefined;
}>;


export type webhooks_deliveries_listQuery = { body: { data: Array<{ id: string, attempt: number, status: DeliveryStatus, test: boolean, max_attempts: number, created_at: string, delivered_at: string | null, duration_ms: number | null, response_status: number | null, event_id: string, event_type: string, event_version: string, replayed_from: string | null }>, page: { has_more: boolean, next_cursor: string | null } } };

export type webhooks_deliveries_replayMutationVariables = Exact<{
  id: string;
}>;


export type webhooks_deliveries_replayMutation = { data: { id: string, attempt: number, status: DeliveryStatus, test: boolean, max_attempts: number, created_at: string, delivered_at: string | null, duration_ms: number | null, response_status: number | null, event_id: string, event_type: string, event_version: string, replayed_from: string | null } };

export type webhooks_endpoints_createMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type webhooks_endpoints_createMutation = { data: { id: string, url: string, active: boolean, description: string | null, notification_email: string, event_types: Array<string>, disabled_reason: DisabledReason | null, created_at: string, updated_at: string, signing_secret: string } };

export type webhooks_endpoints_deleteMutationVariables = Exact<{
  id: string;
}>;


export type webhooks_endpoints_deleteMutation = { data: boolean };

export type webhooks_endpoints_event_subscriptions_updateMutationVariables = Exact<{
  id: string;
  eventTypes: Array<string> | string;
}>;


export type webhooks_endpoints_event_subscriptions_updateMutation = { data: { id: string, url: string, active: boolean, description: string | null, notification_email: string, event_types: Array<string>, disabled_reason: DisabledReason | null, created_at: string, updated_at: string } };

export type webhooks_endpoints_listQueryVariables = Exact<{
  limit: number;
  cursor?: string | null | undefined;
  status?: EndpointStatus | null | undefined;
}>;


export type webhooks_endpoints_listQuery = { body: { data: Array<{ id: string, url: string, active: boolean, description: string | null, notification_email: string, event_types: Array<string>, disabled_reason: DisabledReason | null, created_at: string, updated_at: string }>, page: { has_more: boolean, next_cursor: string | null } } };

export type webhooks_endpoints_retrieveQueryVariables = Exact<{
  id: string;
}>;


export type webhooks_endpoints_retrieveQuery = { data: { id: string, url: string, active: boolean, description: string | null, notification_email: string, event_types: Array<string>, disabled_reason: DisabledReason | null, created_at: string, updated_at: string } };

export type webhooks_endpoints_secret_rotations_createMutationVariables = Exact<{
  id: string;
}>;


export type webhooks_endpoints_secret_rotations_createMutation = { data: { id: string, url: string, active: boolean, description: string | null, notification_email: string, event_types: Array<string>, disabled_reason: DisabledReason | null, created_at: string, updated_at: string, signing_secret: string } };

export type webhooks_endpoints_updateMutationVariables = Exact<{
  id: string;
  input: UpdateWebhookEndpointInput;
}>;


export type webhooks_endpoints_updateMutation = { data: { id: string, url: string, active: boolean, description: string | null, notification_email: string, event_types: Array<string>, disabled_reason: DisabledReason | null, created_at: string, updated_at: string } };

export type webhooks_event_types_listQueryVariables = Exact<{ [key: string]: never; }>;


export type webhooks_event_types_listQuery = { body: { data: Array<{ id: string, category: string, summary: string, description: string, sent: boolean, accepts_new_subscriptions: boolean }>, page: { has_more: boolean, next_cursor: string | null } } };

/** The text of an operation. `result` and `variables` exist only as types. */
export interface OperationDocument<Result, Variables> {
  readonly text: string;
  readonly kind: 'query' | 'mutation';
  readonly result?: Result;
  readonly variables?: Variables;
}

/** One document for each operationId. */
export const documents = {
  'commerce.checkouts.retrieve': {
    kind: 'query',
    text: "query commerce_checkouts_retrieve($id: ID!) {\n  data: checkout(id: $id) {\n    object\n    id\n    status\n    order {\n      id\n      object\n    }\n    buyer_email_locked: buyerEmailLocked\n    cancel_url: cancelUrl\n    success_url: successUrl\n    checkout_url: checkoutUrl\n    embed_url: embedUrl\n    embed_origin: embedOrigin\n    external_reference: externalReference\n    metadata\n    created_at: createdAt\n    expires_at: expiresAt\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n  }\n}",
  } as OperationDocument<commerce_checkouts_retrieveQuery, commerce_checkouts_retrieveQueryVariables>,
  'commerce.invoices.list': {
    kind: 'query',
    text: "query commerce_invoices_list($page: Int!, $per_page: Int!) {\n  body: invoices(page: $page, perPage: $per_page) {\n    data {\n      object\n      id\n      number\n      type\n      order\n      payment\n      refund\n      currency\n      totals {\n        currency\n        subtotal_minor_units: subtotalMinorUnits\n        discount_minor_units: discountMinorUnits\n        shipping_minor_units: shippingMinorUnits\n        tax_minor_units: taxMinorUnits\n        total_minor_units: totalMinorUnits\n      }\n      buyer {\n        email\n        name\n        country\n      }\n      issued_at: issuedAt\n      created_at: createdAt\n      pdf_url: pdfUrl\n    }\n    pagination {\n      total_pages: totalPages\n      current_page: currentPage\n      per_page: perPage\n      total_count: totalCount\n    }\n  }\n}",
  } as OperationDocument<commerce_invoices_listQuery, commerce_invoices_listQueryVariables>,
  'commerce.invoices.retrieve': {
    kind: 'query',
    text: "query commerce_invoices_retrieve($id: ID!) {\n  data: invoice(id: $id) {\n    object\n    id\n    number\n    type\n    order\n    payment\n    refund\n    currency\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n    buyer {\n      email\n      name\n      country\n    }\n    issued_at: issuedAt\n    created_at: createdAt\n    pdf_url: pdfUrl\n  }\n}",
  } as OperationDocument<commerce_invoices_retrieveQuery, commerce_invoices_retrieveQueryVariables>,
  'commerce.offers.cancel': {
    kind: 'mutation',
    text: "mutation commerce_offers_cancel($id: ID!) {\n  data: cancelOffer(id: $id) {\n    object\n    id\n    status\n    recipient_email: recipientEmail\n    title\n    message\n    currency\n    line_items: lineItems {\n      product {\n        id\n        name\n      }\n      quantity\n      unit_amount_minor_units: unitAmountMinorUnits\n      discount_minor_units: discountMinorUnits\n      tax_minor_units: taxMinorUnits\n      tax_percentage: taxPercentage\n      total_minor_units: totalMinorUnits\n    }\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n    metadata\n    offer_url: offerUrl\n    send_count: sendCount\n    sent_at: sentAt\n    accepted_at: acceptedAt\n    cancelled_at: cancelledAt\n    expires_at: expiresAt\n    order\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<commerce_offers_cancelMutation, commerce_offers_cancelMutationVariables>,
  'commerce.offers.create': {
    kind: 'mutation',
    text: "mutation commerce_offers_create($input: CreateOfferInput!) {\n  data: createOffer(input: $input) {\n    object\n    id\n    status\n    recipient_email: recipientEmail\n    title\n    message\n    currency\n    line_items: lineItems {\n      product {\n        id\n        name\n      }\n      quantity\n      unit_amount_minor_units: unitAmountMinorUnits\n      discount_minor_units: discountMinorUnits\n      tax_minor_units: taxMinorUnits\n      tax_percentage: taxPercentage\n      total_minor_units: totalMinorUnits\n    }\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n    metadata\n    offer_url: offerUrl\n    send_count: sendCount\n    sent_at: sentAt\n    accepted_at: acceptedAt\n    cancelled_at: cancelledAt\n    expires_at: expiresAt\n    order\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<commerce_offers_createMutation, commerce_offers_createMutationVariables>,
  'commerce.offers.resend': {
    kind: 'mutation',
    text: "mutation commerce_offers_resend($id: ID!) {\n  data: resendOffer(id: $id) {\n    object\n    id\n    status\n    recipient_email: recipientEmail\n    title\n    message\n    currency\n    line_items: lineItems {\n      product {\n        id\n        name\n      }\n      quantity\n      unit_amount_minor_units: unitAmountMinorUnits\n      discount_minor_units: discountMinorUnits\n      tax_minor_units: taxMinorUnits\n      tax_percentage: taxPercentage\n      total_minor_units: totalMinorUnits\n    }\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n    metadata\n    offer_url: offerUrl\n    send_count: sendCount\n    sent_at: sentAt\n    accepted_at: acceptedAt\n    cancelled_at: cancelledAt\n    expires_at: expiresAt\n    order\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<commerce_offers_resendMutation, commerce_offers_resendMutationVariables>,
  'commerce.offers.send': {
    kind: 'mutation',
    text: "mutation commerce_offers_send($id: ID!) {\n  data: sendOffer(id: $id) {\n    object\n    id\n    status\n    recipient_email: recipientEmail\n    title\n    message\n    currency\n    line_items: lineItems {\n      product {\n        id\n        name\n      }\n      quantity\n      unit_amount_minor_units: unitAmountMinorUnits\n      discount_minor_units: discountMinorUnits\n      tax_minor_units: taxMinorUnits\n      tax_percentage: taxPercentage\n      total_minor_units: totalMinorUnits\n    }\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n    metadata\n    offer_url: offerUrl\n    send_count: sendCount\n    sent_at: sentAt\n    accepted_at: acceptedAt\n    cancelled_at: cancelledAt\n    expires_at: expiresAt\n    order\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<commerce_offers_sendMutation, commerce_offers_sendMutationVariables>,
  'commerce.orders.list': {
    kind: 'query',
    text: "query commerce_orders_list($page: Int!, $per_page: Int!) {\n  body: orders(page: $page, perPage: $per_page) {\n    data {\n      object\n      id\n      status\n      checkout\n      external_reference: externalReference\n      created_at: createdAt\n      completed_at: completedAt\n      currency\n      totals {\n        currency\n        subtotal_minor_units: subtotalMinorUnits\n        discount_minor_units: discountMinorUnits\n        shipping_minor_units: shippingMinorUnits\n        tax_minor_units: taxMinorUnits\n        total_minor_units: totalMinorUnits\n      }\n      refunded_minor_units: refundedMinorUnits\n      buyer {\n        email\n        name\n        country\n      }\n      line_items: lineItems {\n        product {\n          id\n          name\n        }\n        quantity\n        unit_amount_minor_units: unitAmountMinorUnits\n        discount_minor_units: discountMinorUnits\n        tax_minor_units: taxMinorUnits\n        tax_percentage: taxPercentage\n        total_minor_units: totalMinorUnits\n      }\n      payments: paymentIds\n      invoices: invoiceIds\n      metadata\n      affiliate {\n        code\n      }\n    }\n    pagination {\n      total_pages: totalPages\n      current_page: currentPage\n      per_page: perPage\n      total_count: totalCount\n    }\n  }\n}",
  } as OperationDocument<commerce_orders_listQuery, commerce_orders_listQueryVariables>,
  'commerce.orders.retrieve': {
    kind: 'query',
    text: "query commerce_orders_retrieve($id: ID!) {\n  data: order(id: $id) {\n    object\n    id\n    status\n    checkout\n    external_reference: externalReference\n    created_at: createdAt\n    completed_at: completedAt\n    currency\n    totals {\n      currency\n      subtotal_minor_units: subtotalMinorUnits\n      discount_minor_units: discountMinorUnits\n      shipping_minor_units: shippingMinorUnits\n      tax_minor_units: taxMinorUnits\n      total_minor_units: totalMinorUnits\n    }\n    refunded_minor_units: refundedMinorUnits\n    buyer {\n      email\n      name\n      country\n    }\n    line_items: lineItems {\n      product {\n        id\n        name\n      }\n      quantity\n      unit_amount_minor_units: unitAmountMinorUnits\n      discount_minor_units: discountMinorUnits\n      tax_minor_units: taxMinorUnits\n      tax_percentage: taxPercentage\n      total_minor_units: totalMinorUnits\n    }\n    payments: paymentIds\n    invoices: invoiceIds\n    metadata\n    affiliate {\n      code\n    }\n  }\n}",
  } as OperationDocument<commerce_orders_retrieveQuery, commerce_orders_retrieveQueryVariables>,
  'commerce.payments.list': {
    kind: 'query',
    text: "query commerce_payments_list(\n  $page: Int!\n  $per_page: Int!\n  $created_from: String\n  $created_to: String\n  $cash_flow_from: String\n  $cash_flow_to: String\n  $buyer_email: String\n) {\n  body: payments(\n    page: $page\n    perPage: $per_page\n    createdFrom: $created_from\n    createdTo: $created_to\n    cashFlowFrom: $cash_flow_from\n    cashFlowTo: $cash_flow_to\n    buyerEmail: $buyer_email\n  ) {\n    data {\n      object\n      id\n      order\n      status\n      currency\n      amount_minor_units: amountMinorUnits\n      refunded_minor_units: refundedMinorUnits\n      fee_minor_units: feeMinorUnits\n      net_minor_units: netMinorUnits\n      method\n      buyer_email: buyerEmail\n      created_at: createdAt\n      cash_flow_at: cashFlowAt\n    }\n    pagination {\n      total_pages: totalPages\n      current_page: currentPage\n      per_page: perPage\n      total_count: totalCount\n    }\n  }\n}",
  } as OperationDocument<commerce_payments_listQuery, commerce_payments_listQueryVariables>,
  'commerce.payments.refunds.create': {
    kind: 'mutation',
    text: "mutation commerce_payments_refunds_create($id: ID!, $input: RefundPaymentInput!) {\n  data: refundPayment(id: $id, input: $input) {\n    object\n    id\n    payment\n    order\n    status\n    currency\n    amount_minor_units: amountMinorUnits\n    reason\n    note\n    created_at: createdAt\n    cash_flow_at: cashFlowAt\n  }\n}",
  } as OperationDocument<commerce_payments_refunds_createMutation, commerce_payments_refunds_createMutationVariables>,
  'commerce.payments.retrieve': {
    kind: 'query',
    text: "query commerce_payments_retrieve($id: ID!) {\n  data: payment(id: $id) {\n    object\n    id\n    order\n    status\n    currency\n    amount_minor_units: amountMinorUnits\n    refunded_minor_units: refundedMinorUnits\n    fee_minor_units: feeMinorUnits\n    net_minor_units: netMinorUnits\n    method\n    buyer_email: buyerEmail\n    created_at: createdAt\n    cash_flow_at: cashFlowAt\n  }\n}",
  } as OperationDocument<commerce_payments_retrieveQuery, commerce_payments_retrieveQueryVariables>,
  'commerce.refunds.list': {
    kind: 'query',
    text: "query commerce_refunds_list($page: Int!, $per_page: Int!) {\n  body: refunds(page: $page, perPage: $per_page) {\n    data {\n      object\n      id\n      payment\n      order\n      status\n      currency\n      amount_minor_units: amountMinorUnits\n      reason\n      note\n      created_at: createdAt\n      cash_flow_at: cashFlowAt\n    }\n    pagination {\n      total_pages: totalPages\n      current_page: currentPage\n      per_page: perPage\n      total_count: totalCount\n    }\n  }\n}",
  } as OperationDocument<commerce_refunds_listQuery, commerce_refunds_listQueryVariables>,
  'commerce.refunds.retrieve': {
    kind: 'query',
    text: "query commerce_refunds_retrieve($id: ID!) {\n  data: refund(id: $id) {\n    object\n    id\n    payment\n    order\n    status\n    currency\n    amount_minor_units: amountMinorUnits\n    reason\n    note\n    created_at: createdAt\n    cash_flow_at: cashFlowAt\n  }\n}",
  } as OperationDocument<commerce_refunds_retrieveQuery, commerce_refunds_retrieveQueryVariables>,
  'webhooks.deliveries.list': {
    kind: 'query',
    text: "query webhooks_deliveries_list($limit: Int!, $cursor: String, $status: DeliveryStatus) {\n  body: webhookDeliveries(limit: $limit, cursor: $cursor, status: $status) {\n    data {\n      id\n      attempt\n      max_attempts: maxAttempts\n      status\n      created_at: createdAt\n      delivered_at: deliveredAt\n      duration_ms: durationMs\n      response_status: responseStatus\n      event_id: eventId\n      event_type: eventType\n      event_version: eventVersion\n      replayed_from: replayedFrom\n      test\n    }\n    page {\n      has_more: hasMore\n      next_cursor: nextCursor\n    }\n  }\n}",
  } as OperationDocument<webhooks_deliveries_listQuery, webhooks_deliveries_listQueryVariables>,
  'webhooks.deliveries.replay': {
    kind: 'mutation',
    text: "mutation webhooks_deliveries_replay($id: ID!) {\n  data: replayDelivery(id: $id) {\n    id\n    attempt\n    max_attempts: maxAttempts\n    status\n    created_at: createdAt\n    delivered_at: deliveredAt\n    duration_ms: durationMs\n    response_status: responseStatus\n    event_id: eventId\n    event_type: eventType\n    event_version: eventVersion\n    replayed_from: replayedFrom\n    test\n  }\n}",
  } as OperationDocument<webhooks_deliveries_replayMutation, webhooks_deliveries_replayMutationVariables>,
  'webhooks.endpoints.create': {
    kind: 'mutation',
    text: "mutation webhooks_endpoints_create($input: CreateWebhookEndpointInput!) {\n  data: createWebhookEndpoint(input: $input) {\n    id\n    url\n    active\n    description\n    notification_email: notificationEmail\n    event_types: eventTypes\n    disabled_reason: disabledReason\n    created_at: createdAt\n    updated_at: updatedAt\n    signing_secret: signingSecret\n  }\n}",
  } as OperationDocument<webhooks_endpoints_createMutation, webhooks_endpoints_createMutationVariables>,
  'webhooks.endpoints.delete': {
    kind: 'mutation',
    text: "mutation webhooks_endpoints_delete($id: ID!) {\n  data: deleteWebhookEndpoint(id: $id)\n}",
  } as OperationDocument<webhooks_endpoints_deleteMutation, webhooks_endpoints_deleteMutationVariables>,
  'webhooks.endpoints.event_subscriptions.update': {
    kind: 'mutation',
    text: "mutation webhooks_endpoints_event_subscriptions_update($id: ID!, $eventTypes: [String!]!) {\n  data: replaceEventSubscriptions(id: $id, eventTypes: $eventTypes) {\n    id\n    url\n    active\n    description\n    notification_email: notificationEmail\n    event_types: eventTypes\n    disabled_reason: disabledReason\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<webhooks_endpoints_event_subscriptions_updateMutation, webhooks_endpoints_event_subscriptions_updateMutationVariables>,
  'webhooks.endpoints.list': {
    kind: 'query',
    text: "query webhooks_endpoints_list($limit: Int!, $cursor: String, $status: EndpointStatus) {\n  body: webhookEndpoints(limit: $limit, cursor: $cursor, status: $status) {\n    data {\n      id\n      url\n      active\n      description\n      notification_email: notificationEmail\n      event_types: eventTypes\n      disabled_reason: disabledReason\n      created_at: createdAt\n      updated_at: updatedAt\n    }\n    page {\n      has_more: hasMore\n      next_cursor: nextCursor\n    }\n  }\n}",
  } as OperationDocument<webhooks_endpoints_listQuery, webhooks_endpoints_listQueryVariables>,
  'webhooks.endpoints.retrieve': {
    kind: 'query',
    text: "query webhooks_endpoints_retrieve($id: ID!) {\n  data: webhookEndpoint(id: $id) {\n    id\n    url\n    active\n    description\n    notification_email: notificationEmail\n    event_types: eventTypes\n    disabled_reason: disabledReason\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<webhooks_endpoints_retrieveQuery, webhooks_endpoints_retrieveQueryVariables>,
  'webhooks.endpoints.secret_rotations.create': {
    kind: 'mutation',
    text: "mutation webhooks_endpoints_secret_rotations_create($id: ID!) {\n  data: rotateSigningSecret(id: $id) {\n    id\n    url\n    active\n    description\n    notification_email: notificationEmail\n    event_types: eventTypes\n    disabled_reason: disabledReason\n    created_at: createdAt\n    updated_at: updatedAt\n    signing_secret: signingSecret\n  }\n}",
  } as OperationDocument<webhooks_endpoints_secret_rotations_createMutation, webhooks_endpoints_secret_rotations_createMutationVariables>,
  'webhooks.endpoints.update': {
    kind: 'mutation',
    text: "mutation webhooks_endpoints_update($id: ID!, $input: UpdateWebhookEndpointInput!) {\n  data: updateWebhookEndpoint(id: $id, input: $input) {\n    id\n    url\n    active\n    description\n    notification_email: notificationEmail\n    event_types: eventTypes\n    disabled_reason: disabledReason\n    created_at: createdAt\n    updated_at: updatedAt\n  }\n}",
  } as OperationDocument<webhooks_endpoints_updateMutation, webhooks_endpoints_updateMutationVariables>,
  'webhooks.event_types.list': {
    kind: 'query',
    text: "query webhooks_event_types_list {\n  body: eventTypes {\n    data {\n      id\n      category\n      summary\n      description\n      accepts_new_subscriptions: acceptsNewSubscriptions\n      sent\n    }\n    page {\n      has_more: hasMore\n      next_cursor: nextCursor\n    }\n  }\n}",
  } as OperationDocument<webhooks_event_types_listQuery, webhooks_event_types_listQueryVariables>,
};
