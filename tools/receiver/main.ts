import { once } from 'node:events';
import { Command } from 'commander';
import { loadConfig } from '../../src/config/config.js';
import { OperatorError } from '../../src/process/explain-error.js';
import { type ReceivedDelivery, type Receiver, startReceiver } from './receiver.js';
import { integer } from '../command-line/option-types.js';
import { runCommand } from '../command-line/run-command.js';

interface Options {
  readonly port: number;
  readonly secret: string[];
  readonly status: number;
  readonly fail: number;
  readonly body: boolean;
}

const command = new Command('receiver')
  .description(
    'Runs an HTTPS receiver on loopback that prints each event and whether its signature is verified.',
  )
  .option('--port <port>', 'port to listen on', integer(0, 65_535), 9443)
  .option('--secret <secret...>', 'signing secret of the endpoint; several during a rotation', [])
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
await runCommand(async () => {
  const receiver = await start();
  process.stdout.write(`Receiving at ${receiver.url} (Ctrl-C stops it)\n`);
  if (options.secret.length === 0) {
    process.stdout.write('Pass --secret whsec_… to verify signatures.\n');
  }
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await receiver.close();
});

async function start(): Promise<Receiver> {
  try {
    return await startReceiver({
      dataDir: loadConfig().dataDir,
      port: options.port,
      secrets: options.secret,
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
