import { listenForWakeups } from '../../src/queue/consumer.js';

/**
 * A process that listens to the queue and sends each wake-up to its parent. With `hold`, its handler
 * never returns. Arguments: database URL, Redis URL or `-`, `hold` or `pass`.
 */
const [, , databaseUrl = '', redisUrl = '-', mode] = process.argv;

listenForWakeups({
  databaseUrl,
  redisUrl: redisUrl === '-' ? undefined : redisUrl,
  kinds: ['due', 'replay'],
  onError: () => undefined,
  onWakeup: (kind) => {
    process.send?.(kind);
    return mode === 'hold' ? new Promise(() => undefined) : Promise.resolve(true);
  },
});
process.on('disconnect', () => process.exit(0));
