import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  releaseIsolationLock,
  acquireIsolationLock,
} from '../../../../src/domain/delivery/isolation.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const one = 2 ** 48 - 2;
const other = 7;

describe('the isolation lock', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());
  beforeEach(() => test.query(`update isolation_lock set holder = null, until = '-infinity'`));

  const take = (holder: number) => acquireIsolationLock(database.read, holder, 30_000);
  const end = (holder: number, restMs: number) =>
    releaseIsolationLock(database.read, holder, restMs);
  const pass = (ms: number) =>
    test.query(`update isolation_lock set until = until - $1 * interval '1 millisecond'`, [ms]);

  it('is one for all processes, and its holder may take it again', async () => {
    const taken = await Promise.all([take(one), take(other)]);
    expect(taken.filter((each) => each)).to.have.length(1);
    const [holder, loser] = taken[0] ? [one, other] : [other, one];
    expect(await take(holder)).to.equal(true);
    expect(await take(loser)).to.equal(false);
  });

  it('can be taken by every process when its rest is over', async () => {
    await take(one);
    await end(one, 10_000);
    expect([await take(one), await take(other)]).to.deep.equal([false, false]);
    await pass(8_000);
    expect(await take(other), 'a little too early').to.equal(false);
    await pass(3_000);
    expect(await take(other)).to.equal(true);
  });

  it('expires when its holder is gone', async () => {
    await take(one);
    await pass(28_000);
    expect(await take(other), 'a little too early').to.equal(false);
    await pass(3_000);
    expect(await take(other)).to.equal(true);
    await end(one, 0);
    expect(await take(one), 'it is not his to end any more').to.equal(false);
  });

  it('is not held for the hour by which PostgreSQL’s clock was set back', async () => {
    await take(one);
    await pass(-3_600_000);
    expect(await take(other)).to.equal(true);
    await pass(2_000);
    expect(await take(one), 'it is the other one’s now').to.equal(false);
  });
});
