import { listen } from '../../src/queue/listeners.js';

/**
 * A process that listens to the queue and tells its parent of each wake-up; one whose name is in
 * HOLD never returns from the first. Arguments: database URL, Redis URL or `-`, `hold` or `pass`.
 */
const [, , databaseUrl = '', redisUrl = '-', mode] = process.argv;

listen({
  databaseUrl,
  redisUrl: redisUrl === '-' ? undefined : redisUrl,
  kinds: ['due', 'replay'],
  onError: () => undefined,
  onWakeup: (kind) => {
    process.send?.(kind);
    return mode === 'hold' ? new Promise(() => undefined) : Promise.resolve();
  },
});
process.on('disconnect', () => process.exit(0));
