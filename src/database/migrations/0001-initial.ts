import type { MigrationInterface, QueryRunner } from 'typeorm';
import { seedEventTypes } from './0001-event-types.js';

/**
 * The whole first schema. Identifiers are text in byte order, so that a range of ids is a range of
 * time: `event` and `delivery` are partitioned by id and dropped whole. `chain` holds open work only.
 */
export class Initial1764000000000 implements MigrationInterface {
  name = 'Initial1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...accounts, ...webhooks, seedEventTypes, ...commerce]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table if exists invoice, payment, "order", checkout, notice, stored_response, publish_key,
        delivery, chain, event, event_type, endpoint_secret, endpoint, credential, member, account`);
  }
}

const accounts = [
  `create table account (
    id text collate "C" primary key,
    name text not null,
    created_at timestamptz(3) not null,
    invoice_count integer not null default 0
  )`,
  `create table member (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    email text not null,
    role text not null check (role in ('owner', 'admin', 'developer', 'accountant', 'viewer')),
    created_at timestamptz(3) not null
  )`,
  `create index member_by_account on member (account_id, id)`,
  `create table credential (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    member_id text collate "C" not null references member,
    kind text not null check (kind in ('live', 'legacy', 'dashboard', 'internal')),
    level text not null check (level in ('full', 'read')),
    token_sha256 bytea not null unique,
    last4 text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3)
  )`,
  `create index credential_by_account on credential (account_id, id)`,
];

const webhooks = [
  `create table event_type (
    id text collate "C" primary key,
    category text not null,
    summary text not null,
    description text not null,
    accepts_new_subscriptions boolean not null,
    sent boolean not null,
    listed boolean not null default true
  )`,
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
    deleted_at timestamptz(3)
  )`,
  `create index endpoint_by_account on endpoint (account_id, id desc) where deleted_at is null`,
  `create table endpoint_secret (
    id text collate "C" primary key,
    endpoint_id text collate "C" not null references endpoint,
    key_id text not null,
    sealed bytea not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3)
  )`,
  `create index endpoint_secret_by_endpoint on endpoint_secret (endpoint_id, id desc)`,
  `create table event (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    type text not null,
    version text not null,
    subject text not null,
    test boolean not null,
    body bytea not null,
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
  `create table chain (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    event_id text collate "C" not null,
    event_type text collate "C" not null,
    lane text collate "C" not null check (lane in ('live', 'replay')),
    ready boolean not null,
    due_at timestamptz(3) not null,
    attempt integer not null check (attempt between 1 and max_attempts),
    max_attempts integer not null,
    test boolean not null,
    replayed_from text collate "C",
    last_delivery_id text collate "C",
    lease_token bigint,
    interruptions integer not null default 0,
    parked_reason text,
    created_at timestamptz(3) not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
          autovacuum_vacuum_cost_delay = 0)`,
  `create index chain_ready on chain (lane, endpoint_id, due_at) where ready`,
  `create index chain_waiting on chain (due_at) where not ready and parked_reason is null`,
  `create index chain_by_endpoint on chain (endpoint_id, event_id)`,
  `create table delivery (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    chain_id text collate "C" not null,
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
    delivered_at timestamptz(3)
  ) partition by range (id)`,
  `create index delivery_by_account on delivery (account_id, id desc)`,
  `create index delivery_by_status on delivery (account_id, status, id desc)`,
  `create index delivery_of_replay on delivery (chain_id) where replayed_from is not null and attempt = 1`,
  `create table notice (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    endpoint_id text collate "C" not null references endpoint,
    recipient text not null,
    subject text not null,
    body text not null,
    message_id text not null unique,
    created_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    attempts integer not null default 0,
    sent_at timestamptz(3)
  )`,
  `create index notice_due on notice (due_at) where sent_at is null`,
  `create table stored_response (
    account_id text collate "C" not null,
    key text not null,
    fingerprint bytea not null,
    chain_id text collate "C",
    status integer,
    body text,
    location text,
    expires_at timestamptz(3),
    created_at timestamptz(3) not null,
    primary key (account_id, key),
    constraint stored_response_expiry_check check ((status is null) = (expires_at is null)),
    constraint stored_response_pending_check check (status is not null or chain_id is not null)
  )`,
  `create index stored_response_by_expiry on stored_response (expires_at)`,
  `create index stored_response_by_chain on stored_response (chain_id) where chain_id is not null`,
];

const totals = (table: string) => `
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    subtotal_minor_units bigint not null check (subtotal_minor_units >= 0),
    discount_minor_units bigint not null check (discount_minor_units >= 0),
    shipping_minor_units bigint not null check (shipping_minor_units >= 0),
    tax_minor_units bigint not null check (tax_minor_units >= 0),
    total_minor_units bigint not null check (total_minor_units >= 0),
    constraint ${table}_totals_check check (total_minor_units = subtotal_minor_units - discount_minor_units
      + shipping_minor_units + tax_minor_units)`;

const commerce = [
  `create table checkout (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    success_url text not null check (char_length(success_url) <= 1800),
    cancel_url text not null,
    embed_origin text,
    external_reference text not null,
    buyer_email text,
    buyer_email_locked boolean not null,
    metadata json not null,
    affiliate text,
    line_items json not null,
    order_id text collate "C",
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    ${totals('checkout')}
  )`,
  `create index checkout_by_account on checkout (account_id, id desc)`,
  `create table "order" (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    checkout_id text collate "C" unique references checkout,
    external_reference text not null,
    buyer json not null,
    metadata json not null,
    affiliate text,
    line_items json not null,
    created_at timestamptz(3) not null,
    completed_at timestamptz(3) not null,
    ${totals('order')}
  )`,
  `create index order_by_account on "order" (account_id, id desc)`,
  `create table payment (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    order_id text collate "C" not null references "order",
    status text not null check (status in ('succeeded', 'partially_refunded', 'refunded', 'charged_back')),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    amount_minor_units bigint not null check (amount_minor_units >= 0),
    refunded_minor_units bigint not null default 0 constraint payment_refunded_check
      check (refunded_minor_units between 0 and amount_minor_units),
    fee_minor_units bigint not null default 0,
    net_minor_units bigint not null,
    method text not null,
    buyer_email text not null,
    key text,
    fingerprint bytea,
    created_at timestamptz(3) not null,
    cash_flow_at timestamptz(3),
    constraint payment_key_check check ((key is null) = (fingerprint is null))
  )`,
  `create unique index payment_by_key on payment (account_id, key) where key is not null`,
  `create index payment_by_account on payment (account_id, id desc)`,
  `create index payment_by_order on payment (order_id)`,
  `create table invoice (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    number text not null,
    type text not null check (type in ('invoice', 'credit_note')),
    order_id text collate "C" not null references "order",
    payment_id text collate "C" not null references payment,
    buyer json not null,
    issued_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    ${totals('invoice')},
    unique (account_id, number)
  )`,
  `create index invoice_by_account on invoice (account_id, id desc)`,
  `create index invoice_by_order on invoice (order_id)`,
];
