import { expect } from 'chai';
import {
  ClaimCursors,
  SmallClaimBackoff,
  walkOf,
} from '../../../../src/domain/delivery/claim-deliveries.js';
import { claimOf } from '../../../support/engine.js';
import { smallestId } from '../../../../src/domain/values/id.js';

describe('claim cursors', () => {
  const capacity = (slots: number, fast: readonly string[] = []) => ({
    slots,
    perEndpoint: 20,
    usedSlots: new Map<string, number>(),
    fastEndpoints: fast.map((endpointId) => ({ accountId: 'a', endpointId })),
  });

  const claims = (accountId: string, endpointId: string, count: number) =>
    Array.from({ length: count }, (_each, index) => ({
      ...claimOf(`${endpointId} ${index}`, endpointId),
      accountId,
    }));

  it('keeps the account cursor when a claim returns only fast endpoints or nothing', () => {
    const cursors = new ClaimCursors();
    cursors.advance(capacity(2), claims('m', 'slow', 2));
    expect(cursors.accountCursor).to.equal('m');
    cursors.advance(capacity(2, ['prompt']), claims('a', 'prompt', 2));
    expect(cursors.accountCursor, 'the walk began nowhere').to.equal('m');
    cursors.advance(capacity(2), []);
    expect(cursors.accountCursor, 'there was nothing').to.equal('m');
    cursors.advance(capacity(2), claims('p', 'slow', 1));
    expect(cursors.accountCursor).to.equal('p');
  });

  it('puts fast endpoints first in every other claim that names any', () => {
    const cursors = new ClaimCursors();
    const first = [capacity(2, ['prompt']), capacity(2), capacity(2, ['prompt']), capacity(2)].map(
      (asked) => {
        const { fastFirst } = cursors;
        cursors.advance(asked, []);
        return fastFirst;
      },
    );
    expect([first[0], first[2]]).to.deep.equal([false, true]);
  });
});

const now = Date.parse('2026-11-23T12:00:00Z');
const capacity = { slots: 200, perEndpoint: 2, usedSlots: new Map<string, number>() };

describe('the limits of a small claim', () => {
  it('takes at most 32 pending deliveries, and never more than any account has room for', () => {
    const most = (more: object) => new SmallClaimBackoff().limits({ ...capacity, ...more })?.most;
    expect(most({})).to.equal(32);
    expect(most({ slots: 20 })).to.equal(20);
    expect(most({ perAccount: 10 })).to.equal(10);
    const accounts = new Map([
      ['acc_1', 40],
      ['acc_2', 7],
    ]);
    expect(most({ perAccount: 50, accounts })).to.equal(7);
    expect(most({ perAccount: 50, accounts: new Map([['acc_1', 0]]) })).to.equal(undefined);
    expect(most({ slots: 3 })).to.equal(undefined);
  });

  it('takes events of the day before the last try and of the day after it', () => {
    const smallClaims = new SmallClaimBackoff();
    expect(smallClaims.limits(capacity)?.events).to.deep.equal(['', '']);
    smallClaims.tried(false, now);
    const days = ['2026-11-22T12:00:00Z', '2026-11-24T12:00:00Z'];
    const ids = days.map((day) => smallestId('evt', new Date(day)));
    expect(smallClaims.limits(capacity)?.events).to.deep.equal(ids);
  });

  it('tries a small claim again after 4 walks when more was ready, then after 8, at most 64', () => {
    const smallClaims = new SmallClaimBackoff();
    const walks: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      smallClaims.tried(true, now);
      let count = 0;
      while (!smallClaims.limits(capacity)) count += 1;
      walks.push(count);
    }

    expect(walks).to.deep.equal([4, 8, 16, 32, 64, 64]);
    smallClaims.tried(false, now);
    expect(smallClaims.limits(capacity)).not.to.equal(undefined);
    smallClaims.tried(true, now);

    let count = 0;
    while (!smallClaims.limits(capacity)) count += 1;
    expect(count).to.equal(4);
  });
});

describe('the walk of a claim', () => {
  const of = (accountId: string, ...ids: string[]) =>
    ids.map((endpointId) => ({ accountId, endpointId }));
  const rangesOf = (cursor: string, ...passed: string[]) =>
    walkOf(new Map([['a', [9, cursor]]]), 50, of('a', ...passed))['a']?.[1];

  it('walks one range without a cursor and without endpoints to skip', () => {
    expect(rangesOf('')).to.deep.equal([['', '~']]);
  });

  it('begins after the cursor, and ends with it', () => {
    expect(rangesOf('m')).to.deep.equal([
      ['m', '~'],
      ['', 'm '],
    ]);
  });

  it('walks a range between each two skipped endpoints, in the order of their bytes', () => {
    expect(rangesOf('', 'b', 'Z', 'a')).to.deep.equal([
      ['', 'Z'],
      ['Z', 'a'],
      ['a', 'b'],
      ['b', '~'],
    ]);
  });

  it('skips endpoints on both sides of the cursor, and at the cursor', () => {
    expect(rangesOf('m', 'z', 'c', 'm')).to.deep.equal([
      ['m', 'z'],
      ['z', '~'],
      ['', 'c'],
      ['c', 'm'],
      ['m', 'm '],
    ]);
  });

  it('walks no range of an account at its limit', () => {
    expect(walkOf(new Map([['a', [0, 'm']]]), 50, of('a', 'x'))).to.deep.equal({ a: [0, []] });
  });

  it('takes the capacity of an account, or the one of all accounts', () => {
    const walk = walkOf(new Map([['a', [9, '']]]), 50, of('b', 'x'));
    expect(walk).to.deep.equal({
      a: [9, [['', '~']]],
      b: [
        50,
        [
          ['', 'x'],
          ['x', '~'],
        ],
      ],
    });
  });
});
