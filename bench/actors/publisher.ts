import { Pool } from 'undici';
import { runAtConstantRate } from '../constant-rate.js';

interface Setup {
  /** The internal listener. */
  readonly origin: string;
  readonly token: string;
  readonly account: string;
  readonly eventType: string;
  readonly connections: number;
}

/** `perSecond` is a constant rate, independent of response times. Defaults to as fast as possible. */
interface LoadRequest {
  readonly forMs: number;
  readonly perSecond?: number;
}

export interface Published {
  readonly perSecond: number;
  /** By event: the time at which the response was read, in ms since 1970. */
  readonly accepted: Readonly<Record<string, number>>;
}

const { origin, token, account, eventType, connections } = JSON.parse(
  process.argv[2] ?? '{}',
) as Setup;
const pool = new Pool(origin, { connections });
const query = 'mutation publish($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
const data = { filler: 'x'.repeat(800) };

async function publish(accepted: Record<string, number>): Promise<void> {
  const input = { account, type: eventType, subject: 'order:bench', data };
  const response = await pool.request({
    path: '/graphql',
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const answer = (await response.body.json()) as { data?: { publishEvent: { id: string } } };
  if (!answer.data) throw new Error(JSON.stringify(answer));
  accepted[answer.data.publishEvent.id] = performance.timeOrigin + performance.now();
}

async function run({ forMs, perSecond }: LoadRequest): Promise<Published> {
  const accepted: Record<string, number> = {};
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const lane = async () => {
    while (elapsed() < forMs) await publish(accepted);
  };
  if (perSecond === undefined) {
    await Promise.all(Array.from({ length: connections }, lane));
  } else {
    await runAtConstantRate(perSecond, forMs, () => publish(accepted));
  }
  return { perSecond: (Object.keys(accepted).length / elapsed()) * 1_000, accepted };
}

process.on('message', (command: LoadRequest) => {
  void run(command).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
process.send?.({});
