/** Endpoints and their signing secrets. */
export const endpoints = [
  `create table endpoint (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    url text not null,
    active boolean not null,
    description text,
    notification_email text not null,
    event_types text[] not null check (cardinality(event_types) > 0),
    disabled_reason text check (disabled_reason in ('consecutive_failures', 'receiver_gone')),
    failing_since timestamptz(3),
    failure_count integer not null default 0,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    cancelling_since timestamptz(3),
    cancel_before timestamptz(3),
    cancel_types jsonb
  )`,
  `create index endpoint_by_account on endpoint (account_id, id desc) where deleted_at is null`,
  `create index endpoint_cancelling on endpoint (id) where cancelling_since is not null`,
  `create index endpoint_by_deletion on endpoint (deleted_at) where deleted_at is not null`,
  `create table endpoint_secret (
    id text collate "C" primary key,
    endpoint_id text collate "C" not null references endpoint,
    key_id text not null,
    sealed bytea not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3)
  )`,
  `create index endpoint_secret_by_endpoint on endpoint_secret (endpoint_id, id desc)`,
];
