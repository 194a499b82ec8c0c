import { expect } from 'chai';
import { fetch } from 'undici';
import { RateLimits, connectRateLimitRedis } from '../../src/http/rate-limits.js';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import {
  redisMissing,
  type RedisGroup,
  startRedisCluster,
  startSentinels,
} from '../support/redis.js';

const kinds: Readonly<Record<string, () => Promise<RedisGroup>>> = {
  'a Redis Cluster of six processes': startRedisCluster,
  'a Redis that three sentinels watch': startSentinels,
};

/** Acknowledged events in each step. */
const flowing = 60;
/** The start of the queue's keys. In a cluster, keys with the same text in braces are on one server. */
const queueKey = '{bull-due}';

for (const [subject, start] of Object.entries(kinds)) {
  describe(subject, function () {
    if (redisMissing !== undefined) {
      it(redisMissing);
      return;
    }

    let group: RedisGroup;
    let stream: ApiEventStream;

    before(async () => {
      group = await start();
      stream = await openApiEventStream({ redisUrl: group.url });
    });

    after(async () => {
      await stream.drop();
      await group.stop();
    });

    async function flow(): Promise<void> {
      const before = stream.acked.size;
      await eventually(
        () => expect(stream.acked.size).to.be.at.least(before + flowing),
        'events are acknowledged',
      );
    }

    const queueIsUp = () =>
      eventually(async () => {
        for (const { healthUrl, lines } of stream.service.workers) {
          const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
          const errors = lines.filter((line) => line.includes('"err"')).slice(-3);
          expect(metrics, errors.join('\n')).to.match(/^signalpost_queue_up 1$/m);
        }
      }, 'the queue is up');

    /** As two API processes count: their accounts' keys are on the server of the queue. */
    async function withTwoLimits(
      work: (share: (what: string) => Promise<void>) => Promise<void>,
    ): Promise<void> {
      const clients = [1, 2].map(() => connectRateLimitRedis(group.url, () => undefined));
      const limits = clients.map((redis) => new RateLimits({ perMinute: 2, redis }));
      let accounts = 0;

      // Each by itself would let all four through.
      const share = (what: string) =>
        eventually(
          async () => {
            const account = `acc_${(accounts += 1)}_${queueKey}`;
            const consumed = [...limits, ...limits].map((limit) =>
              limit.consume('default', account),
            );
            const exceeded = (await Promise.all(consumed)).filter((quota) => quota.exceeded);
            expect(exceeded).to.have.lengthOf(2);
          },
          what,
          60_000,
        );
      try {
        await work(share);
      } finally {
        for (const client of clients) client.disconnect();
      }
    }

    it('H207: loses no event when the server of queue and limits is killed, and uses the next one', async () => {
      const steps = () =>
        withTwoLimits(async (share) => {
          await share('both processes count together');
          await flow();
          await queueIsUp();
          await group.failOver(queueKey);
          await flow();
          await queueIsUp();
          await share('both processes count together again');
          await flow();
        });

      await stream.publishUntil(steps());

      const { lost } = await stream.close(subject, { injected: 1 });
      expect(lost).to.equal(0);

      const { api, workers } = stream.service;
      for (const { running, lines } of [api, ...workers]) {
        expect(running, lines.slice(-3).join('\n')).to.equal(true);
      }
    });
  });
}
