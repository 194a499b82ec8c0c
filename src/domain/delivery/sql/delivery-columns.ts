/** In SQL: the columns of a record `d`, named as members of `Delivery`. */
export const deliveryColumns = `
  d.id, d.attempt, d.max_attempts as "maxAttempts", d.status, d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.duration_ms as "durationMs",
  d.response_status as "responseStatus", d.event_id as "eventId", d.event_type as "eventType",
  d.event_version as "eventVersion", d.replayed_from as "replayedFrom", d.test,
  d.pending_delivery_id as "pendingDeliveryId", d.endpoint_id as "endpointId", d.failure_reason as "failureReason"`;
