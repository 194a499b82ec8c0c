/** Notices: the mails that the service has to send. */
export const notices = [
  `create table notice (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    kind text collate "C" not null,
    resource_id text collate "C" not null,
    data jsonb not null,
    recipient text not null,
    mail_id text collate "C",
    message_id text not null unique,
    created_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    claimed_at timestamptz(3),
    lease_token bigint,
    attempts integer not null default 0,
    last_error text,
    sent_at timestamptz(3),
    refused_at timestamptz(3)
  )`,
  `create index notice_by_sent on notice (sent_at) where sent_at is not null`,
  `create index notice_by_refusal on notice (refused_at) where refused_at is not null`,
  `create index notice_due on notice (kind, account_id, due_at)
    where sent_at is null and refused_at is null`,
  `create index notice_by_recipient on notice (kind, account_id, lower(recipient collate "C"), due_at)
    where sent_at is null and refused_at is null`,
  `create index notice_mails on notice (lower(recipient collate "C"), claimed_at) where mail_id = id`,
  `create index notice_by_mail on notice (mail_id)
    where sent_at is null and refused_at is null and mail_id is not null`,
];
