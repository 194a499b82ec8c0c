import { expect } from 'chai';
import * as fc from 'fast-check';
import { arrayLiteral } from '../../../../src/domain/transaction/sql.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

describe('an array literal', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const odd = fc.constantFrom('', 'NULL', 'null', '{a,b}', '"', '\\', ' ', 'a"b\\c', '\n', ',');

  it('PostgreSQL reads an array literal as the array that it was made of', async () => {
    const values = fc.array(fc.oneof(text, odd, fc.constant(null)), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(values, async (array) => {
        const [row] = await test.query<{ array: unknown }>('select $1::text[] as array', [
          arrayLiteral(array),
        ]);
        expect(row?.array).to.deep.equal(array);
      }),
      { numRuns: 200 },
    );
  });

  it('an array literal holds numbers, booleans and times as they are', () => {
    expect(arrayLiteral([1, true, null, '2026-11-21T00:00:00.000Z'])).to.equal(
      '{1,true,NULL,2026-11-21T00:00:00.000Z}',
    );
  });
});
