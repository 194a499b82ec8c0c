import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Offers, and which checkout was opened to accept one. */
export class Offers1764000006000 implements MigrationInterface {
  name = 'Offers1764000006000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
    await runner.query(`update event_type set sent = true where id = any($1)`, [sent]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update event_type set sent = false where id = any($1)`, [sent]);
    await runner.query(`delete from notice where kind = 'offer_sent'`);
    await runner.query('alter table checkout drop column offer_id');
    await runner.query('drop table offer');
  }
}

const sent = ['offer.created', 'offer.sent', 'offer.accepted', 'offer.cancelled'];

const amounts = ['subtotal', 'discount', 'shipping', 'tax', 'total'].map(
  (part) => `${part}_minor_units bigint not null check (${part}_minor_units >= 0)`,
);

const statements = [
  `create table offer (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    position integer not null check (position > 0),
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
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    ${amounts.join(',\n    ')},
    constraint offer_totals_check check (total_minor_units = subtotal_minor_units
      - discount_minor_units + shipping_minor_units + tax_minor_units),
    constraint offer_sent_check
      check ((send_count > 0) = (sent_at is not null) and send_count >= 0),
    constraint offer_accepted_check check ((accepted_at is null) = (order_id is null)),
    constraint offer_end_check
      check (accepted_at is null or (cancelled_at is null and sent_at is not null)),
    constraint offer_position_key unique (account_id, position)
  )`,
  `alter table checkout add column offer_id text collate "C"
     constraint checkout_offer_id_fkey references offer`,
  `create index checkout_by_offer on checkout (offer_id) where offer_id is not null`,
];
