/** Events, dropped by whole partitions, and their publish keys. */
export const events = [
  // Valid UTF-8, so that claims read the body as text. Bytes would travel as hexadecimal, twice as
  // long.
  `create table event (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    type text not null,
    version text not null,
    subject text not null,
    test boolean not null,
    body bytea not null constraint event_body_check check (convert_from(body, 'UTF8') is not null),
    occurred_at timestamptz(3) not null,
    created_at timestamptz(3) not null
  ) partition by range (id)`,
  `create table publish_key (
    account_id text collate "C" not null,
    key text not null,
    fingerprint bytea not null,
    event_id text collate "C" not null,
    expires_at timestamptz(3) not null,
    primary key (account_id, key)
  )`,
  `create index publish_key_by_expiry on publish_key (expires_at)`,
];
