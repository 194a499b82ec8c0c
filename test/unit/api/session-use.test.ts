import { expect } from 'chai';
import { Authenticator } from '../../../src/api/authentication.js';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import type { Read } from '../../../src/domain/tx.js';

const viewer = { credential: 'ses_1', account: 'acc_1' } as Viewer;

describe('the use of a session', () => {
  let uses: boolean[];
  let ms: number;
  let authenticator: Authenticator;

  beforeEach(() => {
    uses = [];
    ms = 0;

    authenticator = new Authenticator({
      perMinute: 600,
      acquireSlot: () => Promise.resolve(() => undefined),
      now: () => ms,
      lookUp: {
        refuseFormat: () => undefined,
        find: (_read, _token, _hash, isUse) => {
          uses.push(isUse);
          return Promise.resolve({ viewer, validForMs: Infinity });
        },
      },
    });
  });

  const ask = (isUse: boolean) => authenticator.authenticate({} as Read, '192.0.2.1', 'x', isUse);

  it('is not noted by the recheck of a stream, and is by the next request', async () => {
    await ask(false);
    await ask(false);
    expect(uses, 'rechecks share a look-up').to.deep.equal([false]);
    await ask(true);
    expect(uses).to.deep.equal([false, true]);
    await ask(false);
    await ask(true);
    expect(uses, 'a look-up that was a use serves both').to.deep.equal([false, true]);
  });

  it('is noted by a request that arrives during a recheck', async () => {
    await Promise.all([ask(false), ask(true), ask(false), ask(true)]);
    expect(uses).to.deep.equal([false, true]);
  });
});
