import { expect } from 'chai';
import { WriteRefusals, WritesRefused } from '../../../src/database/database.js';

describe('writes that PostgreSQL refuses', () => {
  it('counts a write that PostgreSQL refuses, and fails the check for a minute; other errors do neither', async () => {
    let now = 0;
    const refusals = new WriteRefusals(() => now);

    for (const sqlState of ['23505', '40001', '53300', '57P01']) refusals.observe(sqlState);
    await refusals.check();
    expect(refusals.total).to.equal(0);

    for (const sqlState of ['53100', '58030', '25006']) refusals.observe(sqlState);
    expect(refusals.total).to.equal(3);
    now = 59_999;

    const refused: unknown = await refusals.check().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(WritesRefused);
    now = 60_000;
    await refusals.check();
    expect(refusals.total).to.equal(3);
  });
});
