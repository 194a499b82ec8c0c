import 'reflect-metadata';
import { expect } from 'chai';
import { SemaphoreRejected } from '../../../../src/domain/transaction/tx.js';
import type { Context } from '../../../../src/graphql/context.js';
import { EventResolver, PublishEventInput } from '../../../../src/graphql/resolvers/event.js';
import { toIssue } from '../../../../src/http/graphql/errors.js';

describe('publishEvents', () => {
  it('reports one error for many events that fail for the same reason', async () => {
    const input = Array.from({ length: 1_000 }, () => new PublishEventInput());
    const reported: unknown[] = [];
    const context = {
      publish: (requests: readonly unknown[]) =>
        Promise.resolve(requests.map(() => new SemaphoreRejected('Too many events wait.'))),
      report: (error: unknown) => void reported.push(error),
      toIssue,
    } as unknown as Context;
    const results = await new EventResolver().publishEvents(context, input, false);
    expect(results).to.have.lengthOf(1_000);
    expect(reported).to.have.lengthOf(1);
  });
});
