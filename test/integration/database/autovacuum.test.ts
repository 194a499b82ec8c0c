import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('tables whose rows live for moments', () => {
  let test: TestDatabase;

  before(async () => (test = await createTestDatabase()));
  after(() => test.drop());

  const dead = { pending_delivery: 5_000, lease: 1_000 } as const;
  for (const [table, most] of Object.entries(dead)) {
    it(`${table}: is vacuumed without pauses after ${most} dead rows, at any size`, async () => {
      const rows = await test.query<{ name: string; value: string }>(
        `select o.option_name as name, o.option_value as value
           from pg_class c cross join lateral pg_options_to_table(c.reloptions) o
          where c.oid = to_regclass($1)`,
        [table],
      );
      const options = new Map(rows.map(({ name, value }) => [name, Number(value)]));
      expect(options.get('autovacuum_vacuum_scale_factor')).to.equal(0);
      expect(options.get('autovacuum_vacuum_threshold')).to.equal(most);
      expect(options.get('autovacuum_vacuum_cost_delay')).to.equal(0);
      expect(options.has('autovacuum_enabled')).to.equal(false);
    });
  }

  it('pending_delivery leaves half of its pages to the claims of what was written together', async () => {
    const [row] = await test.query<{ options: string[] }>(
      `select reloptions as options from pg_class where oid = to_regclass('pending_delivery')`,
    );
    expect(row?.options).to.include('fillfactor=45');
  });
});
