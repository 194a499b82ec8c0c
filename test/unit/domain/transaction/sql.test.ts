import { expect } from 'chai';
import {
  assignmentsOf,
  columnsOf,
  numbered,
  placeholdersOf,
  selectionOf,
} from '../../../../src/domain/transaction/sql.js';

const columns = ['url', 'eventTypes', 'createdAt'] as const;

describe('a statement of named values', () => {
  it('numbers the values of a statement in the order of their names, one number each', () => {
    const statement = numbered(
      'shop-insert',
      [...columns, 'limit'],
      ($) => `insert into shop (${columnsOf(columns)}) select ${placeholdersOf(columns, $)}
        where count < ${$.limit} and url <> ${$.url}`,
    );
    expect(statement.name).to.equal('shop-insert');
    expect(statement.text).to
      .equal(`insert into shop (url, event_types, created_at) select $1, $2, $3
        where count < $4 and url <> $1`);
    const values = { limit: 9, createdAt: 0, eventTypes: ['a'], url: 'u', other: true };
    expect(statement.values(values)).to.deep.equal(['u', ['a'], 0, 9]);
  });

  it('sets columns and selects them by the names of their properties', () => {
    const { text } = numbered('shop-update', ['id', ...columns], ($) => assignmentsOf(columns, $));
    expect(text).to.equal('url = $2, event_types = $3, created_at = $4');
    expect(selectionOf(columns)).to.equal(
      'url, event_types as "eventTypes", created_at as "createdAt"',
    );
  });
});
