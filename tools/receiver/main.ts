import { once } from 'node:events';
import { Command } from 'commander';
import { isSet, loadConfig, processEnvironment } from '../../src/config/config.js';
import { errorMessage, explainError, OperatorError } from '../../src/process/explain-error.js';
import { type ReceivedDelivery, type Receiver, startReceiver } from './receiver.js';
import type { RegisteredEndpoint } from './registered.js';
import { integer } from '../command-line/option-types.js';
import { runCommand } from '../command-line/run-command.js';

interface Options {
  readonly port: number;
  readonly secret: string[];
  readonly status: number;
  readonly fail: number;
  readonly body: boolean;
  readonly trigger?: string;
}

const command = new Command('receiver')
  .description(
    'Runs an HTTPS receiver on loopback that prints each event and whether its signature is verified.',
  )
  .option('--port <port>', 'port to listen on', integer(0, 65_535), 9443)
  .option(
    '--secret <secret...>',
    'signing secret of the endpoint; several during a rotation; default: found in DATA_DIR',
    [],
  )
  .option('--trigger <type>', 'event type of a test event to send to the endpoint at the start')
  .option('--status <status>', 'status of the responses', integer(200, 599), 200)
  .option(
    '--fail <count>',
    'number of first requests to fail with status 500',
    integer(0, 1_000),
    0,
  )
  .option('--no-body', 'do not print bodies');
const options = command.parse().opts<Options>();

let failures = options.fail;
let url = '';
const finds = options.secret.length === 0 && !isSet(processEnvironment, 'DATABASE_URL');
await runCommand(async () => {
  const receiver = await start();
  url = receiver.url;
  process.stdout.write(`Receiving at ${url} (Ctrl-C stops it)\n`);
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  try {
    await begin();
    await stopped;
  } finally {
    await receiver.close();
  }
});

/** Says which endpoint it is, or what to do, and sends the test event. */
async function begin(): Promise<void> {
  const { trigger: type } = options;
  if (!finds) {
    if (type !== undefined) {
      throw new OperatorError('--trigger works without --secret and DATABASE_URL only.');
    }
    if (options.secret.length === 0) {
      process.stdout.write('Pass --secret whsec_… to verify signatures.\n');
    }
    return;
  }
  const [endpoint] = await find();
  if (endpoint) {
    process.stdout.write(`It is ${endpoint.id} of ${endpoint.account}; its secret is known.\n`);
  } else {
    const advice = `No endpoint has this URL. Register it with the request that npm start prints.`;
    if (type !== undefined) throw new OperatorError(advice);
    process.stdout.write(`${advice} The receiver finds its secret then.\n`);
  }
  if (endpoint && type !== undefined) {
    const { trigger } = await import('./registered.js');
    await trigger(endpoint, type);
  }
}

/** The endpoints of this receiver; none, and the reason on standard error, when they cannot be read. */
async function find(): Promise<readonly RegisteredEndpoint[]> {
  try {
    // Loaded only here: with --secret the receiver needs no database.
    const { findRegistered } = await import('./registered.js');
    return await findRegistered(url);
  } catch (error) {
    process.stderr.write(`${explainError(error) ?? errorMessage(error)}\n`);
    return [];
  }
}

async function findSecrets(): Promise<readonly string[]> {
  return (await find()).flatMap(({ secrets }) => secrets);
}

async function start(): Promise<Receiver> {
  try {
    return await startReceiver({
      dataDir: loadConfig().dataDir,
      port: options.port,
      secrets: options.secret,
      ...(finds && { findSecrets }),
      answer,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new OperatorError(`Port ${options.port} is in use. Choose another with --port.`, {
      cause: error,
    });
  }
}

function answer(delivery: ReceivedDelivery): number {
  const status = failures > 0 ? 500 : options.status;
  failures -= 1;
  print(delivery, status);
  return status;
}

function print(delivery: ReceivedDelivery, status: number): void {
  const { verification } = delivery;
  const verdict = verification.verified ? 'verified' : `NOT VERIFIED: ${verification.reason}`;
  process.stdout.write(
    `${delivery.eventType} ${delivery.eventId} attempt ${delivery.attempt} → ${status} (${verdict})\n`,
  );
  if (options.body) process.stdout.write(`  ${delivery.body}\n`);
}
