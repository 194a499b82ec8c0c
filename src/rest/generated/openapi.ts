// Made by "npm run generate" from schema/openapi.yaml; changes belong there.
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
         * @description The response is the only one that shows the signing secret. A retry under the same Idempotency-Key gets the same body without it; when the first response was lost, rotate the secret under a new key.
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
         * @description The endpoint and its secrets are gone at once and nothing more is sent to it. Its delivery records stay listed until their retention ends. A body is ignored.
         */
        delete: operations["webhooks.endpoints.delete"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description Changes the fields that are sent and leaves the others. Setting `active` to true clears `disabled_reason`. A type that the endpoint subscribes to can be kept or removed; a type that the list adds must be offered. Removing a type that is no longer offered or no longer listed is permanent.
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
         * @description The rules for types are those of the update of the endpoint.
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
         * @description The secret before keeps signing beside the one shown here for 24 hours. A retry under the same Idempotency-Key gets the same body without `signing_secret`. A body is ignored.
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
         * @description Sends the event of this delivery again, with the same event id and the same body, and answers with the record of the first attempt when that has ended. Later attempts follow the usual schedule. A body is ignored.
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
         * @description The whole catalogue in one page, by category and id.
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
        /** A checkout was created and can be paid. */
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
        /** A checkout reached its expiry without an order. */
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
        /** The buyer's payment succeeded and the order is complete. */
        post: operations["events.cart.order.completed"];
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
        /** Predecessor of cart.order.completed; only for subscriptions made before. */
        post: operations["events.order.completed"];
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
        /** A sale payment succeeded. */
        post: operations["events.payment.sale.succeeded"];
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
        /** An invoice was issued for an order. */
        post: operations["events.invoice.issued"];
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
         * Format: https-url
         * @description An absolute https address without user information and fragment.
         */
        Url: string;
        /**
         * Format: mailbox
         * @description One e-mail address.
         */
        Email: string;
        Description: string | null;
        /** @description Ids of event types; a repeated id counts once. */
        EventTypeIds: string[];
        CreateWebhookEndpoint: {
            url: components["schemas"]["Url"];
            event_types: components["schemas"]["EventTypeIds"];
            notification_email: components["schemas"]["Email"];
            /** @default true */
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
        WebhookEndpoint: {
            id: string;
            /** @description A URI or */
            url: string;
            active: boolean;
            description: string | null;
            /**
             * Format: email
             * @description Receives the notice when the service disables the endpoint.
             */
            notification_email: string;
            event_types: string[];
            /**
             * @description Why the service disabled the endpoint; null unless it did.
             * @enum {string|null}
             */
            disabled_reason: "consecutive_failures" | "receiver_gone" | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
        };
        WebhookEndpointWithSecret: {
            id: string;
            /** @description A URI or */
            url: string;
            active: boolean;
            description: string | null;
            /**
             * Format: email
             * @description Receives the notice when the service disables the endpoint.
             */
            notification_email: string;
            event_types: string[];
            /**
             * @description Why the service disabled the endpoint; null unless it did.
             * @enum {string|null}
             */
            disabled_reason: "consecutive_failures" | "receiver_gone" | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            signing_secret: string;
        };
        WebhookEndpointEnvelope: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointWithSecretEnvelope: {
            /** @description With `signing_secret`; a stored response that is sent again is without it. */
            data: components["schemas"]["WebhookEndpointWithSecret"] | components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointList: {
            data: components["schemas"]["WebhookEndpoint"][];
            page: components["schemas"]["Page"];
        };
        /**
         * @description success: a 2xx arrived. failed: none did, and a further attempt follows or was made. abandoned: none did, and no further attempt is made.
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
            /** @description Status of the receiver's response; absent when none arrived. */
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
            /** @enum {string} */
            category: "checkouts" | "orders" | "payments" | "disputes" | "chargebacks" | "subscriptions" | "invoices" | "offers" | "payouts";
            summary: string;
            description: string;
            /** @description False, the type is no longer offered; subscriptions that have it keep it. */
            accepts_new_subscriptions: boolean;
            /** @description True when the platform emits events of this type at present. */
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
             * @description completed whenever `order` is set; else expired from `expires_at` on.
             * @enum {string}
             */
            status: "open" | "completed" | "expired";
            /** @description Null until the buyer's payment succeeded. */
            order: components["schemas"]["OrderReference"] | null;
            buyer_email_locked: boolean;
            /** @description Empty when none was given. */
            cancel_url: string;
            success_url: string;
            /** @description Only while the checkout is open. */
            checkout_url?: string;
            /** @description Only while the checkout is open. */
            embed_url?: string;
            embed_origin?: string;
            /** @description Empty when none was given. */
            external_reference: string;
            /** @description Whatever the merchant attached. */
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
            test: boolean;
            data: Record<string, never>;
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
            /** @description The refused field as it was sent; absent when the whole request is refused. */
            param?: string;
        };
        /** @enum {string} */
        ProblemCode: "idempotency_key_required" | "invalid_idempotency_key" | "invalid_json" | "malformed_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_key_conflict" | "idempotency_key_in_progress" | "endpoint_inactive" | "delivery_in_progress" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "delivery_not_replayable" | "rate_limit_exceeded" | "headers_too_large" | "internal_error" | "service_unavailable";
        /** @description For a refusal with a single cause the code of the problem, or what caused it. */
        ProblemErrorCode: components["schemas"]["ProblemCode"] | ("missing_credential" | "invalid_credential" | "expired_credential" | "revoked_credential" | "credential_kind_not_accepted" | "permission_missing" | "repeated_header" | "invalid_encoding" | "nul_byte" | "required" | "invalid_type" | "invalid_format" | "invalid_value" | "too_long" | "too_few_items" | "out_of_range" | "unknown_property" | "unknown_parameter" | "invalid_cursor" | "event_type_not_offered" | "unknown_event_type" | "endpoint_deleted" | "event_type_not_subscribed" | "payload_expired");
        /**
         * Checkout created
         * @description A checkout was created and can be paid. This is the `data` of the event, version v1.
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
         * @description A checkout reached its expiry without an order. A payment that had begun before may still complete it. This is the `data` of the event, version v1.
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
         * @description The buyer's payment succeeded and the order is complete. This is the `data` of the event, version v1.
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
         * Order completed (legacy)
         * @description Predecessor of cart.order.completed: the same data, and the order id once more at the top. This is the `data` of the event, version v1.
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
         * Payment succeeded
         * @description A sale payment succeeded. This is the `data` of the event, version v1.
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
                /** Format: date-time */
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
         * Invoice issued
         * @description An invoice was issued for an order. This is the `data` of the event, version v1.
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
        /** @description The endpoint as it is after the request. */
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
        /** @description The credential is missing, not valid, or of a kind that is not accepted here. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description How to authenticate; `error` is there when a credential was sent. */
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
        /** @description The Idempotency-Key was used with a different request, or its first request is still running (then with `Retry-After`). */
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
        /** @description As for other operations, or the endpoint is not active, or an attempt for the same event and endpoint is being sent. */
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
        /** @description Fields or parameters were refused; `errors` has one entry for each refusal. */
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
        /** @description The delivery cannot be replayed any more. */
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
        /** @description The account has used up the quota of the policy. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://api.example.com/problems/rate-limit-exceeded",
                 *       "title": "Rate limit exceeded",
                 *       "status": 429,
                 *       "code": "rate_limit_exceeded",
                 *       "detail": "The limit of 600 requests in 60 seconds is used up.",
                 *       "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
                 *       "errors": [
                 *         {
                 *           "code": "rate_limit_exceeded",
                 *           "detail": "The limit of 600 requests in 60 seconds is used up."
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
         * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
         * @example 7f9c2ba4-e88f-4b2c-9c44-5d2b6c1f1a0e
         */
        IdempotencyKey: string;
        /** @description How many items a page has at most. */
        Limit: number;
        /** @description The `next_cursor` of the page before, with the same filter. */
        Cursor: string;
        /** @description The webhook endpoint. */
        EndpointId: string;
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
        ServiceSignature: string;
        /** @description The event id (Standard Webhooks). */
        WebhookId: string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        WebhookTimestamp: string;
        /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in our log; problems repeat it as `request_id`. */
        "X-Request-Id": string;
        /** @description What is left of the policy and when the window ends, in seconds. */
        RateLimit: string;
        /** @description Name, quota and window in seconds of the policy that applies. */
        "RateLimit-Policy": string;
        /** @description Present when this is the stored response of an earlier request. */
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
                /** @description How many items a page has at most. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before, with the same filter. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only endpoints whose `active` is true, or only those whose it is false. */
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
                     *           "active": false,
                     *           "description": "Orders of the shop",
                     *           "notification_email": "ops@shop.example.com",
                     *           "event_types": [
                     *             "cart.order.completed",
                     *             "payment.sale.succeeded"
                     *           ],
                     *           "disabled_reason": "consecutive_failures",
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "updated_at": "2026-11-25T12:00:00.000Z"
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
                 * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
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
            422: components["responses"]["ValidationFailed"];
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
                 * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
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
                 * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
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
                 * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
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
                 * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
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
                     *         "updated_at": "2026-11-21T08:30:00.000Z",
                     *         "signing_secret": "whsec_0ldSecretStillValid00123456789abcdefghijklmn"
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
                /** @description How many items a page has at most. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before, with the same filter. */
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
                 * @description Names this request: a retry with the same key and the same body gets the response of the first one for 24 hours. UTF-8, without a NUL byte, sent exactly once. A request that failed can be sent again under its key.
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
            /** @description The checkout as it is at this moment. */
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
    "events.cart.checkout.created": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type?: "cart.checkout.created";
                    data?: components["schemas"]["cart.checkout.created.v1"];
                } & components["schemas"]["EventEnvelope"];
            };
        };
        responses: {
            /** @description The endpoint is disabled and nothing more is sent to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is taken; it is not sent to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again on the retry schedule. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type?: "cart.checkout.expired";
                    data?: components["schemas"]["cart.checkout.expired.v1"];
                } & components["schemas"]["EventEnvelope"];
            };
        };
        responses: {
            /** @description The endpoint is disabled and nothing more is sent to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is taken; it is not sent to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again on the retry schedule. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type?: "cart.order.completed";
                    data?: components["schemas"]["cart.order.completed.v1"];
                } & components["schemas"]["EventEnvelope"];
            };
        };
        responses: {
            /** @description The endpoint is disabled and nothing more is sent to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is taken; it is not sent to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again on the retry schedule. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type?: "order.completed";
                    data?: components["schemas"]["order.completed.v1"];
                } & components["schemas"]["EventEnvelope"];
            };
        };
        responses: {
            /** @description The endpoint is disabled and nothing more is sent to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is taken; it is not sent to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again on the retry schedule. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type?: "payment.sale.succeeded";
                    data?: components["schemas"]["payment.sale.succeeded.v1"];
                } & components["schemas"]["EventEnvelope"];
            };
        };
        responses: {
            /** @description The endpoint is disabled and nothing more is sent to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is taken; it is not sent to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again on the retry schedule. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` under the whole signing secret; one `v1` for each secret that is valid, newest first. */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event id (Standard Webhooks). */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt (Standard Webhooks). */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type?: "invoice.issued";
                    data?: components["schemas"]["invoice.issued.v1"];
                } & components["schemas"]["EventEnvelope"];
            };
        };
        responses: {
            /** @description The endpoint is disabled and nothing more is sent to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is taken; it is not sent to this endpoint again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again on the retry schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
