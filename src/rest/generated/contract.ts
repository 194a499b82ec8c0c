// Made by "npm run generate" from schema/openapi.yaml.
/** The operations of the public contract by operationId. */
export const contract = {
  "webhooks.endpoints.list": {
    "method": "GET",
    "path": "/v1/webhooks/endpoints",
    "permission": {
      "name": "webhooks",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [
      {
        "name": "limit",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        }
      },
      {
        "name": "cursor",
        "schema": {
          "type": "string",
          "minLength": 1
        }
      },
      {
        "name": "status",
        "schema": {
          "type": "string",
          "enum": [
            "active",
            "inactive"
          ]
        }
      }
    ],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "page"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
            "type": "object",
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
                "maxLength": 2048
              },
              "active": {
                "type": "boolean"
              },
              "description": {
                "type": [
                  "string",
                  "null"
                ],
                "maxLength": 500
              },
              "notification_email": {
                "type": "string",
                "format": "email"
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
                ]
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "updated_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              }
            },
            "additionalProperties": false
          }
        },
        "page": {
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
              "minLength": 1
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "webhooks.endpoints.create": {
    "method": "POST",
    "path": "/v1/webhooks/endpoints",
    "permission": {
      "name": "webhooks",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": {
      "limits": {
        "contentTypes": [
          "application/json"
        ],
        "maxBytes": 65536,
        "maxValues": 1000
      },
      "required": true,
      "schema": {
        "type": "object",
        "required": [
          "url",
          "event_types",
          "notification_email"
        ],
        "properties": {
          "url": {
            "type": "string",
            "format": "https-url",
            "pattern": "^https://[^\\s/?#@\\\\\"<>^`{|}%]+([/?]([^\\s#\\\\\"<>^`{|}\\[\\]%]|%[0-9A-Fa-f]{2})*)?$",
            "maxLength": 2048
          },
          "event_types": {
            "type": "array",
            "minItems": 1,
            "items": {
              "type": "string"
            }
          },
          "notification_email": {
            "type": "string",
            "format": "mailbox",
            "maxLength": 254
          },
          "active": {
            "type": "boolean",
            "default": true
          },
          "description": {
            "type": [
              "string",
              "null"
            ],
            "maxLength": 500
          }
        },
        "additionalProperties": false
      }
    },
    "status": 201,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
          "oneOf": [
            {
              "type": "object",
              "required": [
                "id",
                "url",
                "active",
                "description",
                "notification_email",
                "event_types",
                "disabled_reason",
                "created_at",
                "updated_at",
                "signing_secret"
              ],
              "properties": {
                "id": {
                  "type": "string",
                  "pattern": "^whs_[A-Za-z0-9_-]+$"
                },
                "url": {
                  "type": "string",
                  "pattern": "^https://",
                  "maxLength": 2048
                },
                "active": {
                  "type": "boolean"
                },
                "description": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 500
                },
                "notification_email": {
                  "type": "string",
                  "format": "email"
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
                  ]
                },
                "created_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                "updated_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                "signing_secret": {
                  "type": "string",
                  "pattern": "^whsec_[A-Za-z0-9_-]+$"
                }
              },
              "additionalProperties": false
            },
            {
              "type": "object",
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
                  "maxLength": 2048
                },
                "active": {
                  "type": "boolean"
                },
                "description": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 500
                },
                "notification_email": {
                  "type": "string",
                  "format": "email"
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
                  ]
                },
                "created_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                "updated_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                }
              },
              "additionalProperties": false
            }
          ]
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      409,
      422
    ]
  },
  "webhooks.endpoints.retrieve": {
    "method": "GET",
    "path": "/v1/webhooks/endpoints/{id}",
    "permission": {
      "name": "webhooks",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
          "type": "object",
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
              "maxLength": 2048
            },
            "active": {
              "type": "boolean"
            },
            "description": {
              "type": [
                "string",
                "null"
              ],
              "maxLength": 500
            },
            "notification_email": {
              "type": "string",
              "format": "email"
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
              ]
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      404
    ]
  },
  "webhooks.endpoints.update": {
    "method": "PATCH",
    "path": "/v1/webhooks/endpoints/{id}",
    "permission": {
      "name": "webhooks",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": {
      "limits": {
        "contentTypes": [
          "application/json",
          "application/merge-patch+json"
        ],
        "maxBytes": 65536,
        "maxValues": 1000
      },
      "required": true,
      "schema": {
        "type": "object",
        "properties": {
          "url": {
            "type": "string",
            "format": "https-url",
            "pattern": "^https://[^\\s/?#@\\\\\"<>^`{|}%]+([/?]([^\\s#\\\\\"<>^`{|}\\[\\]%]|%[0-9A-Fa-f]{2})*)?$",
            "maxLength": 2048
          },
          "event_types": {
            "type": "array",
            "minItems": 1,
            "items": {
              "type": "string"
            }
          },
          "notification_email": {
            "type": "string",
            "format": "mailbox",
            "maxLength": 254
          },
          "active": {
            "type": "boolean"
          },
          "description": {
            "type": [
              "string",
              "null"
            ],
            "maxLength": 500
          }
        },
        "additionalProperties": false
      }
    },
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
          "type": "object",
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
              "maxLength": 2048
            },
            "active": {
              "type": "boolean"
            },
            "description": {
              "type": [
                "string",
                "null"
              ],
              "maxLength": 500
            },
            "notification_email": {
              "type": "string",
              "format": "email"
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
              ]
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409,
      422
    ]
  },
  "webhooks.endpoints.delete": {
    "method": "DELETE",
    "path": "/v1/webhooks/endpoints/{id}",
    "permission": {
      "name": "webhooks",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": null,
    "status": 204,
    "response": null,
    "problems": [
      400,
      401,
      403,
      404,
      409
    ]
  },
  "webhooks.endpoints.event_subscriptions.update": {
    "method": "PUT",
    "path": "/v1/webhooks/endpoints/{id}/event-subscriptions",
    "permission": {
      "name": "webhooks",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": {
      "limits": {
        "contentTypes": [
          "application/json"
        ],
        "maxBytes": 65536,
        "maxValues": 1000
      },
      "required": true,
      "schema": {
        "type": "object",
        "required": [
          "event_types"
        ],
        "properties": {
          "event_types": {
            "type": "array",
            "minItems": 1,
            "items": {
              "type": "string"
            }
          }
        },
        "additionalProperties": false
      }
    },
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
          "type": "object",
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
              "maxLength": 2048
            },
            "active": {
              "type": "boolean"
            },
            "description": {
              "type": [
                "string",
                "null"
              ],
              "maxLength": 500
            },
            "notification_email": {
              "type": "string",
              "format": "email"
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
              ]
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409,
      422
    ]
  },
  "webhooks.endpoints.secret_rotations.create": {
    "method": "POST",
    "path": "/v1/webhooks/endpoints/{id}/secret-rotations",
    "permission": {
      "name": "webhooks",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
          "oneOf": [
            {
              "type": "object",
              "required": [
                "id",
                "url",
                "active",
                "description",
                "notification_email",
                "event_types",
                "disabled_reason",
                "created_at",
                "updated_at",
                "signing_secret"
              ],
              "properties": {
                "id": {
                  "type": "string",
                  "pattern": "^whs_[A-Za-z0-9_-]+$"
                },
                "url": {
                  "type": "string",
                  "pattern": "^https://",
                  "maxLength": 2048
                },
                "active": {
                  "type": "boolean"
                },
                "description": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 500
                },
                "notification_email": {
                  "type": "string",
                  "format": "email"
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
                  ]
                },
                "created_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                "updated_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                "signing_secret": {
                  "type": "string",
                  "pattern": "^whsec_[A-Za-z0-9_-]+$"
                }
              },
              "additionalProperties": false
            },
            {
              "type": "object",
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
                  "maxLength": 2048
                },
                "active": {
                  "type": "boolean"
                },
                "description": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 500
                },
                "notification_email": {
                  "type": "string",
                  "format": "email"
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
                  ]
                },
                "created_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                "updated_at": {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                }
              },
              "additionalProperties": false
            }
          ]
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409
    ]
  },
  "webhooks.deliveries.list": {
    "method": "GET",
    "path": "/v1/webhooks/deliveries",
    "permission": {
      "name": "webhooks",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [
      {
        "name": "limit",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        }
      },
      {
        "name": "cursor",
        "schema": {
          "type": "string",
          "minLength": 1
        }
      },
      {
        "name": "status",
        "schema": {
          "type": "string",
          "enum": [
            "success",
            "failed",
            "abandoned"
          ]
        }
      }
    ],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "page"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
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
                "minimum": 1
              },
              "max_attempts": {
                "type": "integer",
                "minimum": 1
              },
              "status": {
                "type": "string",
                "enum": [
                  "success",
                  "failed",
                  "abandoned"
                ]
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "delivered_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "duration_ms": {
                "type": "integer",
                "minimum": 0
              },
              "response_status": {
                "type": "integer",
                "minimum": 100,
                "maximum": 999
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
                "pattern": "^whd_[A-Za-z0-9_-]+$"
              },
              "test": {
                "type": "boolean"
              }
            },
            "additionalProperties": false
          }
        },
        "page": {
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
              "minLength": 1
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "webhooks.deliveries.replay": {
    "method": "POST",
    "path": "/v1/webhooks/deliveries/{delivery_id}/replay",
    "permission": {
      "name": "webhooks",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "replay",
    "takesKey": true,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              "minimum": 1
            },
            "max_attempts": {
              "type": "integer",
              "minimum": 1
            },
            "status": {
              "type": "string",
              "enum": [
                "success",
                "failed",
                "abandoned"
              ]
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "delivered_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "duration_ms": {
              "type": "integer",
              "minimum": 0
            },
            "response_status": {
              "type": "integer",
              "minimum": 100,
              "maximum": 999
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
              "pattern": "^whd_[A-Za-z0-9_-]+$"
            },
            "test": {
              "type": "boolean"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409,
      422,
      429
    ]
  },
  "webhooks.event_types.list": {
    "method": "GET",
    "path": "/v1/webhooks/event-types",
    "permission": {
      "name": "webhooks",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy",
      "dashboard"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "page"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
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
                "pattern": "^[a-z0-9_]+(\\.[a-z0-9_]+)*$"
              },
              "category": {
                "type": "string"
              },
              "summary": {
                "type": "string"
              },
              "description": {
                "type": "string"
              },
              "accepts_new_subscriptions": {
                "type": "boolean"
              },
              "sent": {
                "type": "boolean"
              }
            },
            "additionalProperties": false
          }
        },
        "page": {
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
              "minLength": 1
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "commerce.checkouts.retrieve": {
    "method": "GET",
    "path": "/v1/commerce/checkouts/{id}",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              ]
            },
            "order": {
              "oneOf": [
                {
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
                {
                  "type": "null"
                }
              ]
            },
            "buyer_email_locked": {
              "type": "boolean"
            },
            "cancel_url": {
              "type": "string"
            },
            "success_url": {
              "type": "string"
            },
            "checkout_url": {
              "type": "string"
            },
            "embed_url": {
              "type": "string"
            },
            "embed_origin": {
              "type": "string"
            },
            "external_reference": {
              "type": "string"
            },
            "metadata": {
              "type": "object",
              "additionalProperties": true
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "expires_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
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
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      404
    ]
  },
  "commerce.orders.list": {
    "method": "GET",
    "path": "/v1/commerce/orders",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [
      {
        "name": "page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 1
        }
      },
      {
        "name": "per_page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 25
        }
      }
    ],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "pagination"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
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
                "type": "string"
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "completed_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
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
              "refunded_minor_units": {
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740991
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
                    ]
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
                      "type": "integer",
                      "minimum": 0,
                      "maximum": 9007199254740991
                    },
                    "discount_minor_units": {
                      "type": "integer",
                      "minimum": 0,
                      "maximum": 9007199254740991
                    },
                    "tax_minor_units": {
                      "type": "integer",
                      "minimum": 0,
                      "maximum": 9007199254740991
                    },
                    "tax_percentage": {
                      "type": "string"
                    },
                    "total_minor_units": {
                      "type": "integer",
                      "minimum": 0,
                      "maximum": 9007199254740991
                    }
                  },
                  "additionalProperties": false
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
                }
              },
              "metadata": {
                "type": "object",
                "additionalProperties": true
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
            "additionalProperties": false
          }
        },
        "pagination": {
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
              "minimum": 1
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
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "commerce.orders.retrieve": {
    "method": "GET",
    "path": "/v1/commerce/orders/{id}",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              "type": "string"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "completed_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
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
            "refunded_minor_units": {
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
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
                  ]
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
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "discount_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_percentage": {
                    "type": "string"
                  },
                  "total_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  }
                },
                "additionalProperties": false
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
              }
            },
            "metadata": {
              "type": "object",
              "additionalProperties": true
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
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      404
    ]
  },
  "commerce.payments.list": {
    "method": "GET",
    "path": "/v1/commerce/payments",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [
      {
        "name": "page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 1
        }
      },
      {
        "name": "per_page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 25
        }
      },
      {
        "name": "created_from",
        "schema": {
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
        }
      },
      {
        "name": "created_to",
        "schema": {
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
        }
      },
      {
        "name": "cash_flow_from",
        "schema": {
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
        }
      },
      {
        "name": "cash_flow_to",
        "schema": {
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
        }
      },
      {
        "name": "buyer_email",
        "schema": {
          "type": "string",
          "format": "email"
        }
      }
    ],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "pagination"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
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
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740991
              },
              "refunded_minor_units": {
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740991
              },
              "fee_minor_units": {
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740991
              },
              "net_minor_units": {
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740991
              },
              "method": {
                "type": "string"
              },
              "buyer_email": {
                "type": "string"
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "cash_flow_at": {
                "oneOf": [
                  {
                    "type": "string",
                    "format": "date-time",
                    "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                  },
                  {
                    "type": "null"
                  }
                ]
              }
            },
            "additionalProperties": false
          }
        },
        "pagination": {
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
              "minimum": 1
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
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "commerce.payments.retrieve": {
    "method": "GET",
    "path": "/v1/commerce/payments/{id}",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
            },
            "refunded_minor_units": {
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
            },
            "fee_minor_units": {
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
            },
            "net_minor_units": {
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
            },
            "method": {
              "type": "string"
            },
            "buyer_email": {
              "type": "string"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "cash_flow_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      404
    ]
  },
  "commerce.payments.refunds.create": {
    "method": "POST",
    "path": "/v1/commerce/payments/{id}/refunds",
    "permission": {
      "name": "orders",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": {
      "limits": {
        "contentTypes": [
          "application/json"
        ],
        "maxBytes": 16384,
        "maxValues": 100
      },
      "required": false,
      "schema": {
        "type": "object",
        "properties": {
          "amount_minor_units": {
            "type": "integer",
            "minimum": 1,
            "maximum": 9007199254740991
          },
          "reason": {
            "type": "string",
            "enum": [
              "requested_by_customer",
              "duplicate",
              "fraudulent",
              "other"
            ]
          },
          "note": {
            "type": "string",
            "maxLength": 500
          }
        },
        "additionalProperties": false
      }
    },
    "status": 201,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
            },
            "reason": {
              "oneOf": [
                {
                  "type": "string",
                  "enum": [
                    "requested_by_customer",
                    "duplicate",
                    "fraudulent",
                    "other"
                  ]
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
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "cash_flow_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409,
      422
    ]
  },
  "commerce.refunds.list": {
    "method": "GET",
    "path": "/v1/commerce/refunds",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [
      {
        "name": "page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 1
        }
      },
      {
        "name": "per_page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 25
        }
      }
    ],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "pagination"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
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
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740991
              },
              "reason": {
                "oneOf": [
                  {
                    "type": "string",
                    "enum": [
                      "requested_by_customer",
                      "duplicate",
                      "fraudulent",
                      "other"
                    ]
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
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "cash_flow_at": {
                "oneOf": [
                  {
                    "type": "string",
                    "format": "date-time",
                    "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                  },
                  {
                    "type": "null"
                  }
                ]
              }
            },
            "additionalProperties": false
          }
        },
        "pagination": {
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
              "minimum": 1
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
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "commerce.refunds.retrieve": {
    "method": "GET",
    "path": "/v1/commerce/refunds/{id}",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              "type": "integer",
              "minimum": 0,
              "maximum": 9007199254740991
            },
            "reason": {
              "oneOf": [
                {
                  "type": "string",
                  "enum": [
                    "requested_by_customer",
                    "duplicate",
                    "fraudulent",
                    "other"
                  ]
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
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "cash_flow_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      404
    ]
  },
  "commerce.invoices.list": {
    "method": "GET",
    "path": "/v1/commerce/invoices",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": [
      {
        "name": "page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 1
        }
      },
      {
        "name": "per_page",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "default": 25
        }
      }
    ],
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data",
        "pagination"
      ],
      "properties": {
        "data": {
          "type": "array",
          "items": {
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
                "type": "string"
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
                "pattern": "^rfd_[A-Za-z0-9]+$"
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
                    ]
                  }
                },
                "additionalProperties": false
              },
              "issued_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
              },
              "pdf_url": {
                "type": "string",
                "format": "uri"
              }
            },
            "additionalProperties": false
          }
        },
        "pagination": {
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
              "minimum": 1
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
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      422
    ]
  },
  "commerce.invoices.retrieve": {
    "method": "GET",
    "path": "/v1/commerce/invoices/{id}",
    "permission": {
      "name": "orders",
      "level": "read"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": false,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              "type": "string"
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
              "pattern": "^rfd_[A-Za-z0-9]+$"
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
                  ]
                }
              },
              "additionalProperties": false
            },
            "issued_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "pdf_url": {
              "type": "string",
              "format": "uri"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      401,
      403,
      404
    ]
  },
  "commerce.offers.create": {
    "method": "POST",
    "path": "/v1/commerce/offers",
    "permission": {
      "name": "orders",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": {
      "limits": {
        "contentTypes": [
          "application/json"
        ],
        "maxBytes": 262144,
        "maxValues": 5000
      },
      "required": true,
      "schema": {
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
            "maxLength": 250
          },
          "message": {
            "type": "string",
            "maxLength": 2000
          },
          "currency": {
            "type": "string"
          },
          "line_items": {
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {
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
                  "pattern": "^prod_[A-Za-z0-9]{1,64}$"
                },
                "quantity": {
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 1000000
                },
                "unit_amount_minor_units": {
                  "type": "integer",
                  "minimum": 0,
                  "maximum": 9007199254740991
                },
                "discount_minor_units": {
                  "type": "integer",
                  "minimum": 0,
                  "maximum": 9007199254740991
                },
                "tax_minor_units": {
                  "type": "integer",
                  "minimum": 0,
                  "maximum": 9007199254740991
                },
                "tax_percentage": {
                  "type": "string",
                  "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$"
                }
              },
              "additionalProperties": false
            }
          },
          "shipping_minor_units": {
            "type": "integer",
            "minimum": 0,
            "maximum": 9007199254740991
          },
          "metadata": {
            "type": "object",
            "additionalProperties": true
          },
          "expires_at": {
            "type": "string"
          }
        },
        "additionalProperties": false
      }
    },
    "status": 201,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              ]
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
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "discount_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_percentage": {
                    "type": "string"
                  },
                  "total_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  }
                },
                "additionalProperties": false
              }
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
            "metadata": {
              "type": "object",
              "additionalProperties": true
            },
            "offer_url": {
              "type": "string",
              "format": "uri"
            },
            "send_count": {
              "type": "integer",
              "minimum": 0
            },
            "sent_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "accepted_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "cancelled_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "expires_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "order": {
              "type": [
                "string",
                "null"
              ],
              "pattern": "^ord_[A-Za-z0-9]+$"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      409,
      422
    ]
  },
  "commerce.offers.send": {
    "method": "POST",
    "path": "/v1/commerce/offers/{id}/send",
    "permission": {
      "name": "orders",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "mail",
    "takesKey": true,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              ]
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
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "discount_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_percentage": {
                    "type": "string"
                  },
                  "total_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  }
                },
                "additionalProperties": false
              }
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
            "metadata": {
              "type": "object",
              "additionalProperties": true
            },
            "offer_url": {
              "type": "string",
              "format": "uri"
            },
            "send_count": {
              "type": "integer",
              "minimum": 0
            },
            "sent_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "accepted_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "cancelled_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "expires_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "order": {
              "type": [
                "string",
                "null"
              ],
              "pattern": "^ord_[A-Za-z0-9]+$"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409,
      429
    ]
  },
  "commerce.offers.resend": {
    "method": "POST",
    "path": "/v1/commerce/offers/{id}/resend",
    "permission": {
      "name": "orders",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "mail",
    "takesKey": true,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              ]
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
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "discount_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_percentage": {
                    "type": "string"
                  },
                  "total_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  }
                },
                "additionalProperties": false
              }
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
            "metadata": {
              "type": "object",
              "additionalProperties": true
            },
            "offer_url": {
              "type": "string",
              "format": "uri"
            },
            "send_count": {
              "type": "integer",
              "minimum": 0
            },
            "sent_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "accepted_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "cancelled_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "expires_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "order": {
              "type": [
                "string",
                "null"
              ],
              "pattern": "^ord_[A-Za-z0-9]+$"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409,
      429
    ]
  },
  "commerce.offers.cancel": {
    "method": "POST",
    "path": "/v1/commerce/offers/{id}/cancel",
    "permission": {
      "name": "orders",
      "level": "write"
    },
    "credentials": [
      "live",
      "legacy"
    ],
    "rateLimit": "default",
    "takesKey": true,
    "query": null,
    "body": null,
    "status": 200,
    "response": {
      "type": "object",
      "required": [
        "data"
      ],
      "properties": {
        "data": {
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
              ]
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
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "discount_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  },
                  "tax_percentage": {
                    "type": "string"
                  },
                  "total_minor_units": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 9007199254740991
                  }
                },
                "additionalProperties": false
              }
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
            "metadata": {
              "type": "object",
              "additionalProperties": true
            },
            "offer_url": {
              "type": "string",
              "format": "uri"
            },
            "send_count": {
              "type": "integer",
              "minimum": 0
            },
            "sent_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "accepted_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "cancelled_at": {
              "oneOf": [
                {
                  "type": "string",
                  "format": "date-time",
                  "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
                },
                {
                  "type": "null"
                }
              ]
            },
            "expires_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "order": {
              "type": [
                "string",
                "null"
              ],
              "pattern": "^ord_[A-Za-z0-9]+$"
            },
            "created_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            },
            "updated_at": {
              "type": "string",
              "format": "date-time",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "problems": [
      400,
      401,
      403,
      404,
      409
    ]
  }
} as const;

/** Title, version and summary of the interface. */
export const info = {
  "title": "Signalpost",
  "version": "1.0.0",
  "summary": "Webhook endpoints, deliveries, event types, and the commerce behind them."
} as const;

/** Codes that any request may get, by status. */
export const commonProblems = {
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
} as const;
