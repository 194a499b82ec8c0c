import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexConcurrently } from './concurrently.js';

/**
 * A column tells people from the members that were made for one credential each; a pattern of their
 * addresses did, which the address of a person could match. Members keep when they signed in last. Links to
 * sign in keep which networks asked for them. A provider's name for a person is never empty.
 * Each step can be repeated, because an index cannot be built concurrently in a transaction.
 */
export class People1795492800000 implements MigrationInterface {
  name = 'People1795492800000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
    await indexConcurrently(runner, 'member_people', 'member (account_id, id) where is_person');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger member_made_for_credential on member');
    await runner.query('drop function mark_member_of_credential()');
    await runner.query('alter table member_identity drop constraint member_identity_subject_check');
    await runner.query(
      'alter table sign_in_link drop column networks, drop column known_browser_sha256',
    );
    // The index goes with its column.
    await runner.query('alter table member drop column is_person, drop column signed_in_at');
    await runner.query(
      `create index member_people on member (account_id, id) where email not like '%@acc-%.invalid'`,
    );
  }
}

/** In SQL: whether a member `m` has the address that was made for a credential of its own account. */
function wasMadeFor(m: string): string {
  return `${m}.email ~ '^(?:owner|admin|developer|accountant|viewer)@'
    and split_part(${m}.email, '@', 2) = lower(replace(${m}.account_id, '_', '-')) || '.invalid'`;
}

const statements = [
  `alter table member
    add column if not exists is_person boolean not null default true,
    add column if not exists signed_in_at timestamptz(3)`,
  `update member m set signed_in_at = s.signed_in_at
     from (select member_id, max(created_at) as signed_in_at from session group by member_id) s
    where s.member_id = m.id and m.signed_in_at is null`,
  // Processes of the release before do not know the column. A release after this one drops the trigger.
  `create or replace function mark_member_of_credential() returns trigger
    language plpgsql as $$
    begin
      new.is_person := new.is_person and not (${wasMadeFor('new')});
      return new;
    end $$`,
  `create or replace trigger member_made_for_credential before insert on member
    for each row execute function mark_member_of_credential()`,
  `update member m set is_person = false where m.is_person and ${wasMadeFor('m')}`,
  `alter table sign_in_link
    add column if not exists networks text[],
    add column if not exists known_browser_sha256 bytea`,
  // Such an identity opened the account for everyone for whom the provider had no name.
  `delete from member_identity where subject !~ '^[ -~]{1,255}$'`,
  `alter table member_identity drop constraint if exists member_identity_subject_check,
    add constraint member_identity_subject_check check (subject ~ '^[ -~]{1,255}$')`,
];
