// Made by "npm run generate" from schema/events; changes belong there.
/** The data of a test event of each type that is sent. */
export const samples = {
  "cart.checkout.created": {
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
  },
  "cart.checkout.expired": {
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
  },
  "cart.order.completed": {
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
  },
  "invoice.credit_note.issued": {
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
  },
  "invoice.issued": {
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
  },
  "offer.accepted": {
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
  },
  "offer.cancelled": {
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
  },
  "offer.created": {
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
  },
  "offer.sent": {
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
  },
  "order.completed": {
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
  },
  "payment.refund.created": {
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
  },
  "payment.sale.succeeded": {
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
  },
  "webhook.endpoint.disabled": {
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
  },
  "webhook.endpoint.failing": {
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
  },
  "webhook.endpoint.recovered": {
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
};
