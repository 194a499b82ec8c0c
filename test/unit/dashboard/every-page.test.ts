import { expect } from 'chai';
import { readEveryPage, shareReads } from '../../../dashboard/src/api/every-page.js';

describe('a list that a page needs as a whole', () => {
  it('is read until there is no more, also after an empty page, or it has enough', async () => {
    const pages = new Map([
      [undefined, { data: [1, 2], page: { hasMore: true, nextCursor: 'a' } }],
      ['a', { data: [], page: { hasMore: true, nextCursor: 'b' } }],
      ['b', { data: [3], page: { hasMore: false, nextCursor: null } }],
    ]);
    const found = await readEveryPage((cursor) => Promise.resolve(pages.get(cursor)!), 9);
    expect(found).to.deep.equal([1, 2, 3]);
    const some = await readEveryPage((cursor) => Promise.resolve(pages.get(cursor)!), 2);
    expect(some).to.deep.equal([1, 2]);
  });

  it('is read once for all that ask meanwhile, and again after a change', async () => {
    let asked = 0;
    const read = shareReads(() => Promise.resolve((asked += 1)));
    expect(await Promise.all([read(0), read(0), read(1), read(1)])).to.deep.equal([1, 1, 2, 2]);
    expect(await read(1)).to.equal(3);
  });

  it('is asked for again after a failure', async () => {
    let asked = 0;
    const read = shareReads(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked);
    });
    expect(await read(0).catch((error: unknown) => String(error))).to.equal('Error: away');
    expect(await read(0)).to.equal(2);
  });
});
