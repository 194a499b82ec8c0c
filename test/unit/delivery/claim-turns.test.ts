import { expect } from 'chai';
import { ClaimTurns } from '../../../src/domain/delivery/claim-turns.js';
import { claimOf } from '../../support/claims.js';

describe('turns of claims', () => {
  const room = (slots: number, prompt: readonly string[] = []) => ({
    ...{ slots, perEndpoint: 20, inFlight: new Map<string, number>() },
    prompt: prompt.map((endpointId) => ({ accountId: 'a', endpointId })),
  });
  const claims = (accountId: string, endpointId: string, count: number) =>
    Array.from({ length: count }, (_each, index) => ({
      ...claimOf(`${endpointId} ${index}`, endpointId),
      accountId,
    }));

  it('keep the place among accounts when a claim brings prompt endpoints alone, or less than it could', () => {
    const turns = new ClaimTurns();
    turns.took(room(2), claims('m', 'slow', 2));
    expect(turns.cursor).to.equal('m');
    turns.took(room(2, ['prompt']), claims('a', 'prompt', 2));
    expect(turns.cursor, 'the walk began nowhere').to.equal('m');
    turns.took(room(2), []);
    expect(turns.cursor, 'there was nothing').to.equal('m');
    turns.took(room(2), claims('p', 'slow', 1));
    expect(turns.cursor).to.equal('p');
  });

  it('put prompt endpoints first in every other claim that names any', () => {
    const turns = new ClaimTurns();
    const first = [room(2, ['prompt']), room(2), room(2, ['prompt']), room(2)].map((each) => {
      const { promptFirst } = turns;
      turns.took(each, []);
      return promptFirst;
    });
    expect([first[0], first[2]]).to.deep.equal([false, true]);
  });
});
