/** Accounts, their members and their credentials. */
export const accounts = [
  `create table account (
    id text collate "C" primary key,
    name text not null,
    invoice_count integer not null default 0,
    credit_note_count integer not null default 0,
    created_at timestamptz(3) not null
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
    level text not null check (level in ('full', 'read', 'restricted')),
    webhooks_level text,
    orders_level text,
    token_sha256 bytea not null unique,
    last4 text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    constraint credential_areas_check check (
      (level = 'restricted') = (webhooks_level is not null)
      and (level = 'restricted') = (orders_level is not null)
      and webhooks_level in ('none', 'read', 'write')
      and orders_level in ('none', 'read', 'write'))
  )`,
  `create index credential_by_account on credential (account_id, id)`,
  `create index credential_by_expiry on credential (expires_at) where expires_at is not null`,
  `create index credential_by_member on credential (member_id)`,
];
