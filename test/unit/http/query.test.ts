import { expect } from 'chai';
import type { DomainError } from '../../../src/domain/errors.js';
import { contract } from '../../../src/http/rest/contract.js';
import { compileQuery } from '../../../src/http/query.js';

const read = compileQuery(contract['webhooks.endpoints.list'].query!);

function issues(search: string): string[] {
  try {
    read(search);
  } catch (error) {
    return (error as DomainError).errors.map(({ code, param }) => `${code} ${param ?? '-'}`);
  }
  return [];
}

describe('compileQuery', () => {
  it('fills in the page size', () => {
    expect(read('')).to.deep.equal({ limit: 20 });
    expect(read('status=active')).to.deep.equal({ limit: 20, status: 'active' });
  });

  it('takes 1 to 100 as page size and clamps nothing (H31)', () => {
    expect(read('limit=1')).to.deep.equal({ limit: 1 });
    expect(read('limit=100&cursor=abc')).to.deep.equal({ limit: 100, cursor: 'abc' });
    for (const limit of ['0', '101', '-1', '99999999999999999999']) {
      expect(issues(`limit=${limit}`), limit).to.deep.equal(['out_of_range limit']);
    }
    for (const limit of ['a', '1.5', '1e2', '0x10', '%201', '+1', '٣']) {
      expect(issues(`limit=${limit}`), limit).to.deep.equal(['invalid_type limit']);
    }
  });

  it('refuses unknown, repeated and empty parameters, all at once (H37)', () => {
    expect(issues('limit=&status=active&status=active&sttus=active&limit')).to.have.members([
      'invalid_value limit',
      'invalid_value status',
      'unknown_parameter sttus',
    ]);
    expect(issues('cursor=')).to.deep.equal(['invalid_value cursor']);
  });

  it('does not repeat a name with a NUL character (H37, H92)', () => {
    expect(issues('li%00mit=1&sttus=1')).to.deep.equal([
      'unknown_parameter -',
      'unknown_parameter sttus',
    ]);
  });

  it('refuses a filter value that it does not know', () => {
    expect(issues('status=Active')).to.deep.equal(['invalid_value status']);
  });

  it('refuses every parameter of a list that has none', () => {
    const none = compileQuery(contract['webhooks.event_types.list'].query!);
    expect(none('')).to.deep.equal({});
    expect(() => none('limit=1')).to.throw('One or more fields were refused.');
  });
});
