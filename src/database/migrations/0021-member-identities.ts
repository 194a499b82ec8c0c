import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who members are at the OpenID provider of the operator. A link that such a sign-in makes is bound to
 * its browser and has no code.
 */
export class MemberIdentities1795464000000 implements MigrationInterface {
  name = 'MemberIdentities1795464000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table member_identity (
      account_id text collate "C" not null
        constraint member_identity_account_id_fkey references account,
      member_id text collate "C" not null
        constraint member_identity_member_id_fkey references member on delete cascade,
      issuer text collate "C" not null,
      subject text collate "C" not null,
      created_at timestamptz(3) not null,
      primary key (account_id, member_id, issuer)
    )`);
    await runner.query(
      'create index member_identity_by_subject on member_identity (issuer, subject)',
    );
    // A member that goes takes its identities along.
    await runner.query(
      'create index member_identity_by_member on member_identity (member_id, issuer)',
    );
    // The narrower check that it replaces holds for the rows there are, so none need be read.
    await runner.query(
      `alter table sign_in_link drop constraint sign_in_link_browser_check,
        add constraint sign_in_link_code_check check (${later}) not valid`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from sign_in_link where code_sha256 is null');
    await runner.query(
      `alter table sign_in_link drop constraint sign_in_link_code_check,
        add constraint sign_in_link_browser_check check (${earlier})`,
    );
    await runner.query('drop table member_identity');
  }
}

const earlier = `(browser_sha256 is null) = (code_sha256 is null)
  and (browser_sha256 is null) = (address_sha256 is null)`;
const later = `(code_sha256 is null) = (address_sha256 is null)
  and (code_sha256 is null or browser_sha256 is not null)`;
