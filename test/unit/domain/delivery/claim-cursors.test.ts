import { expect } from 'chai';
import { ClaimCursors } from '../../../../src/domain/delivery/claiming.js';
import { claimOf } from '../../../support/engine.js';

describe('claim cursors', () => {
  const capacity = (slots: number, fast: readonly string[] = []) => ({
    slots,
    perEndpoint: 20,
    inFlight: new Map<string, number>(),
    fast: fast.map((endpointId) => ({ accountId: 'a', endpointId })),
  });

  const claims = (accountId: string, endpointId: string, count: number) =>
    Array.from({ length: count }, (_each, index) => ({
      ...claimOf(`${endpointId} ${index}`, endpointId),
      accountId,
    }));

  it('keep the position among accounts when a claim brings only fast endpoints, or less than it could', () => {
    const cursors = new ClaimCursors();
    cursors.advance(capacity(2), claims('m', 'slow', 2));
    expect(cursors.cursor).to.equal('m');
    cursors.advance(capacity(2, ['prompt']), claims('a', 'prompt', 2));
    expect(cursors.cursor, 'the walk began nowhere').to.equal('m');
    cursors.advance(capacity(2), []);
    expect(cursors.cursor, 'there was nothing').to.equal('m');
    cursors.advance(capacity(2), claims('p', 'slow', 1));
    expect(cursors.cursor).to.equal('p');
  });

  it('put fast endpoints first in every other claim that names any', () => {
    const cursors = new ClaimCursors();
    const first = [capacity(2, ['prompt']), capacity(2), capacity(2, ['prompt']), capacity(2)].map(
      (each) => {
        const { fastFirst } = cursors;
        cursors.advance(each, []);
        return fastFirst;
      },
    );
    expect([first[0], first[2]]).to.deep.equal([false, true]);
  });
});
