import { expect } from 'chai';
import type pg from 'pg';
import { checkDeliveries } from '../../../tools/doctor/check-postgres.js';

describe('checking deliveries', () => {
  /** A database with so many pending deliveries that have been open for long, as far as they are counted. */
  const withOld = (old: number) => {
    const query = (text: string) =>
      Promise.resolve({
        rows: text.startsWith('select now()')
          ? [{ now: new Date() }]
          : [{ deadLettered: 0, old, oldest: 'pdl_1' }],
      });
    return { query } as unknown as pg.Client;
  };

  it('says how many deliveries are old, or “at least” where it stopped counting', async () => {
    expect((await checkDeliveries(withOld(99_999))).detail).to.match(/^99999 pending for more/);
    const { detail } = await checkDeliveries(withOld(100_000));
    expect(detail).to.match(/^at least 100000 pending for more/);
  });
});
