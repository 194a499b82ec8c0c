import { type BareSetup, createBareDelivery, type Sent, type Taken } from '../bare-delivery.js';

/**
 * A minimal loop that delivers from PostgreSQL, in one process: it takes due pending deliveries, sends
 * them, and records them in batches.
 */
const setup = JSON.parse(process.argv[2] ?? '{}') as BareSetup & { readonly inFlight: number };
const delivery = createBareDelivery(setup);
const batch = 200;

/** Delivers until no delivery is due. @returns ms until the last record is written */
async function deliver(): Promise<number> {
  const startedAt = performance.now();
  const waiting: Taken[] = [];
  const sent: Sent[] = [];
  const writing = new Set<Promise<void>>();
  let taking: Promise<void> | undefined;
  let over = false;
  const flush = () => {
    const written = delivery.write(sent.splice(0)).finally(() => writing.delete(written));
    writing.add(written);
  };

  const takeMore = async () => {
    const rows = await delivery.take(batch);
    over = rows.length < batch;
    waiting.push(...rows);
    taking = undefined;
  };

  const lane = async () => {
    for (;;) {
      if (!over && waiting.length < batch) taking ??= takeMore();
      const next = waiting.shift();
      if (next) {
        sent.push(await delivery.post(next));
        if (sent.length >= batch) flush();
      } else if (taking) await taking;
      else if (over) return;
    }
  };

  await Promise.all(Array.from({ length: setup.inFlight }, lane));
  if (sent.length > 0) flush();
  await Promise.all(writing);

  return performance.now() - startedAt;
}

process.on('message', () => {
  void deliver().then((elapsedMs) => process.send?.({ elapsedMs }));
});
process.once('disconnect', () => process.exit());
process.send?.({});
