import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { printable } from '../../cli/output/text.js';
import { isSet, loadConfig, processEnvironment } from '../../src/config/config.js';
import { errorMessage, explainError, OperatorError } from '../../src/process/explain-error.js';
import { integer, runCommand } from '../command-line.js';
import { createEndpointCommand } from '../launcher/start-message.js';
import { type ReceivedDelivery, type Receiver, startReceiver } from './receiver.js';
import type { RegisteredEndpoint } from './registered.js';

interface Options {
  readonly port: number;
  readonly secret: string[];
  readonly status: number;
  readonly fail: number;
  readonly body: boolean;
  /** True for `--trigger` without a type. */
  readonly trigger?: string | true;
}

const exampleType = 'cart.order.completed';
/** The time between two attempts to open the database. */
const retryMs = 1_000;

const command = new Command('receiver')
  .description(
    'Runs an HTTPS receiver on loopback that prints each event and whether its signature is verified.',
  )
  .option('--port <port>', 'port to listen on', integer(0, 65_535), 9443)
  .option(
    '--secret <secret...>',
    'signing secret of the endpoint, or several during a rotation; defaults to those in DATA_DIR',
    [],
  )
  .option(
    '--trigger [type]',
    `send a test event of this type to the endpoint once it exists; defaults to ${exampleType}`,
  )
  .option('--status <status>', 'status of the responses', integer(200, 599), 200)
  .option('--fail <count>', 'fail the first <count> requests with status 500', integer(0, 1_000), 0)
  .option('--no-body', 'do not print bodies');
const options = command.parse().opts<Options>();

let failures = options.fail;
let url = '';
const findsSecrets = options.secret.length === 0 && !isSet(processEnvironment, 'DATABASE_URL');
await runCommand(async () => {
  const receiver = await start();
  url = receiver.url;
  say(`Receiving at ${url} (Ctrl-C stops it)`);

  const stop = new AbortController();
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() =>
    stop.abort(),
  );
  try {
    await begin(stop.signal);
    await stopped;
  } finally {
    await receiver.close();
  }
});

/** Names the endpoint of this receiver, or says how to create it, and sends the test event. */
async function begin(signal: AbortSignal): Promise<void> {
  const type = options.trigger === true ? exampleType : options.trigger;

  if (!findsSecrets) {
    if (type !== undefined) {
      throw new OperatorError('--trigger works only without --secret and DATABASE_URL.');
    }
    if (options.secret.length === 0) {
      say('Pass --secret whsec_… to verify signatures.');
    }
    return;
  }

  let [endpoint] = await find();
  if (!endpoint) {
    sayHowToRegister(type ?? exampleType);
    if (type === undefined) {
      say('The receiver will then find its secret.');
      return;
    }
    say('Waiting for the endpoint, to send it the test event.');
    endpoint = await awaitEndpoint(signal);
  }

  if (!endpoint) return;

  say(`Found endpoint ${endpoint.id} of ${endpoint.account} and its secret.`);

  if (type !== undefined) {
    const { trigger } = await import('./registered.js');
    await trigger(endpoint, type);
  }
}

function sayHowToRegister(eventType: string): void {
  const lines = createEndpointCommand({
    rest: loadConfig().baseUrl,
    token: '<key>',
    url,
    eventType,
    // A new key each time: a repeated key would return an endpoint that may have been deleted.
    idempotencyKey: randomUUID(),
  });

  say('No endpoint has this URL. Create one with a live key:');
  for (const line of ['', ...lines, '']) say(line);
  say('npm start prints a key when it creates the first account. For another key:');

  const makeKey = 'credentials create --account <id> --kind live --role owner';
  for (const line of ['', `  npm run admin -- ${makeKey}`, '']) say(line);
}

/** Waits for an endpoint of this receiver, even before there is a database. Returns undefined after Ctrl-C. */
async function awaitEndpoint(signal: AbortSignal): Promise<RegisteredEndpoint | undefined> {
  const { awaitRegistered } = await import('./registered.js');
  for (let last = ''; !signal.aborted;) {
    try {
      return await awaitRegistered(url, signal);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== last) sayFailure(reason);
      last = reason;
    }
    await pause(retryMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Returns the endpoints of this receiver. If they cannot be read, prints why and returns none. */
async function find(): Promise<readonly RegisteredEndpoint[]> {
  try {
    // With --secret the receiver needs no database.
    const { findRegistered } = await import('./registered.js');
    return await findRegistered(url);
  } catch (error) {
    sayFailure(reasonOf(error));
    return [];
  }
}

function reasonOf(error: unknown): string {
  return explainError(error) ?? errorMessage(error);
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
      ...(findsSecrets && { findSecrets }),
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
  const { eventType, eventId, attempt, body } = delivery;
  say(`${eventType} ${eventId} attempt ${attempt} → ${status} (${verdict})`);
  if (options.body) say(`  ${body}`);
}

function sayFailure(reason: string): void {
  process.stderr.write(`${reason.split('\n').map(printable).join('\n')}\n`);
}

/** Prints one line. Anyone on this machine may have sent what it quotes. */
function say(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}
