import { expect } from 'chai';
import { parseRange, parseRangeEnd } from '../../../../src/domain/commerce/date-range.js';
import { type Issue, DomainError } from '../../../../src/domain/errors.js';
import {
  clampPageSize,
  offsetOf,
  paginationOf,
} from '../../../../src/domain/commerce/entry-list.js';

const bound = (text: string, end: 'from' | 'to' = 'from') =>
  parseRangeEnd(text, end)?.toISOString();

describe('an end of a range of time', () => {
  it('reads a day as that whole day in UTC', () => {
    expect(bound('2024-02-29')).to.equal('2024-02-29T00:00:00.000Z');
    expect(bound('2024-02-29', 'to')).to.equal('2024-02-29T23:59:59.999Z');
    expect(bound('0001-01-01')).to.equal('0001-01-01T00:00:00.000Z');
    expect(bound('9999-12-31', 'to')).to.equal('9999-12-31T23:59:59.999Z');
  });

  it('reads a timestamp in any zone, and rounds what is finer than milliseconds inwards', () => {
    expect(bound('2026-01-01T01:30:00+01:30')).to.equal('2026-01-01T00:00:00.000Z');
    expect(bound('2025-12-31t18:30:00.5-05:30')).to.equal('2026-01-01T00:00:00.500Z');
    expect(bound('2026-01-01T00:00:00.000000001z')).to.equal('2026-01-01T00:00:00.001Z');
    expect(bound('2026-01-01T00:00:00.000999999Z', 'to')).to.equal('2026-01-01T00:00:00.000Z');
    expect(bound('2026-01-01T00:00:00.120Z', 'to')).to.equal('2026-01-01T00:00:00.120Z');
  });

  it('refuses days and times that do not exist or are spelled otherwise', () => {
    for (const text of [
      '',
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-32',
      '2026-1-1',
      '26-01-01',
      '2026-01-01T',
      '2026-01-01T24:00:00Z',
      '2026-01-01T10:60:00Z',
      '2026-01-01T10:00:60Z',
      '2026-01-01T10:00:00',
      '2026-01-01T10:00Z',
      '2026-01-01 10:00:00Z',
      '2026-01-01T10:00:00+24:00',
      '2026-01-01T10:00:00+0100',
      '2026-01-01T10:00:00.Z',
      ' 2026-01-01',
      '２０２６-01-01',
      '+002026-01-01',
      '2026-01-01\n',
    ]) {
      expect(bound(text), JSON.stringify(text)).to.equal(undefined);
    }
  });

  it('names the wrong end, and the beginning of a range whose end comes first', () => {
    const issues: Issue[] = [];
    parseRange({ name: 'created', from: 'x', to: '2026-02-30' }, issues);
    parseRange({ name: 'booked', from: '2026-01-02', to: '2026-01-01' }, issues);
    parseRange({ name: 'fine', from: '2026-01-02', to: '2026-01-02' }, issues);
    expect(issues.map(({ code, param }) => `${code} ${param ?? ''}`)).to.deep.equal([
      'invalid_format created_from',
      'invalid_format created_to',
      'invalid_value booked_from',
    ]);
  });
});

describe('a page by its number', () => {
  it('A41: returns no more items than the list allows', () => {
    expect(clampPageSize({ page: 3, perPage: 26 }, 25)).to.deep.equal({ page: 3, perPage: 25 });
    expect(clampPageSize({ page: 3, perPage: 24 }, 25)).to.deep.equal({ page: 3, perPage: 24 });
  });

  it('refuses a page or a size that is not an integer of at least 1', () => {
    for (const wrong of [0, -1, 0.5, Number.NaN, Infinity]) {
      expect(() => clampPageSize({ page: wrong, perPage: wrong }, 25))
        .to.throw(DomainError)
        .with.property('errors')
        .that.has.lengthOf(2);
    }
  });

  it('A42, A43: returns the last page for a later number, and the first page of an empty list', () => {
    const at = (page: number, count: number) => {
      const pagination = paginationOf({ page, perPage: 10 }, count);
      return [pagination.currentPage, pagination.totalPages, offsetOf(pagination)];
    };
    expect(at(1, 0)).to.deep.equal([1, 1, 0]);
    expect(at(9, 0)).to.deep.equal([1, 1, 0]);
    expect(at(2, 20)).to.deep.equal([2, 2, 10]);
    expect(at(3, 20)).to.deep.equal([2, 2, 10]);
    expect(at(3, 21)).to.deep.equal([3, 3, 20]);
  });
});
