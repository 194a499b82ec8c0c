import { expect } from 'chai';
import type { Context } from '../../../../src/graphql/context.js';
import type { ExecuteText } from '../../../../src/http/graphql/known-documents.js';
import { LazyServer } from '../../../../src/http/graphql/lazy-server.js';
import { mediaTypes } from '../../../../src/http/graphql/media-type.js';

describe('LazyServer', () => {
  const post = { headers: {}, accept: mediaTypes[0], body: {} };
  const context = {} as Context;
  let starts: number;
  let stops: number;
  let fails: boolean;
  let server: LazyServer;

  beforeEach(() => {
    starts = 0;
    stops = 0;
    fails = false;
    const execute: ExecuteText = () => Promise.resolve({ status: 200, headers: {}, text: '{}' });
    server = new LazyServer(() => {
      starts += 1;
      if (fails) return Promise.reject(new Error('no module'));
      return Promise.resolve({ execute, stop: () => Promise.resolve(void (stops += 1)) });
    });
  });

  it('starts once, with the first operation', async () => {
    expect(starts).to.equal(0);
    await Promise.all([server.execute(post, context), server.execute(post, context)]);
    await server.execute(post, context);
    await server.stop();
    expect([starts, stops]).to.deep.equal([1, 1]);
  });

  it('starts again with the next operation after a failed start', async () => {
    fails = true;
    const failure = await server.execute(post, context).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no module');
    fails = false;
    expect(await server.execute(post, context)).to.have.property('text', '{}');
    expect(starts).to.equal(2);
  });

  it('stops nothing when it never started', async () => {
    await server.stop();
    expect([starts, stops]).to.deep.equal([0, 0]);
  });
});
