import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Static headers of endpoints: their values are sealed beside the signing secrets, the endpoint has their names.
 * No constraint is validated, so none reads a row: the columns are new.
 */
export class EndpointHeaders1795521600000 implements MigrationInterface {
  name = 'EndpointHeaders1795521600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table endpoint_secret
      add column kind text not null default 'signing',
      add constraint endpoint_secret_kind_check check (kind in ('signing', 'headers')) not valid`);
    await runner.query(`alter table endpoint
      add column header_names text[],
      add column headers_origin text,
      add column headers_set_at timestamptz(3),
      add constraint endpoint_header_names_check
        check (cardinality(header_names) between 1 and 10) not valid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from endpoint_secret where kind <> 'signing'`);
    await runner.query('alter table endpoint_secret drop column kind');
    await runner.query(`alter table endpoint
      drop column headers_set_at, drop column headers_origin, drop column header_names`);
  }
}
