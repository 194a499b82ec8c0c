import { expect } from 'chai';
import type { Context } from '../../../src/graphql/context.js';
import type { ExecuteOperation } from '../../../src/graphql/known-documents.js';
import { LazyServer } from '../../../src/graphql/lazy-server.js';

describe('a server that is started late', () => {
  const post = { headers: {}, accept: '*/*', body: {} };
  const context = {} as Context;
  let starts: number;
  let stops: number;
  let fails: boolean;
  let server: LazyServer;

  beforeEach(() => {
    starts = 0;
    stops = 0;
    fails = false;
    const execute: ExecuteOperation = () =>
      Promise.resolve({ status: 200, headers: {}, text: '{}' });
    server = new LazyServer(() => {
      starts += 1;
      if (fails) return Promise.reject(new Error('no module'));
      return Promise.resolve({ execute, stop: () => Promise.resolve(void (stops += 1)) });
    });
  });

  it('is started once, by the first operation', async () => {
    expect(starts).to.equal(0);
    await Promise.all([server.execute(post, context), server.execute(post, context)]);
    await server.execute(post, context);
    await server.stop();
    expect([starts, stops]).to.deep.equal([1, 1]);
  });

  it('is started again after a start that failed', async () => {
    fails = true;
    const failure = await server.execute(post, context).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no module');
    fails = false;
    expect(await server.execute(post, context)).to.have.property('text', '{}');
    expect(starts).to.equal(2);
  });

  it('has nothing to stop without a request', async () => {
    await server.stop();
    expect([starts, stops]).to.deep.equal([0, 0]);
  });
});
