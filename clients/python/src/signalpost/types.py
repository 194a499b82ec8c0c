# Made by "npm run generate" from schema/openapi.yaml; changes belong there.
"""What requests, responses and events of `/v1` hold. Members may be added to the latter two."""

import sys
from typing import Any, Literal

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict


class CreateWebhookEndpoint(TypedDict):
    url: str
    event_types: list[str]
    notification_email: str
    active: NotRequired[bool]
    """Defaults to true."""
    description: NotRequired[str | None]


class UpdateWebhookEndpoint(TypedDict, total=False):
    url: str
    event_types: list[str]
    notification_email: str
    active: bool
    description: str | None


class ReplaceEventSubscriptions(TypedDict):
    event_types: list[str]


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    """A URI, or an IRI exactly as it was sent."""
    active: bool
    description: str | None
    notification_email: str
    """Receives the notice when the service disables the endpoint."""
    event_types: list[str]
    disabled_reason: Literal["consecutive_failures", "receiver_gone"] | None
    """Why the service disabled the endpoint, or null."""
    created_at: str
    updated_at: str


class WebhookEndpointWithSecret(TypedDict):
    id: str
    url: str
    """A URI, or an IRI exactly as it was sent."""
    active: bool
    description: str | None
    notification_email: str
    """Receives the notice when the service disables the endpoint."""
    event_types: list[str]
    disabled_reason: Literal["consecutive_failures", "receiver_gone"] | None
    """Why the service disabled the endpoint, or null."""
    created_at: str
    updated_at: str
    signing_secret: str


class Page(TypedDict):
    has_more: bool
    next_cursor: NotRequired[str]
    """Absent on the last page."""


class WebhookEndpointList(TypedDict):
    data: list[WebhookEndpoint]
    page: Page


WebhookDeliveryStatus = Literal["success", "failed", "abandoned"]
"""success: the receiver responded with 2xx. failed: it did not, and another attempt follows or was
made. abandoned: it did not, and no further attempt follows."""


class WebhookDelivery(TypedDict):
    id: str
    attempt: int
    """Number of this attempt."""
    max_attempts: int
    status: WebhookDeliveryStatus
    created_at: str
    delivered_at: NotRequired[str]
    duration_ms: NotRequired[int]
    response_status: NotRequired[int]
    """Status of the receiver's response. Absent if there was none."""
    event_id: str
    event_type: str
    event_version: str
    replayed_from: NotRequired[str]
    """The delivery that this one replays."""
    test: bool


class WebhookDeliveryList(TypedDict):
    data: list[WebhookDelivery]
    page: Page


class EventType(TypedDict):
    id: str
    category: str
    """Group of the event type, such as checkouts, orders or webhooks."""
    summary: str
    description: str
    accepts_new_subscriptions: bool
    """False when the type is no longer offered. Existing subscriptions keep it."""
    sent: bool
    """True when the service emits events of this type today."""


class EventTypeList(TypedDict):
    data: list[EventType]
    page: Page


class OrderReference(TypedDict):
    id: str
    object: Literal["order"]


class Totals(TypedDict):
    currency: str
    subtotal_minor_units: int
    discount_minor_units: int
    shipping_minor_units: int
    tax_minor_units: int
    total_minor_units: int


class Checkout(TypedDict):
    object: Literal["checkout"]
    id: str
    status: Literal["open", "completed", "expired"]
    """`completed` if `order` is set. Otherwise `expired` from `expires_at` on, or once its offer
    has ended."""
    order: OrderReference | None
    """Null until the buyer's payment succeeded."""
    buyer_email_locked: bool
    cancel_url: str
    """Empty if none was given."""
    success_url: str
    checkout_url: NotRequired[str]
    """Only while the checkout is open."""
    embed_url: NotRequired[str]
    """Only while the checkout is open."""
    embed_origin: NotRequired[str]
    external_reference: str
    """Empty if none was given."""
    metadata: dict[str, Any]
    """Metadata of the merchant."""
    created_at: str
    expires_at: str
    """30 minutes after creation."""
    totals: Totals


class Pagination(TypedDict):
    total_pages: int
    current_page: int
    """The number of this page."""
    per_page: int
    total_count: int


class Buyer(TypedDict):
    email: str
    name: str | None
    country: str | None
    """ISO 3166-1 alpha-2."""


class LineItemProduct(TypedDict):
    id: str
    name: str


class LineItem(TypedDict):
    product: LineItemProduct
    quantity: int
    unit_amount_minor_units: int
    discount_minor_units: int
    tax_minor_units: int
    tax_percentage: str
    """A decimal such as "19.00"."""
    total_minor_units: int


class OrderAffiliate(TypedDict):
    code: str


class Order(TypedDict):
    object: Literal["order"]
    id: str
    status: Literal["completed"]
    checkout: str | None
    external_reference: str
    """Empty if none was given."""
    created_at: str
    completed_at: str
    currency: str
    totals: Totals
    refunded_minor_units: int
    buyer: Buyer
    line_items: list[LineItem]
    payments: list[str]
    invoices: list[str]
    """Invoices and credit notes, oldest first."""
    metadata: dict[str, Any]
    """The metadata of the checkout."""
    affiliate: OrderAffiliate | None
    """The affiliate who referred the buyer, or null."""


class OrderList(TypedDict):
    data: list[Order]
    pagination: Pagination


class Payment(TypedDict):
    object: Literal["payment"]
    id: str
    order: str
    status: Literal["succeeded", "partially_refunded", "refunded", "charged_back"]
    currency: str
    amount_minor_units: int
    refunded_minor_units: int
    fee_minor_units: int
    net_minor_units: int
    """The amount without the fee. Refunds are separate entries."""
    method: str
    buyer_email: str
    created_at: str
    """When the sale was made."""
    cash_flow_at: str | None
    """When the money is or will be booked to the balance. Null while unknown."""


class PaymentList(TypedDict):
    data: list[Payment]
    pagination: Pagination


RefundReason = Literal["requested_by_customer", "duplicate", "fraudulent", "other"]


class CreateRefund(TypedDict, total=False):
    amount_minor_units: int
    """At most the remaining amount of the payment, which is also the default."""
    reason: RefundReason
    note: str


class Refund(TypedDict):
    object: Literal["refund"]
    id: str
    payment: str
    order: str
    status: Literal["succeeded", "pending", "failed"]
    currency: str
    amount_minor_units: int
    reason: RefundReason | None
    note: str | None
    created_at: str
    cash_flow_at: str | None
    """When the money is or will be taken from the balance. Null while unknown."""


class RefundList(TypedDict):
    data: list[Refund]
    pagination: Pagination


class Invoice(TypedDict):
    object: Literal["invoice"]
    id: str
    number: str
    """Consecutive number. Credit notes have their own sequence."""
    type: Literal["invoice", "credit_note"]
    order: str
    payment: str
    refund: str | None
    """The refund of a credit note. Null for an invoice."""
    currency: str
    totals: Totals
    buyer: Buyer
    issued_at: str
    created_at: str
    pdf_url: str
    """URL of the PDF. It holds a secret: anyone who has it can read the document without a
    credential."""


class InvoiceList(TypedDict):
    data: list[Invoice]
    pagination: Pagination


class NewLineItem(TypedDict):
    name: str
    product_id: NotRequired[str]
    """Defaults to a generated id."""
    quantity: int
    unit_amount_minor_units: int
    discount_minor_units: NotRequired[int]
    """For the whole line item. At most quantity times unit amount."""
    tax_minor_units: NotRequired[int]
    """For the whole line item."""
    tax_percentage: NotRequired[str]
    """A decimal such as "19.00"."""


class CreateOffer(TypedDict):
    recipient_email: str
    title: str
    """One line."""
    message: NotRequired[str]
    """Shown in the mail and on the page."""
    currency: str
    """ISO 4217 code in upper case, of a currency in use."""
    line_items: list[NewLineItem]
    shipping_minor_units: NotRequired[int]
    metadata: NotRequired[dict[str, Any]]
    """Copied to the checkout and the order, and added to the URL that returns the recipient to
    `offer_url`. At most 131,072 bytes of JSON."""
    expires_at: NotRequired[str]
    """An RFC 3339 date-time, or a date, which means the end of that day in UTC. In the future, at
    most 365 days ahead. Defaults to 30 days from now."""


class Offer(TypedDict):
    object: Literal["offer"]
    id: str
    status: Literal["draft", "sent", "accepted", "cancelled", "expired"]
    """A draft or sent offer is expired from `expires_at` on."""
    recipient_email: str
    title: str
    message: str | None
    currency: str
    line_items: list[LineItem]
    totals: Totals
    metadata: dict[str, Any]
    """Metadata of the merchant."""
    offer_url: str
    """The hosted page of the offer, once it is sent. Anyone who has the URL can read it."""
    send_count: int
    """Number of mails queued so far, at most 10."""
    sent_at: str | None
    """When the offer was first sent, or null."""
    accepted_at: str | None
    cancelled_at: str | None
    expires_at: str
    order: str | None
    """The order of the accepting payment, or null."""
    created_at: str
    updated_at: str


ProblemCode = Literal[
    "idempotency_key_required",
    "invalid_idempotency_key",
    "invalid_json",
    "malformed_request",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "request_timeout",
    "idempotency_key_conflict",
    "idempotency_key_in_progress",
    "endpoint_inactive",
    "delivery_in_progress",
    "payment_not_refundable",
    "offer_state_conflict",
    "payload_too_large",
    "unsupported_media_type",
    "validation_failed",
    "endpoint_limit_reached",
    "delivery_not_replayable",
    "rate_limit_exceeded",
    "headers_too_large",
    "internal_error",
    "service_unavailable",
]


ProblemErrorCode = (
    ProblemCode
    | Literal[
        "missing_credential",
        "invalid_credential",
        "expired_credential",
        "revoked_credential",
        "credential_kind_not_accepted",
        "permission_missing",
        "repeated_header",
        "invalid_encoding",
        "nul_byte",
        "required",
        "invalid_type",
        "invalid_format",
        "invalid_value",
        "too_long",
        "too_few_items",
        "out_of_range",
        "unknown_property",
        "unknown_parameter",
        "invalid_cursor",
        "event_type_not_offered",
        "unknown_event_type",
        "endpoint_deleted",
        "event_type_not_subscribed",
        "payload_expired",
        "amount_exceeds_refundable",
    ]
)
"""The cause of the error. If there is only one, the code of the problem or a more specific one."""


class ProblemError(TypedDict):
    code: ProblemErrorCode
    detail: str
    param: NotRequired[str]
    """Name of the refused field, as it was sent. Absent if the whole request is refused."""


class Problem(TypedDict):
    type: str
    title: str
    status: int
    code: ProblemCode
    errors: list[ProblemError]
    detail: NotRequired[str]
    request_id: NotRequired[str]


class WebhooksEndpointsListQuery(TypedDict, total=False):
    """Filters and pages of: List webhook endpoints."""

    limit: int
    """Maximum number of items per page."""
    cursor: str
    """The `next_cursor` of the previous page, with the same filter."""
    status: Literal["active", "inactive"]
    """Only active or only inactive endpoints."""


class WebhooksDeliveriesListQuery(TypedDict, total=False):
    """Filters and pages of: List webhook deliveries."""

    limit: int
    """Maximum number of items per page."""
    cursor: str
    """The `next_cursor` of the previous page, with the same filter."""
    status: WebhookDeliveryStatus
    """Only deliveries of this status."""


class CommerceOrdersListQuery(TypedDict, total=False):
    """Filters and pages of: List orders."""

    page: int
    """Page number. A number beyond the last returns the last page."""
    per_page: int
    """Maximum number of items per page. More than 25 counts as 25."""


class CommercePaymentsListQuery(TypedDict, total=False):
    """Filters and pages of: List payments."""

    page: int
    """Page number. A number beyond the last returns the last page."""
    per_page: int
    """Maximum number of payments per page. More than 100 counts as 100."""
    created_from: str
    """Only payments of sales made at or after this date or date-time (RFC 3339)."""
    created_to: str
    """Only payments of sales made up to this bound, inclusive. A date includes the whole day."""
    cash_flow_from: str
    """Only payments booked at or after this date or date-time."""
    cash_flow_to: str
    """Only payments booked up to this bound, inclusive. A date includes the whole day."""
    buyer_email: str
    """Only payments with exactly this address. The case of ASCII letters is ignored, and a domain
    matches in Unicode and in Punycode."""


class EventMembers(TypedDict):
    specversion: Literal["1.0"]
    id: str
    source: str
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    dataschema: str
    eventversion: str
    erasedat: NotRequired[str]
    """When personal data was erased from the event. Absent from all other events."""
    test: bool


class CartCheckoutCreatedDataCheckout(TypedDict):
    id: str
    object: Literal["checkout"]
    external_reference: str
    created_at: str
    expires_at: str


class CartCheckoutCreatedData(TypedDict):
    """A checkout exists and its buyer can pay. This is the `data` of the event, version v1."""

    checkout: CartCheckoutCreatedDataCheckout
    metadata: dict[str, Any]
    """The metadata of the checkout, as the merchant attached it."""
    currency: str
    totals: Totals
    line_items: list[LineItem]


class CartCheckoutCreatedEvent(EventMembers):
    """A checkout exists and its buyer can pay."""

    type: Literal["cart.checkout.created"]
    data: CartCheckoutCreatedData


class CartCheckoutExpiredEvent(EventMembers):
    """A checkout ended without a successful payment."""

    type: Literal["cart.checkout.expired"]
    data: CartCheckoutCreatedData


class CartOrderCompletedDataOrder(TypedDict):
    id: str
    object: Literal["order"]
    created_at: str
    completed_at: str


class CartOrderCompletedDataCheckout(TypedDict):
    id: str
    object: Literal["checkout"]
    external_reference: str


class CartOrderCompletedDataPayment(TypedDict):
    id: str
    object: Literal["payment"]
    method: str
    amount_minor_units: int


class CartOrderCompletedData(TypedDict):
    """The payment of a checkout succeeded and its order is complete. Carries the checkout metadata.
    This is the `data` of the event, version v1."""

    order: CartOrderCompletedDataOrder
    checkout: CartOrderCompletedDataCheckout
    metadata: dict[str, Any]
    """The metadata of the checkout, as the merchant attached it."""
    currency: str
    totals: Totals
    buyer: Buyer
    line_items: list[LineItem]
    payment: CartOrderCompletedDataPayment
    affiliate: OrderAffiliate | None


class CartOrderCompletedEvent(EventMembers):
    """The payment of a checkout succeeded and its order is complete. Carries the checkout
    metadata."""

    type: Literal["cart.order.completed"]
    data: CartOrderCompletedData


class InvoiceCreditNoteIssuedDataInvoice(TypedDict):
    id: str
    object: Literal["invoice"]
    number: str
    type: Literal["credit_note"]
    issued_at: str


class InvoiceCreditNoteIssuedDataPayment(TypedDict):
    id: str
    object: Literal["payment"]


class InvoiceCreditNoteIssuedDataRefund(TypedDict):
    id: str
    object: Literal["refund"]


class InvoiceCreditNoteIssuedData(TypedDict):
    """A refund was documented by a credit note. This is the `data` of the event, version v1."""

    invoice: InvoiceCreditNoteIssuedDataInvoice
    order: OrderReference
    payment: InvoiceCreditNoteIssuedDataPayment
    currency: str
    totals: Totals
    buyer: Buyer
    refund: InvoiceCreditNoteIssuedDataRefund


class InvoiceCreditNoteIssuedEvent(EventMembers):
    """A refund was documented by a credit note."""

    type: Literal["invoice.credit_note.issued"]
    data: InvoiceCreditNoteIssuedData


class InvoiceIssuedDataInvoice(TypedDict):
    id: str
    object: Literal["invoice"]
    number: str
    type: Literal["invoice"]
    issued_at: str


class InvoiceIssuedData(TypedDict):
    """An order was invoiced. This is the `data` of the event, version v1."""

    invoice: InvoiceIssuedDataInvoice
    order: OrderReference
    payment: InvoiceCreditNoteIssuedDataPayment
    currency: str
    totals: Totals
    buyer: Buyer


class InvoiceIssuedEvent(EventMembers):
    """An order was invoiced."""

    type: Literal["invoice.issued"]
    data: InvoiceIssuedData


class OfferAcceptedDataOffer(TypedDict):
    id: str
    object: Literal["offer"]
    status: Literal["accepted"]
    recipient_email: str
    title: str
    send_count: int
    sent_at: str
    accepted_at: str
    cancelled_at: None
    expires_at: str
    created_at: str


class OfferAcceptedDataCheckout(TypedDict):
    id: str
    object: Literal["checkout"]


class OfferAcceptedData(TypedDict):
    """An offer was paid. This is the `data` of the event, version v1."""

    offer: OfferAcceptedDataOffer
    metadata: dict[str, Any]
    """The metadata of the offer, as the merchant attached it."""
    currency: str
    totals: Totals
    line_items: list[LineItem]
    order: OrderReference
    checkout: OfferAcceptedDataCheckout


class OfferAcceptedEvent(EventMembers):
    """An offer was paid."""

    type: Literal["offer.accepted"]
    data: OfferAcceptedData


class OfferCancelledDataOffer(TypedDict):
    id: str
    object: Literal["offer"]
    status: Literal["cancelled"]
    recipient_email: str
    title: str
    send_count: int
    sent_at: str | None
    accepted_at: None
    cancelled_at: str
    expires_at: str
    created_at: str


class OfferCancelledData(TypedDict):
    """An offer was withdrawn. This is the `data` of the event, version v1."""

    offer: OfferCancelledDataOffer
    metadata: dict[str, Any]
    """The metadata of the offer, as the merchant attached it."""
    currency: str
    totals: Totals
    line_items: list[LineItem]


class OfferCancelledEvent(EventMembers):
    """An offer was withdrawn."""

    type: Literal["offer.cancelled"]
    data: OfferCancelledData


class OfferCreatedDataOffer(TypedDict):
    id: str
    object: Literal["offer"]
    status: Literal["draft"]
    recipient_email: str
    title: str
    send_count: int
    sent_at: None
    accepted_at: None
    cancelled_at: None
    expires_at: str
    created_at: str


class OfferCreatedData(TypedDict):
    """An offer was drafted. This is the `data` of the event, version v1."""

    offer: OfferCreatedDataOffer
    metadata: dict[str, Any]
    """The metadata of the offer, as the merchant attached it."""
    currency: str
    totals: Totals
    line_items: list[LineItem]


class OfferCreatedEvent(EventMembers):
    """An offer was drafted."""

    type: Literal["offer.created"]
    data: OfferCreatedData


class OfferSentDataOffer(TypedDict):
    id: str
    object: Literal["offer"]
    status: Literal["sent"]
    recipient_email: str
    title: str
    send_count: int
    sent_at: str
    accepted_at: None
    cancelled_at: None
    expires_at: str
    created_at: str


class OfferSentData(TypedDict):
    """An offer went out, for the first time or again. This is the `data` of the event, version
    v1."""

    offer: OfferSentDataOffer
    metadata: dict[str, Any]
    """The metadata of the offer, as the merchant attached it."""
    currency: str
    totals: Totals
    line_items: list[LineItem]


class OfferSentEvent(EventMembers):
    """An offer went out, for the first time or again."""

    type: Literal["offer.sent"]
    data: OfferSentData


class OrderCompletedData(TypedDict):
    """What cart.order.completed replaces; only existing subscriptions receive it. This is the
    `data` of the event, version v1. It has the same data, and the order id once more at the top."""

    order_id: str
    order: CartOrderCompletedDataOrder
    checkout: CartOrderCompletedDataCheckout
    metadata: dict[str, Any]
    """The metadata of the checkout, as the merchant attached it."""
    currency: str
    totals: Totals
    buyer: Buyer
    line_items: list[LineItem]
    payment: CartOrderCompletedDataPayment
    affiliate: OrderAffiliate | None


class OrderCompletedEvent(EventMembers):
    """What cart.order.completed replaces; only existing subscriptions receive it."""

    type: Literal["order.completed"]
    data: OrderCompletedData


class PaymentRefundCreatedDataRefund(TypedDict):
    id: str
    object: Literal["refund"]
    status: Literal["succeeded", "pending", "failed"]
    amount_minor_units: int
    reason: Literal["requested_by_customer", "duplicate", "fraudulent", "other"] | None
    created_at: str
    cash_flow_at: str | None
    """When the money is or will be taken from the balance; null while that is not known."""


class PaymentRefundCreatedDataPayment(TypedDict):
    """The payment after the refund."""

    id: str
    object: Literal["payment"]
    status: Literal["partially_refunded", "refunded"]
    amount_minor_units: int
    refunded_minor_units: int


class PaymentRefundCreatedData(TypedDict):
    """A payment was refunded, in full or in part. This is the `data` of the event, version v1."""

    refund: PaymentRefundCreatedDataRefund
    payment: PaymentRefundCreatedDataPayment
    """The payment after the refund."""
    order: OrderReference
    currency: str
    buyer: Buyer


class PaymentRefundCreatedEvent(EventMembers):
    """A payment was refunded, in full or in part."""

    type: Literal["payment.refund.created"]
    data: PaymentRefundCreatedData


class PaymentSaleSucceededDataPayment(TypedDict):
    id: str
    object: Literal["payment"]
    status: Literal["succeeded"]
    method: str
    amount_minor_units: int
    fee_minor_units: int
    net_minor_units: int
    created_at: str
    cash_flow_at: str | None
    """When the money is or will be booked to the balance; null while that is not known."""


class PaymentSaleSucceededData(TypedDict):
    """A buyer’s payment succeeded. This is the `data` of the event, version v1."""

    payment: PaymentSaleSucceededDataPayment
    order: OrderReference
    checkout: CartOrderCompletedDataCheckout
    currency: str
    buyer: Buyer


class PaymentSaleSucceededEvent(EventMembers):
    """A buyer’s payment succeeded."""

    type: Literal["payment.sale.succeeded"]
    data: PaymentSaleSucceededData


class WebhookEndpointDisabledDataEndpoint(TypedDict):
    id: str
    account_id: str
    url: str
    active: Literal[False]
    disabled_reason: Literal["consecutive_failures", "receiver_gone"]


class WebhookEndpointDisabledData(TypedDict):
    """The service disabled an endpoint and cancelled its pending deliveries. This is the `data` of
    the event, version v1."""

    endpoint: WebhookEndpointDisabledDataEndpoint
    failing_since: str
    failure_count: int
    last_response_status: int | None
    disabled_at: str


class WebhookEndpointDisabledEvent(EventMembers):
    """The service disabled an endpoint and cancelled its pending deliveries."""

    type: Literal["webhook.endpoint.disabled"]
    data: WebhookEndpointDisabledData


class WebhookEndpointFailingDataEndpoint(TypedDict):
    id: str
    account_id: str
    url: str
    active: Literal[True]
    disabled_reason: None


class WebhookEndpointFailingData(TypedDict):
    """Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the
    time after which it is disabled. This is the `data` of the event, version v1."""

    endpoint: WebhookEndpointFailingDataEndpoint
    failing_since: str
    failure_count: int
    last_response_status: int | None
    disables_at: str


class WebhookEndpointFailingEvent(EventMembers):
    """Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the
    time after which it is disabled."""

    type: Literal["webhook.endpoint.failing"]
    data: WebhookEndpointFailingData


class WebhookEndpointRecoveredDataEndpoint(TypedDict):
    id: str
    account_id: str
    url: str
    active: bool
    disabled_reason: Literal["consecutive_failures", "receiver_gone"] | None


class WebhookEndpointRecoveredData(TypedDict):
    """An endpoint that was reported as failing accepted a delivery. This is the `data` of the
    event, version v1."""

    endpoint: WebhookEndpointRecoveredDataEndpoint
    failing_since: str
    failure_count: int
    recovered_at: str


class WebhookEndpointRecoveredEvent(EventMembers):
    """An endpoint that was reported as failing accepted a delivery."""

    type: Literal["webhook.endpoint.recovered"]
    data: WebhookEndpointRecoveredData


class EventEnvelope(EventMembers):
    """A CloudEvents 1.0 event in structured mode; the same bytes on every attempt."""

    type: str
    data: dict[str, Any]


Event = (
    CartCheckoutCreatedEvent
    | CartCheckoutExpiredEvent
    | CartOrderCompletedEvent
    | InvoiceCreditNoteIssuedEvent
    | InvoiceIssuedEvent
    | OfferAcceptedEvent
    | OfferCancelledEvent
    | OfferCreatedEvent
    | OfferSentEvent
    | OrderCompletedEvent
    | PaymentRefundCreatedEvent
    | PaymentSaleSucceededEvent
    | WebhookEndpointDisabledEvent
    | WebhookEndpointFailingEvent
    | WebhookEndpointRecoveredEvent
)
"""An event of a type that comes with the service. Take another one as an `EventEnvelope`."""
