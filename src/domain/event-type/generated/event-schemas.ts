// Made by "npm run generate" from schema/events; changes belong there.
/** The JSON Schema of the data of each event type that is sent, by type and version. */
export const eventSchemas = {
  "cart.checkout.created/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Checkout created",
    "description": "A checkout exists and its buyer can pay. This is the `data` of the event, version v1.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "cart.checkout.expired/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Checkout expired",
    "description": "A checkout ended without a successful payment. This is the `data` of the event, version v1. A payment that had begun before may still complete it.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "cart.order.completed/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Order completed",
    "description": "The payment of a checkout succeeded and its order is complete. Carries the checkout metadata. This is the `data` of the event, version v1.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "invoice.credit_note.issued/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Credit note issued",
    "description": "A refund was documented by a credit note. This is the `data` of the event, version v1.",
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
  "invoice.issued/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Invoice issued",
    "description": "An order was invoiced. This is the `data` of the event, version v1.",
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
  "offer.accepted/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Offer accepted",
    "description": "An offer was paid. This is the `data` of the event, version v1.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "offer.cancelled/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Offer cancelled",
    "description": "An offer was withdrawn. This is the `data` of the event, version v1.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "offer.created/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Offer created",
    "description": "An offer was drafted. This is the `data` of the event, version v1.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "offer.sent/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Offer sent",
    "description": "An offer went out, for the first time or again. This is the `data` of the event, version v1.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "order.completed/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Order completed (legacy)",
    "description": "What cart.order.completed replaces; only existing subscriptions receive it. This is the `data` of the event, version v1. It has the same data, and the order id once more at the top.",
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
              "pattern": "^\\d+(\\.\\d+)?$"
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
  "payment.refund.created/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Refund created",
    "description": "A payment was refunded, in full or in part. This is the `data` of the event, version v1.",
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
  "payment.sale.succeeded/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Payment succeeded",
    "description": "A buyer’s payment succeeded. This is the `data` of the event, version v1.",
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
  "webhook.endpoint.disabled/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Endpoint disabled",
    "description": "The service disabled an endpoint and cancelled its pending deliveries. This is the `data` of the event, version v1.",
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
  "webhook.endpoint.failing/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Endpoint failing",
    "description": "Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled. This is the `data` of the event, version v1.",
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
  "webhook.endpoint.recovered/v1": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Endpoint recovered",
    "description": "An endpoint that was reported as failing accepted a delivery. This is the `data` of the event, version v1.",
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
  }
};
