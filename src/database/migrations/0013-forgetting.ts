import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is forgotten after a while is found by an index, and so is who still names it. */
export class Forgetting1764000013000 implements MigrationInterface {
  name = 'Forgetting1764000013000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of indexes) await runner.query(`create index ${name} on ${on}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of indexes) await runner.query(`drop index ${name}`);
  }
}

const indexes = [
  ['credential_by_expiry', 'credential (expires_at) where expires_at is not null'],
  ['credential_by_member', 'credential (member_id)'],
  ['endpoint_by_deletion', 'endpoint (deleted_at) where deleted_at is not null'],
] as const;
