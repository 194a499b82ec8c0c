import { expect } from 'chai';
import { createDataSource } from '../../../src/database/data-source.js';
import { KeyLevels1764000019000 } from '../../../src/database/migrations/0019-key-levels.js';
import { createAccount, createMember } from '../../../src/domain/account/accounts.js';
import { createCredential, revokeCredential } from '../../../src/domain/account/credentials.js';
import { makeId } from '../../../src/domain/id.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('the migration of the levels of keys', () => {
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
    });
    const runner = (await source.initialize()).createQueryRunner();
    await runner.startTransaction();
    try {
      await new KeyLevels1764000019000()[work](runner);
      await runner.commitTransaction();
    } finally {
      await source.destroy();
    }
  }

  const inAccount = async () => {
    const { transact } = await test.open();
    const account = (await transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
    return { transact, account };
  };

  it('lets processes of the previous release issue keys beside it', async () => {
    const { transact, account } = await inAccount();
    const input = { account, email: 'a@b.example', role: 'owner' } as const;
    const { id: member } = await transact((tx) => createMember(tx, input));
    const issue = (level: string, hash: string) =>
      test.query(
        `insert into credential
           (id, account_id, member_id, kind, level, token_sha256, last4, created_at)
         values ($1, $2, $3, 'live', $4, $5, 'abcd', now())`,
        [makeId('crd', new Date()), account, member, level, Buffer.from(hash)],
      );
    await issue('full', 'a');
    await issue('read', 'b');
    const refused = await issue('restricted', 'c').catch(String);
    expect(refused).to.include('credential_areas_check');
  });

  it('is not taken back while a restricted key is in use', async () => {
    const { transact, account } = await inAccount();
    const { id } = await transact((tx) =>
      createCredential(tx, { account, kind: 'live', orders: 'read' }),
    );
    const refusal = await migrating('down').catch(String);
    expect(refusal).to.match(/revoke them first, "npm run admin -- credentials list"/);
    await transact((tx) => revokeCredential(tx, account, id));
    await migrating('down');
    expect(await test.query('select level from credential')).to.eql([{ level: 'read' }]);
    await migrating('up');
    expect(await test.query('select level from credential')).to.eql([{ level: 'read' }]);
  });
});
