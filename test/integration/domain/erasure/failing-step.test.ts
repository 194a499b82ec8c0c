import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount, createMember } from '../../../../src/domain/account/accounts.js';
import { getErasure, startAccountErasure } from '../../../../src/domain/erasure/erasures.js';
import { runErasureStep } from '../../../../src/domain/erasure/run-step.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

describe('erasures of which one fails', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  it('H155: goes on with other erasures when a step of one fails', async () => {
    const { transact } = database;
    const start = async () => {
      const { id } = await transact((tx) => createAccount(tx, { name: 'shop' }));
      await transact((tx) =>
        createMember(tx, { account: id, email: 'a@b.example', role: 'owner' }),
      );
      return transact((tx) => startAccountErasure(tx, id, 'command'));
    };

    const broken = await start();
    const other = await start();

    await test.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused'; end $$`);
    await test.query(`
      create trigger refuse before delete on member for each row
        when (old.account_id = '${broken.accountId}') execute function refuse()`);

    const failures: string[] = [];
    for (let steps = 0; steps < 200; steps += 1) {
      const step = await runErasureStep(transact, { lastPassAfterMs: 0 }).catch(
        (error: unknown) => {
          failures.push((error as Error).message);
        },
      );
      if (step?.completed && step.id === other.id) break;
    }

    expect(failures).to.deep.equal(['refused']);
    expect((await getErasure(database.read, other.id)).status).to.equal('completed');
    expect((await getErasure(database.read, broken.id)).status).to.equal('running');
  });
});
