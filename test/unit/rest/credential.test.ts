import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { Read } from '../../../src/domain/tx.js';
import { viewerOf } from '../../../src/rest/credential.js';
import { Refused } from '../../../src/rest/problem.js';
import { RateLimits } from '../../../src/rest/rate-limit.js';

const address = '192.0.2.1';

describe('finding out who sent a request (H95)', () => {
  const valid = new Set(['sk_live_mine', 'sk_live_theirs']);
  let lookUps: number;
  let limits: RateLimits;

  beforeEach(() => {
    lookUps = 0;
    limits = new RateLimits({ perMinute: 20 });
  });

  const row = { id: 'crd_1', kind: 'live', account: 'acc_1', level: 'full', role: 'owner' };
  let asked = '';
  const read = {
    sql: () => {
      lookUps += 1;
      return Promise.resolve(valid.has(asked) ? [row] : []);
    },
  } as unknown as Read;

  async function ask(token: string, from = address): Promise<string> {
    asked = token;
    const request = {
      rawHeaders: ['Authorization', `Bearer ${token}`],
      headersDistinct: { authorization: [`Bearer ${token}`] },
    } as unknown as IncomingMessage;
    try {
      const viewer = await viewerOf({ read, limits }, { request, address: from }, ['live']);
      return viewer.account;
    } catch (error) {
      if (error instanceof Refused) return error.code;
      throw error;
    }
  }

  it('looks nothing up for an address that guesses', async () => {
    expect(await ask('sk_live_a')).to.equal('unauthorized');
    expect(await ask('sk_live_b')).to.equal('unauthorized');
    expect(lookUps).to.equal(2);
    for (let count = 0; count < 10; count += 1) {
      expect(await ask(`sk_live_${count}`)).to.equal('rate_limit_exceeded');
    }
    expect(await ask('sk_live_theirs')).to.equal('rate_limit_exceeded');
    expect(lookUps).to.equal(2);
    expect(await ask('sk_live_theirs', '192.0.2.2')).to.equal('acc_1');
  });

  it('goes on with the clients behind that address, and asks again each time', async () => {
    expect(await ask('sk_live_mine')).to.equal('acc_1');
    for (let count = 0; count < 5; count += 1) await ask(`sk_live_${count}`);
    lookUps = 0;
    expect(await ask('sk_live_mine')).to.equal('acc_1');
    valid.delete('sk_live_mine');
    expect(await ask('sk_live_mine')).to.equal('rate_limit_exceeded');
    expect(lookUps).to.equal(2);
    valid.add('sk_live_mine');
  });
});
