import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { WorkerIdentity } from '../../src/domain/worker/heartbeats.js';

/** Names this process; random digits tell apart two with the same number in two containers. */
export function workerIdentity(roles: readonly string[]): WorkerIdentity {
  return { id: `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`, roles };
}
