import { expect } from 'chai';
import { type Client, runDocument } from '../../../cli/api/client.js';
import type { Document } from '../../../cli/generated/documents.js';

describe('an operation of the command line', () => {
  const document = { id: 'd' } as Document<{ readonly sent: boolean }, object>;
  const sent = { data: { sent: true } };
  const refusal = (code: string, retryAfterSeconds: number) => ({
    data: null,
    errors: [{ message: 'Refused.', extensions: { code, detail: 'Refused.', retryAfterSeconds } }],
  });

  /** A service that gives these answers, the last one again and again. */
  const answering = (...answers: readonly unknown[]) => {
    const service = { calls: 0 };
    const call = () => {
      const answer = answers[Math.min(service.calls, answers.length - 1)];
      service.calls += 1;
      return Promise.resolve(answer as never);
    };
    const client: Client = { url: 'https://api.example', call };
    const run = () =>
      runDocument(client, document, {}).catch((error: unknown) => (error as Error).message);
    return { service, run };
  };

  it('is repeated when a rate limit has room again', async () => {
    const { service, run } = answering(refusal('rate_limit_exceeded', 0), sent);
    expect(await run()).to.deep.equal({ sent: true });
    expect(service.calls).to.equal(2);
  });

  it('is given up after four tries, after a long pause, and for other refusals', async () => {
    for (const [refused, calls] of [
      [refusal('rate_limit_exceeded', 0), 4],
      [refusal('rate_limit_exceeded', 31), 1],
      [refusal('test_limit_reached', 0), 1],
    ] as const) {
      const { service, run } = answering(refused);
      expect(await run()).to.equal('Refused.');
      expect(service.calls).to.equal(calls);
    }
  });
});
