import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refunds and credit notes, and positions: an account's orders, payments, refunds and invoices are
 * numbered from 1 in the order they were made, so that a page by number is a range of an index.
 */
export class CommerceLedger1764000005000 implements MigrationInterface {
  name = 'CommerceLedger1764000005000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['"order"', 'payment', 'invoice']) {
      for (const statement of numbered(table)) await runner.query(statement);
    }
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update event_type set sent = false where id = any($1)`, [sent]);
    await runner.query(`delete from invoice where type = 'credit_note'`);
    await runner.query(`
      alter table payment drop constraint payment_net_check,
        drop constraint payment_fee_check, drop constraint payment_refunded_status_check`);
    await runner.query(
      'drop index payment_by_creation, payment_by_cash_flow, payment_by_buyer, invoice_by_payment',
    );
    await runner.query('alter table account drop column credit_note_count');
    await runner.query('alter table invoice drop column refund_id');
    await runner.query('drop table refund');
    for (const table of ['"order"', 'payment', 'invoice']) {
      await runner.query(`alter table ${table} drop column position`);
      const plain = table.replaceAll('"', '');
      await runner.query(`create index ${plain}_by_account on ${table} (account_id, id desc)`);
    }
    await runner.query(`update payment set status = 'succeeded', refunded_minor_units = 0
                         where status <> 'charged_back'`);
  }
}

/** What an account's older rows are numbered by is their id, whose order is that of time. */
function numbered(table: string): string[] {
  const plain = table.replaceAll('"', '');
  return [
    `alter table ${table} add column position integer
       constraint ${plain}_position_check check (position > 0)`,
    `update ${table} entry set position = counted.position
       from (select id, row_number() over (partition by account_id order by id) as position
               from ${table}) counted
      where counted.id = entry.id`,
    `alter table ${table} alter column position set not null,
       add constraint ${plain}_position_key unique (account_id, position)`,
    `drop index ${plain}_by_account`,
  ];
}

const sent = ['payment.refund.created', 'invoice.credit_note.issued'];

const statements = [
  `create table refund (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    position integer not null check (position > 0),
    payment_id text collate "C" not null references payment,
    order_id text collate "C" not null references "order",
    status text not null check (status in ('succeeded', 'pending', 'failed')),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    amount_minor_units bigint not null check (amount_minor_units > 0),
    reason text check (reason in ('requested_by_customer', 'duplicate', 'fraudulent', 'other')),
    note text check (char_length(note) <= 500),
    created_at timestamptz(3) not null,
    cash_flow_at timestamptz(3),
    constraint refund_position_key unique (account_id, position)
  )`,
  `create index refund_by_payment on refund (payment_id)`,
  `alter table invoice
     add column refund_id text collate "C" unique references refund,
     add constraint invoice_refund_check check ((type = 'credit_note') = (refund_id is not null))`,
  `create index invoice_by_payment on invoice (payment_id)`,
  `alter table account add column credit_note_count integer not null default 0`,
  `alter table payment
     add constraint payment_fee_check check (fee_minor_units between 0 and amount_minor_units),
     add constraint payment_net_check check (net_minor_units = amount_minor_units - fee_minor_units),
     add constraint payment_refunded_status_check check (status = 'charged_back' or status =
       case when refunded_minor_units = 0 then 'succeeded'
            when refunded_minor_units < amount_minor_units then 'partially_refunded'
            else 'refunded' end)`,
  `create index payment_by_creation on payment (account_id, created_at, position)`,
  `create index payment_by_cash_flow on payment (account_id, cash_flow_at, position)`,
  `create index payment_by_buyer
     on payment (account_id, lower(buyer_email collate "C"), position) include (cash_flow_at)`,
  `update event_type set sent = true where id in (${sent.map((id) => `'${id}'`).join(', ')})`,
];
