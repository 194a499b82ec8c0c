import { expect } from 'chai';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from '../../../src/database/data-source.js';
import { ChainByAccount1764000016000 } from '../../../src/database/migrations/0016-chain-by-account.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const before = '(lane, endpoint_id, due_at)';
const after = '(lane, account_id, endpoint_id, due_at)';

describe('the migration of the index of ready chains', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  async function migrating(work: 'up' | 'down'): Promise<void> {
    const source = createDataSource({
      url: test.url,
      pool: 1,
      applicationName: 'signalpost-migrate',
      statementTimeoutMs: 0,
    });
    const runner: QueryRunner = (await source.initialize()).createQueryRunner();
    await new ChainByAccount1764000016000()[work](runner).finally(() => source.destroy());
  }

  /** The valid indexes of ready chains by name. */
  const indexes = async () => {
    const rows = await test.query<{ name: string; columns: string }>(
      `select indexrelid::regclass::text as name,
              substring(pg_get_indexdef(indexrelid) from '\\(.*?\\)') as columns
         from pg_index where indrelid = 'chain'::regclass and indisvalid
          and indexrelid::regclass::text like 'chain_ready%'`,
    );
    return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
  };

  it('puts the account first, and takes it back', async () => {
    expect(await indexes()).to.deep.equal({ chain_ready: after });
    await migrating('down');
    expect(await indexes()).to.deep.equal({ chain_ready: before });
    await migrating('up');
    expect(await indexes()).to.deep.equal({ chain_ready: after });
    await migrating('up');
    expect(await indexes()).to.deep.equal({ chain_ready: after });
  });

  it('goes on where it was interrupted', async () => {
    await migrating('down');
    const next = `create index chain_ready_next on chain ${after}
                    with (deduplicate_items = off) where ready`;
    await test.query(next);
    await test.query(
      `update pg_index set indisvalid = false where indexrelid = 'chain_ready_next'::regclass`,
    );
    await migrating('up');
    expect(await indexes(), 'half built').to.deep.equal({ chain_ready: after });
    await migrating('down');
    await test.query(next);
    await test.query('drop index chain_ready');
    await migrating('up');
    expect(await indexes(), 'the old one was gone').to.deep.equal({ chain_ready: after });
  });
});
