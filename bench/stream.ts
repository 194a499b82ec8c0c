import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { setInterval as every } from 'node:timers/promises';
import { makeId } from '../src/domain/values/id.js';
import { eventually } from '../test/support/eventually.js';
import { residentMiB } from './actor.js';
import type { BenchService } from './bench-service.js';
import { processorMs } from './costs.js';
import { createBenchAccount, createBenchToken, eventType } from './fixtures.js';
import { quantile } from './statistics.js';

/** What streams cost a process, and how late they are. */
export interface StreamFigures {
  /** Memory of the process in MiB: with one stream, and with `idle` more. */
  readonly residentMiB: readonly [one: number, many: number];
  readonly idle: number;
  readonly published: number;
  readonly perSecond: number;
  readonly missed: number;
  readonly repeated: number;
  /** From the answer to the insert to the frame, in ms. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time for each event in µs: of the API and of PostgreSQL with the inserts. */
  readonly apiMicros: number;
  readonly postgresMicros: number;
}

interface Stream {
  readonly request: ClientRequest;
  readonly ids: string[];
}

const accountCount = 50;
const idlePerAccount = 20;
const perSecond = 2_000;
const tickMs = 50;
const bodyBytes = 1_024;
const tick = (perSecond * tickMs) / 1_000;

const insert = `
  insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
  select i.id, i.account, '${eventType}', 'v1', 'order:ord_1', false,
         convert_to('{"text":"' || repeat('x', ${bodyBytes}) || '"}', 'UTF8'),
         i.at, date_trunc('milliseconds', now())
    from unnest($1::text[], $2::text[], $3::timestamptz[]) i (id, account, at)`;

/**
 * Measures one API process: memory of 1,000 idle streams, then 2,000 events a second over the streams
 * of 50 accounts. Statements insert the events, so the figures hold nothing of publishing.
 */
export async function benchStream(
  service: BenchService,
  forMs: number,
  progress: (line: string) => void,
): Promise<StreamFigures> {
  const accounts: string[] = [];
  for (let left = accountCount; left > 0; left -= 1)
    accounts.push(await createBenchAccount(service));

  const [owner = ''] = accounts;
  const token = await createBenchToken(service, owner, 'internal');
  const api = await service.startApi();
  const seenAt = new Map<string, number>();
  const open = (account: string) => openStream(api.port, token, account, seenAt);
  const openIdle = async () => {
    const idle: Stream[] = [];
    for (const account of accounts) {
      const count = account === owner ? idlePerAccount - 1 : idlePerAccount;
      idle.push(...(await Promise.all(Array.from({ length: count }, () => open(account)))));
    }
    return idle;
  };

  // Opening them fills the young generation of the heap, as any thousand requests would.
  await close(service, await openIdle());

  const first = await open(owner);
  const one = residentMiB(api.pid);
  const idle = await openIdle();
  const many = residentMiB(api.pid);

  await close(service, [first, ...idle]);
  progress(`memory of ${idle.length} idle streams`);

  const streams = await Promise.all(accounts.map(open));
  const apiBefore = processorMs(api.pid) ?? 0;
  const postgresBefore = processorMs(service.postgresPid) ?? 0;

  const answeredAt = await publish(service, accounts, forMs);
  await eventually(() => {
    if (seenAt.size < answeredAt.size) throw new Error('Events are missing.');
  }, 'all events are there').catch(() => undefined);

  const apiAfter = processorMs(api.pid) ?? 0;
  const postgresAfter = processorMs(service.postgresPid) ?? 0;

  const ids = streams.flatMap((stream) => stream.ids);

  for (const { request } of streams) request.destroy();
  await api.end();

  const published = answeredAt.size;
  const latencies = [...answeredAt]
    .flatMap(([id, at]) => Math.max(0, (seenAt.get(id) ?? at) - at))
    .sort((left, right) => left - right);

  progress(`${published} events over ${accountCount} streams`);

  return {
    residentMiB: [one, many],
    idle: idle.length,
    published,
    perSecond: (published * 1_000) / forMs,
    missed: [...answeredAt.keys()].filter((id) => !seenAt.has(id)).length,
    repeated: ids.length - new Set(ids).size,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    apiMicros: ((apiAfter - apiBefore) * 1_000) / published,
    postgresMicros: ((postgresAfter - postgresBefore) * 1_000) / published,
  };
}

/** @returns when each event was committed, as its writer knows */
async function publish(
  service: BenchService,
  accounts: readonly string[],
  forMs: number,
): Promise<Map<string, number>> {
  const answeredAt = new Map<string, number>();
  const pending: Promise<void>[] = [];

  for await (const begunAt of every(tickMs, performance.now())) {
    if (performance.now() - begunAt > forMs) break;

    const at = new Date();
    const ids = Array.from({ length: tick }, () => makeId('evt', at));
    const times = ids.map(() => at);
    const owners = ids.map((_id, index) => accounts[index % accounts.length]);
    pending.push(
      service.query(insert, [ids, owners, times]).then(() => {
        const now = performance.now();
        for (const id of ids) answeredAt.set(id, now);
      }),
    );
  }

  await Promise.all(pending);

  return answeredAt;
}

/** Resolves once the stream has caught up. */
async function openStream(
  port: number,
  token: string,
  account: string,
  seenAt: Map<string, number>,
): Promise<Stream> {
  const ids: string[] = [];
  return new Promise((resolve, reject) => {
    const request = get({
      port,
      host: '127.0.0.1',
      path: `/stream?account=${account}`,
      agent: false,
      headers: { Authorization: `Bearer ${token}` },
    });

    request.on('error', reject);

    request.on('response', (response: IncomingMessage) => {
      let rest = '';
      response.setEncoding('utf8').on('error', () => undefined);

      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line === 'event: position') resolve({ request, ids });
          const [, id] = /^data: \{"id":"(evt_\w+)"/.exec(line) ?? [];
          if (id === undefined) continue;
          ids.push(id);
          seenAt.set(id, performance.now());
        }
      });
    });
  });
}

/** Resolves once the service has noticed, so that accounts may open as many again. */
async function close(service: BenchService, streams: readonly Stream[]): Promise<void> {
  for (const { request } of streams) request.destroy();
  await eventually(async () => {
    const slots = await service.query('select from stream_slot');
    if (slots.length > 0) throw new Error(`${slots.length} slots are taken.`);
  }, 'the slots are free');
}

/** The lines of the table about streams. */
export function streamLines(figures: StreamFigures): string[] {
  const { idle, residentMiB, published, perSecond, missed, repeated } = figures;
  const [one, many] = residentMiB;
  const late = `p50 ${figures.p50.toFixed(0)} ms, p99 ${figures.p99.toFixed(0)} ms after the commit`;
  const lost = `${missed} missed, ${repeated} repeated of ${published}`;
  const cost = `API ${figures.apiMicros.toFixed(0)} µs, PostgreSQL with inserts ${figures.postgresMicros.toFixed(0)} µs an event`;
  return [
    `| ${idle} idle streams | ${many} MiB | ${one} MiB with one | | |`,
    `| events over 50 streams | ${perSecond.toFixed(0)}/s | | | ${late}; ${lost}; ${cost} |`,
  ];
}
