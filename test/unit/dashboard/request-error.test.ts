import { expect } from 'chai';
import { readRefusal } from '../../../dashboard/src/api/request-error.js';

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
    expect(error?.fields).to.deep.equal({ url: issue.detail, event_types: issue.detail });
  });

  it('finds no refusal in an answer with data, without a body or with a text', () => {
    expect(readRefusal({ data: { viewer: {} } }, 200)).to.equal(undefined);
    expect(readRefusal(null, 204)).to.equal(undefined);
    expect(readRefusal('text', 200)).to.equal(undefined);
  });
});
