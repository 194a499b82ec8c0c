import { expect } from 'chai';
import { createDataSource } from '../../../src/database/data-source.js';
import { Leases1764000008000 } from '../../../src/database/migrations/0008-leases.js';
import { promoteDue } from '../../../src/domain/delivery/promote.js';
import { settle } from '../../../src/domain/delivery/settle.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  arrangeAccount,
  arrangeEndpoint,
  claimAll,
  end,
  eventType,
  outcomes,
} from '../../support/engine.js';

describe('the migration of leases', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
    const { transact } = await test.open();
    const account = await arrangeAccount(test);
    await arrangeEndpoint(test, account);
    for (const subject of ['a', 'b']) {
      await transact((tx) => publishEvent(tx, account, { type: eventType, subject, data: {} }));
    }
  });
  afterEach(() => test.drop());

  async function migrating(work: 'up' | 'down'): Promise<void> {
    const source = createDataSource({ url: test.url, pool: 1, applicationName: 'signalpost-test' });
    const runner = (await source.initialize()).createQueryRunner();
    await new Leases1764000008000()[work](runner);
    await source.destroy();
  }

  const chains = (condition: string) =>
    test.query<{ id: string }>(`select id from chain where ${condition} order by id`);

  it('lets workers of the version before settle what they claimed, and sends the rest again', async () => {
    const { read, transact } = await test.open();
    const [one, other] = await claimAll(read);
    await test.query('delete from lease');
    // As the version before claimed, before the migration or while its last workers run.
    await test.query(`update chain set ready = false, due_at = now() + interval '1 minute'`);
    expect(await claimAll(read)).to.deep.equal([]);
    const ended = await transact((tx) => settle(tx, [end(one!, outcomes.ok)]));
    expect(ended.settled).to.have.length(1);
    await test.query(`update chain set due_at = now() - interval '1 second'`);
    expect(await promoteDue(read)).to.include({ live: 1 });
    expect((await claimAll(read)).map(({ chainId }) => chainId)).to.deep.equal([other!.chainId]);
  });

  it('leaves claims behind that the version before ends with their leases', async () => {
    const { read } = await test.open();
    const [claim] = await claimAll(read, { slots: 1 });
    await migrating('down');
    const leased = 'lease_token is not null and not ready';
    const soon = `due_at between now() + interval '50 s' and now() + interval '60 s'`;
    expect(await chains(`${leased} and ${soon}`)).to.deep.equal([{ id: claim!.chainId }]);
    expect(await chains('ready and lease_token is null')).to.have.length(1);
    await migrating('up');
    expect(await chains(`${leased} and ${soon}`)).to.have.length(1);
  });
});
