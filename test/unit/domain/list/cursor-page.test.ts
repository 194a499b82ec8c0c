import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { openCursor, sealCursor } from '../../../../src/domain/list/cursor-page.js';
import { DomainError } from '../../../../src/domain/errors.js';

const key = randomBytes(32);
const keys = [key] as const;
const scope = { list: 'endpoints', account: 'acc_1', filter: 'active' };
const position = ['2026-11-20T12:00:00.000Z', 'whs_0000000000000000000000AB'];

function refusal(cursor: string, other: Partial<typeof scope> = {}, otherKey = key): unknown {
  try {
    openCursor([otherKey], { ...scope, ...other }, cursor);
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, errors: error.errors };
    throw error;
  }
  return undefined;
}

const invalid = {
  code: 'validation_failed',
  errors: [{ code: 'invalid_cursor', detail: 'Invalid cursor.', param: 'cursor' }],
};

describe('cursors', () => {
  it('H34: a cursor returns the position that it seals, in at most 512 base64url characters', () => {
    const cursor = sealCursor(keys, scope, position);
    expect(cursor).to.match(/^[A-Za-z0-9_-]{1,512}$/);
    expect(openCursor(keys, scope, cursor)).to.deep.equal(position);
  });

  it('H35: every key of the ring opens a cursor', () => {
    const cursor = sealCursor(keys, scope, position);
    expect(openCursor([randomBytes(32), key], scope, cursor)).to.deep.equal(position);
    expect(sealCursor([key, randomBytes(32)], scope, position)).to.equal(cursor);
  });

  it('H36: refuses a cursor for another list, account or filter, and under another key', () => {
    const cursor = sealCursor(keys, scope, position);
    expect(refusal(cursor, { list: 'deliveries' })).to.deep.equal(invalid);
    expect(refusal(cursor, { account: 'acc_2' })).to.deep.equal(invalid);
    expect(refusal(cursor, { filter: 'inactive' })).to.deep.equal(invalid);
    expect(refusal(cursor, {}, randomBytes(32))).to.deep.equal(invalid);
    const unfiltered = sealCursor(keys, { list: 'endpoints', account: 'acc_1' }, position);
    expect(refusal(unfiltered)).to.deep.equal(invalid);
  });

  it('H36: refuses a cursor of which one character is changed, removed or added', () => {
    const cursor = sealCursor(keys, scope, position);
    fc.assert(
      fc.property(
        fc.nat(cursor.length - 1),
        fc.constantFrom('A', 'b', '-', '=', ' '),
        (at, mark) => {
          fc.pre(cursor.charAt(at) !== mark);
          expect(refusal(cursor.slice(0, at) + mark + cursor.slice(at + 1))).to.deep.equal(invalid);
          expect(refusal(cursor.slice(0, at) + mark + cursor.slice(at))).to.deep.equal(invalid);
          expect(refusal(cursor.slice(0, at) + cursor.slice(at + 1))).to.deep.equal(invalid);
        },
      ),
    );
  });

  it('H36: refuses any text that is not a cursor', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (text) => {
        expect(refusal(text)).to.deep.equal(invalid);
      }),
    );
  });
});
