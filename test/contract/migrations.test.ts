import { expect } from 'chai';
import { createDataSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('migrations', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  /** The statements that would make the database what the entities describe. */
  async function missing(): Promise<string[]> {
    const source = createDataSource({ url: test.url, pool: 1, applicationName: 'signalpost-test' });
    await source.initialize();
    try {
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      return upQueries.map(({ query }) => query);
    } finally {
      await source.destroy();
    }
  }

  it('make exactly the schema that the entities describe', async () => {
    expect(await missing()).to.deep.equal([]);
  });

  it('are seen to differ by a column too many, a column too few and another type', async () => {
    await test.query('alter table account add column nickname text');
    await test.query('alter table member drop column role');
    await test.query('alter table notice alter column about_id type varchar(40)');
    const statements = (await missing()).join('\n');
    expect(statements).to.include('"account" DROP COLUMN "nickname"');
    expect(statements).to.include('"member" ADD "role"');
    expect(statements).to.match(/"notice".*"about_id"/);
  });
});
