import { expect } from 'chai';
import { readEveryPage, shareReads } from '../../../dashboard/src/api/every-page.js';
import { readRefusal } from '../../../dashboard/src/api/request-error.js';

describe('readEveryPage and shareReads', () => {
  it('reads a list page by page to its end, even past an empty page, or until it has enough items', async () => {
    const pages = new Map([
      [undefined, { data: [1, 2], page: { hasMore: true, nextCursor: 'a' } }],
      ['a', { data: [], page: { hasMore: true, nextCursor: 'b' } }],
      ['b', { data: [3], page: { hasMore: false, nextCursor: null } }],
    ]);
    const items = await readEveryPage((cursor) => Promise.resolve(pages.get(cursor)!), 9);
    expect(items).to.deep.equal([1, 2, 3]);
    const some = await readEveryPage((cursor) => Promise.resolve(pages.get(cursor)!), 2);
    expect(some).to.deep.equal([1, 2]);
  });

  it('shares one read among all concurrent callers, and reads again after a change', async () => {
    let asked = 0;
    const read = shareReads(() => Promise.resolve((asked += 1)));
    expect(await Promise.all([read(0), read(0), read(1), read(1)])).to.deep.equal([1, 1, 2, 2]);
    expect(await read(1)).to.equal(3);
  });

  it('reads again after a failure', async () => {
    let asked = 0;
    const read = shareReads(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked);
    });
    expect(await read(0).catch((error: unknown) => String(error))).to.equal('Error: away');
    expect(await read(0)).to.equal(2);
  });
});

describe('readRefusal', () => {
  const issue = {
    code: 'invalid_format',
    detail: 'The url must start with https://.',
    param: 'url',
  };

  it('reads a Problem', () => {
    const body = { code: 'link_expired', title: 'Gone', detail: 'The link is old.', errors: [] };
    const error = readRefusal(body, 410);
    expect(error).to.include({ code: 'link_expired', message: 'The link is old.', status: 410 });
  });

  it('reads an error of GraphQL, with the first issue of each parameter', () => {
    const errors = [issue, { ...issue, detail: 'Another.' }, { ...issue, param: 'event_types[3]' }];
    const extensions = { code: 'validation_failed', errors };
    const body = { data: null, errors: [{ message: 'Invalid.', extensions }] };
    const error = readRefusal(body, 422);
    expect(error).to.include({ code: 'validation_failed', message: 'Invalid.' });
    expect(error?.fields).to.deep.equal({
      url: issue.detail,
      event_types: issue.detail,
      'event_types[3]': issue.detail,
    });
  });

  it('finds no refusal in an answer with data, without a body or with a text', () => {
    expect(readRefusal({ data: { viewer: {} } }, 200)).to.equal(undefined);
    expect(readRefusal(null, 204)).to.equal(undefined);
    expect(readRefusal('text', 200)).to.equal(undefined);
  });
});
