import type { MigrationInterface, QueryRunner } from 'typeorm';
import { backfillMailboxes } from '../../domain/account/backfill-mailboxes.js';
import { indexConcurrently } from './concurrently.js';

/**
 * The form in which addresses are compared, beside those with letters outside ASCII. Only these few rows are
 * written; of the others PostgreSQL makes the form. Processes of the release before write addresses without it:
 * a worker finds them by an index and fills it in.
 * The links of a member who is removed stay, and open nothing: they count among the mails that its address got.
 * Each step can be repeated, because the indexes cannot be built in a transaction.
 */
export class Mailboxes1795500000000 implements MigrationInterface {
  name = 'Mailboxes1795500000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(addresses)) {
      await runner.query(`alter table ${table} add column if not exists mailbox text`);
    }
    await runner.query(`create or replace function forget_mailbox() returns trigger
      language plpgsql as $$
      begin
        new.mailbox := null;
        return new;
      end $$`);
    // A release after this one drops the triggers. Notices keep their recipient.
    for (const [table, address] of [
      ['member', addresses.member],
      ['payment', addresses.payment],
    ]) {
      await runner.query(`create or replace trigger ${table}_address_changed before update of ${address} on ${table}
        for each row when (old.${address} is distinct from new.${address}
          and old.mailbox is not distinct from new.mailbox)
        execute function forget_mailbox()`);
    }

    await runner.query(`create or replace function keep_links_of_member() returns trigger
      language plpgsql as $$
      begin
        update sign_in_link
           set account_id = null, member_id = null, expires_at = least(expires_at, now())
         where member_id = old.id;
        return old;
      end $$`);
    await runner.query(`create or replace trigger member_removed before delete on member
      for each row execute function keep_links_of_member()`);

    for (const [table, address] of Object.entries(addresses)) {
      const lacking = `mailbox is null and octet_length(${address}) > char_length(${address})`;
      await indexConcurrently(
        runner,
        `${table}_without_mailbox`,
        `${table} ((id || '')) where ${lacking}`,
      );
    }
    const read = {
      sql: <Row>({ text }: { readonly text: string }, values: readonly unknown[]) =>
        runner.query(text, [...values]) as Promise<Row[]>,
    };
    // What another session has locked stays for a worker.
    while ((await backfillMailboxes(read, batch)) > 0);

    for (const [index, definition] of Object.entries(byMailbox)) {
      await indexConcurrently(runner, index, definition);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger member_removed on member');
    await runner.query('drop function keep_links_of_member()');
    await runner.query('drop trigger member_address_changed on member');
    await runner.query('drop trigger payment_address_changed on payment');
    await runner.query('drop function forget_mailbox()');
    // The indexes go with their column.
    for (const table of Object.keys(addresses)) {
      await runner.query(`alter table ${table} drop column mailbox`);
    }
  }
}

const batch = 1_000;

const addresses = { member: 'email', notice: 'recipient', payment: 'buyer_email' } as const;

const pending = 'where sent_at is null and refused_at is null';

const formOf = (address: string) => `coalesce(mailbox, lower(${address} collate "C"))`;

/**
 * Those by the address as it was compared before (member_by_email, notice_by_recipient, notice_mails,
 * payment_by_buyer) stay for processes of the release before. A release after this one drops them.
 */
const byMailbox = {
  member_by_mailbox: `member ((${formOf('email')}))`,
  notice_by_mailbox: `notice (kind, account_id, (${formOf('recipient')}), due_at) ${pending}`,
  notice_mails_by_mailbox: `notice ((${formOf('recipient')}), claimed_at) where mail_id = id`,
  payment_by_mailbox: `payment (account_id, (${formOf('buyer_email')}), position) include (cash_flow_at)`,
};
