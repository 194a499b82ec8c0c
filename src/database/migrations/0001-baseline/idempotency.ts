/** Idempotency records. */
export const idempotency = [
  `create table idempotency_record (
    account_id text collate "C" not null,
    key text not null,
    fingerprint bytea not null,
    pending_delivery_id text collate "C",
    status integer,
    body text,
    location text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    primary key (account_id, key),
    constraint idempotency_record_expiry_check check ((status is null) = (expires_at is null)),
    constraint idempotency_record_pending_check check (status is not null or pending_delivery_id is not null)
  )`,
  `create index idempotency_record_by_expiry on idempotency_record (expires_at)`,
  `create index idempotency_record_by_pending_delivery on idempotency_record (pending_delivery_id) where pending_delivery_id is not null`,
];
