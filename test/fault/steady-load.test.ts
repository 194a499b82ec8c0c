import { expect } from 'chai';
import { fetch } from 'undici';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { atIntervals, eventually } from '../support/eventually.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';

const megabyte = 1_048_576;
/** The first part of a run warms up: pools fill, code is compiled, the heap finds its size. */
const warmUp = 0.5;

/** Events that measure the rate of publishing. */
const measured = 100;

/** What a process and the database hold at one moment. */
interface Sample {
  readonly minutes: number;
  readonly apiBytes: number;
  readonly workerBytes: number;
  readonly handles: number;
  readonly connections: number;
}

describeServiceOnQueues('R22: steady load at half of the capacity', (create) => {
  let queue: ServiceQueue;
  let stream: ApiEventStream;

  before(async () => {
    queue = await create();
    stream = await openApiEventStream(queue);
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  async function sample(): Promise<Sample> {
    const { service } = stream;
    const read = async (address: string | undefined) => {
      const text = await (await fetch(`${address}/metrics`)).text();
      return (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
    };

    const [api, worker] = await Promise.all([
      read(service.internalUrl),
      read(service.workers[0]?.healthUrl),
    ]);

    const [row] = await service.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name like 'signalpost%'`,
    );

    return {
      minutes: performance.now() / 60_000,
      apiBytes: api('process_resident_memory_bytes'),
      workerBytes: worker('process_resident_memory_bytes'),
      handles: api('nodejs_active_handles_total') + worker('nodejs_active_handles_total'),
      connections: row?.count ?? 0,
    };
  }

  it('leaks no handles, no connections and, over ten minutes, no memory', async function () {
    const injection = new FaultInjection('steady load');
    this.timeout(injection.limitMs);

    const { acked } = stream;
    const began = performance.now();
    const enough = () => expect(acked.size).to.be.at.least(measured);
    await stream.publishUntil(eventually(enough, 'the capacity is known'));

    const everyMs = (2 * (performance.now() - began)) / acked.size;

    const samples: Sample[] = [];
    const state = { going: true };
    const sampling = injection
      .repeat(async () => samples.push(await sample()))
      .finally(() => (state.going = false));
    const publishing: Promise<unknown>[] = [];

    for await (const { going } of atIntervals(everyMs, state)) {
      if (!going) break;
      publishing.push(stream.publish());
    }

    await Promise.all([sampling, ...publishing]);

    const recorded = samples.slice(Math.floor(samples.length * warmUp));
    const first = recorded[0]!;
    const last = recorded.at(-1)!;
    const perMinute = (of: (one: Sample) => number) => slope(recorded, of) / megabyte;
    const workerPerMinute = perMinute(({ workerBytes }) => workerBytes);
    await stream.close('steady load', {
      injected: samples.length,
      figures: {
        per_second: Math.round(1_000 / everyMs),
        api_mb: Math.round(last.apiBytes / megabyte),
        api_mb_per_minute: round(perMinute(({ apiBytes }) => apiBytes)),
        worker_mb: Math.round(last.workerBytes / megabyte),
        worker_mb_per_minute: round(workerPerMinute),
        handles: last.handles,
        connections: last.connections,
      },
    });

    if (last.minutes - first.minutes > 5) expect(workerPerMinute, 'MB a minute').to.be.below(1);
    expect(last.connections, 'connections').to.be.at.most(first.connections + 3);
    expect(last.handles, 'handles').to.be.at.most(first.handles + 20);
  });
});

/** The slope by least squares, per minute. */
function slope(samples: readonly Sample[], of: (one: Sample) => number): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(samples.map(({ minutes }) => minutes));
  const level = mean(samples.map(of));
  let together = 0;
  let alone = 0;
  for (const sample of samples) {
    together += (sample.minutes - at) * (of(sample) - level);
    alone += (sample.minutes - at) ** 2;
  }
  return alone === 0 ? 0 : together / alone;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
