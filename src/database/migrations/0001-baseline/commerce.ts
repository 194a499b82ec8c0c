const currency = `currency text not null check (currency ~ '^[A-Z]{3}$')`;

const amounts = ['subtotal', 'discount', 'shipping', 'tax', 'total'].map(
  (part) => `${part}_minor_units bigint not null check (${part}_minor_units >= 0)`,
);

const totals = (table: string) => `
    ${[currency, ...amounts].join(',\n    ')},
    constraint ${table}_totals_check check (total_minor_units = subtotal_minor_units
      - discount_minor_units + shipping_minor_units + tax_minor_units)`;

const position = `position integer not null check (position > 0)`;
const unique = (table: string) => `constraint ${table}_position_key unique (account_id, position)`;

/**
 * Offers, checkouts and an account's ledger. Entries of the ledger are numbered from 1 in the order
 * they are made, so a page by number is a range of an index.
 */
export const commerce = [
  `create table offer (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    ${position},
    recipient_email text not null,
    title text not null check (char_length(title) between 1 and 250),
    message text check (char_length(message) <= 2000),
    metadata json not null,
    line_items json not null,
    send_count integer not null default 0,
    sent_at timestamptz(3),
    accepted_at timestamptz(3),
    cancelled_at timestamptz(3),
    expires_at timestamptz(3) not null,
    order_id text collate "C",
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    ${totals('offer')},
    constraint offer_sent_check
      check ((send_count > 0) = (sent_at is not null) and send_count between 0 and 10),
    constraint offer_accepted_check check ((accepted_at is null) = (order_id is null)),
    constraint offer_end_check
      check (accepted_at is null or (cancelled_at is null and sent_at is not null)),
    ${unique('offer')},
    constraint offer_order_id_key unique (order_id)
  )`,
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
    offer_id text collate "C" references offer,
    order_id text collate "C",
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    visited_at timestamptz(3),
    expired_at timestamptz(3),
    ${totals('checkout')}
  )`,
  `create index checkout_by_account on checkout (account_id, id desc)`,
  `create index checkout_expiring on checkout (expires_at)
    where order_id is null and expired_at is null`,
  `create index checkout_by_offer on checkout (offer_id) where offer_id is not null`,
  `create table "order" (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    ${position},
    checkout_id text collate "C" unique references checkout,
    external_reference text not null,
    buyer json not null,
    metadata json not null,
    affiliate text,
    line_items json not null,
    created_at timestamptz(3) not null,
    completed_at timestamptz(3) not null,
    ${totals('order')},
    ${unique('order')}
  )`,
  // Checked at the commit, because offer, order and checkout refer to each other in a circle.
  `alter table offer add constraint offer_order_id_fkey
    foreign key (order_id) references "order" deferrable initially deferred`,
  `create table payment (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    ${position},
    order_id text collate "C" not null references "order",
    status text not null
      check (status in ('succeeded', 'partially_refunded', 'refunded', 'charged_back')),
    ${currency},
    amount_minor_units bigint not null check (amount_minor_units >= 0),
    refunded_minor_units bigint not null default 0 constraint payment_refunded_check
      check (refunded_minor_units between 0 and amount_minor_units),
    fee_minor_units bigint not null default 0 constraint payment_fee_check
      check (fee_minor_units between 0 and amount_minor_units),
    net_minor_units bigint not null,
    method text not null,
    buyer_email text not null,
    key text,
    fingerprint bytea,
    created_at timestamptz(3) not null,
    cash_flow_at timestamptz(3),
    constraint payment_net_check check (net_minor_units = amount_minor_units - fee_minor_units),
    constraint payment_refunded_status_check check (status = 'charged_back' or status =
      case when refunded_minor_units = 0 then 'succeeded'
           when refunded_minor_units < amount_minor_units then 'partially_refunded'
           else 'refunded' end),
    constraint payment_key_check check ((key is null) = (fingerprint is null)),
    ${unique('payment')}
  )`,
  `create unique index payment_by_key on payment (account_id, key) where key is not null`,
  `create index payment_by_order on payment (order_id)`,
  `create index payment_by_creation on payment (account_id, created_at, position)`,
  `create index payment_by_cash_flow on payment (account_id, cash_flow_at, position)`,
  `create index payment_by_buyer
    on payment (account_id, lower(buyer_email collate "C"), position) include (cash_flow_at)`,
  `create table refund (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    ${position},
    payment_id text collate "C" not null references payment,
    order_id text collate "C" not null references "order",
    status text not null check (status in ('succeeded', 'pending', 'failed')),
    ${currency},
    amount_minor_units bigint not null check (amount_minor_units > 0),
    reason text check (reason in ('requested_by_customer', 'duplicate', 'fraudulent', 'other')),
    note text check (char_length(note) <= 500),
    created_at timestamptz(3) not null,
    cash_flow_at timestamptz(3),
    ${unique('refund')}
  )`,
  `create index refund_by_payment on refund (payment_id)`,
  `create table invoice (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    ${position},
    number text not null,
    type text not null check (type in ('invoice', 'credit_note')),
    order_id text collate "C" not null references "order",
    payment_id text collate "C" not null references payment,
    refund_id text collate "C" unique references refund,
    buyer json not null,
    issued_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    ${totals('invoice')},
    constraint invoice_refund_check check ((type = 'credit_note') = (refund_id is not null)),
    ${unique('invoice')},
    constraint invoice_number_key unique (account_id, number)
  )`,
  `create index invoice_by_order on invoice (order_id)`,
  `create index invoice_by_payment on invoice (payment_id)`,
];
