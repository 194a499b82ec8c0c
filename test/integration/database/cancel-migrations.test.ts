import { expect } from 'chai';
import { createDataSource } from '../../../src/database/data-source.js';
import { Alone1764000003000 } from '../../../src/database/migrations/0003-alone.js';
import { CancelTypes1764000012000 } from '../../../src/database/migrations/0012-cancel-types.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { arrangeAccount, arrangeEndpoint } from '../../support/engine.js';

for (const Migration of [CancelTypes1764000012000, Alone1764000003000]) {
  describe(`the migration ${Migration.name}`, () => {
    let test: TestDatabase;

    before(async () => {
      test = await createTestDatabase();
    });
    after(() => test.drop());

    async function down(): Promise<void> {
      const source = createDataSource({
        url: test.url,
        pool: 1,
        applicationName: 'signalpost-test',
      });
      const runner = (await source.initialize()).createQueryRunner();
      try {
        await new Migration().down(runner);
      } finally {
        await source.destroy();
      }
    }

    it('is not taken back while cancellations are owed', async () => {
      const account = await arrangeAccount(test);
      await arrangeEndpoint(test, account, 'active = false, cancelling_since = updated_at');
      const refusal = await down().catch((error: unknown) => error);
      expect(refusal)
        .to.be.instanceOf(Error)
        .with.property('message')
        .match(/cancellations are/);
      await test.query('update endpoint set cancelling_since = null');
      await down();
    });
  });
}
