import { expect } from 'chai';
import { clampPageSize, offsetOf, paginationOf } from '../../../src/domain/commerce/entry-list.js';
import { DomainError } from '../../../src/domain/errors.js';

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
