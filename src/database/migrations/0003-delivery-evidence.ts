import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is kept of attempts beside their records, partitioned by week as these are. */
export class DeliveryEvidence1795399200000 implements MigrationInterface {
  name = 'DeliveryEvidence1795399200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table delivery_evidence (
      delivery_id text collate "C" primary key,
      url text not null,
      request_headers json not null,
      phase text,
      address text,
      tls_version text,
      detail text,
      lookup_ms integer,
      connect_ms integer,
      tls_ms integer,
      first_byte_ms integer,
      total_ms integer,
      response_headers json,
      body bytea,
      body_truncated boolean not null
    ) partition by range (delivery_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table delivery_evidence');
  }
}
