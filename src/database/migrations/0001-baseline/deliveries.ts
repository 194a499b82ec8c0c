/** Pending deliveries, leases and delivery records. */
export const deliveries = [
  // Rows that were written together are claimed together. Each page keeps space for a second
  // version of its rows, so a claim writes no index entry (ADR 0017).
  `create table pending_delivery (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    event_id text collate "C" not null,
    event_type text collate "C" not null,
    lane text collate "C" not null check (lane in ('live', 'replay', 'isolated')),
    ready boolean not null,
    due_at timestamptz(3) not null,
    attempt integer not null check (attempt between 1 and max_attempts),
    max_attempts integer not null,
    test boolean not null,
    replayed_from text collate "C",
    last_delivery_id text collate "C",
    lease_token bigint,
    interruptions integer not null default 0,
    dead_letter_reason text,
    created_at timestamptz(3) not null
  ) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
          autovacuum_vacuum_cost_delay = 0)`,
  `create index pending_delivery_waiting on pending_delivery (due_at) where not ready and dead_letter_reason is null`,
  `create index pending_delivery_by_endpoint on pending_delivery (endpoint_id, event_id)`,
  `create index pending_delivery_dead_letter on pending_delivery (id) where dead_letter_reason is not null`,
  // Rows due in the same millisecond keep separate entries. A shared entry stays until its last row
  // is gone, and every claim would read past the others.
  `create index pending_delivery_ready on pending_delivery (lane, account_id, endpoint_id, due_at)
    with (deduplicate_items = off) where ready`,
  `create table lease (
    token bigint primary key,
    until timestamptz(3) not null,
    pending_delivery_ids text[] collate "C" not null
  ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0,
          autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0)`,
  // Random ids do not compress. Most leases fit into a page uncompressed.
  `alter table lease alter column pending_delivery_ids set storage external`,
  `create index lease_until on lease (until)`,
  // One row: the process that runs isolated deliveries.
  `create table isolation_lock (
    id smallint primary key check (id = 1),
    holder bigint,
    until timestamptz(3) not null
  )`,
  `insert into isolation_lock (id, until) values (1, '-infinity')`,
  `create table delivery (
    id text collate "C" not null,
    account_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    pending_delivery_id text collate "C" not null,
    event_id text collate "C" not null,
    event_type text not null,
    event_version text not null,
    attempt integer not null,
    max_attempts integer not null,
    status text not null check (status in ('success', 'failed', 'abandoned')),
    test boolean not null,
    replayed_from text collate "C",
    response_status integer,
    failure_reason text,
    duration_ms integer,
    created_at timestamptz(3) not null,
    delivered_at timestamptz(3),
    primary key (account_id, id)
  ) partition by range (id)`,
  `create index delivery_of_replay on delivery (pending_delivery_id)
    where replayed_from is not null and attempt = 1`,
  // Created last: PostgreSQL prefers the younger of two indexes with the same estimated cost.
  `create index delivery_by_status on delivery (account_id, status, id desc)`,
];
