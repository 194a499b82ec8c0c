// Made by "npm run generate" from schema/openapi.yaml; changes belong there.

/** The placeholder for the base URL in both texts. */
export const place = "\"@base_url@\"";

export const yaml = `openapi: 3.1.1
info:
  title: Signalpost
  version: 1.0.0
  summary: Webhook endpoints, deliveries, event types, and the commerce behind them.
  license: { name: MIT, identifier: MIT }
  description: |
    All bodies are JSON. Refusals are problem objects (RFC 9457) with the media type
    \`application/problem+json\`. Their \`code\` is stable, and their \`type\` is the URL of a page that
    explains it.

    Each operation lists its own problems. Any request can also meet those that
    \`x-common-problems\` lists by status. They come from the HTTP layer, an unknown path, the rate
    limit, or an error of the service.

    \`x-max-bytes\` and \`x-max-values\` limit each request body: its bytes, and its members and items
    in all. A larger body gets 413. An operation without a body reads at most 65,536 bytes of one
    and ignores them.

    Lists are newest first. Webhook lists take \`limit\` and \`cursor\`, commerce lists \`page\` and
    \`per_page\`.

    Within \`/v1\`, and within the version of an event, the service may add members to responses and
    events. Ignore those that you do not know. The objects are closed here so that our tests see
    each member. If your generated client refuses unknown members, first remove
    \`additionalProperties: false\` and \`unevaluatedProperties: false\` of responses and events.
servers:
  - url: "@base_url@"
security:
  - bearer: []
tags:
  - name: Webhook endpoints
    description: HTTPS addresses that receive the events of the types they subscribe to.
  - name: Webhook deliveries
    description: One record for each attempt to deliver an event to an endpoint.
  - name: Event types
    description: The catalogue that endpoints subscribe from.
  - name: Checkouts
    description: What a buyer is asked to pay, and the resulting order.
  - name: Orders
    description: The orders of paid checkouts.
  - name: Payments
    description: Payments of buyers, and their refunds.
  - name: Refunds
    description: Refunded money.
  - name: Invoices
    description: The documents of payments, and the credit notes of refunds.
  - name: Offers
    description: Proposals by mail to one recipient, who accepts by paying.
x-common-problems:
  '400': [malformed_request]
  '404': [not_found]
  '405': [method_not_allowed]
  '406': [not_acceptable]
  '408': [request_timeout]
  '413': [payload_too_large]
  '415': [unsupported_media_type]
  '429': [rate_limit_exceeded]
  '431': [headers_too_large]
  '500': [internal_error]
  '503': [service_unavailable]

paths:
  /v1/webhooks/endpoints:
    post:
      operationId: webhooks.endpoints.create
      summary: Create a webhook endpoint
      description: >-
        Only this response shows the signing secret. A retry under the same Idempotency-Key gets
        the same body without it. If the first response was lost, rotate the secret under a new
        key.
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: write }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      requestBody:
        required: true
        x-max-bytes: 65536
        x-max-values: 1000
        content:
          application/json:
            schema: { $ref: '#/components/schemas/CreateWebhookEndpoint' }
            example:
              url: https://shop.example.com/webhooks
              event_types: [cart.order.completed]
              notification_email: ops@shop.example.com
      responses:
        '201':
          description: The endpoint, with its signing secret.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
            Location:
              description: Path of the endpoint.
              required: true
              schema: { type: string, pattern: '^/v1/webhooks/endpoints/whs_[A-Za-z0-9_-]+$' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/WebhookEndpointWithSecretEnvelope' }
              example:
                data: &endpoint_with_secret
                  id: whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  url: https://shop.example.com/webhooks
                  active: true
                  description: null
                  notification_email: ops@shop.example.com
                  event_types: [cart.order.completed]
                  disabled_reason: null
                  created_at: '2026-11-20T12:00:00.000Z'
                  updated_at: '2026-11-20T12:00:00.000Z'
                  signing_secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '409': { $ref: '#/components/responses/IdempotencyConflict' }
        '422': { $ref: '#/components/responses/EndpointRefused' }
    get:
      operationId: webhooks.endpoints.list
      summary: List webhook endpoints
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: read }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/Limit'
        - $ref: '#/components/parameters/Cursor'
        - name: status
          in: query
          description: Only active or only inactive endpoints.
          schema: { type: string, enum: [active, inactive] }
      responses:
        '200':
          description: One page of endpoints, newest first.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/WebhookEndpointList' }
              example:
                data:
                  - &endpoint
                    id: whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    url: https://shop.example.com/webhooks
                    active: true
                    description: null
                    notification_email: ops@shop.example.com
                    event_types: [cart.order.completed]
                    disabled_reason: null
                    created_at: '2026-11-20T12:00:00.000Z'
                    updated_at: '2026-11-20T12:00:00.000Z'
                page: { has_more: false }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/webhooks/endpoints/{id}:
    parameters:
      - $ref: '#/components/parameters/EndpointId'
    get:
      operationId: webhooks.endpoints.retrieve
      summary: Retrieve a webhook endpoint
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: read }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      responses:
        '200': { $ref: '#/components/responses/WebhookEndpoint' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
    patch:
      operationId: webhooks.endpoints.update
      summary: Update a webhook endpoint
      description: >-
        Changes only the fields that are sent. Setting \`active\` to true clears \`disabled_reason\`.
        A type that the endpoint subscribes to can be kept or removed. An added type must be
        offered. Removing a type that is no longer offered or no longer listed is permanent.
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: write }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      requestBody:
        required: true
        x-max-bytes: 65536
        x-max-values: 1000
        content:
          application/json:
            schema: { $ref: '#/components/schemas/UpdateWebhookEndpoint' }
            example: { active: true }
          application/merge-patch+json:
            schema: { $ref: '#/components/schemas/UpdateWebhookEndpoint' }
            example: { description: null }
      responses:
        '200': { $ref: '#/components/responses/ChangedWebhookEndpoint' }
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/IdempotencyConflict' }
        '422': { $ref: '#/components/responses/ValidationFailed' }
    delete:
      operationId: webhooks.endpoints.delete
      summary: Delete a webhook endpoint
      description: >-
        Deletes the endpoint and its secrets immediately. The service sends it nothing more. Its
        delivery records stay listed until their retention ends. A body is ignored.
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: write }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      responses:
        '204':
          description: Deleted.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/IdempotencyConflict' }

  /v1/webhooks/endpoints/{id}/event-subscriptions:
    parameters:
      - $ref: '#/components/parameters/EndpointId'
    put:
      operationId: webhooks.endpoints.event_subscriptions.update
      summary: Replace the event subscriptions of a webhook endpoint
      description: The rules for types are those of updating the endpoint.
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: write }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      requestBody:
        required: true
        x-max-bytes: 65536
        x-max-values: 1000
        content:
          application/json:
            schema: { $ref: '#/components/schemas/ReplaceEventSubscriptions' }
            example: { event_types: [cart.order.completed, invoice.issued] }
      responses:
        '200': { $ref: '#/components/responses/ChangedWebhookEndpoint' }
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/IdempotencyConflict' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/webhooks/endpoints/{id}/secret-rotations:
    parameters:
      - $ref: '#/components/parameters/EndpointId'
    post:
      operationId: webhooks.endpoints.secret_rotations.create
      summary: Rotate the signing secret of a webhook endpoint
      description: >-
        The previous secret also signs for 24 hours. A retry under the same Idempotency-Key gets
        the same body without \`signing_secret\`. A body is ignored.
      tags: [Webhook endpoints]
      x-permission: { name: webhooks, level: write }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      responses:
        '200':
          description: The endpoint, with its signing secret.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/WebhookEndpointWithSecretEnvelope' }
              example:
                data: *endpoint_with_secret
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/IdempotencyConflict' }

  /v1/webhooks/deliveries:
    get:
      operationId: webhooks.deliveries.list
      summary: List webhook deliveries
      description: Records are listed for 30 days.
      tags: [Webhook deliveries]
      x-permission: { name: webhooks, level: read }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/Limit'
        - $ref: '#/components/parameters/Cursor'
        - name: status
          in: query
          description: Only deliveries of this status.
          schema: { $ref: '#/components/schemas/WebhookDeliveryStatus' }
      responses:
        '200':
          description: One page of deliveries, newest first.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/WebhookDeliveryList' }
              example:
                data:
                  - id: whd_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    attempt: 1
                    max_attempts: 10
                    status: failed
                    created_at: '2026-11-20T12:00:01.000Z'
                    duration_ms: 812
                    response_status: 503
                    event_id: evt_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    event_type: cart.order.completed
                    event_version: v1
                    test: false
                page: { has_more: true, next_cursor: eyJ2IjoxfQ }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/webhooks/deliveries/{delivery_id}/replay:
    parameters:
      - name: delivery_id
        in: path
        required: true
        description: The delivery to replay.
        schema: { type: string, pattern: '^whd_[A-Za-z0-9_-]+$' }
    post:
      operationId: webhooks.deliveries.replay
      summary: Replay a webhook delivery
      description: >-
        Sends the event of this delivery again, with the same event id and the same body. Answers
        with the record of the first attempt when that has ended. Later attempts follow the usual
        schedule. A body is ignored.
      tags: [Webhook deliveries]
      x-permission: { name: webhooks, level: write }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: replay
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      responses:
        '200':
          description: The record of the replay's first attempt.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/WebhookDeliveryEnvelope' }
              example:
                data:
                  id: whd_00Q9AAq2Vn4LxT7mWb3Zp9Rd
                  attempt: 1
                  max_attempts: 10
                  status: success
                  created_at: '2026-11-21T09:00:00.000Z'
                  delivered_at: '2026-11-21T09:00:00.215Z'
                  duration_ms: 215
                  response_status: 200
                  event_id: evt_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  event_type: cart.order.completed
                  event_version: v1
                  replayed_from: whd_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  test: false
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/ReplayConflict' }
        '422': { $ref: '#/components/responses/NotReplayable' }
        '429': { $ref: '#/components/responses/TooManyRequests' }

  /v1/webhooks/event-types:
    get:
      operationId: webhooks.event_types.list
      summary: List event types
      description: The whole catalogue in one page, by category and id.
      tags: [Event types]
      x-permission: { name: webhooks, level: read }
      x-credentials: [live, legacy, dashboard]
      x-rate-limit: default
      responses:
        '200':
          description: Every listed event type.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/EventTypeList' }
              example:
                data:
                  - id: cart.order.completed
                    category: orders
                    summary: Order completed
                    description: The buyer's payment succeeded and the order is complete.
                    accepts_new_subscriptions: true
                    sent: true
                page: { has_more: false }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/checkouts/{id}:
    parameters:
      - name: id
        in: path
        required: true
        description: The checkout.
        schema: { type: string, pattern: '^chk_[A-Za-z0-9]{8,32}$' }
    get:
      operationId: commerce.checkouts.retrieve
      summary: Retrieve a checkout
      tags: [Checkouts]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      responses:
        '200':
          description: The current state of the checkout.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/CheckoutEnvelope' }
              example:
                data:
                  object: checkout
                  id: chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  status: completed
                  order: { id: ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd, object: order }
                  buyer_email_locked: false
                  cancel_url: https://shop.example.com/cart
                  success_url: https://shop.example.com/thanks
                  external_reference: '4711'
                  metadata: { customer_id: '42' }
                  created_at: '2026-11-20T12:00:00.000Z'
                  expires_at: '2026-11-20T12:30:00.000Z'
                  totals:
                    currency: EUR
                    subtotal_minor_units: 10000
                    discount_minor_units: 0
                    shipping_minor_units: 0
                    tax_minor_units: 1900
                    total_minor_units: 11900
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }

  /v1/commerce/orders:
    get:
      operationId: commerce.orders.list
      summary: List orders
      tags: [Orders]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/PageNumber'
        - $ref: '#/components/parameters/PerPage'
      responses:
        '200':
          description: One page of completed orders, newest first.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/OrderList' }
              example:
                data:
                  - &order
                    object: order
                    id: ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    status: completed
                    checkout: chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    external_reference: '4711'
                    created_at: '2026-11-20T12:04:00.000Z'
                    completed_at: '2026-11-20T12:04:00.000Z'
                    currency: EUR
                    totals:
                      currency: EUR
                      subtotal_minor_units: 10000
                      discount_minor_units: 0
                      shipping_minor_units: 0
                      tax_minor_units: 1900
                      total_minor_units: 11900
                    refunded_minor_units: 0
                    buyer: { email: buyer@example.com, name: Ada Example, country: DE }
                    line_items:
                      - product: { id: prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd, name: Course }
                        quantity: 1
                        unit_amount_minor_units: 10000
                        discount_minor_units: 0
                        tax_minor_units: 1900
                        tax_percentage: '19.00'
                        total_minor_units: 11900
                    payments: [pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd]
                    invoices: [inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd]
                    metadata: { customer_id: '42' }
                    affiliate: { code: partner-9 }
                pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 1 }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/orders/{id}:
    parameters:
      - name: id
        in: path
        required: true
        description: The order.
        schema: { type: string, pattern: '^ord_[A-Za-z0-9]+$' }
    get:
      operationId: commerce.orders.retrieve
      summary: Retrieve an order
      tags: [Orders]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      responses:
        '200':
          description: The current state of the order.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/OrderEnvelope' }
              example:
                data: *order
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }

  /v1/commerce/payments:
    get:
      operationId: commerce.payments.list
      summary: List payments
      tags: [Payments]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/PageNumber'
        - $ref: '#/components/parameters/PaymentsPerPage'
        - name: created_from
          in: query
          description: Only payments of sales made at or after this date or date-time (RFC 3339).
          schema: { $ref: '#/components/schemas/TimeBound' }
        - name: created_to
          in: query
          description: Only payments of sales made up to this bound, inclusive. A date includes the whole day.
          schema: { $ref: '#/components/schemas/TimeBound' }
        - name: cash_flow_from
          in: query
          description: Only payments booked at or after this date or date-time.
          schema: { $ref: '#/components/schemas/TimeBound' }
        - name: cash_flow_to
          in: query
          description: Only payments booked up to this bound, inclusive. A date includes the whole day.
          schema: { $ref: '#/components/schemas/TimeBound' }
        - name: buyer_email
          in: query
          description: Only payments with this whole address. ASCII letters match in any case, and a domain matches in Unicode and in Punycode.
          schema: { type: string, format: email }
      responses:
        '200':
          description: One page of payments, newest first.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/PaymentList' }
              example:
                data:
                  - &payment
                    object: payment
                    id: pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    order: ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    status: partially_refunded
                    currency: EUR
                    amount_minor_units: 11900
                    refunded_minor_units: 1900
                    fee_minor_units: 0
                    net_minor_units: 11900
                    method: card
                    buyer_email: buyer@example.com
                    created_at: '2026-11-20T12:04:00.000Z'
                    cash_flow_at: '2026-11-20T12:04:00.000Z'
                pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 1 }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/payments/{id}:
    parameters:
      - name: id
        in: path
        required: true
        description: The payment.
        schema: { type: string, pattern: '^pay_[A-Za-z0-9]+$' }
    get:
      operationId: commerce.payments.retrieve
      summary: Retrieve a payment
      tags: [Payments]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      responses:
        '200':
          description: The current state of the payment.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/PaymentEnvelope' }
              example:
                data: *payment
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }

  /v1/commerce/payments/{id}/refunds:
    parameters:
      - name: id
        in: path
        required: true
        description: The payment.
        schema: { type: string, pattern: '^pay_[A-Za-z0-9]+$' }
    post:
      operationId: commerce.payments.refunds.create
      summary: Refund a payment in full or in part
      description: >-
        Without an amount, or without a body, refunds all that is left. Issues a credit note.
        Concurrent requests together never refund more than was paid.
      tags: [Payments]
      x-permission: { name: orders, level: write }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      requestBody:
        required: false
        x-max-bytes: 16384
        x-max-values: 100
        content:
          application/json:
            schema: { $ref: '#/components/schemas/CreateRefund' }
            example: { amount_minor_units: 1900, reason: requested_by_customer }
      responses:
        '201':
          description: The refund.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
            Location:
              description: Path of the refund.
              required: true
              schema: { type: string, pattern: '^/v1/commerce/refunds/rfd_[A-Za-z0-9]+$' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/RefundEnvelope' }
              example:
                data: &refund
                  object: refund
                  id: rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  payment: pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  order: ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  status: succeeded
                  currency: EUR
                  amount_minor_units: 1900
                  reason: requested_by_customer
                  note: null
                  created_at: '2026-11-21T09:30:00.000Z'
                  cash_flow_at: '2026-11-21T09:30:00.000Z'
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/RefundConflict' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/refunds:
    get:
      operationId: commerce.refunds.list
      summary: List refunds
      tags: [Refunds]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/PageNumber'
        - $ref: '#/components/parameters/PerPage'
      responses:
        '200':
          description: One page of refunds, newest first.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/RefundList' }
              example:
                data: [*refund]
                pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 1 }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/refunds/{id}:
    parameters:
      - name: id
        in: path
        required: true
        description: The refund.
        schema: { type: string, pattern: '^rfd_[A-Za-z0-9]+$' }
    get:
      operationId: commerce.refunds.retrieve
      summary: Retrieve a refund
      tags: [Refunds]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      responses:
        '200':
          description: The current state of the refund.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/RefundEnvelope' }
              example:
                data: *refund
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }

  /v1/commerce/invoices:
    get:
      operationId: commerce.invoices.list
      summary: List invoices and credit notes
      tags: [Invoices]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/PageNumber'
        - $ref: '#/components/parameters/PerPage'
      responses:
        '200':
          description: One page of invoices and credit notes, newest first.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/InvoiceList' }
              example:
                data:
                  - &invoice
                    object: invoice
                    id: inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    number: INV-000042
                    type: invoice
                    order: ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    payment: pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                    refund: null
                    currency: EUR
                    totals:
                      currency: EUR
                      subtotal_minor_units: 10000
                      discount_minor_units: 0
                      shipping_minor_units: 0
                      tax_minor_units: 1900
                      total_minor_units: 11900
                    buyer: { email: buyer@example.com, name: Ada Example, country: DE }
                    issued_at: '2026-11-20T12:04:00.000Z'
                    created_at: '2026-11-20T12:04:00.000Z'
                    pdf_url: https://api.example.com/documents/inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd/0123456789abcdef0123456789abcdef.pdf
                pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 1 }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/invoices/{id}:
    parameters:
      - name: id
        in: path
        required: true
        description: The invoice.
        schema: { type: string, pattern: '^inv_[A-Za-z0-9]+$' }
    get:
      operationId: commerce.invoices.retrieve
      summary: Retrieve an invoice or a credit note
      tags: [Invoices]
      x-permission: { name: orders, level: read }
      x-credentials: [live, legacy]
      x-rate-limit: default
      responses:
        '200':
          description: The current state of the invoice.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/InvoiceEnvelope' }
              example:
                data: *invoice
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }

  /v1/commerce/offers:
    post:
      operationId: commerce.offers.create
      summary: Create an offer
      description: >-
        Creates a draft, which sends no mail.
      tags: [Offers]
      x-permission: { name: orders, level: write }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      requestBody:
        required: true
        x-max-bytes: 262144
        x-max-values: 5000
        content:
          application/json:
            schema: { $ref: '#/components/schemas/CreateOffer' }
            example:
              recipient_email: buyer@example.com
              title: Ten posters
              message: As discussed.
              currency: EUR
              line_items:
                - { name: Poster, quantity: 10, unit_amount_minor_units: 1900 }
              metadata: { deal: '42' }
      responses:
        '201':
          description: The draft.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/OfferEnvelope' }
              example:
                data:
                  object: offer
                  id: off_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  status: draft
                  recipient_email: buyer@example.com
                  title: Ten posters
                  message: As discussed.
                  currency: EUR
                  line_items: &offer_items
                    - product: { id: prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd, name: Poster }
                      quantity: 10
                      unit_amount_minor_units: 1900
                      discount_minor_units: 0
                      tax_minor_units: 0
                      tax_percentage: '0.00'
                      total_minor_units: 19000
                  totals: &offer_totals
                    currency: EUR
                    subtotal_minor_units: 19000
                    discount_minor_units: 0
                    shipping_minor_units: 0
                    tax_minor_units: 0
                    total_minor_units: 19000
                  metadata: { deal: '42' }
                  offer_url: https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  send_count: 0
                  sent_at: null
                  accepted_at: null
                  cancelled_at: null
                  expires_at: '2026-12-20T12:00:00.000Z'
                  order: null
                  created_at: '2026-11-20T12:00:00.000Z'
                  updated_at: '2026-11-20T12:00:00.000Z'
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '409': { $ref: '#/components/responses/IdempotencyConflict' }
        '422': { $ref: '#/components/responses/ValidationFailed' }

  /v1/commerce/offers/{id}/send:
    parameters:
      - name: id
        in: path
        required: true
        description: The offer.
        schema: { type: string, pattern: '^off_[A-Za-z0-9]+$' }
    post:
      operationId: commerce.offers.send
      summary: Send an offer
      description: >-
        Sends the recipient of a draft one mail with the address of the offer.
      tags: [Offers]
      x-permission: { name: orders, level: write }
      x-credentials: [live, legacy]
      x-rate-limit: mail
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      responses:
        '200':
          description: The sent offer.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/OfferEnvelope' }
              example:
                data: &sent_offer
                  object: offer
                  id: off_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  status: sent
                  recipient_email: buyer@example.com
                  title: Ten posters
                  message: As discussed.
                  currency: EUR
                  line_items: *offer_items
                  totals: *offer_totals
                  metadata: { deal: '42' }
                  offer_url: https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  send_count: 1
                  sent_at: '2026-11-20T12:05:00.000Z'
                  accepted_at: null
                  cancelled_at: null
                  expires_at: '2026-12-20T12:00:00.000Z'
                  order: null
                  created_at: '2026-11-20T12:00:00.000Z'
                  updated_at: '2026-11-20T12:05:00.000Z'
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/OfferConflict' }
        '429': { $ref: '#/components/responses/TooManyRequests' }

  /v1/commerce/offers/{id}/resend:
    parameters:
      - name: id
        in: path
        required: true
        description: The offer.
        schema: { type: string, pattern: '^off_[A-Za-z0-9]+$' }
    post:
      operationId: commerce.offers.resend
      summary: Resend an offer
      description: >-
        Sends another mail for a sent offer that is not accepted, cancelled or expired. An offer
        sends at most ten mails, from the third on at most one per minute. \`send_count\` counts the
        mails.
      tags: [Offers]
      x-permission: { name: orders, level: write }
      x-credentials: [live, legacy]
      x-rate-limit: mail
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      responses:
        '200':
          description: The resent offer.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/OfferEnvelope' }
              example:
                data: *sent_offer
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/OfferConflict' }
        '429': { $ref: '#/components/responses/TooManyRequests' }

  /v1/commerce/offers/{id}/cancel:
    parameters:
      - name: id
        in: path
        required: true
        description: The offer.
        schema: { type: string, pattern: '^off_[A-Za-z0-9]+$' }
    post:
      operationId: commerce.offers.cancel
      summary: Cancel an offer
      description: >-
        Withdraws a draft or a sent offer. From then on it cannot be paid, also not in an open
        checkout.
      tags: [Offers]
      x-permission: { name: orders, level: write }
      x-credentials: [live, legacy]
      x-rate-limit: default
      parameters:
        - $ref: '#/components/parameters/IdempotencyKey'
      responses:
        '200':
          description: The cancelled offer.
          headers:
            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
            RateLimit: { $ref: '#/components/headers/RateLimit' }
            RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
            Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/OfferEnvelope' }
              example:
                data:
                  object: offer
                  id: off_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  status: cancelled
                  recipient_email: buyer@example.com
                  title: Ten posters
                  message: As discussed.
                  currency: EUR
                  line_items: *offer_items
                  totals: *offer_totals
                  metadata: { deal: '42' }
                  offer_url: https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd
                  send_count: 2
                  sent_at: '2026-11-20T12:05:00.000Z'
                  accepted_at: null
                  cancelled_at: '2026-11-23T08:00:00.000Z'
                  expires_at: '2026-12-20T12:00:00.000Z'
                  order: null
                  created_at: '2026-11-20T12:00:00.000Z'
                  updated_at: '2026-11-23T08:00:00.000Z'
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '404': { $ref: '#/components/responses/NotFound' }
        '409': { $ref: '#/components/responses/OfferConflict' }

# "npm run generate" writes webhooks from schema/events; changes belong there.
webhooks:
  cart.checkout.created:
    post:
      operationId: events.cart.checkout.created
      summary: A checkout exists and its buyer can pay.
      security: []
      parameters: &delivery_headers
        - $ref: '#/components/parameters/ServiceSignature'
        - $ref: '#/components/parameters/ServiceTimestamp'
        - $ref: '#/components/parameters/ServiceEventId'
        - $ref: '#/components/parameters/ServiceEventType'
        - $ref: '#/components/parameters/ServiceDeliveryId'
        - $ref: '#/components/parameters/ServiceAttempt'
        - $ref: '#/components/parameters/WebhookId'
        - $ref: '#/components/parameters/WebhookTimestamp'
        - $ref: '#/components/parameters/WebhookSignature'
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: cart.checkout.created }
                data: { $ref: '#/components/schemas/cart.checkout.created.v1' }
              unevaluatedProperties: false
      responses: &delivery_answers
        2XX:
          {
            description: The receiver accepted the event. The service does not send it to this endpoint again.,
          }
        '410': { description: The service disables the endpoint and sends it nothing more. }
        default: { description: The service retries the event on the retry schedule. }
  cart.checkout.expired:
    post:
      operationId: events.cart.checkout.expired
      summary: A checkout ended without a successful payment.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: cart.checkout.expired }
                data: { $ref: '#/components/schemas/cart.checkout.expired.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  cart.order.completed:
    post:
      operationId: events.cart.order.completed
      summary: The payment of a checkout succeeded and its order is complete. Carries the checkout metadata.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: cart.order.completed }
                data: { $ref: '#/components/schemas/cart.order.completed.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  invoice.credit_note.issued:
    post:
      operationId: events.invoice.credit_note.issued
      summary: A refund was documented by a credit note.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: invoice.credit_note.issued }
                data: { $ref: '#/components/schemas/invoice.credit_note.issued.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  invoice.issued:
    post:
      operationId: events.invoice.issued
      summary: An order was invoiced.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: invoice.issued }
                data: { $ref: '#/components/schemas/invoice.issued.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  offer.accepted:
    post:
      operationId: events.offer.accepted
      summary: An offer was paid.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: offer.accepted }
                data: { $ref: '#/components/schemas/offer.accepted.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  offer.cancelled:
    post:
      operationId: events.offer.cancelled
      summary: An offer was withdrawn.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: offer.cancelled }
                data: { $ref: '#/components/schemas/offer.cancelled.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  offer.created:
    post:
      operationId: events.offer.created
      summary: An offer was drafted.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: offer.created }
                data: { $ref: '#/components/schemas/offer.created.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  offer.sent:
    post:
      operationId: events.offer.sent
      summary: An offer went out, for the first time or again.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: offer.sent }
                data: { $ref: '#/components/schemas/offer.sent.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  order.completed:
    post:
      operationId: events.order.completed
      summary: What cart.order.completed replaces; only existing subscriptions receive it.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: order.completed }
                data: { $ref: '#/components/schemas/order.completed.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  payment.refund.created:
    post:
      operationId: events.payment.refund.created
      summary: A payment was refunded, in full or in part.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: payment.refund.created }
                data: { $ref: '#/components/schemas/payment.refund.created.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  payment.sale.succeeded:
    post:
      operationId: events.payment.sale.succeeded
      summary: A buyer’s payment succeeded.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: payment.sale.succeeded }
                data: { $ref: '#/components/schemas/payment.sale.succeeded.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  webhook.endpoint.disabled:
    post:
      operationId: events.webhook.endpoint.disabled
      summary: The service disabled an endpoint and cancelled its pending deliveries.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: webhook.endpoint.disabled }
                data: { $ref: '#/components/schemas/webhook.endpoint.disabled.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  webhook.endpoint.failing:
    post:
      operationId: events.webhook.endpoint.failing
      summary: Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: webhook.endpoint.failing }
                data: { $ref: '#/components/schemas/webhook.endpoint.failing.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers
  webhook.endpoint.recovered:
    post:
      operationId: events.webhook.endpoint.recovered
      summary: An endpoint that was reported as failing accepted a delivery.
      security: []
      parameters: *delivery_headers
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
              properties:
                type: { const: webhook.endpoint.recovered }
                data: { $ref: '#/components/schemas/webhook.endpoint.recovered.v1' }
              unevaluatedProperties: false
      responses: *delivery_answers

components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      description: >-
        A live API key. Where \`x-credentials\` of the operation allows it, also a dashboard sign-in
        token.

  parameters:
    IdempotencyKey:
      name: Idempotency-Key
      in: header
      required: true
      description: >-
        Identifies this request. A retry with the same key and the same body gets the first
        response for 24 hours. It is UTF-8, has no NUL byte, and is sent exactly once. A failed
        request can be sent again under its key.
      schema: { type: string, minLength: 1, maxLength: 255 }
      example: 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
    Limit:
      name: limit
      in: query
      description: Items per page, at most.
      schema: { type: integer, minimum: 1, maximum: 100, default: 20 }
    Cursor:
      name: cursor
      in: query
      description: The \`next_cursor\` of the previous page, with the same filter.
      schema: { type: string, minLength: 1 }
    PageNumber:
      name: page
      in: query
      description: Page number. A number beyond the last returns the last page.
      schema: { type: integer, minimum: 1, default: 1 }
    PerPage:
      name: per_page
      in: query
      description: Items per page, at most. More than 25 counts as 25.
      schema: { type: integer, minimum: 1, default: 25 }
    PaymentsPerPage:
      name: per_page
      in: query
      description: Payments per page, at most. More than 100 counts as 100.
      schema: { type: integer, minimum: 1, default: 25 }
    EndpointId:
      name: id
      in: path
      required: true
      description: The webhook endpoint.
      schema: { type: string, pattern: '^whs_[A-Za-z0-9_-]+$' }
    ServiceSignature:
      name: X-Service-Signature
      in: header
      required: true
      description: >-
        \`t=<unix seconds>,v1=<hex>\`: HMAC-SHA256 over \`<t>.<body>\` with the whole signing secret. One \`v1\` per valid secret, newest first.
      schema: { type: string, pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' }
    ServiceTimestamp:
      name: X-Service-Timestamp
      in: header
      required: true
      description: Unix seconds of this attempt, the \`t\` of the signature.
      schema: { type: string, pattern: '^[0-9]+$' }
    ServiceEventId:
      name: X-Service-Event-Id
      in: header
      required: true
      description: The event id, the same for every attempt.
      schema: { type: string, pattern: '^evt_[A-Za-z0-9]{24}$' }
    ServiceEventType:
      name: X-Service-Event-Type
      in: header
      required: true
      description: The type of the event, such as \`cart.order.completed\`.
      schema: { type: string, pattern: '^[a-z_]+([.][a-z_]+)+$' }
    ServiceDeliveryId:
      name: X-Service-Delivery-Id
      in: header
      required: true
      description: The id of this attempt's record.
      schema: { type: string, pattern: '^whd_[A-Za-z0-9_-]+$' }
    ServiceAttempt:
      name: X-Service-Attempt
      in: header
      required: true
      description: Number of this attempt, from 1. A replay starts again at 1.
      schema: { type: string, pattern: '^[1-9][0-9]*$' }
    WebhookId:
      name: webhook-id
      in: header
      required: true
      description: The event id (Standard Webhooks).
      schema: { type: string, pattern: '^evt_[A-Za-z0-9]{24}$' }
    WebhookTimestamp:
      name: webhook-timestamp
      in: header
      required: true
      description: Unix seconds of this attempt (Standard Webhooks).
      schema: { type: string, pattern: '^[0-9]+$' }
    WebhookSignature:
      name: webhook-signature
      in: header
      required: true
      description: One \`v1,<base64>\` for each valid secret, separated by spaces (Standard Webhooks).
      schema: { type: string, pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' }

  headers:
    X-Request-Id:
      description: >-
        Identifies this request in the service's log. Problems repeat it as \`request_id\`.
      required: true
      schema: { type: string, pattern: '^req_[A-Za-z0-9]{24}$' }
    RateLimit:
      description: Remaining quota of the policy, and seconds until the window ends.
      required: true
      schema: { type: string, pattern: '^"(default|replay|mail)";r=[0-9]+;t=[0-9]+$' }
    RateLimit-Policy:
      description: Name, quota and window in seconds of the policy.
      required: true
      schema: { type: string, pattern: '^"(default|replay|mail)";q=[0-9]+;w=[0-9]+$' }
    Idempotent-Replayed:
      description: Present when this is the stored response of an earlier request.
      schema: { type: string, const: 'true' }
    Retry-After:
      description: Seconds after which the request may succeed.
      required: true
      schema: { type: string, pattern: '^[1-9][0-9]*$' }

  responses:
    WebhookEndpoint:
      description: The endpoint.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        RateLimit: { $ref: '#/components/headers/RateLimit' }
        RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
      content:
        application/json:
          schema: { $ref: '#/components/schemas/WebhookEndpointEnvelope' }
          example: { data: *endpoint }
    ChangedWebhookEndpoint:
      description: The endpoint after the change.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        RateLimit: { $ref: '#/components/headers/RateLimit' }
        RateLimit-Policy: { $ref: '#/components/headers/RateLimit-Policy' }
        Idempotent-Replayed: { $ref: '#/components/headers/Idempotent-Replayed' }
      content:
        application/json:
          schema: { $ref: '#/components/schemas/WebhookEndpointEnvelope' }
          example: { data: *endpoint }
    BadRequest:
      description: The Idempotency-Key is missing or malformed, or the body is not JSON.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 400 }
              code:
                enum:
                  - idempotency_key_required
                  - invalid_idempotency_key
                  - invalid_json
                  - malformed_request
          example:
            type: https://api.example.com/problems/idempotency-key-required
            title: Idempotency-Key required
            status: 400
            code: idempotency_key_required
            detail: This operation requires an Idempotency-Key header of 1 to 255 characters.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: idempotency_key_required
                detail: This operation requires an Idempotency-Key header of 1 to 255 characters.
                param: Idempotency-Key
    Unauthorized:
      description: >-
        The credential is missing, invalid, or of a kind that the operation does not accept.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        WWW-Authenticate:
          description: How to authenticate. \`error\` is present when a credential was sent.
          required: true
          schema: { type: string, pattern: '^Bearer realm="api"(, error="invalid_token")?$' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 401 }
              code: { const: unauthorized }
          example:
            type: https://api.example.com/problems/unauthorized
            title: Authentication failed
            status: 401
            code: unauthorized
            detail: The request has no bearer credential.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: missing_credential
                detail: The request has no bearer credential.
    Forbidden:
      description: The credential does not hold the permission that the operation requires.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 403 }
              code: { const: forbidden }
          example:
            type: https://api.example.com/problems/forbidden
            title: Permission missing
            status: 403
            code: forbidden
            detail: This operation requires the \`orders\` permission at read level.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: permission_missing
                detail: This operation requires the \`orders\` permission at read level.
    NotFound:
      description: The account has no such object.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 404 }
              code: { const: not_found }
          example:
            type: https://api.example.com/problems/not-found
            title: Not found
            status: 404
            code: not_found
            detail: No webhook endpoint with this id.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: not_found
                detail: No webhook endpoint with this id.
    IdempotencyConflict:
      description: >-
        The Idempotency-Key was used with a different request. Or its first request is still
        running, then with \`Retry-After\`.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        Retry-After:
          description: Seconds after which the request may succeed.
          schema: { type: string, pattern: '^[1-9][0-9]*$' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 409 }
              code: { enum: [idempotency_key_conflict, idempotency_key_in_progress] }
          example:
            type: https://api.example.com/problems/idempotency-key-conflict
            title: Idempotency-Key conflict
            status: 409
            code: idempotency_key_conflict
            detail: This Idempotency-Key was already used with a different request.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: idempotency_key_conflict
                detail: This Idempotency-Key was already used with a different request.
    ReplayConflict:
      description: >-
        An Idempotency-Key conflict as for other operations. Or the endpoint is not active, or an
        attempt for the same event and endpoint is in progress.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        Retry-After:
          description: Seconds after which the request may succeed.
          schema: { type: string, pattern: '^[1-9][0-9]*$' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 409 }
              code:
                enum:
                  - idempotency_key_conflict
                  - idempotency_key_in_progress
                  - endpoint_inactive
                  - delivery_in_progress
          example:
            type: https://api.example.com/problems/endpoint-inactive
            title: Endpoint inactive
            status: 409
            code: endpoint_inactive
            detail: The endpoint is not active. Activate it before replaying.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: endpoint_inactive
                detail: The endpoint is not active. Activate it before replaying.
    RefundConflict:
      description: >-
        An Idempotency-Key conflict as for other operations. Or the payment is already refunded in
        full, or was charged back.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        Retry-After:
          description: Seconds after which the request may succeed.
          schema: { type: string, pattern: '^[1-9][0-9]*$' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 409 }
              code:
                enum:
                  [idempotency_key_conflict, idempotency_key_in_progress, payment_not_refundable]
          example:
            type: https://api.example.com/problems/payment-not-refundable
            title: Payment not refundable
            status: 409
            code: payment_not_refundable
            detail: The payment is already refunded in full.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: payment_not_refundable
                detail: The payment is already refunded in full.
    OfferConflict:
      description: >-
        An Idempotency-Key conflict as for other operations. Or the state of the offer does not
        allow this step.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        Retry-After:
          description: Seconds after which the request may succeed.
          schema: { type: string, pattern: '^[1-9][0-9]*$' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 409 }
              code:
                enum: [idempotency_key_conflict, idempotency_key_in_progress, offer_state_conflict]
          example:
            type: https://api.example.com/problems/offer-state-conflict
            title: Offer state conflict
            status: 409
            code: offer_state_conflict
            detail: 'The offer cannot be sent: it is cancelled.'
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: offer_state_conflict
                detail: 'The offer cannot be sent: it is cancelled.'
    ValidationFailed:
      description: Fields or parameters were refused. \`errors\` has one entry per refusal.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 422 }
              code: { const: validation_failed }
          example:
            type: https://api.example.com/problems/validation-failed
            title: Validation failed
            status: 422
            code: validation_failed
            detail: One or more fields were refused.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: event_type_not_offered
                detail: 'No longer offered for new subscriptions: order.completed'
                param: event_types
              - code: unknown_event_type
                detail: 'Unknown event type: foo.bar, foo.baz'
                param: event_types
    EndpointRefused:
      description: >-
        Fields were refused (\`validation_failed\`), and \`errors\` has one entry per refusal. Or the
        account has reached its limit of endpoints (\`endpoint_limit_reached\`).
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 422 }
              code: { type: string, enum: [validation_failed, endpoint_limit_reached] }
          example:
            type: https://api.example.com/problems/endpoint-limit-reached
            title: Endpoint limit reached
            status: 422
            code: endpoint_limit_reached
            detail: The account has reached its limit of 1,000 endpoints. Delete one first.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: endpoint_limit_reached
                detail: The account has reached its limit of 1,000 endpoints. Delete one first.
    NotReplayable:
      description: The delivery can no longer be replayed.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 422 }
              code: { const: delivery_not_replayable }
          example:
            type: https://api.example.com/problems/delivery-not-replayable
            title: Delivery not replayable
            status: 422
            code: delivery_not_replayable
            detail: The endpoint was deleted.
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: endpoint_deleted
                detail: The endpoint was deleted.
    TooManyRequests:
      description: >-
        The account has used up the quota of the policy. Or too many credentials from this address
        were invalid; then the headers of the quota are absent.
      headers:
        X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
        Retry-After: { $ref: '#/components/headers/Retry-After' }
        RateLimit:
          description: Remaining quota of the policy, and seconds until the window ends.
          schema: { type: string, pattern: '^"(default|replay|mail)";r=[0-9]+;t=[0-9]+$' }
        RateLimit-Policy:
          description: Name, quota and window in seconds of the policy.
          schema: { type: string, pattern: '^"(default|replay|mail)";q=[0-9]+;w=[0-9]+$' }
      content:
        application/problem+json:
          schema:
            $ref: '#/components/schemas/Problem'
            type: object
            properties:
              status: { const: 429 }
              code: { const: rate_limit_exceeded }
          example:
            type: https://api.example.com/problems/rate-limit-exceeded
            title: Rate limit exceeded
            status: 429
            code: rate_limit_exceeded
            detail: 'Rate limit exceeded: 600 per minute (replay).'
            request_id: req_00Q8sKq2Vn4LxT7mWb3Zp9Rd
            errors:
              - code: rate_limit_exceeded
                detail: 'Rate limit exceeded: 600 per minute (replay).'

  schemas:
    cart.checkout.created.v1:
      title: "Checkout created"
      description: "A checkout exists and its buyer can pay. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "checkout"
        - "metadata"
        - "currency"
        - "totals"
        - "line_items"
      properties:
        checkout:
          type: "object"
          required:
            - "id"
            - "object"
            - "external_reference"
            - "created_at"
            - "expires_at"
          properties:
            id:
              type: "string"
              pattern: "^chk_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "checkout"
            external_reference:
              type: "string"
            created_at:
              type: "string"
              format: "date-time"
            expires_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the checkout, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
      additionalProperties: false
      examples:
        - checkout:
            id: "chk_test0000"
            object: "checkout"
            external_reference: "test"
            created_at: "2026-01-01T12:00:00.000Z"
            expires_at: "2026-01-01T12:30:00.000Z"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
    cart.checkout.expired.v1:
      title: "Checkout expired"
      description: "A checkout ended without a successful payment. This is the \`data\` of the event, version v1. A payment that had begun before may still complete it."
      type: "object"
      required:
        - "checkout"
        - "metadata"
        - "currency"
        - "totals"
        - "line_items"
      properties:
        checkout:
          type: "object"
          required:
            - "id"
            - "object"
            - "external_reference"
            - "created_at"
            - "expires_at"
          properties:
            id:
              type: "string"
              pattern: "^chk_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "checkout"
            external_reference:
              type: "string"
            created_at:
              type: "string"
              format: "date-time"
            expires_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the checkout, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
      additionalProperties: false
      examples:
        - checkout:
            id: "chk_test0000"
            object: "checkout"
            external_reference: "test"
            created_at: "2026-01-01T12:00:00.000Z"
            expires_at: "2026-01-01T12:30:00.000Z"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
    cart.order.completed.v1:
      title: "Order completed"
      description: "The payment of a checkout succeeded and its order is complete. Carries the checkout metadata. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "order"
        - "checkout"
        - "metadata"
        - "currency"
        - "totals"
        - "buyer"
        - "line_items"
        - "payment"
        - "affiliate"
      properties:
        order:
          type: "object"
          required:
            - "id"
            - "object"
            - "created_at"
            - "completed_at"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
            created_at:
              type: "string"
              format: "date-time"
            completed_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        checkout:
          type: "object"
          required:
            - "id"
            - "object"
            - "external_reference"
          properties:
            id:
              type: "string"
              pattern: "^chk_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "checkout"
            external_reference:
              type: "string"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the checkout, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        buyer:
          type: "object"
          required:
            - "email"
            - "name"
            - "country"
          properties:
            email:
              type: "string"
            name:
              type:
                - "string"
                - "null"
            country:
              type:
                - "string"
                - "null"
              pattern: "^[A-Z]{2}$"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
        payment:
          type: "object"
          required:
            - "id"
            - "object"
            - "method"
            - "amount_minor_units"
          properties:
            id:
              type: "string"
              pattern: "^pay_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "payment"
            method:
              type: "string"
            amount_minor_units:
              type: "integer"
          additionalProperties: false
        affiliate:
          oneOf:
            - type: "object"
              required:
                - "code"
              properties:
                code:
                  type: "string"
              additionalProperties: false
            - type: "null"
      additionalProperties: false
      examples:
        - order:
            id: "ord_test"
            object: "order"
            created_at: "2026-01-01T12:00:00.000Z"
            completed_at: "2026-01-01T12:00:00.000Z"
          checkout:
            id: "chk_test0000"
            object: "checkout"
            external_reference: "test"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          buyer:
            email: "buyer@example.com"
            name: "Test Buyer"
            country: "DE"
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
          payment:
            id: "pay_test"
            object: "payment"
            method: "card"
            amount_minor_units: 11900
          affiliate: null
    invoice.credit_note.issued.v1:
      title: "Credit note issued"
      description: "A refund was documented by a credit note. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "invoice"
        - "order"
        - "payment"
        - "currency"
        - "totals"
        - "buyer"
        - "refund"
      properties:
        invoice:
          type: "object"
          required:
            - "id"
            - "object"
            - "number"
            - "type"
            - "issued_at"
          properties:
            id:
              type: "string"
              pattern: "^inv_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "invoice"
            number:
              type: "string"
            type:
              type: "string"
              const: "credit_note"
            issued_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        order:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
          additionalProperties: false
        payment:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^pay_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "payment"
          additionalProperties: false
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        buyer:
          type: "object"
          required:
            - "email"
            - "name"
            - "country"
          properties:
            email:
              type: "string"
            name:
              type:
                - "string"
                - "null"
            country:
              type:
                - "string"
                - "null"
              pattern: "^[A-Z]{2}$"
          additionalProperties: false
        refund:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^rfd_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "refund"
          additionalProperties: false
      additionalProperties: false
      examples:
        - invoice:
            id: "inv_test"
            object: "invoice"
            number: "CN-000000"
            type: "credit_note"
            issued_at: "2026-01-01T12:00:00.000Z"
          order:
            id: "ord_test"
            object: "order"
          payment:
            id: "pay_test"
            object: "payment"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          buyer:
            email: "buyer@example.com"
            name: "Test Buyer"
            country: "DE"
          refund:
            id: "rfd_test"
            object: "refund"
    invoice.issued.v1:
      title: "Invoice issued"
      description: "An order was invoiced. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "invoice"
        - "order"
        - "payment"
        - "currency"
        - "totals"
        - "buyer"
      properties:
        invoice:
          type: "object"
          required:
            - "id"
            - "object"
            - "number"
            - "type"
            - "issued_at"
          properties:
            id:
              type: "string"
              pattern: "^inv_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "invoice"
            number:
              type: "string"
            type:
              type: "string"
              const: "invoice"
            issued_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        order:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
          additionalProperties: false
        payment:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^pay_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "payment"
          additionalProperties: false
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        buyer:
          type: "object"
          required:
            - "email"
            - "name"
            - "country"
          properties:
            email:
              type: "string"
            name:
              type:
                - "string"
                - "null"
            country:
              type:
                - "string"
                - "null"
              pattern: "^[A-Z]{2}$"
          additionalProperties: false
      additionalProperties: false
      examples:
        - invoice:
            id: "inv_test"
            object: "invoice"
            number: "INV-000000"
            type: "invoice"
            issued_at: "2026-01-01T12:00:00.000Z"
          order:
            id: "ord_test"
            object: "order"
          payment:
            id: "pay_test"
            object: "payment"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          buyer:
            email: "buyer@example.com"
            name: "Test Buyer"
            country: "DE"
    offer.accepted.v1:
      title: "Offer accepted"
      description: "An offer was paid. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "offer"
        - "metadata"
        - "currency"
        - "totals"
        - "line_items"
        - "order"
        - "checkout"
      properties:
        offer:
          type: "object"
          required:
            - "id"
            - "object"
            - "status"
            - "recipient_email"
            - "title"
            - "send_count"
            - "sent_at"
            - "accepted_at"
            - "cancelled_at"
            - "expires_at"
            - "created_at"
          properties:
            id:
              type: "string"
              pattern: "^off_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "offer"
            status:
              type: "string"
              const: "accepted"
            recipient_email:
              type: "string"
            title:
              type: "string"
            send_count:
              type: "integer"
              minimum: 1
            sent_at:
              type: "string"
              format: "date-time"
            accepted_at:
              type: "string"
              format: "date-time"
            cancelled_at:
              type: "null"
            expires_at:
              type: "string"
              format: "date-time"
            created_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the offer, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
        order:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
          additionalProperties: false
        checkout:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^chk_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "checkout"
          additionalProperties: false
      additionalProperties: false
      examples:
        - offer:
            id: "off_test"
            object: "offer"
            status: "accepted"
            recipient_email: "buyer@example.com"
            title: "Test offer"
            send_count: 1
            sent_at: "2026-01-01T12:00:00.000Z"
            accepted_at: "2026-01-01T12:00:00.000Z"
            cancelled_at: null
            expires_at: "2026-01-31T12:00:00.000Z"
            created_at: "2026-01-01T12:00:00.000Z"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
          order:
            id: "ord_test"
            object: "order"
          checkout:
            id: "chk_test0000"
            object: "checkout"
    offer.cancelled.v1:
      title: "Offer cancelled"
      description: "An offer was withdrawn. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "offer"
        - "metadata"
        - "currency"
        - "totals"
        - "line_items"
      properties:
        offer:
          type: "object"
          required:
            - "id"
            - "object"
            - "status"
            - "recipient_email"
            - "title"
            - "send_count"
            - "sent_at"
            - "accepted_at"
            - "cancelled_at"
            - "expires_at"
            - "created_at"
          properties:
            id:
              type: "string"
              pattern: "^off_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "offer"
            status:
              type: "string"
              const: "cancelled"
            recipient_email:
              type: "string"
            title:
              type: "string"
            send_count:
              type: "integer"
              minimum: 0
            sent_at:
              type:
                - "string"
                - "null"
              format: "date-time"
            accepted_at:
              type: "null"
            cancelled_at:
              type: "string"
              format: "date-time"
            expires_at:
              type: "string"
              format: "date-time"
            created_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the offer, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
      additionalProperties: false
      examples:
        - offer:
            id: "off_test"
            object: "offer"
            status: "cancelled"
            recipient_email: "buyer@example.com"
            title: "Test offer"
            send_count: 0
            sent_at: null
            accepted_at: null
            cancelled_at: "2026-01-01T12:00:00.000Z"
            expires_at: "2026-01-31T12:00:00.000Z"
            created_at: "2026-01-01T12:00:00.000Z"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
    offer.created.v1:
      title: "Offer created"
      description: "An offer was drafted. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "offer"
        - "metadata"
        - "currency"
        - "totals"
        - "line_items"
      properties:
        offer:
          type: "object"
          required:
            - "id"
            - "object"
            - "status"
            - "recipient_email"
            - "title"
            - "send_count"
            - "sent_at"
            - "accepted_at"
            - "cancelled_at"
            - "expires_at"
            - "created_at"
          properties:
            id:
              type: "string"
              pattern: "^off_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "offer"
            status:
              type: "string"
              const: "draft"
            recipient_email:
              type: "string"
            title:
              type: "string"
            send_count:
              type: "integer"
              minimum: 0
            sent_at:
              type: "null"
            accepted_at:
              type: "null"
            cancelled_at:
              type: "null"
            expires_at:
              type: "string"
              format: "date-time"
            created_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the offer, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
      additionalProperties: false
      examples:
        - offer:
            id: "off_test"
            object: "offer"
            status: "draft"
            recipient_email: "buyer@example.com"
            title: "Test offer"
            send_count: 0
            sent_at: null
            accepted_at: null
            cancelled_at: null
            expires_at: "2026-01-31T12:00:00.000Z"
            created_at: "2026-01-01T12:00:00.000Z"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
    offer.sent.v1:
      title: "Offer sent"
      description: "An offer went out, for the first time or again. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "offer"
        - "metadata"
        - "currency"
        - "totals"
        - "line_items"
      properties:
        offer:
          type: "object"
          required:
            - "id"
            - "object"
            - "status"
            - "recipient_email"
            - "title"
            - "send_count"
            - "sent_at"
            - "accepted_at"
            - "cancelled_at"
            - "expires_at"
            - "created_at"
          properties:
            id:
              type: "string"
              pattern: "^off_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "offer"
            status:
              type: "string"
              const: "sent"
            recipient_email:
              type: "string"
            title:
              type: "string"
            send_count:
              type: "integer"
              minimum: 1
            sent_at:
              type: "string"
              format: "date-time"
            accepted_at:
              type: "null"
            cancelled_at:
              type: "null"
            expires_at:
              type: "string"
              format: "date-time"
            created_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the offer, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
      additionalProperties: false
      examples:
        - offer:
            id: "off_test"
            object: "offer"
            status: "sent"
            recipient_email: "buyer@example.com"
            title: "Test offer"
            send_count: 1
            sent_at: "2026-01-01T12:00:00.000Z"
            accepted_at: null
            cancelled_at: null
            expires_at: "2026-01-31T12:00:00.000Z"
            created_at: "2026-01-01T12:00:00.000Z"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
    order.completed.v1:
      title: "Order completed (legacy)"
      description: "What cart.order.completed replaces; only existing subscriptions receive it. This is the \`data\` of the event, version v1. It has the same data, and the order id once more at the top."
      type: "object"
      required:
        - "order_id"
        - "order"
        - "checkout"
        - "metadata"
        - "currency"
        - "totals"
        - "buyer"
        - "line_items"
        - "payment"
        - "affiliate"
      properties:
        order_id:
          type: "string"
          pattern: "^ord_[A-Za-z0-9]+$"
        order:
          type: "object"
          required:
            - "id"
            - "object"
            - "created_at"
            - "completed_at"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
            created_at:
              type: "string"
              format: "date-time"
            completed_at:
              type: "string"
              format: "date-time"
          additionalProperties: false
        checkout:
          type: "object"
          required:
            - "id"
            - "object"
            - "external_reference"
          properties:
            id:
              type: "string"
              pattern: "^chk_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "checkout"
            external_reference:
              type: "string"
          additionalProperties: false
        metadata:
          type: "object"
          description: "The metadata of the checkout, as the merchant attached it."
          additionalProperties: true
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        totals:
          type: "object"
          required:
            - "currency"
            - "subtotal_minor_units"
            - "discount_minor_units"
            - "shipping_minor_units"
            - "tax_minor_units"
            - "total_minor_units"
          properties:
            currency:
              type: "string"
              pattern: "^[A-Z]{3}$"
            subtotal_minor_units:
              type: "integer"
            discount_minor_units:
              type: "integer"
            shipping_minor_units:
              type: "integer"
            tax_minor_units:
              type: "integer"
            total_minor_units:
              type: "integer"
          additionalProperties: false
        buyer:
          type: "object"
          required:
            - "email"
            - "name"
            - "country"
          properties:
            email:
              type: "string"
            name:
              type:
                - "string"
                - "null"
            country:
              type:
                - "string"
                - "null"
              pattern: "^[A-Z]{2}$"
          additionalProperties: false
        line_items:
          type: "array"
          items:
            type: "object"
            required:
              - "product"
              - "quantity"
              - "unit_amount_minor_units"
              - "discount_minor_units"
              - "tax_minor_units"
              - "tax_percentage"
              - "total_minor_units"
            properties:
              product:
                type: "object"
                required:
                  - "id"
                  - "name"
                properties:
                  id:
                    type: "string"
                  name:
                    type: "string"
                additionalProperties: false
              quantity:
                type: "integer"
                minimum: 1
              unit_amount_minor_units:
                type: "integer"
              discount_minor_units:
                type: "integer"
              tax_minor_units:
                type: "integer"
              tax_percentage:
                type: "string"
                pattern: "^\\\\d+(\\\\.\\\\d+)?$"
              total_minor_units:
                type: "integer"
            additionalProperties: false
        payment:
          type: "object"
          required:
            - "id"
            - "object"
            - "method"
            - "amount_minor_units"
          properties:
            id:
              type: "string"
              pattern: "^pay_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "payment"
            method:
              type: "string"
            amount_minor_units:
              type: "integer"
          additionalProperties: false
        affiliate:
          oneOf:
            - type: "object"
              required:
                - "code"
              properties:
                code:
                  type: "string"
              additionalProperties: false
            - type: "null"
      additionalProperties: false
      examples:
        - order_id: "ord_test"
          order:
            id: "ord_test"
            object: "order"
            created_at: "2026-01-01T12:00:00.000Z"
            completed_at: "2026-01-01T12:00:00.000Z"
          checkout:
            id: "chk_test0000"
            object: "checkout"
            external_reference: "test"
          metadata:
            test: "true"
          currency: "EUR"
          totals:
            currency: "EUR"
            subtotal_minor_units: 10000
            discount_minor_units: 0
            shipping_minor_units: 0
            tax_minor_units: 1900
            total_minor_units: 11900
          buyer:
            email: "buyer@example.com"
            name: "Test Buyer"
            country: "DE"
          line_items:
            - product:
                id: "prod_test"
                name: "Test product"
              quantity: 1
              unit_amount_minor_units: 10000
              discount_minor_units: 0
              tax_minor_units: 1900
              tax_percentage: "19.00"
              total_minor_units: 11900
          payment:
            id: "pay_test"
            object: "payment"
            method: "card"
            amount_minor_units: 11900
          affiliate: null
    payment.refund.created.v1:
      title: "Refund created"
      description: "A payment was refunded, in full or in part. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "refund"
        - "payment"
        - "order"
        - "currency"
        - "buyer"
      properties:
        refund:
          type: "object"
          required:
            - "id"
            - "object"
            - "status"
            - "amount_minor_units"
            - "reason"
            - "created_at"
            - "cash_flow_at"
          properties:
            id:
              type: "string"
              pattern: "^rfd_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "refund"
            status:
              type: "string"
              enum:
                - "succeeded"
                - "pending"
                - "failed"
            amount_minor_units:
              type: "integer"
              minimum: 1
            reason:
              type:
                - "string"
                - "null"
              enum:
                - "requested_by_customer"
                - "duplicate"
                - "fraudulent"
                - "other"
                - null
            created_at:
              type: "string"
              format: "date-time"
            cash_flow_at:
              description: "When the money is or will be taken from the balance; null while that is not known."
              type:
                - "string"
                - "null"
              format: "date-time"
          additionalProperties: false
        payment:
          type: "object"
          description: "As the refund left it."
          required:
            - "id"
            - "object"
            - "status"
            - "amount_minor_units"
            - "refunded_minor_units"
          properties:
            id:
              type: "string"
              pattern: "^pay_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "payment"
            status:
              type: "string"
              enum:
                - "partially_refunded"
                - "refunded"
            amount_minor_units:
              type: "integer"
            refunded_minor_units:
              type: "integer"
          additionalProperties: false
        order:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
          additionalProperties: false
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        buyer:
          type: "object"
          required:
            - "email"
            - "name"
            - "country"
          properties:
            email:
              type: "string"
            name:
              type:
                - "string"
                - "null"
            country:
              type:
                - "string"
                - "null"
              pattern: "^[A-Z]{2}$"
          additionalProperties: false
      additionalProperties: false
      examples:
        - refund:
            id: "rfd_test"
            object: "refund"
            status: "succeeded"
            amount_minor_units: 11900
            reason: "requested_by_customer"
            created_at: "2026-01-01T12:00:00.000Z"
            cash_flow_at: "2026-01-01T12:00:00.000Z"
          payment:
            id: "pay_test"
            object: "payment"
            status: "refunded"
            amount_minor_units: 11900
            refunded_minor_units: 11900
          order:
            id: "ord_test"
            object: "order"
          currency: "EUR"
          buyer:
            email: "buyer@example.com"
            name: "Test Buyer"
            country: "DE"
    payment.sale.succeeded.v1:
      title: "Payment succeeded"
      description: "A buyer’s payment succeeded. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "payment"
        - "order"
        - "checkout"
        - "currency"
        - "buyer"
      properties:
        payment:
          type: "object"
          required:
            - "id"
            - "object"
            - "status"
            - "method"
            - "amount_minor_units"
            - "fee_minor_units"
            - "net_minor_units"
            - "created_at"
            - "cash_flow_at"
          properties:
            id:
              type: "string"
              pattern: "^pay_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "payment"
            status:
              type: "string"
              const: "succeeded"
            method:
              type: "string"
            amount_minor_units:
              type: "integer"
            fee_minor_units:
              type: "integer"
            net_minor_units:
              type: "integer"
            created_at:
              type: "string"
              format: "date-time"
            cash_flow_at:
              description: "When the money is or will be booked to the balance; null while that is not known."
              type:
                - "string"
                - "null"
              format: "date-time"
          additionalProperties: false
        order:
          type: "object"
          required:
            - "id"
            - "object"
          properties:
            id:
              type: "string"
              pattern: "^ord_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "order"
          additionalProperties: false
        checkout:
          type: "object"
          required:
            - "id"
            - "object"
            - "external_reference"
          properties:
            id:
              type: "string"
              pattern: "^chk_[A-Za-z0-9]+$"
            object:
              type: "string"
              const: "checkout"
            external_reference:
              type: "string"
          additionalProperties: false
        currency:
          type: "string"
          pattern: "^[A-Z]{3}$"
        buyer:
          type: "object"
          required:
            - "email"
            - "name"
            - "country"
          properties:
            email:
              type: "string"
            name:
              type:
                - "string"
                - "null"
            country:
              type:
                - "string"
                - "null"
              pattern: "^[A-Z]{2}$"
          additionalProperties: false
      additionalProperties: false
      examples:
        - payment:
            id: "pay_test"
            object: "payment"
            status: "succeeded"
            method: "card"
            amount_minor_units: 11900
            fee_minor_units: 0
            net_minor_units: 11900
            created_at: "2026-01-01T12:00:00.000Z"
            cash_flow_at: "2026-01-01T12:00:00.000Z"
          order:
            id: "ord_test"
            object: "order"
          checkout:
            id: "chk_test0000"
            object: "checkout"
            external_reference: "test"
          currency: "EUR"
          buyer:
            email: "buyer@example.com"
            name: "Test Buyer"
            country: "DE"
    webhook.endpoint.disabled.v1:
      title: "Endpoint disabled"
      description: "The service disabled an endpoint and cancelled its pending deliveries. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "endpoint"
        - "failing_since"
        - "failure_count"
        - "last_response_status"
        - "disabled_at"
      properties:
        endpoint:
          type: "object"
          required:
            - "id"
            - "account_id"
            - "url"
            - "active"
            - "disabled_reason"
          properties:
            id:
              type: "string"
              pattern: "^whs_[A-Za-z0-9]+$"
            account_id:
              type: "string"
              pattern: "^acc_[A-Za-z0-9]+$"
            url:
              type: "string"
            active:
              const: false
            disabled_reason:
              enum:
                - "consecutive_failures"
                - "receiver_gone"
          additionalProperties: false
        failing_since:
          type: "string"
          format: "date-time"
        failure_count:
          type: "integer"
          minimum: 1
        last_response_status:
          type:
            - "integer"
            - "null"
        disabled_at:
          type: "string"
          format: "date-time"
      additionalProperties: false
      examples:
        - endpoint:
            id: "whs_test0000"
            account_id: "acc_test0000"
            url: "https://shop.example/webhooks"
            active: false
            disabled_reason: "consecutive_failures"
          failing_since: "2025-12-27T12:00:00.000Z"
          failure_count: 12
          last_response_status: 503
          disabled_at: "2026-01-01T12:00:00.000Z"
    webhook.endpoint.failing.v1:
      title: "Endpoint failing"
      description: "Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "endpoint"
        - "failing_since"
        - "failure_count"
        - "last_response_status"
        - "disables_at"
      properties:
        endpoint:
          type: "object"
          required:
            - "id"
            - "account_id"
            - "url"
            - "active"
            - "disabled_reason"
          properties:
            id:
              type: "string"
              pattern: "^whs_[A-Za-z0-9]+$"
            account_id:
              type: "string"
              pattern: "^acc_[A-Za-z0-9]+$"
            url:
              type: "string"
            active:
              const: true
            disabled_reason:
              type: "null"
          additionalProperties: false
        failing_since:
          type: "string"
          format: "date-time"
        failure_count:
          type: "integer"
          minimum: 1
        last_response_status:
          type:
            - "integer"
            - "null"
        disables_at:
          type: "string"
          format: "date-time"
      additionalProperties: false
      examples:
        - endpoint:
            id: "whs_test0000"
            account_id: "acc_test0000"
            url: "https://shop.example/webhooks"
            active: true
            disabled_reason: null
          failing_since: "2026-01-01T12:00:00.000Z"
          failure_count: 7
          last_response_status: 503
          disables_at: "2026-01-06T12:00:00.000Z"
    webhook.endpoint.recovered.v1:
      title: "Endpoint recovered"
      description: "An endpoint that was reported as failing accepted a delivery. This is the \`data\` of the event, version v1."
      type: "object"
      required:
        - "endpoint"
        - "failing_since"
        - "failure_count"
        - "recovered_at"
      properties:
        endpoint:
          type: "object"
          required:
            - "id"
            - "account_id"
            - "url"
            - "active"
            - "disabled_reason"
          properties:
            id:
              type: "string"
              pattern: "^whs_[A-Za-z0-9]+$"
            account_id:
              type: "string"
              pattern: "^acc_[A-Za-z0-9]+$"
            url:
              type: "string"
            active:
              type: "boolean"
            disabled_reason:
              enum:
                - "consecutive_failures"
                - "receiver_gone"
                - null
          additionalProperties: false
        failing_since:
          type: "string"
          format: "date-time"
        failure_count:
          type: "integer"
          minimum: 1
        recovered_at:
          type: "string"
          format: "date-time"
      additionalProperties: false
      examples:
        - endpoint:
            id: "whs_test0000"
            account_id: "acc_test0000"
            url: "https://shop.example/webhooks"
            active: true
            disabled_reason: null
          failing_since: "2025-12-31T00:00:00.000Z"
          failure_count: 7
          recovered_at: "2026-01-01T12:00:00.000Z"
    Url:
      type: string
      format: https-url
      pattern: '^https://[^\\s/?#@\\\\"<>^\`{|}%]+([/?]([^\\s#\\\\"<>^\`{|}\\[\\]%]|%[0-9A-Fa-f]{2})*)?$'
      maxLength: 2048
      description: >
        An absolute https address without user information and fragment. Its ASCII characters are those
        that RFC 3986 allows there; others are percent-encoded. The host is not percent-encoded and has 1 to
        63 characters between its dots. A port is a number from 1 to 65535 without leading zeros. No
        segment of the path is \`.\` or \`..\`.
    Email:
      type: string
      format: mailbox
      maxLength: 254
      description: One e-mail address.
    TimeBound:
      description: An RFC 3339 date-time, or a date, which means that whole day in UTC.
      type: string
      anyOf:
        - { type: string, format: date-time }
        - { type: string, format: date }
    Description:
      type: [string, 'null']
      maxLength: 500
    EventTypeIds:
      type: array
      minItems: 1
      items: { type: string }
      description: Ids of event types. A repeated id counts once.

    CreateWebhookEndpoint:
      type: object
      required: [url, event_types, notification_email]
      properties:
        url: { $ref: '#/components/schemas/Url' }
        event_types: { $ref: '#/components/schemas/EventTypeIds' }
        notification_email: { $ref: '#/components/schemas/Email' }
        active: { type: boolean, default: true }
        description: { $ref: '#/components/schemas/Description' }
      additionalProperties: false
    UpdateWebhookEndpoint:
      type: object
      properties:
        url: { $ref: '#/components/schemas/Url' }
        event_types: { $ref: '#/components/schemas/EventTypeIds' }
        notification_email: { $ref: '#/components/schemas/Email' }
        active: { type: boolean }
        description: { $ref: '#/components/schemas/Description' }
      additionalProperties: false
    ReplaceEventSubscriptions:
      type: object
      required: [event_types]
      properties:
        event_types: { $ref: '#/components/schemas/EventTypeIds' }
      additionalProperties: false

    WebhookEndpointMembers:
      type: object
      description: Members common to all endpoint responses.
      required:
        - id
        - url
        - active
        - description
        - notification_email
        - event_types
        - disabled_reason
        - created_at
        - updated_at
      properties:
        id: { type: string, pattern: '^whs_[A-Za-z0-9_-]+$' }
        url:
          type: string
          pattern: '^https://'
          maxLength: 2048
          description: A URI, or an IRI exactly as it was given.
        active: { type: boolean }
        description: { $ref: '#/components/schemas/Description' }
        notification_email:
          type: string
          format: email
          description: Receives the notice when the service disables the endpoint.
        event_types: { type: array, minItems: 1, items: { type: string } }
        disabled_reason:
          type: [string, 'null']
          enum: [consecutive_failures, receiver_gone, null]
          description: Why the service disabled the endpoint, or null.
        created_at: { $ref: '#/components/schemas/Instant' }
        updated_at: { $ref: '#/components/schemas/Instant' }
    WebhookEndpoint:
      allOf:
        - $ref: '#/components/schemas/WebhookEndpointMembers'
      unevaluatedProperties: false
    WebhookEndpointWithSecret:
      type: object
      allOf:
        - $ref: '#/components/schemas/WebhookEndpointMembers'
      required: [signing_secret]
      properties:
        signing_secret: { type: string, pattern: '^whsec_[A-Za-z0-9_-]+$' }
      unevaluatedProperties: false
    WebhookEndpointEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/WebhookEndpoint' }
      additionalProperties: false
    WebhookEndpointWithSecretEnvelope:
      type: object
      required: [data]
      properties:
        data:
          description: With \`signing_secret\`. A replayed stored response leaves it out.
          oneOf:
            - $ref: '#/components/schemas/WebhookEndpointWithSecret'
            - $ref: '#/components/schemas/WebhookEndpoint'
      additionalProperties: false
    WebhookEndpointList:
      type: object
      required: [data, page]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/WebhookEndpoint' } }
        page: { $ref: '#/components/schemas/Page' }
      additionalProperties: false

    WebhookDeliveryStatus:
      type: string
      enum: [success, failed, abandoned]
      description: >-
        success: a 2xx arrived. failed: none did, and another attempt follows or was made.
        abandoned: none did, and no other attempt follows.
    WebhookDelivery:
      type: object
      required:
        - id
        - attempt
        - max_attempts
        - status
        - created_at
        - event_id
        - event_type
        - event_version
        - test
      properties:
        id: { type: string, pattern: '^whd_[A-Za-z0-9_-]+$' }
        attempt: { type: integer, minimum: 1, description: Number of this attempt. }
        max_attempts: { type: integer, minimum: 1 }
        status: { $ref: '#/components/schemas/WebhookDeliveryStatus' }
        created_at: { $ref: '#/components/schemas/Instant' }
        delivered_at: { $ref: '#/components/schemas/Instant' }
        duration_ms: { type: integer, minimum: 0 }
        response_status:
          type: integer
          minimum: 100
          maximum: 999
          description: Status of the receiver's response; absent when none arrived.
        event_id: { type: string, pattern: '^evt_[A-Za-z0-9]{24}$' }
        event_type: { type: string }
        event_version: { type: string }
        replayed_from:
          type: string
          pattern: '^whd_[A-Za-z0-9_-]+$'
          description: The delivery that this one replays.
        test: { type: boolean }
      additionalProperties: false
    WebhookDeliveryEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/WebhookDelivery' }
      additionalProperties: false
    WebhookDeliveryList:
      type: object
      required: [data, page]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/WebhookDelivery' } }
        page: { $ref: '#/components/schemas/Page' }
      additionalProperties: false

    EventType:
      type: object
      required: [id, category, summary, description, accepts_new_subscriptions, sent]
      properties:
        id: { type: string, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$' }
        category:
          type: string
          description: Groups event types, as in checkouts, orders or webhooks.
        summary: { type: string }
        description: { type: string }
        accepts_new_subscriptions:
          type: boolean
          description: False when the type is no longer offered. Existing subscriptions keep it.
        sent:
          type: boolean
          description: True when the service emits events of this type today.
      additionalProperties: false
    EventTypeList:
      type: object
      required: [data, page]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/EventType' } }
        page: { $ref: '#/components/schemas/Page' }
      additionalProperties: false

    Page:
      type: object
      required: [has_more]
      properties:
        has_more: { type: boolean }
        next_cursor: { type: string, minLength: 1, description: Absent on the last page. }
      additionalProperties: false

    Checkout:
      type: object
      required:
        - object
        - id
        - status
        - order
        - buyer_email_locked
        - cancel_url
        - success_url
        - external_reference
        - metadata
        - created_at
        - expires_at
        - totals
      properties:
        object: { type: string, const: checkout }
        id: { type: string, pattern: '^chk_[A-Za-z0-9]{8,32}$' }
        status:
          type: string
          enum: [open, completed, expired]
          description: >-
            completed whenever \`order\` is set. Otherwise expired from \`expires_at\` on, or when its
            offer has ended.
        order:
          description: Null until the buyer's payment succeeded.
          oneOf:
            - $ref: '#/components/schemas/OrderReference'
            - type: 'null'
        buyer_email_locked: { type: boolean }
        cancel_url: { type: string, description: Empty when none was given. }
        success_url: { type: string }
        checkout_url: { type: string, description: Only while the checkout is open. }
        embed_url: { type: string, description: Only while the checkout is open. }
        embed_origin: { type: string }
        external_reference: { type: string, description: Empty when none was given. }
        metadata:
          type: object
          additionalProperties: true
          description: Metadata of the merchant.
        created_at: { $ref: '#/components/schemas/Instant' }
        expires_at:
          $ref: '#/components/schemas/Instant'
          description: 30 minutes after creation.
        totals: { $ref: '#/components/schemas/Totals' }
      additionalProperties: false
    CheckoutEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/Checkout' }
      additionalProperties: false
    OrderReference:
      type: object
      required: [id, object]
      properties:
        id: { type: string, pattern: '^ord_[A-Za-z0-9]+$' }
        object: { type: string, const: order }
      additionalProperties: false
    Totals:
      type: object
      required:
        - currency
        - subtotal_minor_units
        - discount_minor_units
        - shipping_minor_units
        - tax_minor_units
        - total_minor_units
      properties:
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        subtotal_minor_units: { type: integer }
        discount_minor_units: { type: integer }
        shipping_minor_units: { type: integer }
        tax_minor_units: { type: integer }
        total_minor_units: { type: integer }
      additionalProperties: false

    Amount:
      type: integer
      minimum: 0
      maximum: 9007199254740991
      description: In minor units of the currency.
    Pagination:
      type: object
      required: [total_pages, current_page, per_page, total_count]
      properties:
        total_pages: { type: integer, minimum: 1 }
        current_page: { type: integer, minimum: 1, description: The number of this page. }
        per_page: { type: integer, minimum: 1, maximum: 100 }
        total_count: { type: integer, minimum: 0 }
      additionalProperties: false
    Buyer:
      type: object
      required: [email, name, country]
      properties:
        email: { type: string }
        name: { type: [string, 'null'] }
        country: { type: [string, 'null'], description: ISO 3166-1 alpha-2. }
      additionalProperties: false
    LineItem:
      type: object
      required:
        - product
        - quantity
        - unit_amount_minor_units
        - discount_minor_units
        - tax_minor_units
        - tax_percentage
        - total_minor_units
      properties:
        product:
          type: object
          required: [id, name]
          properties:
            id: { type: string, pattern: '^prod_[A-Za-z0-9]+$' }
            name: { type: string }
          additionalProperties: false
        quantity: { type: integer, minimum: 1 }
        unit_amount_minor_units: { $ref: '#/components/schemas/Amount' }
        discount_minor_units: { $ref: '#/components/schemas/Amount' }
        tax_minor_units: { $ref: '#/components/schemas/Amount' }
        tax_percentage: { type: string, description: A decimal such as "19.00". }
        total_minor_units: { $ref: '#/components/schemas/Amount' }
      additionalProperties: false
    Order:
      type: object
      required:
        - object
        - id
        - status
        - checkout
        - external_reference
        - created_at
        - completed_at
        - currency
        - totals
        - refunded_minor_units
        - buyer
        - line_items
        - payments
        - invoices
        - metadata
        - affiliate
      properties:
        object: { type: string, const: order }
        id: { type: string, pattern: '^ord_[A-Za-z0-9]+$' }
        status: { type: string, const: completed }
        checkout: { type: [string, 'null'], pattern: '^chk_[A-Za-z0-9]{8,32}$' }
        external_reference: { type: string, description: Empty when none was given. }
        created_at: { $ref: '#/components/schemas/Instant' }
        completed_at: { $ref: '#/components/schemas/Instant' }
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        totals: { $ref: '#/components/schemas/Totals' }
        refunded_minor_units: { $ref: '#/components/schemas/Amount' }
        buyer: { $ref: '#/components/schemas/Buyer' }
        line_items: { type: array, items: { $ref: '#/components/schemas/LineItem' } }
        payments: { type: array, items: { type: string, pattern: '^pay_[A-Za-z0-9]+$' } }
        invoices:
          type: array
          items: { type: string, pattern: '^inv_[A-Za-z0-9]+$' }
          description: Invoices and credit notes, oldest first.
        metadata:
          type: object
          additionalProperties: true
          description: The metadata of the checkout.
        affiliate:
          description: The affiliate who referred the buyer, or null.
          oneOf:
            - type: object
              required: [code]
              properties:
                code: { type: string }
              additionalProperties: false
            - type: 'null'
      additionalProperties: false
    OrderEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/Order' }
      additionalProperties: false
    OrderList:
      type: object
      required: [data, pagination]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Order' } }
        pagination: { $ref: '#/components/schemas/Pagination' }
      additionalProperties: false
    Payment:
      type: object
      required:
        - object
        - id
        - order
        - status
        - currency
        - amount_minor_units
        - refunded_minor_units
        - fee_minor_units
        - net_minor_units
        - method
        - buyer_email
        - created_at
        - cash_flow_at
      properties:
        object: { type: string, const: payment }
        id: { type: string, pattern: '^pay_[A-Za-z0-9]+$' }
        order: { type: string, pattern: '^ord_[A-Za-z0-9]+$' }
        status:
          type: string
          enum: [succeeded, partially_refunded, refunded, charged_back]
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        amount_minor_units: { $ref: '#/components/schemas/Amount' }
        refunded_minor_units: { $ref: '#/components/schemas/Amount' }
        fee_minor_units: { $ref: '#/components/schemas/Amount' }
        net_minor_units:
          $ref: '#/components/schemas/Amount'
          description: The amount without the fee. Refunds are entries of their own.
        method: { type: string }
        buyer_email: { type: string }
        created_at:
          $ref: '#/components/schemas/Instant'
          description: When the sale was made.
        cash_flow_at:
          description: When the money is or will be booked to the balance. Null while unknown.
          oneOf:
            - $ref: '#/components/schemas/Instant'
            - type: 'null'
      additionalProperties: false
    PaymentEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/Payment' }
      additionalProperties: false
    PaymentList:
      type: object
      required: [data, pagination]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Payment' } }
        pagination: { $ref: '#/components/schemas/Pagination' }
      additionalProperties: false
    CreateRefund:
      type: object
      properties:
        amount_minor_units:
          type: integer
          minimum: 1
          maximum: 9007199254740991
          description: At most what is left of the payment. Defaults to all that is left.
        reason: { $ref: '#/components/schemas/RefundReason' }
        note: { type: string, maxLength: 500 }
      additionalProperties: false
    RefundReason:
      type: string
      enum: [requested_by_customer, duplicate, fraudulent, other]
    Refund:
      type: object
      required:
        - object
        - id
        - payment
        - order
        - status
        - currency
        - amount_minor_units
        - reason
        - note
        - created_at
        - cash_flow_at
      properties:
        object: { type: string, const: refund }
        id: { type: string, pattern: '^rfd_[A-Za-z0-9]+$' }
        payment: { type: string, pattern: '^pay_[A-Za-z0-9]+$' }
        order: { type: string, pattern: '^ord_[A-Za-z0-9]+$' }
        status: { type: string, enum: [succeeded, pending, failed] }
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        amount_minor_units: { $ref: '#/components/schemas/Amount' }
        reason:
          oneOf:
            - $ref: '#/components/schemas/RefundReason'
            - type: 'null'
        note: { type: [string, 'null'], maxLength: 500 }
        created_at: { $ref: '#/components/schemas/Instant' }
        cash_flow_at:
          description: When the money is or will be taken from the balance. Null while unknown.
          oneOf:
            - $ref: '#/components/schemas/Instant'
            - type: 'null'
      additionalProperties: false
    RefundEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/Refund' }
      additionalProperties: false
    RefundList:
      type: object
      required: [data, pagination]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Refund' } }
        pagination: { $ref: '#/components/schemas/Pagination' }
      additionalProperties: false
    Invoice:
      type: object
      required:
        - object
        - id
        - number
        - type
        - order
        - payment
        - refund
        - currency
        - totals
        - buyer
        - issued_at
        - created_at
        - pdf_url
      properties:
        object: { type: string, const: invoice }
        id: { type: string, pattern: '^inv_[A-Za-z0-9]+$' }
        number: { type: string, description: Consecutive. Credit notes have their own sequence. }
        type: { type: string, enum: [invoice, credit_note] }
        order: { type: string, pattern: '^ord_[A-Za-z0-9]+$' }
        payment: { type: string, pattern: '^pay_[A-Za-z0-9]+$' }
        refund:
          type: [string, 'null']
          pattern: '^rfd_[A-Za-z0-9]+$'
          description: The refund of a credit note. Null for an invoice.
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        totals: { $ref: '#/components/schemas/Totals' }
        buyer: { $ref: '#/components/schemas/Buyer' }
        issued_at: { $ref: '#/components/schemas/Instant' }
        created_at: { $ref: '#/components/schemas/Instant' }
        pdf_url:
          type: string
          format: uri
          description: >-
            URL of the PDF. It holds a secret: anyone who has it can read the document without a
            credential.
      additionalProperties: false
    InvoiceEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/Invoice' }
      additionalProperties: false
    InvoiceList:
      type: object
      required: [data, pagination]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Invoice' } }
        pagination: { $ref: '#/components/schemas/Pagination' }
      additionalProperties: false

    CreateOffer:
      type: object
      required: [recipient_email, title, currency, line_items]
      properties:
        recipient_email: { type: string, format: mailbox, maxLength: 254 }
        title: { type: string, minLength: 1, maxLength: 250, description: One line. }
        message: { type: string, maxLength: 2000, description: Shown in the mail and on the page. }
        currency: { type: string, description: 'ISO 4217, in upper case, and in use.' }
        line_items:
          type: array
          minItems: 1
          maxItems: 100
          items: { $ref: '#/components/schemas/NewLineItem' }
        shipping_minor_units: { $ref: '#/components/schemas/Amount' }
        metadata:
          type: object
          additionalProperties: true
          description: >-
            Copied to the checkout and the order, and added to the URL that returns the recipient
            to \`offer_url\`. At most 131,072 bytes of JSON.
        expires_at:
          type: string
          description: >-
            An RFC 3339 date-time, or a date, which means the end of that day in UTC. In the
            future, at most 365 days ahead. Defaults to 30 days from now.
      additionalProperties: false
    NewLineItem:
      type: object
      required: [name, quantity, unit_amount_minor_units]
      properties:
        name: { type: string, minLength: 1, maxLength: 250 }
        product_id:
          type: string
          pattern: '^prod_[A-Za-z0-9]{1,64}$'
          description: Defaults to a generated id.
        quantity: { type: integer, minimum: 1, maximum: 1000000 }
        unit_amount_minor_units: { $ref: '#/components/schemas/Amount' }
        discount_minor_units:
          $ref: '#/components/schemas/Amount'
          description: For the whole line item. At most quantity times unit amount.
        tax_minor_units:
          $ref: '#/components/schemas/Amount'
          description: For the whole line item.
        tax_percentage:
          type: string
          pattern: '^[0-9]{1,3}([.][0-9]{1,4})?$'
          description: A decimal such as "19.00".
      additionalProperties: false
    Offer:
      type: object
      required:
        - object
        - id
        - status
        - recipient_email
        - title
        - message
        - currency
        - line_items
        - totals
        - metadata
        - offer_url
        - send_count
        - sent_at
        - accepted_at
        - cancelled_at
        - expires_at
        - order
        - created_at
        - updated_at
      properties:
        object: { type: string, const: offer }
        id: { type: string, pattern: '^off_[A-Za-z0-9]+$' }
        status:
          type: string
          enum: [draft, sent, accepted, cancelled, expired]
          description: A draft or sent offer is expired from \`expires_at\` on.
        recipient_email: { type: string }
        title: { type: string }
        message: { type: [string, 'null'] }
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        line_items: { type: array, items: { $ref: '#/components/schemas/LineItem' } }
        totals: { $ref: '#/components/schemas/Totals' }
        metadata:
          type: object
          additionalProperties: true
          description: Metadata of the merchant.
        offer_url:
          type: string
          format: uri
          description: >-
            The hosted page of the offer, once it is sent. Anyone who has the URL can read it.
        send_count:
          { type: integer, minimum: 0, description: 'How many mails were queued, at most 10.' }
        sent_at:
          description: When it was first sent, or null.
          oneOf:
            - $ref: '#/components/schemas/Instant'
            - type: 'null'
        accepted_at:
          oneOf:
            - $ref: '#/components/schemas/Instant'
            - type: 'null'
        cancelled_at:
          oneOf:
            - $ref: '#/components/schemas/Instant'
            - type: 'null'
        expires_at: { $ref: '#/components/schemas/Instant' }
        order:
          type: [string, 'null']
          pattern: '^ord_[A-Za-z0-9]+$'
          description: The order of the accepting payment, or null.
        created_at: { $ref: '#/components/schemas/Instant' }
        updated_at: { $ref: '#/components/schemas/Instant' }
      additionalProperties: false
    OfferEnvelope:
      type: object
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/Offer' }
      additionalProperties: false

    EventEnvelope:
      type: object
      description: A CloudEvents 1.0 event in structured mode; the same bytes on every attempt.
      required:
        - specversion
        - id
        - source
        - type
        - subject
        - time
        - datacontenttype
        - dataschema
        - eventversion
        - test
        - data
      properties:
        specversion: { type: string, const: '1.0' }
        id: { type: string, pattern: '^evt_[A-Za-z0-9]{24}$' }
        source: { type: string, format: uri }
        type: { type: string }
        subject: { type: string }
        time: { $ref: '#/components/schemas/Instant' }
        datacontenttype: { type: string, const: application/json }
        dataschema: { type: string, format: uri }
        eventversion: { type: string }
        erasedat:
          description: When personal data was erased from the event. Absent from all other events.
          $ref: '#/components/schemas/Instant'
        test: { type: boolean }
        data: { type: object }

    Instant:
      type: string
      format: date-time
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

    Problem:
      type: object
      required: [type, title, status, code, errors]
      properties:
        type: { type: string, format: uri }
        title: { type: string }
        status: { type: integer, minimum: 400, maximum: 599 }
        code: { $ref: '#/components/schemas/ProblemCode' }
        errors:
          type: array
          minItems: 1
          items: { $ref: '#/components/schemas/ProblemError' }
        detail: { type: string }
        request_id: { type: string, pattern: '^req_[A-Za-z0-9]{24}$' }
      additionalProperties: false
    ProblemError:
      type: object
      required: [code, detail]
      properties:
        code: { $ref: '#/components/schemas/ProblemErrorCode' }
        detail: { type: string }
        param:
          type: string
          description: The refused field as it was sent. Absent when the whole request is refused.
      additionalProperties: false
    ProblemCode:
      type: string
      enum:
        - idempotency_key_required
        - invalid_idempotency_key
        - invalid_json
        - malformed_request
        - unauthorized
        - forbidden
        - not_found
        - method_not_allowed
        - not_acceptable
        - request_timeout
        - idempotency_key_conflict
        - idempotency_key_in_progress
        - endpoint_inactive
        - delivery_in_progress
        - payment_not_refundable
        - offer_state_conflict
        - payload_too_large
        - unsupported_media_type
        - validation_failed
        - endpoint_limit_reached
        - delivery_not_replayable
        - rate_limit_exceeded
        - headers_too_large
        - internal_error
        - service_unavailable
    ProblemErrorCode:
      description: >-
        The cause of the refusal. For a refusal with a single cause, the code of the problem or
        its cause.
      anyOf:
        - $ref: '#/components/schemas/ProblemCode'
        - type: string
          enum:
            - missing_credential
            - invalid_credential
            - expired_credential
            - revoked_credential
            - credential_kind_not_accepted
            - permission_missing
            - repeated_header
            - invalid_encoding
            - nul_byte
            - required
            - invalid_type
            - invalid_format
            - invalid_value
            - too_long
            - too_few_items
            - out_of_range
            - unknown_property
            - unknown_parameter
            - invalid_cursor
            - event_type_not_offered
            - unknown_event_type
            - endpoint_deleted
            - event_type_not_subscribed
            - payload_expired
            - amount_exceeds_refundable
`;

export const json = `{
 "openapi": "3.1.1",
 "info": {
  "title": "Signalpost",
  "version": "1.0.0",
  "summary": "Webhook endpoints, deliveries, event types, and the commerce behind them.",
  "license": {
   "name": "MIT",
   "identifier": "MIT"
  },
  "description": "All bodies are JSON. Refusals are problem objects (RFC 9457) with the media type\\n\`application/problem+json\`. Their \`code\` is stable, and their \`type\` is the URL of a page that\\nexplains it.\\n\\nEach operation lists its own problems. Any request can also meet those that\\n\`x-common-problems\` lists by status. They come from the HTTP layer, an unknown path, the rate\\nlimit, or an error of the service.\\n\\n\`x-max-bytes\` and \`x-max-values\` limit each request body: its bytes, and its members and items\\nin all. A larger body gets 413. An operation without a body reads at most 65,536 bytes of one\\nand ignores them.\\n\\nLists are newest first. Webhook lists take \`limit\` and \`cursor\`, commerce lists \`page\` and\\n\`per_page\`.\\n\\nWithin \`/v1\`, and within the version of an event, the service may add members to responses and\\nevents. Ignore those that you do not know. The objects are closed here so that our tests see\\neach member. If your generated client refuses unknown members, first remove\\n\`additionalProperties: false\` and \`unevaluatedProperties: false\` of responses and events.\\n"
 },
 "servers": [
  {
   "url": "@base_url@"
  }
 ],
 "security": [
  {
   "bearer": []
  }
 ],
 "tags": [
  {
   "name": "Webhook endpoints",
   "description": "HTTPS addresses that receive the events of the types they subscribe to."
  },
  {
   "name": "Webhook deliveries",
   "description": "One record for each attempt to deliver an event to an endpoint."
  },
  {
   "name": "Event types",
   "description": "The catalogue that endpoints subscribe from."
  },
  {
   "name": "Checkouts",
   "description": "What a buyer is asked to pay, and the resulting order."
  },
  {
   "name": "Orders",
   "description": "The orders of paid checkouts."
  },
  {
   "name": "Payments",
   "description": "Payments of buyers, and their refunds."
  },
  {
   "name": "Refunds",
   "description": "Refunded money."
  },
  {
   "name": "Invoices",
   "description": "The documents of payments, and the credit notes of refunds."
  },
  {
   "name": "Offers",
   "description": "Proposals by mail to one recipient, who accepts by paying."
  }
 ],
 "x-common-problems": {
  "400": [
   "malformed_request"
  ],
  "404": [
   "not_found"
  ],
  "405": [
   "method_not_allowed"
  ],
  "406": [
   "not_acceptable"
  ],
  "408": [
   "request_timeout"
  ],
  "413": [
   "payload_too_large"
  ],
  "415": [
   "unsupported_media_type"
  ],
  "429": [
   "rate_limit_exceeded"
  ],
  "431": [
   "headers_too_large"
  ],
  "500": [
   "internal_error"
  ],
  "503": [
   "service_unavailable"
  ]
 },
 "paths": {
  "/v1/webhooks/endpoints": {
   "post": {
    "operationId": "webhooks.endpoints.create",
    "summary": "Create a webhook endpoint",
    "description": "Only this response shows the signing secret. A retry under the same Idempotency-Key gets the same body without it. If the first response was lost, rotate the secret under a new key.",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "requestBody": {
     "required": true,
     "x-max-bytes": 65536,
     "x-max-values": 1000,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/CreateWebhookEndpoint"
       },
       "example": {
        "url": "https://shop.example.com/webhooks",
        "event_types": [
         "cart.order.completed"
        ],
        "notification_email": "ops@shop.example.com"
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "The endpoint, with its signing secret.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       },
       "Location": {
        "description": "Path of the endpoint.",
        "required": true,
        "schema": {
         "type": "string",
         "pattern": "^/v1/webhooks/endpoints/whs_[A-Za-z0-9_-]+$"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WebhookEndpointWithSecretEnvelope"
        },
        "example": {
         "data": {
          "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "url": "https://shop.example.com/webhooks",
          "active": true,
          "description": null,
          "notification_email": "ops@shop.example.com",
          "event_types": [
           "cart.order.completed"
          ],
          "disabled_reason": null,
          "created_at": "2026-11-20T12:00:00.000Z",
          "updated_at": "2026-11-20T12:00:00.000Z",
          "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "409": {
      "$ref": "#/components/responses/IdempotencyConflict"
     },
     "422": {
      "$ref": "#/components/responses/EndpointRefused"
     }
    }
   },
   "get": {
    "operationId": "webhooks.endpoints.list",
    "summary": "List webhook endpoints",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/Limit"
     },
     {
      "$ref": "#/components/parameters/Cursor"
     },
     {
      "name": "status",
      "in": "query",
      "description": "Only active or only inactive endpoints.",
      "schema": {
       "type": "string",
       "enum": [
        "active",
        "inactive"
       ]
      }
     }
    ],
    "responses": {
     "200": {
      "description": "One page of endpoints, newest first.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WebhookEndpointList"
        },
        "example": {
         "data": [
          {
           "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "url": "https://shop.example.com/webhooks",
           "active": true,
           "description": null,
           "notification_email": "ops@shop.example.com",
           "event_types": [
            "cart.order.completed"
           ],
           "disabled_reason": null,
           "created_at": "2026-11-20T12:00:00.000Z",
           "updated_at": "2026-11-20T12:00:00.000Z"
          }
         ],
         "page": {
          "has_more": false
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/webhooks/endpoints/{id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/EndpointId"
    }
   ],
   "get": {
    "operationId": "webhooks.endpoints.retrieve",
    "summary": "Retrieve a webhook endpoint",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "$ref": "#/components/responses/WebhookEndpoint"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     }
    }
   },
   "patch": {
    "operationId": "webhooks.endpoints.update",
    "summary": "Update a webhook endpoint",
    "description": "Changes only the fields that are sent. Setting \`active\` to true clears \`disabled_reason\`. A type that the endpoint subscribes to can be kept or removed. An added type must be offered. Removing a type that is no longer offered or no longer listed is permanent.",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "requestBody": {
     "required": true,
     "x-max-bytes": 65536,
     "x-max-values": 1000,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/UpdateWebhookEndpoint"
       },
       "example": {
        "active": true
       }
      },
      "application/merge-patch+json": {
       "schema": {
        "$ref": "#/components/schemas/UpdateWebhookEndpoint"
       },
       "example": {
        "description": null
       }
      }
     }
    },
    "responses": {
     "200": {
      "$ref": "#/components/responses/ChangedWebhookEndpoint"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/IdempotencyConflict"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   },
   "delete": {
    "operationId": "webhooks.endpoints.delete",
    "summary": "Delete a webhook endpoint",
    "description": "Deletes the endpoint and its secrets immediately. The service sends it nothing more. Its delivery records stay listed until their retention ends. A body is ignored.",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "responses": {
     "204": {
      "description": "Deleted.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/IdempotencyConflict"
     }
    }
   }
  },
  "/v1/webhooks/endpoints/{id}/event-subscriptions": {
   "parameters": [
    {
     "$ref": "#/components/parameters/EndpointId"
    }
   ],
   "put": {
    "operationId": "webhooks.endpoints.event_subscriptions.update",
    "summary": "Replace the event subscriptions of a webhook endpoint",
    "description": "The rules for types are those of updating the endpoint.",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "requestBody": {
     "required": true,
     "x-max-bytes": 65536,
     "x-max-values": 1000,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/ReplaceEventSubscriptions"
       },
       "example": {
        "event_types": [
         "cart.order.completed",
         "invoice.issued"
        ]
       }
      }
     }
    },
    "responses": {
     "200": {
      "$ref": "#/components/responses/ChangedWebhookEndpoint"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/IdempotencyConflict"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/webhooks/endpoints/{id}/secret-rotations": {
   "parameters": [
    {
     "$ref": "#/components/parameters/EndpointId"
    }
   ],
   "post": {
    "operationId": "webhooks.endpoints.secret_rotations.create",
    "summary": "Rotate the signing secret of a webhook endpoint",
    "description": "The previous secret also signs for 24 hours. A retry under the same Idempotency-Key gets the same body without \`signing_secret\`. A body is ignored.",
    "tags": [
     "Webhook endpoints"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "responses": {
     "200": {
      "description": "The endpoint, with its signing secret.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WebhookEndpointWithSecretEnvelope"
        },
        "example": {
         "data": {
          "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "url": "https://shop.example.com/webhooks",
          "active": true,
          "description": null,
          "notification_email": "ops@shop.example.com",
          "event_types": [
           "cart.order.completed"
          ],
          "disabled_reason": null,
          "created_at": "2026-11-20T12:00:00.000Z",
          "updated_at": "2026-11-20T12:00:00.000Z",
          "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/IdempotencyConflict"
     }
    }
   }
  },
  "/v1/webhooks/deliveries": {
   "get": {
    "operationId": "webhooks.deliveries.list",
    "summary": "List webhook deliveries",
    "description": "Records are listed for 30 days.",
    "tags": [
     "Webhook deliveries"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/Limit"
     },
     {
      "$ref": "#/components/parameters/Cursor"
     },
     {
      "name": "status",
      "in": "query",
      "description": "Only deliveries of this status.",
      "schema": {
       "$ref": "#/components/schemas/WebhookDeliveryStatus"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "One page of deliveries, newest first.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WebhookDeliveryList"
        },
        "example": {
         "data": [
          {
           "id": "whd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "attempt": 1,
           "max_attempts": 10,
           "status": "failed",
           "created_at": "2026-11-20T12:00:01.000Z",
           "duration_ms": 812,
           "response_status": 503,
           "event_id": "evt_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "event_type": "cart.order.completed",
           "event_version": "v1",
           "test": false
          }
         ],
         "page": {
          "has_more": true,
          "next_cursor": "eyJ2IjoxfQ"
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/webhooks/deliveries/{delivery_id}/replay": {
   "parameters": [
    {
     "name": "delivery_id",
     "in": "path",
     "required": true,
     "description": "The delivery to replay.",
     "schema": {
      "type": "string",
      "pattern": "^whd_[A-Za-z0-9_-]+$"
     }
    }
   ],
   "post": {
    "operationId": "webhooks.deliveries.replay",
    "summary": "Replay a webhook delivery",
    "description": "Sends the event of this delivery again, with the same event id and the same body. Answers with the record of the first attempt when that has ended. Later attempts follow the usual schedule. A body is ignored.",
    "tags": [
     "Webhook deliveries"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "replay",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "responses": {
     "200": {
      "description": "The record of the replay's first attempt.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WebhookDeliveryEnvelope"
        },
        "example": {
         "data": {
          "id": "whd_00Q9AAq2Vn4LxT7mWb3Zp9Rd",
          "attempt": 1,
          "max_attempts": 10,
          "status": "success",
          "created_at": "2026-11-21T09:00:00.000Z",
          "delivered_at": "2026-11-21T09:00:00.215Z",
          "duration_ms": 215,
          "response_status": 200,
          "event_id": "evt_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "event_type": "cart.order.completed",
          "event_version": "v1",
          "replayed_from": "whd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "test": false
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/ReplayConflict"
     },
     "422": {
      "$ref": "#/components/responses/NotReplayable"
     },
     "429": {
      "$ref": "#/components/responses/TooManyRequests"
     }
    }
   }
  },
  "/v1/webhooks/event-types": {
   "get": {
    "operationId": "webhooks.event_types.list",
    "summary": "List event types",
    "description": "The whole catalogue in one page, by category and id.",
    "tags": [
     "Event types"
    ],
    "x-permission": {
     "name": "webhooks",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy",
     "dashboard"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "description": "Every listed event type.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/EventTypeList"
        },
        "example": {
         "data": [
          {
           "id": "cart.order.completed",
           "category": "orders",
           "summary": "Order completed",
           "description": "The buyer's payment succeeded and the order is complete.",
           "accepts_new_subscriptions": true,
           "sent": true
          }
         ],
         "page": {
          "has_more": false
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/checkouts/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The checkout.",
     "schema": {
      "type": "string",
      "pattern": "^chk_[A-Za-z0-9]{8,32}$"
     }
    }
   ],
   "get": {
    "operationId": "commerce.checkouts.retrieve",
    "summary": "Retrieve a checkout",
    "tags": [
     "Checkouts"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "description": "The current state of the checkout.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/CheckoutEnvelope"
        },
        "example": {
         "data": {
          "object": "checkout",
          "id": "chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "completed",
          "order": {
           "id": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "object": "order"
          },
          "buyer_email_locked": false,
          "cancel_url": "https://shop.example.com/cart",
          "success_url": "https://shop.example.com/thanks",
          "external_reference": "4711",
          "metadata": {
           "customer_id": "42"
          },
          "created_at": "2026-11-20T12:00:00.000Z",
          "expires_at": "2026-11-20T12:30:00.000Z",
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 10000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 1900,
           "total_minor_units": 11900
          }
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     }
    }
   }
  },
  "/v1/commerce/orders": {
   "get": {
    "operationId": "commerce.orders.list",
    "summary": "List orders",
    "tags": [
     "Orders"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/PageNumber"
     },
     {
      "$ref": "#/components/parameters/PerPage"
     }
    ],
    "responses": {
     "200": {
      "description": "One page of completed orders, newest first.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OrderList"
        },
        "example": {
         "data": [
          {
           "object": "order",
           "id": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "status": "completed",
           "checkout": "chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "external_reference": "4711",
           "created_at": "2026-11-20T12:04:00.000Z",
           "completed_at": "2026-11-20T12:04:00.000Z",
           "currency": "EUR",
           "totals": {
            "currency": "EUR",
            "subtotal_minor_units": 10000,
            "discount_minor_units": 0,
            "shipping_minor_units": 0,
            "tax_minor_units": 1900,
            "total_minor_units": 11900
           },
           "refunded_minor_units": 0,
           "buyer": {
            "email": "buyer@example.com",
            "name": "Ada Example",
            "country": "DE"
           },
           "line_items": [
            {
             "product": {
              "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
              "name": "Course"
             },
             "quantity": 1,
             "unit_amount_minor_units": 10000,
             "discount_minor_units": 0,
             "tax_minor_units": 1900,
             "tax_percentage": "19.00",
             "total_minor_units": 11900
            }
           ],
           "payments": [
            "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
           ],
           "invoices": [
            "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
           ],
           "metadata": {
            "customer_id": "42"
           },
           "affiliate": {
            "code": "partner-9"
           }
          }
         ],
         "pagination": {
          "total_pages": 1,
          "current_page": 1,
          "per_page": 25,
          "total_count": 1
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/orders/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The order.",
     "schema": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     }
    }
   ],
   "get": {
    "operationId": "commerce.orders.retrieve",
    "summary": "Retrieve an order",
    "tags": [
     "Orders"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "description": "The current state of the order.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OrderEnvelope"
        },
        "example": {
         "data": {
          "object": "order",
          "id": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "completed",
          "checkout": "chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "external_reference": "4711",
          "created_at": "2026-11-20T12:04:00.000Z",
          "completed_at": "2026-11-20T12:04:00.000Z",
          "currency": "EUR",
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 10000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 1900,
           "total_minor_units": 11900
          },
          "refunded_minor_units": 0,
          "buyer": {
           "email": "buyer@example.com",
           "name": "Ada Example",
           "country": "DE"
          },
          "line_items": [
           {
            "product": {
             "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
             "name": "Course"
            },
            "quantity": 1,
            "unit_amount_minor_units": 10000,
            "discount_minor_units": 0,
            "tax_minor_units": 1900,
            "tax_percentage": "19.00",
            "total_minor_units": 11900
           }
          ],
          "payments": [
           "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
          ],
          "invoices": [
           "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
          ],
          "metadata": {
           "customer_id": "42"
          },
          "affiliate": {
           "code": "partner-9"
          }
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     }
    }
   }
  },
  "/v1/commerce/payments": {
   "get": {
    "operationId": "commerce.payments.list",
    "summary": "List payments",
    "tags": [
     "Payments"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/PageNumber"
     },
     {
      "$ref": "#/components/parameters/PaymentsPerPage"
     },
     {
      "name": "created_from",
      "in": "query",
      "description": "Only payments of sales made at or after this date or date-time (RFC 3339).",
      "schema": {
       "$ref": "#/components/schemas/TimeBound"
      }
     },
     {
      "name": "created_to",
      "in": "query",
      "description": "Only payments of sales made up to this bound, inclusive. A date includes the whole day.",
      "schema": {
       "$ref": "#/components/schemas/TimeBound"
      }
     },
     {
      "name": "cash_flow_from",
      "in": "query",
      "description": "Only payments booked at or after this date or date-time.",
      "schema": {
       "$ref": "#/components/schemas/TimeBound"
      }
     },
     {
      "name": "cash_flow_to",
      "in": "query",
      "description": "Only payments booked up to this bound, inclusive. A date includes the whole day.",
      "schema": {
       "$ref": "#/components/schemas/TimeBound"
      }
     },
     {
      "name": "buyer_email",
      "in": "query",
      "description": "Only payments with this whole address. ASCII letters match in any case, and a domain matches in Unicode and in Punycode.",
      "schema": {
       "type": "string",
       "format": "email"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "One page of payments, newest first.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/PaymentList"
        },
        "example": {
         "data": [
          {
           "object": "payment",
           "id": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "status": "partially_refunded",
           "currency": "EUR",
           "amount_minor_units": 11900,
           "refunded_minor_units": 1900,
           "fee_minor_units": 0,
           "net_minor_units": 11900,
           "method": "card",
           "buyer_email": "buyer@example.com",
           "created_at": "2026-11-20T12:04:00.000Z",
           "cash_flow_at": "2026-11-20T12:04:00.000Z"
          }
         ],
         "pagination": {
          "total_pages": 1,
          "current_page": 1,
          "per_page": 25,
          "total_count": 1
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/payments/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The payment.",
     "schema": {
      "type": "string",
      "pattern": "^pay_[A-Za-z0-9]+$"
     }
    }
   ],
   "get": {
    "operationId": "commerce.payments.retrieve",
    "summary": "Retrieve a payment",
    "tags": [
     "Payments"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "description": "The current state of the payment.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/PaymentEnvelope"
        },
        "example": {
         "data": {
          "object": "payment",
          "id": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "partially_refunded",
          "currency": "EUR",
          "amount_minor_units": 11900,
          "refunded_minor_units": 1900,
          "fee_minor_units": 0,
          "net_minor_units": 11900,
          "method": "card",
          "buyer_email": "buyer@example.com",
          "created_at": "2026-11-20T12:04:00.000Z",
          "cash_flow_at": "2026-11-20T12:04:00.000Z"
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     }
    }
   }
  },
  "/v1/commerce/payments/{id}/refunds": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The payment.",
     "schema": {
      "type": "string",
      "pattern": "^pay_[A-Za-z0-9]+$"
     }
    }
   ],
   "post": {
    "operationId": "commerce.payments.refunds.create",
    "summary": "Refund a payment in full or in part",
    "description": "Without an amount, or without a body, refunds all that is left. Issues a credit note. Concurrent requests together never refund more than was paid.",
    "tags": [
     "Payments"
    ],
    "x-permission": {
     "name": "orders",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "requestBody": {
     "required": false,
     "x-max-bytes": 16384,
     "x-max-values": 100,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/CreateRefund"
       },
       "example": {
        "amount_minor_units": 1900,
        "reason": "requested_by_customer"
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "The refund.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       },
       "Location": {
        "description": "Path of the refund.",
        "required": true,
        "schema": {
         "type": "string",
         "pattern": "^/v1/commerce/refunds/rfd_[A-Za-z0-9]+$"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/RefundEnvelope"
        },
        "example": {
         "data": {
          "object": "refund",
          "id": "rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "succeeded",
          "currency": "EUR",
          "amount_minor_units": 1900,
          "reason": "requested_by_customer",
          "note": null,
          "created_at": "2026-11-21T09:30:00.000Z",
          "cash_flow_at": "2026-11-21T09:30:00.000Z"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/RefundConflict"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/refunds": {
   "get": {
    "operationId": "commerce.refunds.list",
    "summary": "List refunds",
    "tags": [
     "Refunds"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/PageNumber"
     },
     {
      "$ref": "#/components/parameters/PerPage"
     }
    ],
    "responses": {
     "200": {
      "description": "One page of refunds, newest first.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/RefundList"
        },
        "example": {
         "data": [
          {
           "object": "refund",
           "id": "rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "status": "succeeded",
           "currency": "EUR",
           "amount_minor_units": 1900,
           "reason": "requested_by_customer",
           "note": null,
           "created_at": "2026-11-21T09:30:00.000Z",
           "cash_flow_at": "2026-11-21T09:30:00.000Z"
          }
         ],
         "pagination": {
          "total_pages": 1,
          "current_page": 1,
          "per_page": 25,
          "total_count": 1
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/refunds/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The refund.",
     "schema": {
      "type": "string",
      "pattern": "^rfd_[A-Za-z0-9]+$"
     }
    }
   ],
   "get": {
    "operationId": "commerce.refunds.retrieve",
    "summary": "Retrieve a refund",
    "tags": [
     "Refunds"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "description": "The current state of the refund.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/RefundEnvelope"
        },
        "example": {
         "data": {
          "object": "refund",
          "id": "rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "succeeded",
          "currency": "EUR",
          "amount_minor_units": 1900,
          "reason": "requested_by_customer",
          "note": null,
          "created_at": "2026-11-21T09:30:00.000Z",
          "cash_flow_at": "2026-11-21T09:30:00.000Z"
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     }
    }
   }
  },
  "/v1/commerce/invoices": {
   "get": {
    "operationId": "commerce.invoices.list",
    "summary": "List invoices and credit notes",
    "tags": [
     "Invoices"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/PageNumber"
     },
     {
      "$ref": "#/components/parameters/PerPage"
     }
    ],
    "responses": {
     "200": {
      "description": "One page of invoices and credit notes, newest first.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/InvoiceList"
        },
        "example": {
         "data": [
          {
           "object": "invoice",
           "id": "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "number": "INV-000042",
           "type": "invoice",
           "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
           "refund": null,
           "currency": "EUR",
           "totals": {
            "currency": "EUR",
            "subtotal_minor_units": 10000,
            "discount_minor_units": 0,
            "shipping_minor_units": 0,
            "tax_minor_units": 1900,
            "total_minor_units": 11900
           },
           "buyer": {
            "email": "buyer@example.com",
            "name": "Ada Example",
            "country": "DE"
           },
           "issued_at": "2026-11-20T12:04:00.000Z",
           "created_at": "2026-11-20T12:04:00.000Z",
           "pdf_url": "https://api.example.com/documents/inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd/0123456789abcdef0123456789abcdef.pdf"
          }
         ],
         "pagination": {
          "total_pages": 1,
          "current_page": 1,
          "per_page": 25,
          "total_count": 1
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/invoices/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The invoice.",
     "schema": {
      "type": "string",
      "pattern": "^inv_[A-Za-z0-9]+$"
     }
    }
   ],
   "get": {
    "operationId": "commerce.invoices.retrieve",
    "summary": "Retrieve an invoice or a credit note",
    "tags": [
     "Invoices"
    ],
    "x-permission": {
     "name": "orders",
     "level": "read"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "responses": {
     "200": {
      "description": "The current state of the invoice.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/InvoiceEnvelope"
        },
        "example": {
         "data": {
          "object": "invoice",
          "id": "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "number": "INV-000042",
          "type": "invoice",
          "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "refund": null,
          "currency": "EUR",
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 10000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 1900,
           "total_minor_units": 11900
          },
          "buyer": {
           "email": "buyer@example.com",
           "name": "Ada Example",
           "country": "DE"
          },
          "issued_at": "2026-11-20T12:04:00.000Z",
          "created_at": "2026-11-20T12:04:00.000Z",
          "pdf_url": "https://api.example.com/documents/inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd/0123456789abcdef0123456789abcdef.pdf"
         }
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     }
    }
   }
  },
  "/v1/commerce/offers": {
   "post": {
    "operationId": "commerce.offers.create",
    "summary": "Create an offer",
    "description": "Creates a draft, which sends no mail.",
    "tags": [
     "Offers"
    ],
    "x-permission": {
     "name": "orders",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "requestBody": {
     "required": true,
     "x-max-bytes": 262144,
     "x-max-values": 5000,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/CreateOffer"
       },
       "example": {
        "recipient_email": "buyer@example.com",
        "title": "Ten posters",
        "message": "As discussed.",
        "currency": "EUR",
        "line_items": [
         {
          "name": "Poster",
          "quantity": 10,
          "unit_amount_minor_units": 1900
         }
        ],
        "metadata": {
         "deal": "42"
        }
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "The draft.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OfferEnvelope"
        },
        "example": {
         "data": {
          "object": "offer",
          "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "draft",
          "recipient_email": "buyer@example.com",
          "title": "Ten posters",
          "message": "As discussed.",
          "currency": "EUR",
          "line_items": [
           {
            "product": {
             "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
             "name": "Poster"
            },
            "quantity": 10,
            "unit_amount_minor_units": 1900,
            "discount_minor_units": 0,
            "tax_minor_units": 0,
            "tax_percentage": "0.00",
            "total_minor_units": 19000
           }
          ],
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 19000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 0,
           "total_minor_units": 19000
          },
          "metadata": {
           "deal": "42"
          },
          "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "send_count": 0,
          "sent_at": null,
          "accepted_at": null,
          "cancelled_at": null,
          "expires_at": "2026-12-20T12:00:00.000Z",
          "order": null,
          "created_at": "2026-11-20T12:00:00.000Z",
          "updated_at": "2026-11-20T12:00:00.000Z"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "409": {
      "$ref": "#/components/responses/IdempotencyConflict"
     },
     "422": {
      "$ref": "#/components/responses/ValidationFailed"
     }
    }
   }
  },
  "/v1/commerce/offers/{id}/send": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The offer.",
     "schema": {
      "type": "string",
      "pattern": "^off_[A-Za-z0-9]+$"
     }
    }
   ],
   "post": {
    "operationId": "commerce.offers.send",
    "summary": "Send an offer",
    "description": "Sends the recipient of a draft one mail with the address of the offer.",
    "tags": [
     "Offers"
    ],
    "x-permission": {
     "name": "orders",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "mail",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "responses": {
     "200": {
      "description": "The sent offer.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OfferEnvelope"
        },
        "example": {
         "data": {
          "object": "offer",
          "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "sent",
          "recipient_email": "buyer@example.com",
          "title": "Ten posters",
          "message": "As discussed.",
          "currency": "EUR",
          "line_items": [
           {
            "product": {
             "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
             "name": "Poster"
            },
            "quantity": 10,
            "unit_amount_minor_units": 1900,
            "discount_minor_units": 0,
            "tax_minor_units": 0,
            "tax_percentage": "0.00",
            "total_minor_units": 19000
           }
          ],
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 19000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 0,
           "total_minor_units": 19000
          },
          "metadata": {
           "deal": "42"
          },
          "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "send_count": 1,
          "sent_at": "2026-11-20T12:05:00.000Z",
          "accepted_at": null,
          "cancelled_at": null,
          "expires_at": "2026-12-20T12:00:00.000Z",
          "order": null,
          "created_at": "2026-11-20T12:00:00.000Z",
          "updated_at": "2026-11-20T12:05:00.000Z"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/OfferConflict"
     },
     "429": {
      "$ref": "#/components/responses/TooManyRequests"
     }
    }
   }
  },
  "/v1/commerce/offers/{id}/resend": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The offer.",
     "schema": {
      "type": "string",
      "pattern": "^off_[A-Za-z0-9]+$"
     }
    }
   ],
   "post": {
    "operationId": "commerce.offers.resend",
    "summary": "Resend an offer",
    "description": "Sends another mail for a sent offer that is not accepted, cancelled or expired. An offer sends at most ten mails, from the third on at most one per minute. \`send_count\` counts the mails.",
    "tags": [
     "Offers"
    ],
    "x-permission": {
     "name": "orders",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "mail",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "responses": {
     "200": {
      "description": "The resent offer.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OfferEnvelope"
        },
        "example": {
         "data": {
          "object": "offer",
          "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "sent",
          "recipient_email": "buyer@example.com",
          "title": "Ten posters",
          "message": "As discussed.",
          "currency": "EUR",
          "line_items": [
           {
            "product": {
             "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
             "name": "Poster"
            },
            "quantity": 10,
            "unit_amount_minor_units": 1900,
            "discount_minor_units": 0,
            "tax_minor_units": 0,
            "tax_percentage": "0.00",
            "total_minor_units": 19000
           }
          ],
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 19000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 0,
           "total_minor_units": 19000
          },
          "metadata": {
           "deal": "42"
          },
          "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "send_count": 1,
          "sent_at": "2026-11-20T12:05:00.000Z",
          "accepted_at": null,
          "cancelled_at": null,
          "expires_at": "2026-12-20T12:00:00.000Z",
          "order": null,
          "created_at": "2026-11-20T12:00:00.000Z",
          "updated_at": "2026-11-20T12:05:00.000Z"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/OfferConflict"
     },
     "429": {
      "$ref": "#/components/responses/TooManyRequests"
     }
    }
   }
  },
  "/v1/commerce/offers/{id}/cancel": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The offer.",
     "schema": {
      "type": "string",
      "pattern": "^off_[A-Za-z0-9]+$"
     }
    }
   ],
   "post": {
    "operationId": "commerce.offers.cancel",
    "summary": "Cancel an offer",
    "description": "Withdraws a draft or a sent offer. From then on it cannot be paid, also not in an open checkout.",
    "tags": [
     "Offers"
    ],
    "x-permission": {
     "name": "orders",
     "level": "write"
    },
    "x-credentials": [
     "live",
     "legacy"
    ],
    "x-rate-limit": "default",
    "parameters": [
     {
      "$ref": "#/components/parameters/IdempotencyKey"
     }
    ],
    "responses": {
     "200": {
      "description": "The cancelled offer.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "RateLimit": {
        "$ref": "#/components/headers/RateLimit"
       },
       "RateLimit-Policy": {
        "$ref": "#/components/headers/RateLimit-Policy"
       },
       "Idempotent-Replayed": {
        "$ref": "#/components/headers/Idempotent-Replayed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OfferEnvelope"
        },
        "example": {
         "data": {
          "object": "offer",
          "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "status": "cancelled",
          "recipient_email": "buyer@example.com",
          "title": "Ten posters",
          "message": "As discussed.",
          "currency": "EUR",
          "line_items": [
           {
            "product": {
             "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
             "name": "Poster"
            },
            "quantity": 10,
            "unit_amount_minor_units": 1900,
            "discount_minor_units": 0,
            "tax_minor_units": 0,
            "tax_percentage": "0.00",
            "total_minor_units": 19000
           }
          ],
          "totals": {
           "currency": "EUR",
           "subtotal_minor_units": 19000,
           "discount_minor_units": 0,
           "shipping_minor_units": 0,
           "tax_minor_units": 0,
           "total_minor_units": 19000
          },
          "metadata": {
           "deal": "42"
          },
          "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
          "send_count": 2,
          "sent_at": "2026-11-20T12:05:00.000Z",
          "accepted_at": null,
          "cancelled_at": "2026-11-23T08:00:00.000Z",
          "expires_at": "2026-12-20T12:00:00.000Z",
          "order": null,
          "created_at": "2026-11-20T12:00:00.000Z",
          "updated_at": "2026-11-23T08:00:00.000Z"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthorized"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/OfferConflict"
     }
    }
   }
  }
 },
 "webhooks": {
  "cart.checkout.created": {
   "post": {
    "operationId": "events.cart.checkout.created",
    "summary": "A checkout exists and its buyer can pay.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "cart.checkout.created"
         },
         "data": {
          "$ref": "#/components/schemas/cart.checkout.created.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "cart.checkout.expired": {
   "post": {
    "operationId": "events.cart.checkout.expired",
    "summary": "A checkout ended without a successful payment.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "cart.checkout.expired"
         },
         "data": {
          "$ref": "#/components/schemas/cart.checkout.expired.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "cart.order.completed": {
   "post": {
    "operationId": "events.cart.order.completed",
    "summary": "The payment of a checkout succeeded and its order is complete. Carries the checkout metadata.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "cart.order.completed"
         },
         "data": {
          "$ref": "#/components/schemas/cart.order.completed.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "invoice.credit_note.issued": {
   "post": {
    "operationId": "events.invoice.credit_note.issued",
    "summary": "A refund was documented by a credit note.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "invoice.credit_note.issued"
         },
         "data": {
          "$ref": "#/components/schemas/invoice.credit_note.issued.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "invoice.issued": {
   "post": {
    "operationId": "events.invoice.issued",
    "summary": "An order was invoiced.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "invoice.issued"
         },
         "data": {
          "$ref": "#/components/schemas/invoice.issued.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "offer.accepted": {
   "post": {
    "operationId": "events.offer.accepted",
    "summary": "An offer was paid.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "offer.accepted"
         },
         "data": {
          "$ref": "#/components/schemas/offer.accepted.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "offer.cancelled": {
   "post": {
    "operationId": "events.offer.cancelled",
    "summary": "An offer was withdrawn.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "offer.cancelled"
         },
         "data": {
          "$ref": "#/components/schemas/offer.cancelled.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "offer.created": {
   "post": {
    "operationId": "events.offer.created",
    "summary": "An offer was drafted.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "offer.created"
         },
         "data": {
          "$ref": "#/components/schemas/offer.created.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "offer.sent": {
   "post": {
    "operationId": "events.offer.sent",
    "summary": "An offer went out, for the first time or again.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "offer.sent"
         },
         "data": {
          "$ref": "#/components/schemas/offer.sent.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "order.completed": {
   "post": {
    "operationId": "events.order.completed",
    "summary": "What cart.order.completed replaces; only existing subscriptions receive it.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "order.completed"
         },
         "data": {
          "$ref": "#/components/schemas/order.completed.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "payment.refund.created": {
   "post": {
    "operationId": "events.payment.refund.created",
    "summary": "A payment was refunded, in full or in part.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "payment.refund.created"
         },
         "data": {
          "$ref": "#/components/schemas/payment.refund.created.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "payment.sale.succeeded": {
   "post": {
    "operationId": "events.payment.sale.succeeded",
    "summary": "A buyer’s payment succeeded.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "payment.sale.succeeded"
         },
         "data": {
          "$ref": "#/components/schemas/payment.sale.succeeded.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "webhook.endpoint.disabled": {
   "post": {
    "operationId": "events.webhook.endpoint.disabled",
    "summary": "The service disabled an endpoint and cancelled its pending deliveries.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "webhook.endpoint.disabled"
         },
         "data": {
          "$ref": "#/components/schemas/webhook.endpoint.disabled.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "webhook.endpoint.failing": {
   "post": {
    "operationId": "events.webhook.endpoint.failing",
    "summary": "Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "webhook.endpoint.failing"
         },
         "data": {
          "$ref": "#/components/schemas/webhook.endpoint.failing.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  },
  "webhook.endpoint.recovered": {
   "post": {
    "operationId": "events.webhook.endpoint.recovered",
    "summary": "An endpoint that was reported as failing accepted a delivery.",
    "security": [],
    "parameters": [
     {
      "$ref": "#/components/parameters/ServiceSignature"
     },
     {
      "$ref": "#/components/parameters/ServiceTimestamp"
     },
     {
      "$ref": "#/components/parameters/ServiceEventId"
     },
     {
      "$ref": "#/components/parameters/ServiceEventType"
     },
     {
      "$ref": "#/components/parameters/ServiceDeliveryId"
     },
     {
      "$ref": "#/components/parameters/ServiceAttempt"
     },
     {
      "$ref": "#/components/parameters/WebhookId"
     },
     {
      "$ref": "#/components/parameters/WebhookTimestamp"
     },
     {
      "$ref": "#/components/parameters/WebhookSignature"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "allOf": [
         {
          "$ref": "#/components/schemas/EventEnvelope"
         }
        ],
        "properties": {
         "type": {
          "const": "webhook.endpoint.recovered"
         },
         "data": {
          "$ref": "#/components/schemas/webhook.endpoint.recovered.v1"
         }
        },
        "unevaluatedProperties": false
       }
      }
     }
    },
    "responses": {
     "410": {
      "description": "The service disables the endpoint and sends it nothing more."
     },
     "2XX": {
      "description": "The receiver accepted the event. The service does not send it to this endpoint again."
     },
     "default": {
      "description": "The service retries the event on the retry schedule."
     }
    }
   }
  }
 },
 "components": {
  "securitySchemes": {
   "bearer": {
    "type": "http",
    "scheme": "bearer",
    "description": "A live API key. Where \`x-credentials\` of the operation allows it, also a dashboard sign-in token."
   }
  },
  "parameters": {
   "IdempotencyKey": {
    "name": "Idempotency-Key",
    "in": "header",
    "required": true,
    "description": "Identifies this request. A retry with the same key and the same body gets the first response for 24 hours. It is UTF-8, has no NUL byte, and is sent exactly once. A failed request can be sent again under its key.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "maxLength": 255
    },
    "example": "7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e"
   },
   "Limit": {
    "name": "limit",
    "in": "query",
    "description": "Items per page, at most.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "maximum": 100,
     "default": 20
    }
   },
   "Cursor": {
    "name": "cursor",
    "in": "query",
    "description": "The \`next_cursor\` of the previous page, with the same filter.",
    "schema": {
     "type": "string",
     "minLength": 1
    }
   },
   "PageNumber": {
    "name": "page",
    "in": "query",
    "description": "Page number. A number beyond the last returns the last page.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "default": 1
    }
   },
   "PerPage": {
    "name": "per_page",
    "in": "query",
    "description": "Items per page, at most. More than 25 counts as 25.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "default": 25
    }
   },
   "PaymentsPerPage": {
    "name": "per_page",
    "in": "query",
    "description": "Payments per page, at most. More than 100 counts as 100.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "default": 25
    }
   },
   "EndpointId": {
    "name": "id",
    "in": "path",
    "required": true,
    "description": "The webhook endpoint.",
    "schema": {
     "type": "string",
     "pattern": "^whs_[A-Za-z0-9_-]+$"
    }
   },
   "ServiceSignature": {
    "name": "X-Service-Signature",
    "in": "header",
    "required": true,
    "description": "\`t=<unix seconds>,v1=<hex>\`: HMAC-SHA256 over \`<t>.<body>\` with the whole signing secret. One \`v1\` per valid secret, newest first.",
    "schema": {
     "type": "string",
     "pattern": "^t=[0-9]+(,v1=[0-9a-f]{64})+$"
    }
   },
   "ServiceTimestamp": {
    "name": "X-Service-Timestamp",
    "in": "header",
    "required": true,
    "description": "Unix seconds of this attempt, the \`t\` of the signature.",
    "schema": {
     "type": "string",
     "pattern": "^[0-9]+$"
    }
   },
   "ServiceEventId": {
    "name": "X-Service-Event-Id",
    "in": "header",
    "required": true,
    "description": "The event id, the same for every attempt.",
    "schema": {
     "type": "string",
     "pattern": "^evt_[A-Za-z0-9]{24}$"
    }
   },
   "ServiceEventType": {
    "name": "X-Service-Event-Type",
    "in": "header",
    "required": true,
    "description": "The type of the event, such as \`cart.order.completed\`.",
    "schema": {
     "type": "string",
     "pattern": "^[a-z_]+([.][a-z_]+)+$"
    }
   },
   "ServiceDeliveryId": {
    "name": "X-Service-Delivery-Id",
    "in": "header",
    "required": true,
    "description": "The id of this attempt's record.",
    "schema": {
     "type": "string",
     "pattern": "^whd_[A-Za-z0-9_-]+$"
    }
   },
   "ServiceAttempt": {
    "name": "X-Service-Attempt",
    "in": "header",
    "required": true,
    "description": "Number of this attempt, from 1. A replay starts again at 1.",
    "schema": {
     "type": "string",
     "pattern": "^[1-9][0-9]*$"
    }
   },
   "WebhookId": {
    "name": "webhook-id",
    "in": "header",
    "required": true,
    "description": "The event id (Standard Webhooks).",
    "schema": {
     "type": "string",
     "pattern": "^evt_[A-Za-z0-9]{24}$"
    }
   },
   "WebhookTimestamp": {
    "name": "webhook-timestamp",
    "in": "header",
    "required": true,
    "description": "Unix seconds of this attempt (Standard Webhooks).",
    "schema": {
     "type": "string",
     "pattern": "^[0-9]+$"
    }
   },
   "WebhookSignature": {
    "name": "webhook-signature",
    "in": "header",
    "required": true,
    "description": "One \`v1,<base64>\` for each valid secret, separated by spaces (Standard Webhooks).",
    "schema": {
     "type": "string",
     "pattern": "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$"
    }
   }
  },
  "headers": {
   "X-Request-Id": {
    "description": "Identifies this request in the service's log. Problems repeat it as \`request_id\`.",
    "required": true,
    "schema": {
     "type": "string",
     "pattern": "^req_[A-Za-z0-9]{24}$"
    }
   },
   "RateLimit": {
    "description": "Remaining quota of the policy, and seconds until the window ends.",
    "required": true,
    "schema": {
     "type": "string",
     "pattern": "^\\"(default|replay|mail)\\";r=[0-9]+;t=[0-9]+$"
    }
   },
   "RateLimit-Policy": {
    "description": "Name, quota and window in seconds of the policy.",
    "required": true,
    "schema": {
     "type": "string",
     "pattern": "^\\"(default|replay|mail)\\";q=[0-9]+;w=[0-9]+$"
    }
   },
   "Idempotent-Replayed": {
    "description": "Present when this is the stored response of an earlier request.",
    "schema": {
     "type": "string",
     "const": "true"
    }
   },
   "Retry-After": {
    "description": "Seconds after which the request may succeed.",
    "required": true,
    "schema": {
     "type": "string",
     "pattern": "^[1-9][0-9]*$"
    }
   }
  },
  "responses": {
   "WebhookEndpoint": {
    "description": "The endpoint.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "RateLimit": {
      "$ref": "#/components/headers/RateLimit"
     },
     "RateLimit-Policy": {
      "$ref": "#/components/headers/RateLimit-Policy"
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "$ref": "#/components/schemas/WebhookEndpointEnvelope"
      },
      "example": {
       "data": {
        "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
        "url": "https://shop.example.com/webhooks",
        "active": true,
        "description": null,
        "notification_email": "ops@shop.example.com",
        "event_types": [
         "cart.order.completed"
        ],
        "disabled_reason": null,
        "created_at": "2026-11-20T12:00:00.000Z",
        "updated_at": "2026-11-20T12:00:00.000Z"
       }
      }
     }
    }
   },
   "ChangedWebhookEndpoint": {
    "description": "The endpoint after the change.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "RateLimit": {
      "$ref": "#/components/headers/RateLimit"
     },
     "RateLimit-Policy": {
      "$ref": "#/components/headers/RateLimit-Policy"
     },
     "Idempotent-Replayed": {
      "$ref": "#/components/headers/Idempotent-Replayed"
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "$ref": "#/components/schemas/WebhookEndpointEnvelope"
      },
      "example": {
       "data": {
        "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
        "url": "https://shop.example.com/webhooks",
        "active": true,
        "description": null,
        "notification_email": "ops@shop.example.com",
        "event_types": [
         "cart.order.completed"
        ],
        "disabled_reason": null,
        "created_at": "2026-11-20T12:00:00.000Z",
        "updated_at": "2026-11-20T12:00:00.000Z"
       }
      }
     }
    }
   },
   "BadRequest": {
    "description": "The Idempotency-Key is missing or malformed, or the body is not JSON.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 400
        },
        "code": {
         "enum": [
          "idempotency_key_required",
          "invalid_idempotency_key",
          "invalid_json",
          "malformed_request"
         ]
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/idempotency-key-required",
       "title": "Idempotency-Key required",
       "status": 400,
       "code": "idempotency_key_required",
       "detail": "This operation requires an Idempotency-Key header of 1 to 255 characters.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "idempotency_key_required",
         "detail": "This operation requires an Idempotency-Key header of 1 to 255 characters.",
         "param": "Idempotency-Key"
        }
       ]
      }
     }
    }
   },
   "Unauthorized": {
    "description": "The credential is missing, invalid, or of a kind that the operation does not accept.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "WWW-Authenticate": {
      "description": "How to authenticate. \`error\` is present when a credential was sent.",
      "required": true,
      "schema": {
       "type": "string",
       "pattern": "^Bearer realm=\\"api\\"(, error=\\"invalid_token\\")?$"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 401
        },
        "code": {
         "const": "unauthorized"
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/unauthorized",
       "title": "Authentication failed",
       "status": 401,
       "code": "unauthorized",
       "detail": "The request has no bearer credential.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "missing_credential",
         "detail": "The request has no bearer credential."
        }
       ]
      }
     }
    }
   },
   "Forbidden": {
    "description": "The credential does not hold the permission that the operation requires.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 403
        },
        "code": {
         "const": "forbidden"
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/forbidden",
       "title": "Permission missing",
       "status": 403,
       "code": "forbidden",
       "detail": "This operation requires the \`orders\` permission at read level.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "permission_missing",
         "detail": "This operation requires the \`orders\` permission at read level."
        }
       ]
      }
     }
    }
   },
   "NotFound": {
    "description": "The account has no such object.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 404
        },
        "code": {
         "const": "not_found"
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/not-found",
       "title": "Not found",
       "status": 404,
       "code": "not_found",
       "detail": "No webhook endpoint with this id.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "not_found",
         "detail": "No webhook endpoint with this id."
        }
       ]
      }
     }
    }
   },
   "IdempotencyConflict": {
    "description": "The Idempotency-Key was used with a different request. Or its first request is still running, then with \`Retry-After\`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds after which the request may succeed.",
      "schema": {
       "type": "string",
       "pattern": "^[1-9][0-9]*$"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 409
        },
        "code": {
         "enum": [
          "idempotency_key_conflict",
          "idempotency_key_in_progress"
         ]
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/idempotency-key-conflict",
       "title": "Idempotency-Key conflict",
       "status": 409,
       "code": "idempotency_key_conflict",
       "detail": "This Idempotency-Key was already used with a different request.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "idempotency_key_conflict",
         "detail": "This Idempotency-Key was already used with a different request."
        }
       ]
      }
     }
    }
   },
   "ReplayConflict": {
    "description": "An Idempotency-Key conflict as for other operations. Or the endpoint is not active, or an attempt for the same event and endpoint is in progress.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds after which the request may succeed.",
      "schema": {
       "type": "string",
       "pattern": "^[1-9][0-9]*$"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 409
        },
        "code": {
         "enum": [
          "idempotency_key_conflict",
          "idempotency_key_in_progress",
          "endpoint_inactive",
          "delivery_in_progress"
         ]
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/endpoint-inactive",
       "title": "Endpoint inactive",
       "status": 409,
       "code": "endpoint_inactive",
       "detail": "The endpoint is not active. Activate it before replaying.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "endpoint_inactive",
         "detail": "The endpoint is not active. Activate it before replaying."
        }
       ]
      }
     }
    }
   },
   "RefundConflict": {
    "description": "An Idempotency-Key conflict as for other operations. Or the payment is already refunded in full, or was charged back.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds after which the request may succeed.",
      "schema": {
       "type": "string",
       "pattern": "^[1-9][0-9]*$"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 409
        },
        "code": {
         "enum": [
          "idempotency_key_conflict",
          "idempotency_key_in_progress",
          "payment_not_refundable"
         ]
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/payment-not-refundable",
       "title": "Payment not refundable",
       "status": 409,
       "code": "payment_not_refundable",
       "detail": "The payment is already refunded in full.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "payment_not_refundable",
         "detail": "The payment is already refunded in full."
        }
       ]
      }
     }
    }
   },
   "OfferConflict": {
    "description": "An Idempotency-Key conflict as for other operations. Or the state of the offer does not allow this step.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds after which the request may succeed.",
      "schema": {
       "type": "string",
       "pattern": "^[1-9][0-9]*$"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 409
        },
        "code": {
         "enum": [
          "idempotency_key_conflict",
          "idempotency_key_in_progress",
          "offer_state_conflict"
         ]
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/offer-state-conflict",
       "title": "Offer state conflict",
       "status": 409,
       "code": "offer_state_conflict",
       "detail": "The offer cannot be sent: it is cancelled.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "offer_state_conflict",
         "detail": "The offer cannot be sent: it is cancelled."
        }
       ]
      }
     }
    }
   },
   "ValidationFailed": {
    "description": "Fields or parameters were refused. \`errors\` has one entry per refusal.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 422
        },
        "code": {
         "const": "validation_failed"
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/validation-failed",
       "title": "Validation failed",
       "status": 422,
       "code": "validation_failed",
       "detail": "One or more fields were refused.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "event_type_not_offered",
         "detail": "No longer offered for new subscriptions: order.completed",
         "param": "event_types"
        },
        {
         "code": "unknown_event_type",
         "detail": "Unknown event type: foo.bar, foo.baz",
         "param": "event_types"
        }
       ]
      }
     }
    }
   },
   "EndpointRefused": {
    "description": "Fields were refused (\`validation_failed\`), and \`errors\` has one entry per refusal. Or the account has reached its limit of endpoints (\`endpoint_limit_reached\`).",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 422
        },
        "code": {
         "type": "string",
         "enum": [
          "validation_failed",
          "endpoint_limit_reached"
         ]
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/endpoint-limit-reached",
       "title": "Endpoint limit reached",
       "status": 422,
       "code": "endpoint_limit_reached",
       "detail": "The account has reached its limit of 1,000 endpoints. Delete one first.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "endpoint_limit_reached",
         "detail": "The account has reached its limit of 1,000 endpoints. Delete one first."
        }
       ]
      }
     }
    }
   },
   "NotReplayable": {
    "description": "The delivery can no longer be replayed.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 422
        },
        "code": {
         "const": "delivery_not_replayable"
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/delivery-not-replayable",
       "title": "Delivery not replayable",
       "status": 422,
       "code": "delivery_not_replayable",
       "detail": "The endpoint was deleted.",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "endpoint_deleted",
         "detail": "The endpoint was deleted."
        }
       ]
      }
     }
    }
   },
   "TooManyRequests": {
    "description": "The account has used up the quota of the policy. Or too many credentials from this address were invalid; then the headers of the quota are absent.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "$ref": "#/components/headers/Retry-After"
     },
     "RateLimit": {
      "description": "Remaining quota of the policy, and seconds until the window ends.",
      "schema": {
       "type": "string",
       "pattern": "^\\"(default|replay|mail)\\";r=[0-9]+;t=[0-9]+$"
      }
     },
     "RateLimit-Policy": {
      "description": "Name, quota and window in seconds of the policy.",
      "schema": {
       "type": "string",
       "pattern": "^\\"(default|replay|mail)\\";q=[0-9]+;w=[0-9]+$"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem",
       "type": "object",
       "properties": {
        "status": {
         "const": 429
        },
        "code": {
         "const": "rate_limit_exceeded"
        }
       }
      },
      "example": {
       "type": "https://api.example.com/problems/rate-limit-exceeded",
       "title": "Rate limit exceeded",
       "status": 429,
       "code": "rate_limit_exceeded",
       "detail": "Rate limit exceeded: 600 per minute (replay).",
       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
       "errors": [
        {
         "code": "rate_limit_exceeded",
         "detail": "Rate limit exceeded: 600 per minute (replay)."
        }
       ]
      }
     }
    }
   }
  },
  "schemas": {
   "cart.checkout.created.v1": {
    "title": "Checkout created",
    "description": "A checkout exists and its buyer can pay. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "checkout",
     "metadata",
     "currency",
     "totals",
     "line_items"
    ],
    "properties": {
     "checkout": {
      "type": "object",
      "required": [
       "id",
       "object",
       "external_reference",
       "created_at",
       "expires_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^chk_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "checkout"
       },
       "external_reference": {
        "type": "string"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       },
       "expires_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the checkout, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "checkout": {
       "id": "chk_test0000",
       "object": "checkout",
       "external_reference": "test",
       "created_at": "2026-01-01T12:00:00.000Z",
       "expires_at": "2026-01-01T12:30:00.000Z"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ]
     }
    ]
   },
   "cart.checkout.expired.v1": {
    "title": "Checkout expired",
    "description": "A checkout ended without a successful payment. This is the \`data\` of the event, version v1. A payment that had begun before may still complete it.",
    "type": "object",
    "required": [
     "checkout",
     "metadata",
     "currency",
     "totals",
     "line_items"
    ],
    "properties": {
     "checkout": {
      "type": "object",
      "required": [
       "id",
       "object",
       "external_reference",
       "created_at",
       "expires_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^chk_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "checkout"
       },
       "external_reference": {
        "type": "string"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       },
       "expires_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the checkout, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "checkout": {
       "id": "chk_test0000",
       "object": "checkout",
       "external_reference": "test",
       "created_at": "2026-01-01T12:00:00.000Z",
       "expires_at": "2026-01-01T12:30:00.000Z"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ]
     }
    ]
   },
   "cart.order.completed.v1": {
    "title": "Order completed",
    "description": "The payment of a checkout succeeded and its order is complete. Carries the checkout metadata. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "order",
     "checkout",
     "metadata",
     "currency",
     "totals",
     "buyer",
     "line_items",
     "payment",
     "affiliate"
    ],
    "properties": {
     "order": {
      "type": "object",
      "required": [
       "id",
       "object",
       "created_at",
       "completed_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       },
       "completed_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "checkout": {
      "type": "object",
      "required": [
       "id",
       "object",
       "external_reference"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^chk_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "checkout"
       },
       "external_reference": {
        "type": "string"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the checkout, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "buyer": {
      "type": "object",
      "required": [
       "email",
       "name",
       "country"
      ],
      "properties": {
       "email": {
        "type": "string"
       },
       "name": {
        "type": [
         "string",
         "null"
        ]
       },
       "country": {
        "type": [
         "string",
         "null"
        ],
        "pattern": "^[A-Z]{2}$"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     },
     "payment": {
      "type": "object",
      "required": [
       "id",
       "object",
       "method",
       "amount_minor_units"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^pay_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "payment"
       },
       "method": {
        "type": "string"
       },
       "amount_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "affiliate": {
      "oneOf": [
       {
        "type": "object",
        "required": [
         "code"
        ],
        "properties": {
         "code": {
          "type": "string"
         }
        },
        "additionalProperties": false
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "order": {
       "id": "ord_test",
       "object": "order",
       "created_at": "2026-01-01T12:00:00.000Z",
       "completed_at": "2026-01-01T12:00:00.000Z"
      },
      "checkout": {
       "id": "chk_test0000",
       "object": "checkout",
       "external_reference": "test"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "buyer": {
       "email": "buyer@example.com",
       "name": "Test Buyer",
       "country": "DE"
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ],
      "payment": {
       "id": "pay_test",
       "object": "payment",
       "method": "card",
       "amount_minor_units": 11900
      },
      "affiliate": null
     }
    ]
   },
   "invoice.credit_note.issued.v1": {
    "title": "Credit note issued",
    "description": "A refund was documented by a credit note. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "invoice",
     "order",
     "payment",
     "currency",
     "totals",
     "buyer",
     "refund"
    ],
    "properties": {
     "invoice": {
      "type": "object",
      "required": [
       "id",
       "object",
       "number",
       "type",
       "issued_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^inv_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "invoice"
       },
       "number": {
        "type": "string"
       },
       "type": {
        "type": "string",
        "const": "credit_note"
       },
       "issued_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "order": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       }
      },
      "additionalProperties": false
     },
     "payment": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^pay_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "payment"
       }
      },
      "additionalProperties": false
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "buyer": {
      "type": "object",
      "required": [
       "email",
       "name",
       "country"
      ],
      "properties": {
       "email": {
        "type": "string"
       },
       "name": {
        "type": [
         "string",
         "null"
        ]
       },
       "country": {
        "type": [
         "string",
         "null"
        ],
        "pattern": "^[A-Z]{2}$"
       }
      },
      "additionalProperties": false
     },
     "refund": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^rfd_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "refund"
       }
      },
      "additionalProperties": false
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "invoice": {
       "id": "inv_test",
       "object": "invoice",
       "number": "CN-000000",
       "type": "credit_note",
       "issued_at": "2026-01-01T12:00:00.000Z"
      },
      "order": {
       "id": "ord_test",
       "object": "order"
      },
      "payment": {
       "id": "pay_test",
       "object": "payment"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "buyer": {
       "email": "buyer@example.com",
       "name": "Test Buyer",
       "country": "DE"
      },
      "refund": {
       "id": "rfd_test",
       "object": "refund"
      }
     }
    ]
   },
   "invoice.issued.v1": {
    "title": "Invoice issued",
    "description": "An order was invoiced. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "invoice",
     "order",
     "payment",
     "currency",
     "totals",
     "buyer"
    ],
    "properties": {
     "invoice": {
      "type": "object",
      "required": [
       "id",
       "object",
       "number",
       "type",
       "issued_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^inv_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "invoice"
       },
       "number": {
        "type": "string"
       },
       "type": {
        "type": "string",
        "const": "invoice"
       },
       "issued_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "order": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       }
      },
      "additionalProperties": false
     },
     "payment": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^pay_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "payment"
       }
      },
      "additionalProperties": false
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "buyer": {
      "type": "object",
      "required": [
       "email",
       "name",
       "country"
      ],
      "properties": {
       "email": {
        "type": "string"
       },
       "name": {
        "type": [
         "string",
         "null"
        ]
       },
       "country": {
        "type": [
         "string",
         "null"
        ],
        "pattern": "^[A-Z]{2}$"
       }
      },
      "additionalProperties": false
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "invoice": {
       "id": "inv_test",
       "object": "invoice",
       "number": "INV-000000",
       "type": "invoice",
       "issued_at": "2026-01-01T12:00:00.000Z"
      },
      "order": {
       "id": "ord_test",
       "object": "order"
      },
      "payment": {
       "id": "pay_test",
       "object": "payment"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "buyer": {
       "email": "buyer@example.com",
       "name": "Test Buyer",
       "country": "DE"
      }
     }
    ]
   },
   "offer.accepted.v1": {
    "title": "Offer accepted",
    "description": "An offer was paid. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "offer",
     "metadata",
     "currency",
     "totals",
     "line_items",
     "order",
     "checkout"
    ],
    "properties": {
     "offer": {
      "type": "object",
      "required": [
       "id",
       "object",
       "status",
       "recipient_email",
       "title",
       "send_count",
       "sent_at",
       "accepted_at",
       "cancelled_at",
       "expires_at",
       "created_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^off_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "offer"
       },
       "status": {
        "type": "string",
        "const": "accepted"
       },
       "recipient_email": {
        "type": "string"
       },
       "title": {
        "type": "string"
       },
       "send_count": {
        "type": "integer",
        "minimum": 1
       },
       "sent_at": {
        "type": "string",
        "format": "date-time"
       },
       "accepted_at": {
        "type": "string",
        "format": "date-time"
       },
       "cancelled_at": {
        "type": "null"
       },
       "expires_at": {
        "type": "string",
        "format": "date-time"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the offer, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     },
     "order": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       }
      },
      "additionalProperties": false
     },
     "checkout": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^chk_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "checkout"
       }
      },
      "additionalProperties": false
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "offer": {
       "id": "off_test",
       "object": "offer",
       "status": "accepted",
       "recipient_email": "buyer@example.com",
       "title": "Test offer",
       "send_count": 1,
       "sent_at": "2026-01-01T12:00:00.000Z",
       "accepted_at": "2026-01-01T12:00:00.000Z",
       "cancelled_at": null,
       "expires_at": "2026-01-31T12:00:00.000Z",
       "created_at": "2026-01-01T12:00:00.000Z"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ],
      "order": {
       "id": "ord_test",
       "object": "order"
      },
      "checkout": {
       "id": "chk_test0000",
       "object": "checkout"
      }
     }
    ]
   },
   "offer.cancelled.v1": {
    "title": "Offer cancelled",
    "description": "An offer was withdrawn. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "offer",
     "metadata",
     "currency",
     "totals",
     "line_items"
    ],
    "properties": {
     "offer": {
      "type": "object",
      "required": [
       "id",
       "object",
       "status",
       "recipient_email",
       "title",
       "send_count",
       "sent_at",
       "accepted_at",
       "cancelled_at",
       "expires_at",
       "created_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^off_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "offer"
       },
       "status": {
        "type": "string",
        "const": "cancelled"
       },
       "recipient_email": {
        "type": "string"
       },
       "title": {
        "type": "string"
       },
       "send_count": {
        "type": "integer",
        "minimum": 0
       },
       "sent_at": {
        "type": [
         "string",
         "null"
        ],
        "format": "date-time"
       },
       "accepted_at": {
        "type": "null"
       },
       "cancelled_at": {
        "type": "string",
        "format": "date-time"
       },
       "expires_at": {
        "type": "string",
        "format": "date-time"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the offer, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "offer": {
       "id": "off_test",
       "object": "offer",
       "status": "cancelled",
       "recipient_email": "buyer@example.com",
       "title": "Test offer",
       "send_count": 0,
       "sent_at": null,
       "accepted_at": null,
       "cancelled_at": "2026-01-01T12:00:00.000Z",
       "expires_at": "2026-01-31T12:00:00.000Z",
       "created_at": "2026-01-01T12:00:00.000Z"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ]
     }
    ]
   },
   "offer.created.v1": {
    "title": "Offer created",
    "description": "An offer was drafted. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "offer",
     "metadata",
     "currency",
     "totals",
     "line_items"
    ],
    "properties": {
     "offer": {
      "type": "object",
      "required": [
       "id",
       "object",
       "status",
       "recipient_email",
       "title",
       "send_count",
       "sent_at",
       "accepted_at",
       "cancelled_at",
       "expires_at",
       "created_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^off_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "offer"
       },
       "status": {
        "type": "string",
        "const": "draft"
       },
       "recipient_email": {
        "type": "string"
       },
       "title": {
        "type": "string"
       },
       "send_count": {
        "type": "integer",
        "minimum": 0
       },
       "sent_at": {
        "type": "null"
       },
       "accepted_at": {
        "type": "null"
       },
       "cancelled_at": {
        "type": "null"
       },
       "expires_at": {
        "type": "string",
        "format": "date-time"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the offer, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "offer": {
       "id": "off_test",
       "object": "offer",
       "status": "draft",
       "recipient_email": "buyer@example.com",
       "title": "Test offer",
       "send_count": 0,
       "sent_at": null,
       "accepted_at": null,
       "cancelled_at": null,
       "expires_at": "2026-01-31T12:00:00.000Z",
       "created_at": "2026-01-01T12:00:00.000Z"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ]
     }
    ]
   },
   "offer.sent.v1": {
    "title": "Offer sent",
    "description": "An offer went out, for the first time or again. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "offer",
     "metadata",
     "currency",
     "totals",
     "line_items"
    ],
    "properties": {
     "offer": {
      "type": "object",
      "required": [
       "id",
       "object",
       "status",
       "recipient_email",
       "title",
       "send_count",
       "sent_at",
       "accepted_at",
       "cancelled_at",
       "expires_at",
       "created_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^off_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "offer"
       },
       "status": {
        "type": "string",
        "const": "sent"
       },
       "recipient_email": {
        "type": "string"
       },
       "title": {
        "type": "string"
       },
       "send_count": {
        "type": "integer",
        "minimum": 1
       },
       "sent_at": {
        "type": "string",
        "format": "date-time"
       },
       "accepted_at": {
        "type": "null"
       },
       "cancelled_at": {
        "type": "null"
       },
       "expires_at": {
        "type": "string",
        "format": "date-time"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the offer, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "offer": {
       "id": "off_test",
       "object": "offer",
       "status": "sent",
       "recipient_email": "buyer@example.com",
       "title": "Test offer",
       "send_count": 1,
       "sent_at": "2026-01-01T12:00:00.000Z",
       "accepted_at": null,
       "cancelled_at": null,
       "expires_at": "2026-01-31T12:00:00.000Z",
       "created_at": "2026-01-01T12:00:00.000Z"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ]
     }
    ]
   },
   "order.completed.v1": {
    "title": "Order completed (legacy)",
    "description": "What cart.order.completed replaces; only existing subscriptions receive it. This is the \`data\` of the event, version v1. It has the same data, and the order id once more at the top.",
    "type": "object",
    "required": [
     "order_id",
     "order",
     "checkout",
     "metadata",
     "currency",
     "totals",
     "buyer",
     "line_items",
     "payment",
     "affiliate"
    ],
    "properties": {
     "order_id": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     },
     "order": {
      "type": "object",
      "required": [
       "id",
       "object",
       "created_at",
       "completed_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       },
       "completed_at": {
        "type": "string",
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "checkout": {
      "type": "object",
      "required": [
       "id",
       "object",
       "external_reference"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^chk_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "checkout"
       },
       "external_reference": {
        "type": "string"
       }
      },
      "additionalProperties": false
     },
     "metadata": {
      "type": "object",
      "description": "The metadata of the checkout, as the merchant attached it.",
      "additionalProperties": true
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "type": "object",
      "required": [
       "currency",
       "subtotal_minor_units",
       "discount_minor_units",
       "shipping_minor_units",
       "tax_minor_units",
       "total_minor_units"
      ],
      "properties": {
       "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$"
       },
       "subtotal_minor_units": {
        "type": "integer"
       },
       "discount_minor_units": {
        "type": "integer"
       },
       "shipping_minor_units": {
        "type": "integer"
       },
       "tax_minor_units": {
        "type": "integer"
       },
       "total_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "buyer": {
      "type": "object",
      "required": [
       "email",
       "name",
       "country"
      ],
      "properties": {
       "email": {
        "type": "string"
       },
       "name": {
        "type": [
         "string",
         "null"
        ]
       },
       "country": {
        "type": [
         "string",
         "null"
        ],
        "pattern": "^[A-Z]{2}$"
       }
      },
      "additionalProperties": false
     },
     "line_items": {
      "type": "array",
      "items": {
       "type": "object",
       "required": [
        "product",
        "quantity",
        "unit_amount_minor_units",
        "discount_minor_units",
        "tax_minor_units",
        "tax_percentage",
        "total_minor_units"
       ],
       "properties": {
        "product": {
         "type": "object",
         "required": [
          "id",
          "name"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "name": {
           "type": "string"
          }
         },
         "additionalProperties": false
        },
        "quantity": {
         "type": "integer",
         "minimum": 1
        },
        "unit_amount_minor_units": {
         "type": "integer"
        },
        "discount_minor_units": {
         "type": "integer"
        },
        "tax_minor_units": {
         "type": "integer"
        },
        "tax_percentage": {
         "type": "string",
         "pattern": "^\\\\d+(\\\\.\\\\d+)?$"
        },
        "total_minor_units": {
         "type": "integer"
        }
       },
       "additionalProperties": false
      }
     },
     "payment": {
      "type": "object",
      "required": [
       "id",
       "object",
       "method",
       "amount_minor_units"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^pay_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "payment"
       },
       "method": {
        "type": "string"
       },
       "amount_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "affiliate": {
      "oneOf": [
       {
        "type": "object",
        "required": [
         "code"
        ],
        "properties": {
         "code": {
          "type": "string"
         }
        },
        "additionalProperties": false
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "order_id": "ord_test",
      "order": {
       "id": "ord_test",
       "object": "order",
       "created_at": "2026-01-01T12:00:00.000Z",
       "completed_at": "2026-01-01T12:00:00.000Z"
      },
      "checkout": {
       "id": "chk_test0000",
       "object": "checkout",
       "external_reference": "test"
      },
      "metadata": {
       "test": "true"
      },
      "currency": "EUR",
      "totals": {
       "currency": "EUR",
       "subtotal_minor_units": 10000,
       "discount_minor_units": 0,
       "shipping_minor_units": 0,
       "tax_minor_units": 1900,
       "total_minor_units": 11900
      },
      "buyer": {
       "email": "buyer@example.com",
       "name": "Test Buyer",
       "country": "DE"
      },
      "line_items": [
       {
        "product": {
         "id": "prod_test",
         "name": "Test product"
        },
        "quantity": 1,
        "unit_amount_minor_units": 10000,
        "discount_minor_units": 0,
        "tax_minor_units": 1900,
        "tax_percentage": "19.00",
        "total_minor_units": 11900
       }
      ],
      "payment": {
       "id": "pay_test",
       "object": "payment",
       "method": "card",
       "amount_minor_units": 11900
      },
      "affiliate": null
     }
    ]
   },
   "payment.refund.created.v1": {
    "title": "Refund created",
    "description": "A payment was refunded, in full or in part. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "refund",
     "payment",
     "order",
     "currency",
     "buyer"
    ],
    "properties": {
     "refund": {
      "type": "object",
      "required": [
       "id",
       "object",
       "status",
       "amount_minor_units",
       "reason",
       "created_at",
       "cash_flow_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^rfd_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "refund"
       },
       "status": {
        "type": "string",
        "enum": [
         "succeeded",
         "pending",
         "failed"
        ]
       },
       "amount_minor_units": {
        "type": "integer",
        "minimum": 1
       },
       "reason": {
        "type": [
         "string",
         "null"
        ],
        "enum": [
         "requested_by_customer",
         "duplicate",
         "fraudulent",
         "other",
         null
        ]
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       },
       "cash_flow_at": {
        "description": "When the money is or will be taken from the balance; null while that is not known.",
        "type": [
         "string",
         "null"
        ],
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "payment": {
      "type": "object",
      "description": "As the refund left it.",
      "required": [
       "id",
       "object",
       "status",
       "amount_minor_units",
       "refunded_minor_units"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^pay_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "payment"
       },
       "status": {
        "type": "string",
        "enum": [
         "partially_refunded",
         "refunded"
        ]
       },
       "amount_minor_units": {
        "type": "integer"
       },
       "refunded_minor_units": {
        "type": "integer"
       }
      },
      "additionalProperties": false
     },
     "order": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       }
      },
      "additionalProperties": false
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "buyer": {
      "type": "object",
      "required": [
       "email",
       "name",
       "country"
      ],
      "properties": {
       "email": {
        "type": "string"
       },
       "name": {
        "type": [
         "string",
         "null"
        ]
       },
       "country": {
        "type": [
         "string",
         "null"
        ],
        "pattern": "^[A-Z]{2}$"
       }
      },
      "additionalProperties": false
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "refund": {
       "id": "rfd_test",
       "object": "refund",
       "status": "succeeded",
       "amount_minor_units": 11900,
       "reason": "requested_by_customer",
       "created_at": "2026-01-01T12:00:00.000Z",
       "cash_flow_at": "2026-01-01T12:00:00.000Z"
      },
      "payment": {
       "id": "pay_test",
       "object": "payment",
       "status": "refunded",
       "amount_minor_units": 11900,
       "refunded_minor_units": 11900
      },
      "order": {
       "id": "ord_test",
       "object": "order"
      },
      "currency": "EUR",
      "buyer": {
       "email": "buyer@example.com",
       "name": "Test Buyer",
       "country": "DE"
      }
     }
    ]
   },
   "payment.sale.succeeded.v1": {
    "title": "Payment succeeded",
    "description": "A buyer’s payment succeeded. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "payment",
     "order",
     "checkout",
     "currency",
     "buyer"
    ],
    "properties": {
     "payment": {
      "type": "object",
      "required": [
       "id",
       "object",
       "status",
       "method",
       "amount_minor_units",
       "fee_minor_units",
       "net_minor_units",
       "created_at",
       "cash_flow_at"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^pay_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "payment"
       },
       "status": {
        "type": "string",
        "const": "succeeded"
       },
       "method": {
        "type": "string"
       },
       "amount_minor_units": {
        "type": "integer"
       },
       "fee_minor_units": {
        "type": "integer"
       },
       "net_minor_units": {
        "type": "integer"
       },
       "created_at": {
        "type": "string",
        "format": "date-time"
       },
       "cash_flow_at": {
        "description": "When the money is or will be booked to the balance; null while that is not known.",
        "type": [
         "string",
         "null"
        ],
        "format": "date-time"
       }
      },
      "additionalProperties": false
     },
     "order": {
      "type": "object",
      "required": [
       "id",
       "object"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^ord_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "order"
       }
      },
      "additionalProperties": false
     },
     "checkout": {
      "type": "object",
      "required": [
       "id",
       "object",
       "external_reference"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^chk_[A-Za-z0-9]+$"
       },
       "object": {
        "type": "string",
        "const": "checkout"
       },
       "external_reference": {
        "type": "string"
       }
      },
      "additionalProperties": false
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "buyer": {
      "type": "object",
      "required": [
       "email",
       "name",
       "country"
      ],
      "properties": {
       "email": {
        "type": "string"
       },
       "name": {
        "type": [
         "string",
         "null"
        ]
       },
       "country": {
        "type": [
         "string",
         "null"
        ],
        "pattern": "^[A-Z]{2}$"
       }
      },
      "additionalProperties": false
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "payment": {
       "id": "pay_test",
       "object": "payment",
       "status": "succeeded",
       "method": "card",
       "amount_minor_units": 11900,
       "fee_minor_units": 0,
       "net_minor_units": 11900,
       "created_at": "2026-01-01T12:00:00.000Z",
       "cash_flow_at": "2026-01-01T12:00:00.000Z"
      },
      "order": {
       "id": "ord_test",
       "object": "order"
      },
      "checkout": {
       "id": "chk_test0000",
       "object": "checkout",
       "external_reference": "test"
      },
      "currency": "EUR",
      "buyer": {
       "email": "buyer@example.com",
       "name": "Test Buyer",
       "country": "DE"
      }
     }
    ]
   },
   "webhook.endpoint.disabled.v1": {
    "title": "Endpoint disabled",
    "description": "The service disabled an endpoint and cancelled its pending deliveries. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "endpoint",
     "failing_since",
     "failure_count",
     "last_response_status",
     "disabled_at"
    ],
    "properties": {
     "endpoint": {
      "type": "object",
      "required": [
       "id",
       "account_id",
       "url",
       "active",
       "disabled_reason"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^whs_[A-Za-z0-9]+$"
       },
       "account_id": {
        "type": "string",
        "pattern": "^acc_[A-Za-z0-9]+$"
       },
       "url": {
        "type": "string"
       },
       "active": {
        "const": false
       },
       "disabled_reason": {
        "enum": [
         "consecutive_failures",
         "receiver_gone"
        ]
       }
      },
      "additionalProperties": false
     },
     "failing_since": {
      "type": "string",
      "format": "date-time"
     },
     "failure_count": {
      "type": "integer",
      "minimum": 1
     },
     "last_response_status": {
      "type": [
       "integer",
       "null"
      ]
     },
     "disabled_at": {
      "type": "string",
      "format": "date-time"
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "endpoint": {
       "id": "whs_test0000",
       "account_id": "acc_test0000",
       "url": "https://shop.example/webhooks",
       "active": false,
       "disabled_reason": "consecutive_failures"
      },
      "failing_since": "2025-12-27T12:00:00.000Z",
      "failure_count": 12,
      "last_response_status": 503,
      "disabled_at": "2026-01-01T12:00:00.000Z"
     }
    ]
   },
   "webhook.endpoint.failing.v1": {
    "title": "Endpoint failing",
    "description": "Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "endpoint",
     "failing_since",
     "failure_count",
     "last_response_status",
     "disables_at"
    ],
    "properties": {
     "endpoint": {
      "type": "object",
      "required": [
       "id",
       "account_id",
       "url",
       "active",
       "disabled_reason"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^whs_[A-Za-z0-9]+$"
       },
       "account_id": {
        "type": "string",
        "pattern": "^acc_[A-Za-z0-9]+$"
       },
       "url": {
        "type": "string"
       },
       "active": {
        "const": true
       },
       "disabled_reason": {
        "type": "null"
       }
      },
      "additionalProperties": false
     },
     "failing_since": {
      "type": "string",
      "format": "date-time"
     },
     "failure_count": {
      "type": "integer",
      "minimum": 1
     },
     "last_response_status": {
      "type": [
       "integer",
       "null"
      ]
     },
     "disables_at": {
      "type": "string",
      "format": "date-time"
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "endpoint": {
       "id": "whs_test0000",
       "account_id": "acc_test0000",
       "url": "https://shop.example/webhooks",
       "active": true,
       "disabled_reason": null
      },
      "failing_since": "2026-01-01T12:00:00.000Z",
      "failure_count": 7,
      "last_response_status": 503,
      "disables_at": "2026-01-06T12:00:00.000Z"
     }
    ]
   },
   "webhook.endpoint.recovered.v1": {
    "title": "Endpoint recovered",
    "description": "An endpoint that was reported as failing accepted a delivery. This is the \`data\` of the event, version v1.",
    "type": "object",
    "required": [
     "endpoint",
     "failing_since",
     "failure_count",
     "recovered_at"
    ],
    "properties": {
     "endpoint": {
      "type": "object",
      "required": [
       "id",
       "account_id",
       "url",
       "active",
       "disabled_reason"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^whs_[A-Za-z0-9]+$"
       },
       "account_id": {
        "type": "string",
        "pattern": "^acc_[A-Za-z0-9]+$"
       },
       "url": {
        "type": "string"
       },
       "active": {
        "type": "boolean"
       },
       "disabled_reason": {
        "enum": [
         "consecutive_failures",
         "receiver_gone",
         null
        ]
       }
      },
      "additionalProperties": false
     },
     "failing_since": {
      "type": "string",
      "format": "date-time"
     },
     "failure_count": {
      "type": "integer",
      "minimum": 1
     },
     "recovered_at": {
      "type": "string",
      "format": "date-time"
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "endpoint": {
       "id": "whs_test0000",
       "account_id": "acc_test0000",
       "url": "https://shop.example/webhooks",
       "active": true,
       "disabled_reason": null
      },
      "failing_since": "2025-12-31T00:00:00.000Z",
      "failure_count": 7,
      "recovered_at": "2026-01-01T12:00:00.000Z"
     }
    ]
   },
   "Url": {
    "type": "string",
    "format": "https-url",
    "pattern": "^https://[^\\\\s/?#@\\\\\\\\\\"<>^\`{|}%]+([/?]([^\\\\s#\\\\\\\\\\"<>^\`{|}\\\\[\\\\]%]|%[0-9A-Fa-f]{2})*)?$",
    "maxLength": 2048,
    "description": "An absolute https address without user information and fragment. Its ASCII characters are those that RFC 3986 allows there; others are percent-encoded. The host is not percent-encoded and has 1 to 63 characters between its dots. A port is a number from 1 to 65535 without leading zeros. No segment of the path is \`.\` or \`..\`.\\n"
   },
   "Email": {
    "type": "string",
    "format": "mailbox",
    "maxLength": 254,
    "description": "One e-mail address."
   },
   "TimeBound": {
    "description": "An RFC 3339 date-time, or a date, which means that whole day in UTC.",
    "type": "string",
    "anyOf": [
     {
      "type": "string",
      "format": "date-time"
     },
     {
      "type": "string",
      "format": "date"
     }
    ]
   },
   "Description": {
    "type": [
     "string",
     "null"
    ],
    "maxLength": 500
   },
   "EventTypeIds": {
    "type": "array",
    "minItems": 1,
    "items": {
     "type": "string"
    },
    "description": "Ids of event types. A repeated id counts once."
   },
   "CreateWebhookEndpoint": {
    "type": "object",
    "required": [
     "url",
     "event_types",
     "notification_email"
    ],
    "properties": {
     "url": {
      "$ref": "#/components/schemas/Url"
     },
     "event_types": {
      "$ref": "#/components/schemas/EventTypeIds"
     },
     "notification_email": {
      "$ref": "#/components/schemas/Email"
     },
     "active": {
      "type": "boolean",
      "default": true
     },
     "description": {
      "$ref": "#/components/schemas/Description"
     }
    },
    "additionalProperties": false
   },
   "UpdateWebhookEndpoint": {
    "type": "object",
    "properties": {
     "url": {
      "$ref": "#/components/schemas/Url"
     },
     "event_types": {
      "$ref": "#/components/schemas/EventTypeIds"
     },
     "notification_email": {
      "$ref": "#/components/schemas/Email"
     },
     "active": {
      "type": "boolean"
     },
     "description": {
      "$ref": "#/components/schemas/Description"
     }
    },
    "additionalProperties": false
   },
   "ReplaceEventSubscriptions": {
    "type": "object",
    "required": [
     "event_types"
    ],
    "properties": {
     "event_types": {
      "$ref": "#/components/schemas/EventTypeIds"
     }
    },
    "additionalProperties": false
   },
   "WebhookEndpointMembers": {
    "type": "object",
    "description": "Members common to all endpoint responses.",
    "required": [
     "id",
     "url",
     "active",
     "description",
     "notification_email",
     "event_types",
     "disabled_reason",
     "created_at",
     "updated_at"
    ],
    "properties": {
     "id": {
      "type": "string",
      "pattern": "^whs_[A-Za-z0-9_-]+$"
     },
     "url": {
      "type": "string",
      "pattern": "^https://",
      "maxLength": 2048,
      "description": "A URI, or an IRI exactly as it was given."
     },
     "active": {
      "type": "boolean"
     },
     "description": {
      "$ref": "#/components/schemas/Description"
     },
     "notification_email": {
      "type": "string",
      "format": "email",
      "description": "Receives the notice when the service disables the endpoint."
     },
     "event_types": {
      "type": "array",
      "minItems": 1,
      "items": {
       "type": "string"
      }
     },
     "disabled_reason": {
      "type": [
       "string",
       "null"
      ],
      "enum": [
       "consecutive_failures",
       "receiver_gone",
       null
      ],
      "description": "Why the service disabled the endpoint, or null."
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "updated_at": {
      "$ref": "#/components/schemas/Instant"
     }
    }
   },
   "WebhookEndpoint": {
    "allOf": [
     {
      "$ref": "#/components/schemas/WebhookEndpointMembers"
     }
    ],
    "unevaluatedProperties": false
   },
   "WebhookEndpointWithSecret": {
    "type": "object",
    "allOf": [
     {
      "$ref": "#/components/schemas/WebhookEndpointMembers"
     }
    ],
    "required": [
     "signing_secret"
    ],
    "properties": {
     "signing_secret": {
      "type": "string",
      "pattern": "^whsec_[A-Za-z0-9_-]+$"
     }
    },
    "unevaluatedProperties": false
   },
   "WebhookEndpointEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/WebhookEndpoint"
     }
    },
    "additionalProperties": false
   },
   "WebhookEndpointWithSecretEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "description": "With \`signing_secret\`. A replayed stored response leaves it out.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/WebhookEndpointWithSecret"
       },
       {
        "$ref": "#/components/schemas/WebhookEndpoint"
       }
      ]
     }
    },
    "additionalProperties": false
   },
   "WebhookEndpointList": {
    "type": "object",
    "required": [
     "data",
     "page"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/WebhookEndpoint"
      }
     },
     "page": {
      "$ref": "#/components/schemas/Page"
     }
    },
    "additionalProperties": false
   },
   "WebhookDeliveryStatus": {
    "type": "string",
    "enum": [
     "success",
     "failed",
     "abandoned"
    ],
    "description": "success: a 2xx arrived. failed: none did, and another attempt follows or was made. abandoned: none did, and no other attempt follows."
   },
   "WebhookDelivery": {
    "type": "object",
    "required": [
     "id",
     "attempt",
     "max_attempts",
     "status",
     "created_at",
     "event_id",
     "event_type",
     "event_version",
     "test"
    ],
    "properties": {
     "id": {
      "type": "string",
      "pattern": "^whd_[A-Za-z0-9_-]+$"
     },
     "attempt": {
      "type": "integer",
      "minimum": 1,
      "description": "Number of this attempt."
     },
     "max_attempts": {
      "type": "integer",
      "minimum": 1
     },
     "status": {
      "$ref": "#/components/schemas/WebhookDeliveryStatus"
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "delivered_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "duration_ms": {
      "type": "integer",
      "minimum": 0
     },
     "response_status": {
      "type": "integer",
      "minimum": 100,
      "maximum": 999,
      "description": "Status of the receiver's response; absent when none arrived."
     },
     "event_id": {
      "type": "string",
      "pattern": "^evt_[A-Za-z0-9]{24}$"
     },
     "event_type": {
      "type": "string"
     },
     "event_version": {
      "type": "string"
     },
     "replayed_from": {
      "type": "string",
      "pattern": "^whd_[A-Za-z0-9_-]+$",
      "description": "The delivery that this one replays."
     },
     "test": {
      "type": "boolean"
     }
    },
    "additionalProperties": false
   },
   "WebhookDeliveryEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/WebhookDelivery"
     }
    },
    "additionalProperties": false
   },
   "WebhookDeliveryList": {
    "type": "object",
    "required": [
     "data",
     "page"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/WebhookDelivery"
      }
     },
     "page": {
      "$ref": "#/components/schemas/Page"
     }
    },
    "additionalProperties": false
   },
   "EventType": {
    "type": "object",
    "required": [
     "id",
     "category",
     "summary",
     "description",
     "accepts_new_subscriptions",
     "sent"
    ],
    "properties": {
     "id": {
      "type": "string",
      "pattern": "^[a-z0-9_]+(\\\\.[a-z0-9_]+)*$"
     },
     "category": {
      "type": "string",
      "description": "Groups event types, as in checkouts, orders or webhooks."
     },
     "summary": {
      "type": "string"
     },
     "description": {
      "type": "string"
     },
     "accepts_new_subscriptions": {
      "type": "boolean",
      "description": "False when the type is no longer offered. Existing subscriptions keep it."
     },
     "sent": {
      "type": "boolean",
      "description": "True when the service emits events of this type today."
     }
    },
    "additionalProperties": false
   },
   "EventTypeList": {
    "type": "object",
    "required": [
     "data",
     "page"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/EventType"
      }
     },
     "page": {
      "$ref": "#/components/schemas/Page"
     }
    },
    "additionalProperties": false
   },
   "Page": {
    "type": "object",
    "required": [
     "has_more"
    ],
    "properties": {
     "has_more": {
      "type": "boolean"
     },
     "next_cursor": {
      "type": "string",
      "minLength": 1,
      "description": "Absent on the last page."
     }
    },
    "additionalProperties": false
   },
   "Checkout": {
    "type": "object",
    "required": [
     "object",
     "id",
     "status",
     "order",
     "buyer_email_locked",
     "cancel_url",
     "success_url",
     "external_reference",
     "metadata",
     "created_at",
     "expires_at",
     "totals"
    ],
    "properties": {
     "object": {
      "type": "string",
      "const": "checkout"
     },
     "id": {
      "type": "string",
      "pattern": "^chk_[A-Za-z0-9]{8,32}$"
     },
     "status": {
      "type": "string",
      "enum": [
       "open",
       "completed",
       "expired"
      ],
      "description": "completed whenever \`order\` is set. Otherwise expired from \`expires_at\` on, or when its offer has ended."
     },
     "order": {
      "description": "Null until the buyer's payment succeeded.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/OrderReference"
       },
       {
        "type": "null"
       }
      ]
     },
     "buyer_email_locked": {
      "type": "boolean"
     },
     "cancel_url": {
      "type": "string",
      "description": "Empty when none was given."
     },
     "success_url": {
      "type": "string"
     },
     "checkout_url": {
      "type": "string",
      "description": "Only while the checkout is open."
     },
     "embed_url": {
      "type": "string",
      "description": "Only while the checkout is open."
     },
     "embed_origin": {
      "type": "string"
     },
     "external_reference": {
      "type": "string",
      "description": "Empty when none was given."
     },
     "metadata": {
      "type": "object",
      "additionalProperties": true,
      "description": "Metadata of the merchant."
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "expires_at": {
      "$ref": "#/components/schemas/Instant",
      "description": "30 minutes after creation."
     },
     "totals": {
      "$ref": "#/components/schemas/Totals"
     }
    },
    "additionalProperties": false
   },
   "CheckoutEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/Checkout"
     }
    },
    "additionalProperties": false
   },
   "OrderReference": {
    "type": "object",
    "required": [
     "id",
     "object"
    ],
    "properties": {
     "id": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     },
     "object": {
      "type": "string",
      "const": "order"
     }
    },
    "additionalProperties": false
   },
   "Totals": {
    "type": "object",
    "required": [
     "currency",
     "subtotal_minor_units",
     "discount_minor_units",
     "shipping_minor_units",
     "tax_minor_units",
     "total_minor_units"
    ],
    "properties": {
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "subtotal_minor_units": {
      "type": "integer"
     },
     "discount_minor_units": {
      "type": "integer"
     },
     "shipping_minor_units": {
      "type": "integer"
     },
     "tax_minor_units": {
      "type": "integer"
     },
     "total_minor_units": {
      "type": "integer"
     }
    },
    "additionalProperties": false
   },
   "Amount": {
    "type": "integer",
    "minimum": 0,
    "maximum": 9007199254740991,
    "description": "In minor units of the currency."
   },
   "Pagination": {
    "type": "object",
    "required": [
     "total_pages",
     "current_page",
     "per_page",
     "total_count"
    ],
    "properties": {
     "total_pages": {
      "type": "integer",
      "minimum": 1
     },
     "current_page": {
      "type": "integer",
      "minimum": 1,
      "description": "The number of this page."
     },
     "per_page": {
      "type": "integer",
      "minimum": 1,
      "maximum": 100
     },
     "total_count": {
      "type": "integer",
      "minimum": 0
     }
    },
    "additionalProperties": false
   },
   "Buyer": {
    "type": "object",
    "required": [
     "email",
     "name",
     "country"
    ],
    "properties": {
     "email": {
      "type": "string"
     },
     "name": {
      "type": [
       "string",
       "null"
      ]
     },
     "country": {
      "type": [
       "string",
       "null"
      ],
      "description": "ISO 3166-1 alpha-2."
     }
    },
    "additionalProperties": false
   },
   "LineItem": {
    "type": "object",
    "required": [
     "product",
     "quantity",
     "unit_amount_minor_units",
     "discount_minor_units",
     "tax_minor_units",
     "tax_percentage",
     "total_minor_units"
    ],
    "properties": {
     "product": {
      "type": "object",
      "required": [
       "id",
       "name"
      ],
      "properties": {
       "id": {
        "type": "string",
        "pattern": "^prod_[A-Za-z0-9]+$"
       },
       "name": {
        "type": "string"
       }
      },
      "additionalProperties": false
     },
     "quantity": {
      "type": "integer",
      "minimum": 1
     },
     "unit_amount_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "discount_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "tax_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "tax_percentage": {
      "type": "string",
      "description": "A decimal such as \\"19.00\\"."
     },
     "total_minor_units": {
      "$ref": "#/components/schemas/Amount"
     }
    },
    "additionalProperties": false
   },
   "Order": {
    "type": "object",
    "required": [
     "object",
     "id",
     "status",
     "checkout",
     "external_reference",
     "created_at",
     "completed_at",
     "currency",
     "totals",
     "refunded_minor_units",
     "buyer",
     "line_items",
     "payments",
     "invoices",
     "metadata",
     "affiliate"
    ],
    "properties": {
     "object": {
      "type": "string",
      "const": "order"
     },
     "id": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     },
     "status": {
      "type": "string",
      "const": "completed"
     },
     "checkout": {
      "type": [
       "string",
       "null"
      ],
      "pattern": "^chk_[A-Za-z0-9]{8,32}$"
     },
     "external_reference": {
      "type": "string",
      "description": "Empty when none was given."
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "completed_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "$ref": "#/components/schemas/Totals"
     },
     "refunded_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "buyer": {
      "$ref": "#/components/schemas/Buyer"
     },
     "line_items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/LineItem"
      }
     },
     "payments": {
      "type": "array",
      "items": {
       "type": "string",
       "pattern": "^pay_[A-Za-z0-9]+$"
      }
     },
     "invoices": {
      "type": "array",
      "items": {
       "type": "string",
       "pattern": "^inv_[A-Za-z0-9]+$"
      },
      "description": "Invoices and credit notes, oldest first."
     },
     "metadata": {
      "type": "object",
      "additionalProperties": true,
      "description": "The metadata of the checkout."
     },
     "affiliate": {
      "description": "The affiliate who referred the buyer, or null.",
      "oneOf": [
       {
        "type": "object",
        "required": [
         "code"
        ],
        "properties": {
         "code": {
          "type": "string"
         }
        },
        "additionalProperties": false
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "additionalProperties": false
   },
   "OrderEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/Order"
     }
    },
    "additionalProperties": false
   },
   "OrderList": {
    "type": "object",
    "required": [
     "data",
     "pagination"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Order"
      }
     },
     "pagination": {
      "$ref": "#/components/schemas/Pagination"
     }
    },
    "additionalProperties": false
   },
   "Payment": {
    "type": "object",
    "required": [
     "object",
     "id",
     "order",
     "status",
     "currency",
     "amount_minor_units",
     "refunded_minor_units",
     "fee_minor_units",
     "net_minor_units",
     "method",
     "buyer_email",
     "created_at",
     "cash_flow_at"
    ],
    "properties": {
     "object": {
      "type": "string",
      "const": "payment"
     },
     "id": {
      "type": "string",
      "pattern": "^pay_[A-Za-z0-9]+$"
     },
     "order": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     },
     "status": {
      "type": "string",
      "enum": [
       "succeeded",
       "partially_refunded",
       "refunded",
       "charged_back"
      ]
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "amount_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "refunded_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "fee_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "net_minor_units": {
      "$ref": "#/components/schemas/Amount",
      "description": "The amount without the fee. Refunds are entries of their own."
     },
     "method": {
      "type": "string"
     },
     "buyer_email": {
      "type": "string"
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant",
      "description": "When the sale was made."
     },
     "cash_flow_at": {
      "description": "When the money is or will be booked to the balance. Null while unknown.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Instant"
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "additionalProperties": false
   },
   "PaymentEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/Payment"
     }
    },
    "additionalProperties": false
   },
   "PaymentList": {
    "type": "object",
    "required": [
     "data",
     "pagination"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Payment"
      }
     },
     "pagination": {
      "$ref": "#/components/schemas/Pagination"
     }
    },
    "additionalProperties": false
   },
   "CreateRefund": {
    "type": "object",
    "properties": {
     "amount_minor_units": {
      "type": "integer",
      "minimum": 1,
      "maximum": 9007199254740991,
      "description": "At most what is left of the payment. Defaults to all that is left."
     },
     "reason": {
      "$ref": "#/components/schemas/RefundReason"
     },
     "note": {
      "type": "string",
      "maxLength": 500
     }
    },
    "additionalProperties": false
   },
   "RefundReason": {
    "type": "string",
    "enum": [
     "requested_by_customer",
     "duplicate",
     "fraudulent",
     "other"
    ]
   },
   "Refund": {
    "type": "object",
    "required": [
     "object",
     "id",
     "payment",
     "order",
     "status",
     "currency",
     "amount_minor_units",
     "reason",
     "note",
     "created_at",
     "cash_flow_at"
    ],
    "properties": {
     "object": {
      "type": "string",
      "const": "refund"
     },
     "id": {
      "type": "string",
      "pattern": "^rfd_[A-Za-z0-9]+$"
     },
     "payment": {
      "type": "string",
      "pattern": "^pay_[A-Za-z0-9]+$"
     },
     "order": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     },
     "status": {
      "type": "string",
      "enum": [
       "succeeded",
       "pending",
       "failed"
      ]
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "amount_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "reason": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/RefundReason"
       },
       {
        "type": "null"
       }
      ]
     },
     "note": {
      "type": [
       "string",
       "null"
      ],
      "maxLength": 500
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "cash_flow_at": {
      "description": "When the money is or will be taken from the balance. Null while unknown.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Instant"
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "additionalProperties": false
   },
   "RefundEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/Refund"
     }
    },
    "additionalProperties": false
   },
   "RefundList": {
    "type": "object",
    "required": [
     "data",
     "pagination"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Refund"
      }
     },
     "pagination": {
      "$ref": "#/components/schemas/Pagination"
     }
    },
    "additionalProperties": false
   },
   "Invoice": {
    "type": "object",
    "required": [
     "object",
     "id",
     "number",
     "type",
     "order",
     "payment",
     "refund",
     "currency",
     "totals",
     "buyer",
     "issued_at",
     "created_at",
     "pdf_url"
    ],
    "properties": {
     "object": {
      "type": "string",
      "const": "invoice"
     },
     "id": {
      "type": "string",
      "pattern": "^inv_[A-Za-z0-9]+$"
     },
     "number": {
      "type": "string",
      "description": "Consecutive. Credit notes have their own sequence."
     },
     "type": {
      "type": "string",
      "enum": [
       "invoice",
       "credit_note"
      ]
     },
     "order": {
      "type": "string",
      "pattern": "^ord_[A-Za-z0-9]+$"
     },
     "payment": {
      "type": "string",
      "pattern": "^pay_[A-Za-z0-9]+$"
     },
     "refund": {
      "type": [
       "string",
       "null"
      ],
      "pattern": "^rfd_[A-Za-z0-9]+$",
      "description": "The refund of a credit note. Null for an invoice."
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "totals": {
      "$ref": "#/components/schemas/Totals"
     },
     "buyer": {
      "$ref": "#/components/schemas/Buyer"
     },
     "issued_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "pdf_url": {
      "type": "string",
      "format": "uri",
      "description": "URL of the PDF. It holds a secret: anyone who has it can read the document without a credential."
     }
    },
    "additionalProperties": false
   },
   "InvoiceEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/Invoice"
     }
    },
    "additionalProperties": false
   },
   "InvoiceList": {
    "type": "object",
    "required": [
     "data",
     "pagination"
    ],
    "properties": {
     "data": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Invoice"
      }
     },
     "pagination": {
      "$ref": "#/components/schemas/Pagination"
     }
    },
    "additionalProperties": false
   },
   "CreateOffer": {
    "type": "object",
    "required": [
     "recipient_email",
     "title",
     "currency",
     "line_items"
    ],
    "properties": {
     "recipient_email": {
      "type": "string",
      "format": "mailbox",
      "maxLength": 254
     },
     "title": {
      "type": "string",
      "minLength": 1,
      "maxLength": 250,
      "description": "One line."
     },
     "message": {
      "type": "string",
      "maxLength": 2000,
      "description": "Shown in the mail and on the page."
     },
     "currency": {
      "type": "string",
      "description": "ISO 4217, in upper case, and in use."
     },
     "line_items": {
      "type": "array",
      "minItems": 1,
      "maxItems": 100,
      "items": {
       "$ref": "#/components/schemas/NewLineItem"
      }
     },
     "shipping_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "metadata": {
      "type": "object",
      "additionalProperties": true,
      "description": "Copied to the checkout and the order, and added to the URL that returns the recipient to \`offer_url\`. At most 131,072 bytes of JSON."
     },
     "expires_at": {
      "type": "string",
      "description": "An RFC 3339 date-time, or a date, which means the end of that day in UTC. In the future, at most 365 days ahead. Defaults to 30 days from now."
     }
    },
    "additionalProperties": false
   },
   "NewLineItem": {
    "type": "object",
    "required": [
     "name",
     "quantity",
     "unit_amount_minor_units"
    ],
    "properties": {
     "name": {
      "type": "string",
      "minLength": 1,
      "maxLength": 250
     },
     "product_id": {
      "type": "string",
      "pattern": "^prod_[A-Za-z0-9]{1,64}$",
      "description": "Defaults to a generated id."
     },
     "quantity": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000
     },
     "unit_amount_minor_units": {
      "$ref": "#/components/schemas/Amount"
     },
     "discount_minor_units": {
      "$ref": "#/components/schemas/Amount",
      "description": "For the whole line item. At most quantity times unit amount."
     },
     "tax_minor_units": {
      "$ref": "#/components/schemas/Amount",
      "description": "For the whole line item."
     },
     "tax_percentage": {
      "type": "string",
      "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$",
      "description": "A decimal such as \\"19.00\\"."
     }
    },
    "additionalProperties": false
   },
   "Offer": {
    "type": "object",
    "required": [
     "object",
     "id",
     "status",
     "recipient_email",
     "title",
     "message",
     "currency",
     "line_items",
     "totals",
     "metadata",
     "offer_url",
     "send_count",
     "sent_at",
     "accepted_at",
     "cancelled_at",
     "expires_at",
     "order",
     "created_at",
     "updated_at"
    ],
    "properties": {
     "object": {
      "type": "string",
      "const": "offer"
     },
     "id": {
      "type": "string",
      "pattern": "^off_[A-Za-z0-9]+$"
     },
     "status": {
      "type": "string",
      "enum": [
       "draft",
       "sent",
       "accepted",
       "cancelled",
       "expired"
      ],
      "description": "A draft or sent offer is expired from \`expires_at\` on."
     },
     "recipient_email": {
      "type": "string"
     },
     "title": {
      "type": "string"
     },
     "message": {
      "type": [
       "string",
       "null"
      ]
     },
     "currency": {
      "type": "string",
      "pattern": "^[A-Z]{3}$"
     },
     "line_items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/LineItem"
      }
     },
     "totals": {
      "$ref": "#/components/schemas/Totals"
     },
     "metadata": {
      "type": "object",
      "additionalProperties": true,
      "description": "Metadata of the merchant."
     },
     "offer_url": {
      "type": "string",
      "format": "uri",
      "description": "The hosted page of the offer, once it is sent. Anyone who has the URL can read it."
     },
     "send_count": {
      "type": "integer",
      "minimum": 0,
      "description": "How many mails were queued, at most 10."
     },
     "sent_at": {
      "description": "When it was first sent, or null.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Instant"
       },
       {
        "type": "null"
       }
      ]
     },
     "accepted_at": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/Instant"
       },
       {
        "type": "null"
       }
      ]
     },
     "cancelled_at": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/Instant"
       },
       {
        "type": "null"
       }
      ]
     },
     "expires_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "order": {
      "type": [
       "string",
       "null"
      ],
      "pattern": "^ord_[A-Za-z0-9]+$",
      "description": "The order of the accepting payment, or null."
     },
     "created_at": {
      "$ref": "#/components/schemas/Instant"
     },
     "updated_at": {
      "$ref": "#/components/schemas/Instant"
     }
    },
    "additionalProperties": false
   },
   "OfferEnvelope": {
    "type": "object",
    "required": [
     "data"
    ],
    "properties": {
     "data": {
      "$ref": "#/components/schemas/Offer"
     }
    },
    "additionalProperties": false
   },
   "EventEnvelope": {
    "type": "object",
    "description": "A CloudEvents 1.0 event in structured mode; the same bytes on every attempt.",
    "required": [
     "specversion",
     "id",
     "source",
     "type",
     "subject",
     "time",
     "datacontenttype",
     "dataschema",
     "eventversion",
     "test",
     "data"
    ],
    "properties": {
     "specversion": {
      "type": "string",
      "const": "1.0"
     },
     "id": {
      "type": "string",
      "pattern": "^evt_[A-Za-z0-9]{24}$"
     },
     "source": {
      "type": "string",
      "format": "uri"
     },
     "type": {
      "type": "string"
     },
     "subject": {
      "type": "string"
     },
     "time": {
      "$ref": "#/components/schemas/Instant"
     },
     "datacontenttype": {
      "type": "string",
      "const": "application/json"
     },
     "dataschema": {
      "type": "string",
      "format": "uri"
     },
     "eventversion": {
      "type": "string"
     },
     "erasedat": {
      "description": "When personal data was erased from the event. Absent from all other events.",
      "$ref": "#/components/schemas/Instant"
     },
     "test": {
      "type": "boolean"
     },
     "data": {
      "type": "object"
     }
    }
   },
   "Instant": {
    "type": "string",
    "format": "date-time",
    "pattern": "^\\\\d{4}-\\\\d{2}-\\\\d{2}T\\\\d{2}:\\\\d{2}:\\\\d{2}\\\\.\\\\d{3}Z$"
   },
   "Problem": {
    "type": "object",
    "required": [
     "type",
     "title",
     "status",
     "code",
     "errors"
    ],
    "properties": {
     "type": {
      "type": "string",
      "format": "uri"
     },
     "title": {
      "type": "string"
     },
     "status": {
      "type": "integer",
      "minimum": 400,
      "maximum": 599
     },
     "code": {
      "$ref": "#/components/schemas/ProblemCode"
     },
     "errors": {
      "type": "array",
      "minItems": 1,
      "items": {
       "$ref": "#/components/schemas/ProblemError"
      }
     },
     "detail": {
      "type": "string"
     },
     "request_id": {
      "type": "string",
      "pattern": "^req_[A-Za-z0-9]{24}$"
     }
    },
    "additionalProperties": false
   },
   "ProblemError": {
    "type": "object",
    "required": [
     "code",
     "detail"
    ],
    "properties": {
     "code": {
      "$ref": "#/components/schemas/ProblemErrorCode"
     },
     "detail": {
      "type": "string"
     },
     "param": {
      "type": "string",
      "description": "The refused field as it was sent. Absent when the whole request is refused."
     }
    },
    "additionalProperties": false
   },
   "ProblemCode": {
    "type": "string",
    "enum": [
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
     "service_unavailable"
    ]
   },
   "ProblemErrorCode": {
    "description": "The cause of the refusal. For a refusal with a single cause, the code of the problem or its cause.",
    "anyOf": [
     {
      "$ref": "#/components/schemas/ProblemCode"
     },
     {
      "type": "string",
      "enum": [
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
       "amount_exceeds_refundable"
      ]
     }
    ]
   }
  }
 }
}`;
