import { expect } from 'chai';
import { isAwaitedReplay } from '../../../../src/domain/delivery/replay.js';
import { createAttemptSender } from '../../../../workers/delivery/sender.js';
import { claimOf } from '../../../support/engine.js';

describe('an attempt', () => {
  it('says of a recovery that no client waits for it', async () => {
    const post = () =>
      Promise.resolve({ outcome: { kind: 'accepted' as const, status: 200 }, durationMs: 1 });

    for (const lane of ['recovery', 'replay'] as const) {
      const attempt = createAttemptSender({
        webhookClient: { post, close: () => Promise.resolve() },
        secrets: { of: () => [] },
        contentType: 'application/json',
        keepResponses: true,
        lane,
      });

      const claim = { ...claimOf('pdl_1', 'whe_1'), replayedFrom: 'whd_1' };
      const ended = await attempt(claim, 0, new AbortController().signal);
      expect(isAwaitedReplay(ended), lane).to.equal(lane === 'replay');
    }
  });

  it('sends the bytes of its event, and what waits to be recorded holds none', async () => {
    const posted: string[] = [];
    const attempt = createAttemptSender({
      webhookClient: {
        post: (_url, _headers, body) => {
          posted.push(body.toString());
          return Promise.resolve({ outcome: { kind: 'accepted', status: 200 }, durationMs: 1 });
        },
        close: () => Promise.resolve(),
      },
      secrets: { of: () => [] },
      contentType: 'application/json',
      keepResponses: true,
    });

    const claim = claimOf('pdl_1', 'whe_1');
    const ended = await attempt(claim, 0, new AbortController().signal);

    expect(posted).to.deep.equal(['{}']);

    expect(ended.claim.event).to.deep.equal({
      id: 'evt_1',
      type: 'cart.order.completed',
      version: 'v1',
    });

    expect(ended.claim.token).to.equal(claim.token);
  });
});
