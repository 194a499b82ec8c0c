import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What ends access. An erased account is notified as a revoked credential is. A portal link remembers the
 * member who made it, and goes when that member is removed or no longer administers the account. Streams
 * of portals are counted apart, so that they leave some to the account.
 */
export class Revocations1795489200000 implements MigrationInterface {
  name = 'Revocations1795489200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create trigger account_erased after update of erased_at on account
      for each row when (old.erased_at is distinct from new.erased_at)
      execute function notify_credential_change()`);
    // Links that are there count as those of operators. They end within 7 days.
    await runner.query(`alter table portal_link add column maker_id text collate "C"
      constraint portal_link_maker_id_fkey references member on delete cascade`);
    await runner.query('create index portal_link_by_maker on portal_link (maker_id)');
    await runner.query(`create function end_links_of_maker() returns trigger
      language plpgsql as $$
      begin
        delete from portal_link where maker_id = new.id;
        return null;
      end $$`);
    await runner.query(`create trigger member_role_ends_links after update of role on member
      for each row when (new.role not in ('owner', 'admin'))
      execute function end_links_of_maker()`);
    await runner.query(
      'alter table stream_slot add column is_portal boolean not null default false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table stream_slot drop column is_portal');
    await runner.query('drop trigger member_role_ends_links on member');
    await runner.query('drop function end_links_of_maker()');
    await runner.query('alter table portal_link drop column maker_id');
    await runner.query('drop trigger account_erased on account');
  }
}
