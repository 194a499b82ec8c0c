import { Pool } from 'undici';
import { runAtConstantRate } from '../constant-rate.js';
import { quantile } from '../statistics.js';
import { sampleOf } from '../../test/support/random.js';

interface Setup {
  /** The internal listener. */
  readonly origin: string;
  readonly token: string;
  /** Used in turn, one per event. */
  readonly accounts: readonly string[];
  readonly eventType: string;
  readonly connections: number;
}

/** `perSecond` is a constant rate, independent of response times. Defaults to as fast as possible. */
interface LoadRequest {
  readonly forMs: number;
  readonly perSecond?: number;
  /** Events in one operation, `publishEvents`. Defaults to single ones, `publishEvent`. */
  readonly batch?: number;
  /** Requests at a time, when it goes as fast as possible. Defaults to one for each connection. */
  readonly lanes?: number;
}

/** Times are in ms since 1970, by event. */
export interface Published {
  readonly perSecond: number;
  readonly requestP50: number;
  readonly requestP99: number;
  /** When the request was written. */
  readonly sent: Readonly<Record<string, number>>;
  /** When the response was read. */
  readonly accepted: Readonly<Record<string, number>>;
}

interface Answer {
  readonly data?: {
    readonly publishEvent?: { readonly id: string };
    readonly publishEvents?: readonly { readonly id: string | null }[];
  };
}

const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const { origin, token, accounts, eventType, connections } = setup;
const pool = new Pool(origin, { connections });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
// Of 0.8 KB.
const data = sampleOf(eventType);
const inputs = accounts.map((account) => {
  return { account, type: eventType, subject: 'order:bench', data };
});
// Made once: the client shares the cores with what it measures.
const singles = inputs.map((input) =>
  Buffer.from(JSON.stringify({ documentId: 'publishEvent', variables: { input } })),
);

function bodies(batch: number | undefined): readonly Buffer[] {
  if (batch === undefined) return singles;
  const input = Array.from({ length: batch }, (_each, place) => inputs[place % inputs.length]);
  return [Buffer.from(JSON.stringify({ documentId: 'publishEvents', variables: { input } }))];
}

const now = () => performance.timeOrigin + performance.now();

/** Resolves with the text of the response. Uses `dispatch`, which costs less than `request`. */
function ask(body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path: '/graphql', method: 'POST', headers, body },
      {
        // Without it, undici takes this for a handler of its older interface.
        onRequestStart: () => undefined,
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(Buffer.concat(chunks).toString('utf8')),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

async function run({
  forMs,
  perSecond,
  batch,
  lanes = connections,
}: LoadRequest): Promise<Published> {
  const sent: Record<string, number> = {};
  const accepted: Record<string, number> = {};
  const requests: number[] = [];
  const available = bodies(batch);
  let turn = 0;
  const publish = async () => {
    const body = available[(turn += 1) % available.length] ?? Buffer.alloc(0);
    const sentAt = now();
    const text = await ask(body);
    const acceptedAt = now();
    const answer = (JSON.parse(text) as Answer).data;
    const events = answer?.publishEvents ?? [answer?.publishEvent];
    requests.push(acceptedAt - sentAt);
    for (const event of events) {
      if (typeof event?.id !== 'string') throw new Error(text);
      sent[event.id] = sentAt;
      accepted[event.id] = acceptedAt;
    }
  };

  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const lane = async () => {
    while (elapsed() < forMs) await publish();
  };

  if (perSecond === undefined) {
    await Promise.all(Array.from({ length: lanes }, lane));
  } else {
    await runAtConstantRate(perSecond, forMs, publish);
  }

  const count = Object.keys(accepted).length;
  return {
    perSecond: (count / elapsed()) * 1_000,
    requestP50: quantile(requests, 0.5),
    requestP99: quantile(requests, 0.99),
    sent,
    accepted,
  };
}

process.on('message', (command: LoadRequest) => {
  void run(command).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
process.send?.({});
