import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Key pairs of endpoints, in the rows of their secrets: the private key sealed, the public key in clear. The constraints
 * are not validated, because no row has a public key yet.
 */
export class EndpointKeyPairs1795528800000 implements MigrationInterface {
  name = 'EndpointKeyPairs1795528800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table endpoint_secret
      add column public_key text,
      drop constraint endpoint_secret_kind_check,
      add constraint endpoint_secret_kind_check
        check (kind in ('signing', 'headers', 'ed25519')) not valid,
      add constraint endpoint_secret_public_key_check
        check ((kind = 'ed25519') = (public_key is not null)) not valid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from endpoint_secret where kind = 'ed25519'`);
    await runner.query(`alter table endpoint_secret
      drop column public_key,
      drop constraint endpoint_secret_kind_check,
      add constraint endpoint_secret_kind_check check (kind in ('signing', 'headers')) not valid`);
  }
}
