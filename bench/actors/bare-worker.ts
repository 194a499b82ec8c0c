import { NotificationListener } from '../../src/database/connection.js';
import { gatherMs } from '../../workers/delivery/results.js';
import { type BareSetup, createBareDelivery, type Sent, type Taken } from '../bare-delivery.js';

/**
 * A minimal worker beside the route of `plain-intake`, in one process:
 * - takes due pending deliveries when the route notifies it, and never polls
 * - records together what ended within the window of Signalpost's worker
 * - answers a message when it has recorded all that it took
 */
const setup = JSON.parse(process.argv[2] ?? '{}') as BareSetup & { readonly channel: string };
const delivery = createBareDelivery(setup);
const batch = 200;
/** Taken and not recorded. The rest stays in PostgreSQL. */
const maxHeld = 2 * batch;
const sent: Sent[] = [];
let flushTimer: NodeJS.Timeout | undefined;
let held = 0;
let isDue = false;
let isTaking = false;
let isAsked = false;

async function takeDue(): Promise<void> {
  if (isTaking) return;
  isTaking = true;
  while (isDue && held <= maxHeld - batch) {
    isDue = false;
    const rows = await delivery.take(batch);
    if (rows.length === batch) isDue = true;
    held += rows.length;
    for (const taken of rows) void deliver(taken);
  }
  isTaking = false;
  answerIfIdle();
}

async function deliver(taken: Taken): Promise<void> {
  sent.push(await delivery.post(taken));
  if (sent.length >= batch) await flush();
  else flushTimer ??= setTimeout(() => void flush(), gatherMs);
}

async function flush(): Promise<void> {
  clearTimeout(flushTimer);
  flushTimer = undefined;
  const ended = sent.splice(0);
  await delivery.write(ended);
  held -= ended.length;
  void takeDue();
}

function answerIfIdle(): void {
  if (!isAsked || held > 0 || isDue) return;
  isAsked = false;
  process.send?.({});
}

let ready = false;
new NotificationListener({
  url: setup.databaseUrl,
  channels: {
    [setup.channel]: () => {
      if (!ready) process.send?.({});
      ready = true;
      isDue = true;
      void takeDue();
    },
  },
  onError: (error) => {
    throw error;
  },
});
process.on('message', () => {
  isAsked = true;
  void takeDue();
});
process.once('disconnect', () => process.exit());
