/** What an Idempotency-Key stands for. */
export const idempotency = [
  `create table stored_response (
    account_id text collate "C" not null,
    key text not null,
    fingerprint bytea not null,
    chain_id text collate "C",
    status integer,
    body text,
    location text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    primary key (account_id, key),
    constraint stored_response_expiry_check check ((status is null) = (expires_at is null)),
    constraint stored_response_pending_check check (status is not null or chain_id is not null)
  )`,
  `create index stored_response_by_expiry on stored_response (expires_at)`,
  `create index stored_response_by_chain on stored_response (chain_id) where chain_id is not null`,
];
