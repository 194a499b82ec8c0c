import { expect } from 'chai';
import { createDataSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('migrations', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('make exactly the schema that the entities describe', async () => {
    const source = createDataSource({ url: test.url, pool: 1, applicationName: 'signalpost-test' });
    await source.initialize();
    try {
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).to.deep.equal([]);
    } finally {
      await source.destroy();
    }
  });
});
