import type { Read } from './tx.js';
import { channelOf, type WakeupKind } from './wakeup.js';

const signalStatement = { name: 'signal', text: `select pg_notify($1, '')` };

/** Sends a signal to all workers that listen; nothing keeps it, and it waits for no disk. */
export async function sendSignal({ sql }: Pick<Read, 'sql'>, kind: WakeupKind): Promise<void> {
  await sql(signalStatement, [channelOf(kind)]);
}
