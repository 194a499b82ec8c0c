import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Names this process; random digits tell apart two with the same number in two containers. */
export function processName(): string {
  return `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;
}
