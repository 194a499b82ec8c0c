// Made by "npm run generate" from schema/openapi.yaml, with its closed objects open; changes belong there.
export interface paths {
    "/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["webhooks.endpoints.list"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Only this response shows the signing secret. A retry under the same Idempotency-Key gets the same body without it. If the first response was lost, rotate the secret under a new key.
         */
        post: operations["webhooks.endpoints.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        /** Retrieve a webhook endpoint */
        get: operations["webhooks.endpoints.retrieve"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint and its secrets immediately. The service sends it nothing more. Its delivery records stay listed until their retention ends. A body is ignored.
         */
        delete: operations["webhooks.endpoints.delete"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description Changes only the fields that are sent. Setting `active` to true clears `disabled_reason`. A type that the endpoint subscribes to can be kept or removed. An added type must be open to new subscriptions. Removing a type that is no longer offered or no longer listed is permanent.
         */
        patch: operations["webhooks.endpoints.update"];
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/event-subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the event subscriptions of a webhook endpoint
         * @description The same rules for event types apply as when updating the endpoint.
         */
        put: operations["webhooks.endpoints.event_subscriptions.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/secret-rotations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of a webhook endpoint
         * @description Deliveries are signed with the previous secret, too, for 24 hours. A retry under the same Idempotency-Key gets the same body without `signing_secret`. A body is ignored.
         */
        post: operations["webhooks.endpoints.secret_rotations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description Records are listed for 30 days.
         */
        get: operations["webhooks.deliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery to replay. */
                delivery_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a webhook delivery
         * @description Sends the event of this delivery again, with the same event id and the same body. Responds with the record of the first attempt once it has ended. Later attempts follow the usual schedule. A body is ignored.
         */
        post: operations["webhooks.deliveries.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Returns the whole catalogue in one page, sorted by category and id.
         */
        get: operations["webhooks.event_types.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The checkout. */
                id: string;
            };
            cookie?: never;
        };
        /** Retrieve a checkout */
        get: operations["commerce.checkouts.retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List orders */
        get: operations["commerce.orders.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order. */
                id: string;
            };
            cookie?: never;
        };
        /** Retrieve an order */
        get: operations["commerce.orders.retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payments */
        get: operations["commerce.payments.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment. */
                id: string;
            };
            cookie?: never;
        };
        /** Retrieve a payment */
        get: operations["commerce.payments.retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a payment in full or in part
         * @description Without an amount, or without a body, refunds the remaining amount. Issues a credit note. Concurrent requests together never refund more than was paid.
         */
        post: operations["commerce.payments.refunds.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List refunds */
        get: operations["commerce.refunds.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The refund. */
                id: string;
            };
            cookie?: never;
        };
        /** Retrieve a refund */
        get: operations["commerce.refunds.retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invoices and credit notes */
        get: operations["commerce.invoices.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invoice. */
                id: string;
            };
            cookie?: never;
        };
        /** Retrieve an invoice or a credit note */
        get: operations["commerce.invoices.retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an offer
         * @description Creates a draft. Sends no mail.
         */
        post: operations["commerce.offers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/offers/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an offer
         * @description Mails the URL of a draft to its recipient.
         */
        post: operations["commerce.offers.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/offers/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend an offer
         * @description Mails a sent offer again, unless it is accepted, cancelled or expired. The service sends at most ten mails for an offer, from the third on at most one per minute. `send_count` counts the mails.
         */
        post: operations["commerce.offers.resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commerce/offers/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an offer
         * @description Withdraws a draft or a sent offer. It can no longer be paid, not even in an open checkout.
         */
        post: operations["commerce.offers.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "cart.checkout.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A checkout exists and its buyer can pay. */
        post: operations["events.cart.checkout.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cart.checkout.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A checkout ended without a successful payment. */
        post: operations["events.cart.checkout.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cart.order.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The payment of a checkout succeeded and its order is complete. Carries the checkout metadata. */
        post: operations["events.cart.order.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.credit_note.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A refund was documented by a credit note. */
        post: operations["events.invoice.credit_note.issued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was invoiced. */
        post: operations["events.invoice.issued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offer.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An offer was paid. */
        post: operations["events.offer.accepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offer.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An offer was withdrawn. */
        post: operations["events.offer.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An offer was drafted. */
        post: operations["events.offer.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offer.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An offer went out, for the first time or again. */
        post: operations["events.offer.sent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What cart.order.completed replaces; only existing subscriptions receive it. */
        post: operations["events.order.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was refunded, in full or in part. */
        post: operations["events.payment.refund.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.sale.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A buyer’s payment succeeded. */
        post: operations["events.payment.sale.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The service disabled an endpoint and cancelled its pending deliveries. */
        post: operations["events.webhook.endpoint.disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled. */
        post: operations["events.webhook.endpoint.failing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An endpoint that was reported as failing accepted a delivery. */
        post: operations["events.webhook.endpoint.recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Checkout created
         * @description A checkout exists and its buyer can pay. This is the `data` of the event, version v1.
         * @example {
         *       "checkout": {
         *         "id": "chk_test0000",
         *         "object": "checkout",
         *         "external_reference": "test",
         *         "created_at": "2026-01-01T12:00:00.000Z",
         *         "expires_at": "2026-01-01T12:30:00.000Z"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ]
         *     }
         */
        "cart.checkout.created.v1": {
            checkout: {
                id: string;
                /** @constant */
                object: "checkout";
                external_reference: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string;
            };
            /** @description The metadata of the checkout, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
        };
        /**
         * Checkout expired
         * @description A checkout ended without a successful payment. This is the `data` of the event, version v1. A payment that had begun before may still complete it.
         * @example {
         *       "checkout": {
         *         "id": "chk_test0000",
         *         "object": "checkout",
         *         "external_reference": "test",
         *         "created_at": "2026-01-01T12:00:00.000Z",
         *         "expires_at": "2026-01-01T12:30:00.000Z"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ]
         *     }
         */
        "cart.checkout.expired.v1": {
            checkout: {
                id: string;
                /** @constant */
                object: "checkout";
                external_reference: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string;
            };
            /** @description The metadata of the checkout, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
        };
        /**
         * Order completed
         * @description The payment of a checkout succeeded and its order is complete. Carries the checkout metadata. This is the `data` of the event, version v1.
         * @example {
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order",
         *         "created_at": "2026-01-01T12:00:00.000Z",
         *         "completed_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "checkout": {
         *         "id": "chk_test0000",
         *         "object": "checkout",
         *         "external_reference": "test"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "buyer": {
         *         "email": "buyer@example.com",
         *         "name": "Test Buyer",
         *         "country": "DE"
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ],
         *       "payment": {
         *         "id": "pay_test",
         *         "object": "payment",
         *         "method": "card",
         *         "amount_minor_units": 11900
         *       },
         *       "affiliate": null
         *     }
         */
        "cart.order.completed.v1": {
            order: {
                id: string;
                /** @constant */
                object: "order";
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                completed_at: string;
            };
            checkout: {
                id: string;
                /** @constant */
                object: "checkout";
                external_reference: string;
            };
            /** @description The metadata of the checkout, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            buyer: {
                email: string;
                name: string | null;
                country: string | null;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
            payment: {
                id: string;
                /** @constant */
                object: "payment";
                method: string;
                amount_minor_units: number;
            };
            affiliate: {
                code: string;
            } | null;
        };
        /**
         * Credit note issued
         * @description A refund was documented by a credit note. This is the `data` of the event, version v1.
         * @example {
         *       "invoice": {
         *         "id": "inv_test",
         *         "object": "invoice",
         *         "number": "CN-000000",
         *         "type": "credit_note",
         *         "issued_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order"
         *       },
         *       "payment": {
         *         "id": "pay_test",
         *         "object": "payment"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "buyer": {
         *         "email": "buyer@example.com",
         *         "name": "Test Buyer",
         *         "country": "DE"
         *       },
         *       "refund": {
         *         "id": "rfd_test",
         *         "object": "refund"
         *       }
         *     }
         */
        "invoice.credit_note.issued.v1": {
            invoice: {
                id: string;
                /** @constant */
                object: "invoice";
                number: string;
                /** @constant */
                type: "credit_note";
                /** Format: date-time */
                issued_at: string;
            };
            order: {
                id: string;
                /** @constant */
                object: "order";
            };
            payment: {
                id: string;
                /** @constant */
                object: "payment";
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            buyer: {
                email: string;
                name: string | null;
                country: string | null;
            };
            refund: {
                id: string;
                /** @constant */
                object: "refund";
            };
        };
        /**
         * Invoice issued
         * @description An order was invoiced. This is the `data` of the event, version v1.
         * @example {
         *       "invoice": {
         *         "id": "inv_test",
         *         "object": "invoice",
         *         "number": "INV-000000",
         *         "type": "invoice",
         *         "issued_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order"
         *       },
         *       "payment": {
         *         "id": "pay_test",
         *         "object": "payment"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "buyer": {
         *         "email": "buyer@example.com",
         *         "name": "Test Buyer",
         *         "country": "DE"
         *       }
         *     }
         */
        "invoice.issued.v1": {
            invoice: {
                id: string;
                /** @constant */
                object: "invoice";
                number: string;
                /** @constant */
                type: "invoice";
                /** Format: date-time */
                issued_at: string;
            };
            order: {
                id: string;
                /** @constant */
                object: "order";
            };
            payment: {
                id: string;
                /** @constant */
                object: "payment";
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            buyer: {
                email: string;
                name: string | null;
                country: string | null;
            };
        };
        /**
         * Offer accepted
         * @description An offer was paid. This is the `data` of the event, version v1.
         * @example {
         *       "offer": {
         *         "id": "off_test",
         *         "object": "offer",
         *         "status": "accepted",
         *         "recipient_email": "buyer@example.com",
         *         "title": "Test offer",
         *         "send_count": 1,
         *         "sent_at": "2026-01-01T12:00:00.000Z",
         *         "accepted_at": "2026-01-01T12:00:00.000Z",
         *         "cancelled_at": null,
         *         "expires_at": "2026-01-31T12:00:00.000Z",
         *         "created_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ],
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order"
         *       },
         *       "checkout": {
         *         "id": "chk_test0000",
         *         "object": "checkout"
         *       }
         *     }
         */
        "offer.accepted.v1": {
            offer: {
                id: string;
                /** @constant */
                object: "offer";
                /** @constant */
                status: "accepted";
                recipient_email: string;
                title: string;
                send_count: number;
                /** Format: date-time */
                sent_at: string;
                /** Format: date-time */
                accepted_at: string;
                cancelled_at: null;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            };
            /** @description The metadata of the offer, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
            order: {
                id: string;
                /** @constant */
                object: "order";
            };
            checkout: {
                id: string;
                /** @constant */
                object: "checkout";
            };
        };
        /**
         * Offer cancelled
         * @description An offer was withdrawn. This is the `data` of the event, version v1.
         * @example {
         *       "offer": {
         *         "id": "off_test",
         *         "object": "offer",
         *         "status": "cancelled",
         *         "recipient_email": "buyer@example.com",
         *         "title": "Test offer",
         *         "send_count": 0,
         *         "sent_at": null,
         *         "accepted_at": null,
         *         "cancelled_at": "2026-01-01T12:00:00.000Z",
         *         "expires_at": "2026-01-31T12:00:00.000Z",
         *         "created_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ]
         *     }
         */
        "offer.cancelled.v1": {
            offer: {
                id: string;
                /** @constant */
                object: "offer";
                /** @constant */
                status: "cancelled";
                recipient_email: string;
                title: string;
                send_count: number;
                /** Format: date-time */
                sent_at: string | null;
                accepted_at: null;
                /** Format: date-time */
                cancelled_at: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            };
            /** @description The metadata of the offer, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
        };
        /**
         * Offer created
         * @description An offer was drafted. This is the `data` of the event, version v1.
         * @example {
         *       "offer": {
         *         "id": "off_test",
         *         "object": "offer",
         *         "status": "draft",
         *         "recipient_email": "buyer@example.com",
         *         "title": "Test offer",
         *         "send_count": 0,
         *         "sent_at": null,
         *         "accepted_at": null,
         *         "cancelled_at": null,
         *         "expires_at": "2026-01-31T12:00:00.000Z",
         *         "created_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ]
         *     }
         */
        "offer.created.v1": {
            offer: {
                id: string;
                /** @constant */
                object: "offer";
                /** @constant */
                status: "draft";
                recipient_email: string;
                title: string;
                send_count: number;
                sent_at: null;
                accepted_at: null;
                cancelled_at: null;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            };
            /** @description The metadata of the offer, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
        };
        /**
         * Offer sent
         * @description An offer went out, for the first time or again. This is the `data` of the event, version v1.
         * @example {
         *       "offer": {
         *         "id": "off_test",
         *         "object": "offer",
         *         "status": "sent",
         *         "recipient_email": "buyer@example.com",
         *         "title": "Test offer",
         *         "send_count": 1,
         *         "sent_at": "2026-01-01T12:00:00.000Z",
         *         "accepted_at": null,
         *         "cancelled_at": null,
         *         "expires_at": "2026-01-31T12:00:00.000Z",
         *         "created_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ]
         *     }
         */
        "offer.sent.v1": {
            offer: {
                id: string;
                /** @constant */
                object: "offer";
                /** @constant */
                status: "sent";
                recipient_email: string;
                title: string;
                send_count: number;
                /** Format: date-time */
                sent_at: string;
                accepted_at: null;
                cancelled_at: null;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            };
            /** @description The metadata of the offer, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
        };
        /**
         * Order completed (legacy)
         * @description What cart.order.completed replaces; only existing subscriptions receive it. This is the `data` of the event, version v1. It has the same data, and the order id once more at the top.
         * @example {
         *       "order_id": "ord_test",
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order",
         *         "created_at": "2026-01-01T12:00:00.000Z",
         *         "completed_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "checkout": {
         *         "id": "chk_test0000",
         *         "object": "checkout",
         *         "external_reference": "test"
         *       },
         *       "metadata": {
         *         "test": "true"
         *       },
         *       "currency": "EUR",
         *       "totals": {
         *         "currency": "EUR",
         *         "subtotal_minor_units": 10000,
         *         "discount_minor_units": 0,
         *         "shipping_minor_units": 0,
         *         "tax_minor_units": 1900,
         *         "total_minor_units": 11900
         *       },
         *       "buyer": {
         *         "email": "buyer@example.com",
         *         "name": "Test Buyer",
         *         "country": "DE"
         *       },
         *       "line_items": [
         *         {
         *           "product": {
         *             "id": "prod_test",
         *             "name": "Test product"
         *           },
         *           "quantity": 1,
         *           "unit_amount_minor_units": 10000,
         *           "discount_minor_units": 0,
         *           "tax_minor_units": 1900,
         *           "tax_percentage": "19.00",
         *           "total_minor_units": 11900
         *         }
         *       ],
         *       "payment": {
         *         "id": "pay_test",
         *         "object": "payment",
         *         "method": "card",
         *         "amount_minor_units": 11900
         *       },
         *       "affiliate": null
         *     }
         */
        "order.completed.v1": {
            order_id: string;
            order: {
                id: string;
                /** @constant */
                object: "order";
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                completed_at: string;
            };
            checkout: {
                id: string;
                /** @constant */
                object: "checkout";
                external_reference: string;
            };
            /** @description The metadata of the checkout, as the merchant attached it. */
            metadata: {
                [key: string]: unknown;
            };
            currency: string;
            totals: {
                currency: string;
                subtotal_minor_units: number;
                discount_minor_units: number;
                shipping_minor_units: number;
                tax_minor_units: number;
                total_minor_units: number;
            };
            buyer: {
                email: string;
                name: string | null;
                country: string | null;
            };
            line_items: {
                product: {
                    id: string;
                    name: string;
                };
                quantity: number;
                unit_amount_minor_units: number;
                discount_minor_units: number;
                tax_minor_units: number;
                tax_percentage: string;
                total_minor_units: number;
            }[];
            payment: {
                id: string;
                /** @constant */
                object: "payment";
                method: string;
                amount_minor_units: number;
            };
            affiliate: {
                code: string;
            } | null;
        };
        /**
         * Refund created
         * @description A payment was refunded, in full or in part. This is the `data` of the event, version v1.
         * @example {
         *       "refund": {
         *         "id": "rfd_test",
         *         "object": "refund",
         *         "status": "succeeded",
         *         "amount_minor_units": 11900,
         *         "reason": "requested_by_customer",
         *         "created_at": "2026-01-01T12:00:00.000Z",
         *         "cash_flow_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "payment": {
         *         "id": "pay_test",
         *         "object": "payment",
         *         "status": "refunded",
         *         "amount_minor_units": 11900,
         *         "refunded_minor_units": 11900
         *       },
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order"
         *       },
         *       "currency": "EUR",
         *       "buyer": {
         *         "email": "buyer@example.com",
         *         "name": "Test Buyer",
         *         "country": "DE"
         *       }
         *     }
         */
        "payment.refund.created.v1": {
            refund: {
                id: string;
                /** @constant */
                object: "refund";
                /** @enum {string} */
                status: "succeeded" | "pending" | "failed";
                amount_minor_units: number;
                /** @enum {string|null} */
                reason: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the money is or will be taken from the balance; null while that is not known.
                 */
                cash_flow_at: string | null;
            };
            /** @description The payment after the refund. */
            payment: {
                id: string;
                /** @constant */
                object: "payment";
                /** @enum {string} */
                status: "partially_refunded" | "refunded";
                amount_minor_units: number;
                refunded_minor_units: number;
            };
            order: {
                id: string;
                /** @constant */
                object: "order";
            };
            currency: string;
            buyer: {
                email: string;
                name: string | null;
                country: string | null;
            };
        };
        /**
         * Payment succeeded
         * @description A buyer’s payment succeeded. This is the `data` of the event, version v1.
         * @example {
         *       "payment": {
         *         "id": "pay_test",
         *         "object": "payment",
         *         "status": "succeeded",
         *         "method": "card",
         *         "amount_minor_units": 11900,
         *         "fee_minor_units": 0,
         *         "net_minor_units": 11900,
         *         "created_at": "2026-01-01T12:00:00.000Z",
         *         "cash_flow_at": "2026-01-01T12:00:00.000Z"
         *       },
         *       "order": {
         *         "id": "ord_test",
         *         "object": "order"
         *       },
         *       "checkout": {
         *         "id": "chk_test0000",
         *         "object": "checkout",
         *         "external_reference": "test"
         *       },
         *       "currency": "EUR",
         *       "buyer": {
         *         "email": "buyer@example.com",
         *         "name": "Test Buyer",
         *         "country": "DE"
         *       }
         *     }
         */
        "payment.sale.succeeded.v1": {
            payment: {
                id: string;
                /** @constant */
                object: "payment";
                /** @constant */
                status: "succeeded";
                method: string;
                amount_minor_units: number;
                fee_minor_units: number;
                net_minor_units: number;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the money is or will be booked to the balance; null while that is not known.
                 */
                cash_flow_at: string | null;
            };
            order: {
                id: string;
                /** @constant */
                object: "order";
            };
            checkout: {
                id: string;
                /** @constant */
                object: "checkout";
                external_reference: string;
            };
            currency: string;
            buyer: {
                email: string;
                name: string | null;
                country: string | null;
            };
        };
        /**
         * Endpoint disabled
         * @description The service disabled an endpoint and cancelled its pending deliveries. This is the `data` of the event, version v1.
         * @example {
         *       "endpoint": {
         *         "id": "whs_test0000",
         *         "account_id": "acc_test0000",
         *         "url": "https://shop.example/webhooks",
         *         "active": false,
         *         "disabled_reason": "consecutive_failures"
         *       },
         *       "failing_since": "2025-12-27T12:00:00.000Z",
         *       "failure_count": 12,
         *       "last_response_status": 503,
         *       "disabled_at": "2026-01-01T12:00:00.000Z"
         *     }
         */
        "webhook.endpoint.disabled.v1": {
            endpoint: {
                id: string;
                account_id: string;
                url: string;
                /** @constant */
                active: false;
                /** @enum {unknown} */
                disabled_reason: "consecutive_failures" | "receiver_gone";
            };
            /** Format: date-time */
            failing_since: string;
            failure_count: number;
            last_response_status: number | null;
            /** Format: date-time */
            disabled_at: string;
        };
        /**
         * Endpoint failing
         * @description Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled. This is the `data` of the event, version v1.
         * @example {
         *       "endpoint": {
         *         "id": "whs_test0000",
         *         "account_id": "acc_test0000",
         *         "url": "https://shop.example/webhooks",
         *         "active": true,
         *         "disabled_reason": null
         *       },
         *       "failing_since": "2026-01-01T12:00:00.000Z",
         *       "failure_count": 7,
         *       "last_response_status": 503,
         *       "disables_at": "2026-01-06T12:00:00.000Z"
         *     }
         */
        "webhook.endpoint.failing.v1": {
            endpoint: {
                id: string;
                account_id: string;
                url: string;
                /** @constant */
                active: true;
                disabled_reason: null;
            };
            /** Format: date-time */
            failing_since: string;
            failure_count: number;
            last_response_status: number | null;
            /** Format: date-time */
            disables_at: string;
        };
        /**
         * Endpoint recovered
         * @description An endpoint that was reported as failing accepted a delivery. This is the `data` of the event, version v1.
         * @example {
         *       "endpoint": {
         *         "id": "whs_test0000",
         *         "account_id": "acc_test0000",
         *         "url": "https://shop.example/webhooks",
         *         "active": true,
         *         "disabled_reason": null
         *       },
         *       "failing_since": "2025-12-31T00:00:00.000Z",
         *       "failure_count": 7,
         *       "recovered_at": "2026-01-01T12:00:00.000Z"
         *     }
         */
        "webhook.endpoint.recovered.v1": {
            endpoint: {
                id: string;
                account_id: string;
                url: string;
                active: boolean;
                /** @enum {unknown} */
                disabled_reason: "consecutive_failures" | "receiver_gone" | null;
            };
            /** Format: date-time */
            failing_since: string;
            failure_count: number;
            /** Format: date-time */
            recovered_at: string;
        };
        /**
         * Format: https-url
         * @description An absolute https address without user information and fragment. Its ASCII characters are those that RFC 3986 allows there; others are percent-encoded. The host is not percent-encoded and has 1 to 63 characters between its dots. A port is a number from 1 to 65535 without leading zeros. No segment of the path is `.` or `..`.
         */
        Url: string;
        /**
         * Format: mailbox
         * @description One e-mail address.
         */
        Email: string;
        /** @description An RFC 3339 date-time, or a date, which means that whole day in UTC. */
        TimeBound: string;
        Description: string | null;
        /** @description Ids of event types. A repeated id counts once. */
        EventTypeIds: string[];
        CreateWebhookEndpoint: {
            url: components["schemas"]["Url"];
            event_types: components["schemas"]["EventTypeIds"];
            notification_email: components["schemas"]["Email"];
            /** @description Defaults to true. */
            active?: boolean;
            description?: components["schemas"]["Description"];
        };
        UpdateWebhookEndpoint: {
            url?: components["schemas"]["Url"];
            event_types?: components["schemas"]["EventTypeIds"];
            notification_email?: components["schemas"]["Email"];
            active?: boolean;
            description?: components["schemas"]["Description"];
        };
        ReplaceEventSubscriptions: {
            event_types: components["schemas"]["EventTypeIds"];
        };
        /** @description Members common to all endpoint responses. */
        WebhookEndpointMembers: {
            id: string;
            /** @description A URI, or an IRI exactly as it was sent. */
            url: string;
            active: boolean;
            description: components["schemas"]["Description"];
            /**
             * Format: email
             * @description Receives the notice when the service disables the endpoint.
             */
            notification_email: string;
            event_types: string[];
            /**
             * @description Why the service disabled the endpoint, or null.
             * @enum {string|null}
             */
            disabled_reason: "consecutive_failures" | "receiver_gone" | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
        };
        WebhookEndpoint: components["schemas"]["WebhookEndpointMembers"];
        WebhookEndpointWithSecret: components["schemas"]["WebhookEndpointMembers"] & {
            signing_secret: string;
        };
        WebhookEndpointEnvelope: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointWithSecretEnvelope: {
            /** @description Includes `signing_secret`, except in a replayed response. */
            data: components["schemas"]["WebhookEndpointWithSecret"] | components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointList: {
            data: components["schemas"]["WebhookEndpoint"][];
            page: components["schemas"]["Page"];
        };
        /**
         * @description success: the receiver responded with 2xx. failed: it did not, and another attempt follows or was made. abandoned: it did not, and no further attempt follows.
         * @enum {string}
         */
        WebhookDeliveryStatus: "success" | "failed" | "abandoned";
        WebhookDelivery: {
            id: string;
            /** @description Number of this attempt. */
            attempt: number;
            max_attempts: number;
            status: components["schemas"]["WebhookDeliveryStatus"];
            created_at: components["schemas"]["Instant"];
            delivered_at?: components["schemas"]["Instant"];
            duration_ms?: number;
            /** @description Status of the receiver's response. Absent if there was none. */
            response_status?: number;
            event_id: string;
            event_type: string;
            event_version: string;
            /** @description The delivery that this one replays. */
            replayed_from?: string;
            test: boolean;
        };
        WebhookDeliveryEnvelope: {
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            page: components["schemas"]["Page"];
        };
        EventType: {
            id: string;
            /** @description Group of the event type, such as checkouts, orders or webhooks. */
            category: string;
            summary: string;
            description: string;
            /** @description False when the type is no longer offered. Existing subscriptions keep it. */
            accepts_new_subscriptions: boolean;
            /** @description True when the service emits events of this type today. */
            sent: boolean;
        };
        EventTypeList: {
            data: components["schemas"]["EventType"][];
            page: components["schemas"]["Page"];
        };
        Page: {
            has_more: boolean;
            /** @description Absent on the last page. */
            next_cursor?: string;
        };
        Checkout: {
            /** @constant */
            object: "checkout";
            id: string;
            /**
             * @description `completed` if `order` is set. Otherwise `expired` from `expires_at` on, or once its offer has ended.
             * @enum {string}
             */
            status: "open" | "completed" | "expired";
            /** @description Null until the buyer's payment succeeded. */
            order: components["schemas"]["OrderReference"] | null;
            buyer_email_locked: boolean;
            /** @description Empty if none was given. */
            cancel_url: string;
            success_url: string;
            /** @description Only while the checkout is open. */
            checkout_url?: string;
            /** @description Only while the checkout is open. */
            embed_url?: string;
            embed_origin?: string;
            /** @description Empty if none was given. */
            external_reference: string;
            /** @description Metadata of the merchant. */
            metadata: {
                [key: string]: unknown;
            };
            created_at: components["schemas"]["Instant"];
            /** @description 30 minutes after creation. */
            expires_at: components["schemas"]["Instant"];
            totals: components["schemas"]["Totals"];
        };
        CheckoutEnvelope: {
            data: components["schemas"]["Checkout"];
        };
        OrderReference: {
            id: string;
            /** @constant */
            object: "order";
        };
        Totals: {
            currency: string;
            subtotal_minor_units: number;
            discount_minor_units: number;
            shipping_minor_units: number;
            tax_minor_units: number;
            total_minor_units: number;
        };
        /** @description In minor units of the currency. */
        Amount: number;
        Pagination: {
            total_pages: number;
            /** @description The number of this page. */
            current_page: number;
            per_page: number;
            total_count: number;
        };
        Buyer: {
            email: string;
            name: string | null;
            /** @description ISO 3166-1 alpha-2. */
            country: string | null;
        };
        LineItem: {
            product: {
                id: string;
                name: string;
            };
            quantity: number;
            unit_amount_minor_units: components["schemas"]["Amount"];
            discount_minor_units: components["schemas"]["Amount"];
            tax_minor_units: components["schemas"]["Amount"];
            /** @description A decimal such as "19.00". */
            tax_percentage: string;
            total_minor_units: components["schemas"]["Amount"];
        };
        Order: {
            /** @constant */
            object: "order";
            id: string;
            /** @constant */
            status: "completed";
            checkout: string | null;
            /** @description Empty if none was given. */
            external_reference: string;
            created_at: components["schemas"]["Instant"];
            completed_at: components["schemas"]["Instant"];
            currency: string;
            totals: components["schemas"]["Totals"];
            refunded_minor_units: components["schemas"]["Amount"];
            buyer: components["schemas"]["Buyer"];
            line_items: components["schemas"]["LineItem"][];
            payments: string[];
            /** @description Invoices and credit notes, oldest first. */
            invoices: string[];
            /** @description The metadata of the checkout. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The affiliate who referred the buyer, or null. */
            affiliate: {
                code: string;
            } | null;
        };
        OrderEnvelope: {
            data: components["schemas"]["Order"];
        };
        OrderList: {
            data: components["schemas"]["Order"][];
            pagination: components["schemas"]["Pagination"];
        };
        Payment: {
            /** @constant */
            object: "payment";
            id: string;
            order: string;
            /** @enum {string} */
            status: "succeeded" | "partially_refunded" | "refunded" | "charged_back";
            currency: string;
            amount_minor_units: components["schemas"]["Amount"];
            refunded_minor_units: components["schemas"]["Amount"];
            fee_minor_units: components["schemas"]["Amount"];
            /** @description The amount without the fee. Refunds are separate entries. */
            net_minor_units: components["schemas"]["Amount"];
            method: string;
            buyer_email: string;
            /** @description When the sale was made. */
            created_at: components["schemas"]["Instant"];
            /** @description When the money is or will be booked to the balance. Null while unknown. */
            cash_flow_at: components["schemas"]["Instant"] | null;
        };
        PaymentEnvelope: {
            data: components["schemas"]["Payment"];
        };
        PaymentList: {
            data: components["schemas"]["Payment"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreateRefund: {
            /** @description At most the remaining amount of the payment, which is also the default. */
            amount_minor_units?: number;
            reason?: components["schemas"]["RefundReason"];
            note?: string;
        };
        /** @enum {string} */
        RefundReason: "requested_by_customer" | "duplicate" | "fraudulent" | "other";
        Refund: {
            /** @constant */
            object: "refund";
            id: string;
            payment: string;
            order: string;
            /** @enum {string} */
            status: "succeeded" | "pending" | "failed";
            currency: string;
            amount_minor_units: components["schemas"]["Amount"];
            reason: components["schemas"]["RefundReason"] | null;
            note: string | null;
            created_at: components["schemas"]["Instant"];
            /** @description When the money is or will be taken from the balance. Null while unknown. */
            cash_flow_at: components["schemas"]["Instant"] | null;
        };
        RefundEnvelope: {
            data: components["schemas"]["Refund"];
        };
        RefundList: {
            data: components["schemas"]["Refund"][];
            pagination: components["schemas"]["Pagination"];
        };
        Invoice: {
            /** @constant */
            object: "invoice";
            id: string;
            /** @description Consecutive number. Credit notes have their own sequence. */
            number: string;
            /** @enum {string} */
            type: "invoice" | "credit_note";
            order: string;
            payment: string;
            /** @description The refund of a credit note. Null for an invoice. */
            refund: string | null;
            currency: string;
            totals: components["schemas"]["Totals"];
            buyer: components["schemas"]["Buyer"];
            issued_at: components["schemas"]["Instant"];
            created_at: components["schemas"]["Instant"];
            /**
             * Format: uri
             * @description URL of the PDF. It holds a secret: anyone who has it can read the document without a credential.
             */
            pdf_url: string;
        };
        InvoiceEnvelope: {
            data: components["schemas"]["Invoice"];
        };
        InvoiceList: {
            data: components["schemas"]["Invoice"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreateOffer: {
            /** Format: mailbox */
            recipient_email: string;
            /** @description One line. */
            title: string;
            /** @description Shown in the mail and on the page. */
            message?: string;
            /** @description ISO 4217 code in upper case, of a currency in use. */
            currency: string;
            line_items: components["schemas"]["NewLineItem"][];
            shipping_minor_units?: components["schemas"]["Amount"];
            /** @description Copied to the checkout and the order, and added to the URL that returns the recipient to `offer_url`. At most 131,072 bytes of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description An RFC 3339 date-time, or a date, which means the end of that day in UTC. In the future, at most 365 days ahead. Defaults to 30 days from now. */
            expires_at?: string;
        };
        NewLineItem: {
            name: string;
            /** @description Defaults to a generated id. */
            product_id?: string;
            quantity: number;
            unit_amount_minor_units: components["schemas"]["Amount"];
            /** @description For the whole line item. At most quantity times unit amount. */
            discount_minor_units?: components["schemas"]["Amount"];
            /** @description For the whole line item. */
            tax_minor_units?: components["schemas"]["Amount"];
            /** @description A decimal such as "19.00". */
            tax_percentage?: string;
        };
        Offer: {
            /** @constant */
            object: "offer";
            id: string;
            /**
             * @description A draft or sent offer is expired from `expires_at` on.
             * @enum {string}
             */
            status: "draft" | "sent" | "accepted" | "cancelled" | "expired";
            recipient_email: string;
            title: string;
            message: string | null;
            currency: string;
            line_items: components["schemas"]["LineItem"][];
            totals: components["schemas"]["Totals"];
            /** @description Metadata of the merchant. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description The hosted page of the offer, once it is sent. Anyone who has the URL can read it.
             */
            offer_url: string;
            /** @description Number of mails queued so far, at most 10. */
            send_count: number;
            /** @description When the offer was first sent, or null. */
            sent_at: components["schemas"]["Instant"] | null;
            accepted_at: components["schemas"]["Instant"] | null;
            cancelled_at: components["schemas"]["Instant"] | null;
            expires_at: components["schemas"]["Instant"];
            /** @description The order of the accepting payment, or null. */
            order: string | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
        };
        OfferEnvelope: {
            data: components["schemas"]["Offer"];
        };
        /** @description A CloudEvents 1.0 event in structured mode; the same bytes on every attempt. */
        EventEnvelope: {
            /** @constant */
            specversion: "1.0";
            id: string;
            /** Format: uri */
            source: string;
            type: string;
            subject: string;
            time: components["schemas"]["Instant"];
            /** @constant */
            datacontenttype: "application/json";
            /** Format: uri */
            dataschema: string;
            eventversion: string;
            /** @description When personal data was erased from the event. Absent from all other events. */
            erasedat?: components["schemas"]["Instant"];
            test: boolean;
            data: {
                [key: string]: unknown;
            };
        };
        /** Format: date-time */
        Instant: string;
        Problem: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            code: components["schemas"]["ProblemCode"];
            errors: components["schemas"]["ProblemError"][];
            detail?: string;
            request_id?: string;
        };
        ProblemError: {
            code: components["schemas"]["ProblemErrorCode"];
            detail: string;
            /** @description Name of the refused field, as it was sent. Absent if the whole request is refused. */
            param?: string;
        };
        /** @enum {string} */
        ProblemCode: "idempotency_key_required" | "invalid_idempotency_key" | "invalid_json" | "malformed_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_key_conflict" | "idempotency_key_in_progress" | "endpoint_inactive" | "delivery_in_progress" | "payment_not_refundable" | "offer_state_conflict" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "endpoint_limit_reached" | "delivery_not_replayable" | "rate_limit_exceeded" | "headers_too_large" | "internal_error" | "service_unavailable";
        /** @description The cause of the error. If there is only one, the code of the problem or a more specific one. */
        ProblemErrorCode: components["schemas"]["ProblemCode"] | ("missing_credential" | "invalid_credential" | "expired_credential" | "revoked_credential" | "credential_kind_not_accepted" | "permission_missing" | "repeated_header" | "invalid_encoding" | "nul_byte" | "required" | "invalid_type" | "invalid_format" | "invalid_value" | "too_long" | "too_few_items" | "out_of_range" | "unknown_property" | "unknown_parameter" | "invalid_cursor" | "event_type_not_offered" | "unknown_event_type" | "endpoint_deleted" | "event_type_not_subscribed" | "payload_expired" | "amount_exceeds_refundable");
    };
    responses: {
        /** @description The endpoint. */
        WebhookEndpoint: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *         "url": "https://shop.example.com/webhooks",
                 *         "active": true,
                 *         "description": null,
                 *         "notification_email": "ops@shop.example.com",
                 *         "event_types": [
                 *           "cart.order.completed"
                 *         ],
                 *         "disabled_reason": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "updated_at": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointEnvelope"];
            };
        };
        /** @description The endpoint after the change. */
        ChangedWebhookEndpoint: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *         "url": "https://shop.example.com/webhooks",
                 *         "active": true,
                 *         "description": null,
                 *         "notification_email": "ops@shop.example.com",
                 *         "event_types": [
                 *           "cart.order.completed"
                 *         ],
                 *         "disabled_reason": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "updated_at": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointEnvelope"];
            };
        };
        /** @description The Idempotency-Key is missing or malformed, or the body is not JSON. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/idempotency-key-required",
                 *       "title": "Idempotency-Key required",
                 *       "status": 400,
                 *       "code": "idempotency_key_required",
                 *       "detail": "This operation requires an Idempotency-Key header of 1 to 255 characters.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "idempotency_key_required",
                 *           "detail": "This operation requires an Idempotency-Key header of 1 to 255 characters.",
                 *           "param": "Idempotency-Key"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential is missing, invalid, or of a kind that the operation does not accept. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description How to authenticate. `error` is present when a credential was sent. */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/unauthorized",
                 *       "title": "Authentication failed",
                 *       "status": 401,
                 *       "code": "unauthorized",
                 *       "detail": "The request has no bearer credential.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "missing_credential",
                 *           "detail": "The request has no bearer credential."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential does not hold the permission that the operation requires. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/forbidden",
                 *       "title": "Permission missing",
                 *       "status": 403,
                 *       "code": "forbidden",
                 *       "detail": "This operation requires the `orders` permission at read level.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "permission_missing",
                 *           "detail": "This operation requires the `orders` permission at read level."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account has no such object. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/not-found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "code": "not_found",
                 *       "detail": "No webhook endpoint with this id.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "not_found",
                 *           "detail": "No webhook endpoint with this id."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key was used with a different request, or its first request is still running. Only the latter response has `Retry-After`. */
        IdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Seconds after which the request may succeed. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/idempotency-key-conflict",
                 *       "title": "Idempotency-Key conflict",
                 *       "status": 409,
                 *       "code": "idempotency_key_conflict",
                 *       "detail": "This Idempotency-Key was already used with a different request.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "idempotency_key_conflict",
                 *           "detail": "This Idempotency-Key was already used with a different request."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key conflicts as for other operations, the endpoint is not active, or an attempt for the same event and endpoint is in progress. */
        ReplayConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Seconds after which the request may succeed. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/endpoint-inactive",
                 *       "title": "Endpoint inactive",
                 *       "status": 409,
                 *       "code": "endpoint_inactive",
                 *       "detail": "The endpoint is not active. Activate it before replaying.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "endpoint_inactive",
                 *           "detail": "The endpoint is not active. Activate it before replaying."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key conflicts as for other operations, or the payment is already refunded in full, was charged back, or belongs to a free order. */
        RefundConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Seconds after which the request may succeed. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/payment-not-refundable",
                 *       "title": "Payment not refundable",
                 *       "status": 409,
                 *       "code": "payment_not_refundable",
                 *       "detail": "The payment is already refunded in full.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "payment_not_refundable",
                 *           "detail": "The payment is already refunded in full."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key conflicts as for other operations, or the state of the offer does not allow this step. */
        OfferConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Seconds after which the request may succeed. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/offer-state-conflict",
                 *       "title": "Offer state conflict",
                 *       "status": 409,
                 *       "code": "offer_state_conflict",
                 *       "detail": "The offer cannot be sent: it is cancelled.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "offer_state_conflict",
                 *           "detail": "The offer cannot be sent: it is cancelled."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Fields or parameters were refused. `errors` has one entry per refusal. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/validation-failed",
                 *       "title": "Validation failed",
                 *       "status": 422,
                 *       "code": "validation_failed",
                 *       "detail": "One or more fields were refused.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "event_type_not_offered",
                 *           "detail": "No longer offered for new subscriptions: order.completed",
                 *           "param": "event_types"
                 *         },
                 *         {
                 *           "code": "unknown_event_type",
                 *           "detail": "Unknown event type: foo.bar, foo.baz",
                 *           "param": "event_types"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Fields were refused (`validation_failed`, with one entry per refusal in `errors`), or the account has reached its limit of endpoints (`endpoint_limit_reached`). */
        EndpointRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/endpoint-limit-reached",
                 *       "title": "Endpoint limit reached",
                 *       "status": 422,
                 *       "code": "endpoint_limit_reached",
                 *       "detail": "The account has reached its limit of 1,000 endpoints. Delete one first.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "endpoint_limit_reached",
                 *           "detail": "The account has reached its limit of 1,000 endpoints. Delete one first."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The delivery can no longer be replayed. */
        NotReplayable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/delivery-not-replayable",
                 *       "title": "Delivery not replayable",
                 *       "status": 422,
                 *       "code": "delivery_not_replayable",
                 *       "detail": "The endpoint was deleted.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "endpoint_deleted",
                 *           "detail": "The endpoint was deleted."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account has used up the quota of the policy, or this address has sent too many invalid credentials. In the second case the quota headers are absent. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                /** @description Remaining quota of the policy, and seconds until the window ends. */
                RateLimit?: string;
                /** @description Name, quota and window in seconds of the policy. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/rate-limit-exceeded",
                 *       "title": "Rate limit exceeded",
                 *       "status": 429,
                 *       "code": "rate_limit_exceeded",
                 *       "detail": "Rate limit exceeded: 600 per minute (replay).",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "rate_limit_exceeded",
                 *           "detail": "Rate limit exceeded: 600 per minute (replay)."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
         * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
         */
        IdempotencyKey: string;
        /** @description Maximum number of items per page. */
        Limit: number;
        /** @description The `next_cursor` of the previous page, with the same filter. */
        Cursor: string;
        /** @description Page number. A number beyond the last returns the last page. */
        PageNumber: number;
        /** @description Maximum number of items per page. More than 25 counts as 25. */
        PerPage: number;
        /** @description Maximum number of payments per page. More than 100 counts as 100. */
        PaymentsPerPage: number;
        /** @description The webhook endpoint. */
        EndpointId: string;
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
        ServiceSignature: string;
        /** @description Unix seconds of this attempt, the `t` of the signature. */
        ServiceTimestamp: string;
        /** @description The event id, the same for every attempt. */
        ServiceEventId: string;
        /** @description The type of the event, such as `cart.order.completed`. */
        ServiceEventType: string;
        /** @description The id of this attempt's record. */
        ServiceDeliveryId: string;
        /** @description Number of this attempt, from 1. A replay starts again at 1. */
        ServiceAttempt: string;
        /** @description The event id (Standard Webhooks). */
        WebhookId: string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        WebhookTimestamp: string;
        /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the service's log. Problems repeat it as `request_id`. */
        "X-Request-Id": string;
        /** @description Remaining quota of the policy, and seconds until the window ends. */
        RateLimit: string;
        /** @description Name, quota and window in seconds of the policy. */
        "RateLimit-Policy": string;
        /** @description Present if this is the stored response of an earlier request. */
        "Idempotent-Replayed": "true";
        /** @description Seconds after which the request may succeed. */
        "Retry-After": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "webhooks.endpoints.list": {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the previous page, with the same filter. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only active or only inactive endpoints. */
                status?: "active" | "inactive";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of endpoints, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "url": "https://shop.example.com/webhooks",
                     *           "active": true,
                     *           "description": null,
                     *           "notification_email": "ops@shop.example.com",
                     *           "event_types": [
                     *             "cart.order.completed"
                     *           ],
                     *           "disabled_reason": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "updated_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "has_more": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "webhooks.endpoints.create": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/webhooks",
                 *       "event_types": [
                 *         "cart.order.completed"
                 *       ],
                 *       "notification_email": "ops@shop.example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint, with its signing secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    /** @description Path of the endpoint. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "active": true,
                     *         "description": null,
                     *         "notification_email": "ops@shop.example.com",
                     *         "event_types": [
                     *           "cart.order.completed"
                     *         ],
                     *         "disabled_reason": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "updated_at": "2026-11-20T12:00:00.000Z",
                     *         "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecretEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["EndpointRefused"];
        };
    };
    "webhooks.endpoints.retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    "webhooks.endpoints.delete": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
        };
    };
    "webhooks.endpoints.update": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
                /**
                 * @example {
                 *       "description": null
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            200: components["responses"]["ChangedWebhookEndpoint"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "webhooks.endpoints.event_subscriptions.update": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event_types": [
                 *         "cart.order.completed",
                 *         "invoice.issued"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceEventSubscriptions"];
            };
        };
        responses: {
            200: components["responses"]["ChangedWebhookEndpoint"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "webhooks.endpoints.secret_rotations.create": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, with its signing secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whs_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "active": true,
                     *         "description": null,
                     *         "notification_email": "ops@shop.example.com",
                     *         "event_types": [
                     *           "cart.order.completed"
                     *         ],
                     *         "disabled_reason": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "updated_at": "2026-11-20T12:00:00.000Z",
                     *         "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecretEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
        };
    };
    "webhooks.deliveries.list": {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the previous page, with the same filter. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only deliveries of this status. */
                status?: components["schemas"]["WebhookDeliveryStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "attempt": 1,
                     *           "max_attempts": 10,
                     *           "status": "failed",
                     *           "created_at": "2026-11-20T12:00:01.000Z",
                     *           "duration_ms": 812,
                     *           "response_status": 503,
                     *           "event_id": "evt_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "event_type": "cart.order.completed",
                     *           "event_version": "v1",
                     *           "test": false
                     *         }
                     *       ],
                     *       "page": {
                     *         "has_more": true,
                     *         "next_cursor": "eyJ2IjoxfQ"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "webhooks.deliveries.replay": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The delivery to replay. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record of the replay's first attempt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whd_00Q9AAq2Vn4LxT7mWb3Zp9Rd",
                     *         "attempt": 1,
                     *         "max_attempts": 10,
                     *         "status": "success",
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "delivered_at": "2026-11-21T09:00:00.215Z",
                     *         "duration_ms": 215,
                     *         "response_status": 200,
                     *         "event_id": "evt_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "event_type": "cart.order.completed",
                     *         "event_version": "v1",
                     *         "replayed_from": "whd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "test": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReplayConflict"];
            422: components["responses"]["NotReplayable"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhooks.event_types.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every listed event type. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "cart.order.completed",
                     *           "category": "orders",
                     *           "summary": "Order completed",
                     *           "description": "The buyer's payment succeeded and the order is complete.",
                     *           "accepts_new_subscriptions": true,
                     *           "sent": true
                     *         }
                     *       ],
                     *       "page": {
                     *         "has_more": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.checkouts.retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The checkout. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the checkout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "checkout",
                     *         "id": "chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "completed",
                     *         "order": {
                     *           "id": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "object": "order"
                     *         },
                     *         "buyer_email_locked": false,
                     *         "cancel_url": "https://shop.example.com/cart",
                     *         "success_url": "https://shop.example.com/thanks",
                     *         "external_reference": "4711",
                     *         "metadata": {
                     *           "customer_id": "42"
                     *         },
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "expires_at": "2026-11-20T12:30:00.000Z",
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 10000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 1900,
                     *           "total_minor_units": 11900
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckoutEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    "commerce.orders.list": {
        parameters: {
            query?: {
                /** @description Page number. A number beyond the last returns the last page. */
                page?: components["parameters"]["PageNumber"];
                /** @description Maximum number of items per page. More than 25 counts as 25. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of completed orders, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "object": "order",
                     *           "id": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "status": "completed",
                     *           "checkout": "chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "external_reference": "4711",
                     *           "created_at": "2026-11-20T12:04:00.000Z",
                     *           "completed_at": "2026-11-20T12:04:00.000Z",
                     *           "currency": "EUR",
                     *           "totals": {
                     *             "currency": "EUR",
                     *             "subtotal_minor_units": 10000,
                     *             "discount_minor_units": 0,
                     *             "shipping_minor_units": 0,
                     *             "tax_minor_units": 1900,
                     *             "total_minor_units": 11900
                     *           },
                     *           "refunded_minor_units": 0,
                     *           "buyer": {
                     *             "email": "buyer@example.com",
                     *             "name": "Ada Example",
                     *             "country": "DE"
                     *           },
                     *           "line_items": [
                     *             {
                     *               "product": {
                     *                 "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *                 "name": "Course"
                     *               },
                     *               "quantity": 1,
                     *               "unit_amount_minor_units": 10000,
                     *               "discount_minor_units": 0,
                     *               "tax_minor_units": 1900,
                     *               "tax_percentage": "19.00",
                     *               "total_minor_units": 11900
                     *             }
                     *           ],
                     *           "payments": [
                     *             "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
                     *           ],
                     *           "invoices": [
                     *             "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
                     *           ],
                     *           "metadata": {
                     *             "customer_id": "42"
                     *           },
                     *           "affiliate": {
                     *             "code": "partner-9"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total_pages": 1,
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.orders.retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "order",
                     *         "id": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "completed",
                     *         "checkout": "chk_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "external_reference": "4711",
                     *         "created_at": "2026-11-20T12:04:00.000Z",
                     *         "completed_at": "2026-11-20T12:04:00.000Z",
                     *         "currency": "EUR",
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 10000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 1900,
                     *           "total_minor_units": 11900
                     *         },
                     *         "refunded_minor_units": 0,
                     *         "buyer": {
                     *           "email": "buyer@example.com",
                     *           "name": "Ada Example",
                     *           "country": "DE"
                     *         },
                     *         "line_items": [
                     *           {
                     *             "product": {
                     *               "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *               "name": "Course"
                     *             },
                     *             "quantity": 1,
                     *             "unit_amount_minor_units": 10000,
                     *             "discount_minor_units": 0,
                     *             "tax_minor_units": 1900,
                     *             "tax_percentage": "19.00",
                     *             "total_minor_units": 11900
                     *           }
                     *         ],
                     *         "payments": [
                     *           "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
                     *         ],
                     *         "invoices": [
                     *           "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd"
                     *         ],
                     *         "metadata": {
                     *           "customer_id": "42"
                     *         },
                     *         "affiliate": {
                     *           "code": "partner-9"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    "commerce.payments.list": {
        parameters: {
            query?: {
                /** @description Page number. A number beyond the last returns the last page. */
                page?: components["parameters"]["PageNumber"];
                /** @description Maximum number of payments per page. More than 100 counts as 100. */
                per_page?: components["parameters"]["PaymentsPerPage"];
                /** @description Only payments of sales made at or after this date or date-time (RFC 3339). */
                created_from?: components["schemas"]["TimeBound"];
                /** @description Only payments of sales made up to this bound, inclusive. A date includes the whole day. */
                created_to?: components["schemas"]["TimeBound"];
                /** @description Only payments booked at or after this date or date-time. */
                cash_flow_from?: components["schemas"]["TimeBound"];
                /** @description Only payments booked up to this bound, inclusive. A date includes the whole day. */
                cash_flow_to?: components["schemas"]["TimeBound"];
                /** @description Only payments with exactly this address. The case of ASCII letters is ignored, and a domain matches in Unicode and in Punycode. */
                buyer_email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of payments, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "object": "payment",
                     *           "id": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "status": "partially_refunded",
                     *           "currency": "EUR",
                     *           "amount_minor_units": 11900,
                     *           "refunded_minor_units": 1900,
                     *           "fee_minor_units": 0,
                     *           "net_minor_units": 11900,
                     *           "method": "card",
                     *           "buyer_email": "buyer@example.com",
                     *           "created_at": "2026-11-20T12:04:00.000Z",
                     *           "cash_flow_at": "2026-11-20T12:04:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total_pages": 1,
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.payments.retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "payment",
                     *         "id": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "partially_refunded",
                     *         "currency": "EUR",
                     *         "amount_minor_units": 11900,
                     *         "refunded_minor_units": 1900,
                     *         "fee_minor_units": 0,
                     *         "net_minor_units": 11900,
                     *         "method": "card",
                     *         "buyer_email": "buyer@example.com",
                     *         "created_at": "2026-11-20T12:04:00.000Z",
                     *         "cash_flow_at": "2026-11-20T12:04:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    "commerce.payments.refunds.create": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount_minor_units": 1900,
                 *       "reason": "requested_by_customer"
                 *     }
                 */
                "application/json": components["schemas"]["CreateRefund"];
            };
        };
        responses: {
            /** @description The refund. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    /** @description Path of the refund. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "refund",
                     *         "id": "rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "succeeded",
                     *         "currency": "EUR",
                     *         "amount_minor_units": 1900,
                     *         "reason": "requested_by_customer",
                     *         "note": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "cash_flow_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RefundEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RefundConflict"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.refunds.list": {
        parameters: {
            query?: {
                /** @description Page number. A number beyond the last returns the last page. */
                page?: components["parameters"]["PageNumber"];
                /** @description Maximum number of items per page. More than 25 counts as 25. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of refunds, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "object": "refund",
                     *           "id": "rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "status": "succeeded",
                     *           "currency": "EUR",
                     *           "amount_minor_units": 1900,
                     *           "reason": "requested_by_customer",
                     *           "note": null,
                     *           "created_at": "2026-11-21T09:30:00.000Z",
                     *           "cash_flow_at": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total_pages": 1,
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RefundList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.refunds.retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the refund. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "refund",
                     *         "id": "rfd_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "succeeded",
                     *         "currency": "EUR",
                     *         "amount_minor_units": 1900,
                     *         "reason": "requested_by_customer",
                     *         "note": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "cash_flow_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RefundEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    "commerce.invoices.list": {
        parameters: {
            query?: {
                /** @description Page number. A number beyond the last returns the last page. */
                page?: components["parameters"]["PageNumber"];
                /** @description Maximum number of items per page. More than 25 counts as 25. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of invoices and credit notes, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "object": "invoice",
                     *           "id": "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "number": "INV-000042",
                     *           "type": "invoice",
                     *           "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *           "refund": null,
                     *           "currency": "EUR",
                     *           "totals": {
                     *             "currency": "EUR",
                     *             "subtotal_minor_units": 10000,
                     *             "discount_minor_units": 0,
                     *             "shipping_minor_units": 0,
                     *             "tax_minor_units": 1900,
                     *             "total_minor_units": 11900
                     *           },
                     *           "buyer": {
                     *             "email": "buyer@example.com",
                     *             "name": "Ada Example",
                     *             "country": "DE"
                     *           },
                     *           "issued_at": "2026-11-20T12:04:00.000Z",
                     *           "created_at": "2026-11-20T12:04:00.000Z",
                     *           "pdf_url": "https://api.example.com/documents/inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd/0123456789abcdef0123456789abcdef.pdf"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total_pages": 1,
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.invoices.retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invoice. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "invoice",
                     *         "id": "inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "number": "INV-000042",
                     *         "type": "invoice",
                     *         "order": "ord_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "payment": "pay_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "refund": null,
                     *         "currency": "EUR",
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 10000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 1900,
                     *           "total_minor_units": 11900
                     *         },
                     *         "buyer": {
                     *           "email": "buyer@example.com",
                     *           "name": "Ada Example",
                     *           "country": "DE"
                     *         },
                     *         "issued_at": "2026-11-20T12:04:00.000Z",
                     *         "created_at": "2026-11-20T12:04:00.000Z",
                     *         "pdf_url": "https://api.example.com/documents/inv_00Q8sKq2Vn4LxT7mWb3Zp9Rd/0123456789abcdef0123456789abcdef.pdf"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    "commerce.offers.create": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient_email": "buyer@example.com",
                 *       "title": "Ten posters",
                 *       "message": "As discussed.",
                 *       "currency": "EUR",
                 *       "line_items": [
                 *         {
                 *           "name": "Poster",
                 *           "quantity": 10,
                 *           "unit_amount_minor_units": 1900
                 *         }
                 *       ],
                 *       "metadata": {
                 *         "deal": "42"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateOffer"];
            };
        };
        responses: {
            /** @description The draft. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "offer",
                     *         "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "draft",
                     *         "recipient_email": "buyer@example.com",
                     *         "title": "Ten posters",
                     *         "message": "As discussed.",
                     *         "currency": "EUR",
                     *         "line_items": [
                     *           {
                     *             "product": {
                     *               "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *               "name": "Poster"
                     *             },
                     *             "quantity": 10,
                     *             "unit_amount_minor_units": 1900,
                     *             "discount_minor_units": 0,
                     *             "tax_minor_units": 0,
                     *             "tax_percentage": "0.00",
                     *             "total_minor_units": 19000
                     *           }
                     *         ],
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 19000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 0,
                     *           "total_minor_units": 19000
                     *         },
                     *         "metadata": {
                     *           "deal": "42"
                     *         },
                     *         "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "send_count": 0,
                     *         "sent_at": null,
                     *         "accepted_at": null,
                     *         "cancelled_at": null,
                     *         "expires_at": "2026-12-20T12:00:00.000Z",
                     *         "order": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "updated_at": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OfferEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["ValidationFailed"];
        };
    };
    "commerce.offers.send": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The offer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sent offer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "offer",
                     *         "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "sent",
                     *         "recipient_email": "buyer@example.com",
                     *         "title": "Ten posters",
                     *         "message": "As discussed.",
                     *         "currency": "EUR",
                     *         "line_items": [
                     *           {
                     *             "product": {
                     *               "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *               "name": "Poster"
                     *             },
                     *             "quantity": 10,
                     *             "unit_amount_minor_units": 1900,
                     *             "discount_minor_units": 0,
                     *             "tax_minor_units": 0,
                     *             "tax_percentage": "0.00",
                     *             "total_minor_units": 19000
                     *           }
                     *         ],
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 19000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 0,
                     *           "total_minor_units": 19000
                     *         },
                     *         "metadata": {
                     *           "deal": "42"
                     *         },
                     *         "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "send_count": 1,
                     *         "sent_at": "2026-11-20T12:05:00.000Z",
                     *         "accepted_at": null,
                     *         "cancelled_at": null,
                     *         "expires_at": "2026-12-20T12:00:00.000Z",
                     *         "order": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "updated_at": "2026-11-20T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OfferEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["OfferConflict"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "commerce.offers.resend": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The offer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resent offer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "offer",
                     *         "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "sent",
                     *         "recipient_email": "buyer@example.com",
                     *         "title": "Ten posters",
                     *         "message": "As discussed.",
                     *         "currency": "EUR",
                     *         "line_items": [
                     *           {
                     *             "product": {
                     *               "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *               "name": "Poster"
                     *             },
                     *             "quantity": 10,
                     *             "unit_amount_minor_units": 1900,
                     *             "discount_minor_units": 0,
                     *             "tax_minor_units": 0,
                     *             "tax_percentage": "0.00",
                     *             "total_minor_units": 19000
                     *           }
                     *         ],
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 19000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 0,
                     *           "total_minor_units": 19000
                     *         },
                     *         "metadata": {
                     *           "deal": "42"
                     *         },
                     *         "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "send_count": 1,
                     *         "sent_at": "2026-11-20T12:05:00.000Z",
                     *         "accepted_at": null,
                     *         "cancelled_at": null,
                     *         "expires_at": "2026-12-20T12:00:00.000Z",
                     *         "order": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "updated_at": "2026-11-20T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OfferEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["OfferConflict"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "commerce.offers.cancel": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies this request. For 24 hours a retry with the same key and the same body gets the first response. The key must be UTF-8 without a NUL byte, in exactly one header. A failed request can be sent again with the same key.
                 * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The offer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled offer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": "offer",
                     *         "id": "off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "status": "cancelled",
                     *         "recipient_email": "buyer@example.com",
                     *         "title": "Ten posters",
                     *         "message": "As discussed.",
                     *         "currency": "EUR",
                     *         "line_items": [
                     *           {
                     *             "product": {
                     *               "id": "prod_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *               "name": "Poster"
                     *             },
                     *             "quantity": 10,
                     *             "unit_amount_minor_units": 1900,
                     *             "discount_minor_units": 0,
                     *             "tax_minor_units": 0,
                     *             "tax_percentage": "0.00",
                     *             "total_minor_units": 19000
                     *           }
                     *         ],
                     *         "totals": {
                     *           "currency": "EUR",
                     *           "subtotal_minor_units": 19000,
                     *           "discount_minor_units": 0,
                     *           "shipping_minor_units": 0,
                     *           "tax_minor_units": 0,
                     *           "total_minor_units": 19000
                     *         },
                     *         "metadata": {
                     *           "deal": "42"
                     *         },
                     *         "offer_url": "https://api.example.com/offer/off_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                     *         "send_count": 2,
                     *         "sent_at": "2026-11-20T12:05:00.000Z",
                     *         "accepted_at": null,
                     *         "cancelled_at": "2026-11-23T08:00:00.000Z",
                     *         "expires_at": "2026-12-20T12:00:00.000Z",
                     *         "order": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "updated_at": "2026-11-23T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OfferEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["OfferConflict"];
        };
    };
    "events.cart.checkout.created": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "cart.checkout.created";
                    data: components["schemas"]["cart.checkout.created.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.cart.checkout.expired": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "cart.checkout.expired";
                    data: components["schemas"]["cart.checkout.expired.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.cart.order.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "cart.order.completed";
                    data: components["schemas"]["cart.order.completed.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.invoice.credit_note.issued": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "invoice.credit_note.issued";
                    data: components["schemas"]["invoice.credit_note.issued.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.invoice.issued": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "invoice.issued";
                    data: components["schemas"]["invoice.issued.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.offer.accepted": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "offer.accepted";
                    data: components["schemas"]["offer.accepted.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.offer.cancelled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "offer.cancelled";
                    data: components["schemas"]["offer.cancelled.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.offer.created": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "offer.created";
                    data: components["schemas"]["offer.created.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.offer.sent": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "offer.sent";
                    data: components["schemas"]["offer.sent.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.order.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "order.completed";
                    data: components["schemas"]["order.completed.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.payment.refund.created": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "payment.refund.created";
                    data: components["schemas"]["payment.refund.created.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.payment.sale.succeeded": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "payment.sale.succeeded";
                    data: components["schemas"]["payment.sale.succeeded.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.webhook.endpoint.disabled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "webhook.endpoint.disabled";
                    data: components["schemas"]["webhook.endpoint.disabled.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.webhook.endpoint.failing": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "webhook.endpoint.failing";
                    data: components["schemas"]["webhook.endpoint.failing.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "events.webhook.endpoint.recovered": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the whole signing secret. One `v1` per valid secret, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description Unix seconds of this attempt, the `t` of the signature. */
                "X-Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description The event id, the same for every attempt. */
                "X-Service-Event-Id": components["parameters"]["ServiceEventId"];
                /** @description The type of the event, such as `cart.order.completed`. */
                "X-Service-Event-Type": components["parameters"]["ServiceEventType"];
                /** @description The id of this attempt's record. */
                "X-Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /** @description Number of this attempt, from 1. A replay starts again at 1. */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, then one `v1a,<base64>` for each valid key pair of an endpoint that has any, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    /** @constant */
                    type: "webhook.endpoint.recovered";
                    data: components["schemas"]["webhook.endpoint.recovered.v1"];
                };
            };
        };
        responses: {
            /** @description The service disables the endpoint and sends it nothing more. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the event. The service does not send it to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service retries the event on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
