import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type Client, runDocument } from '../api/client.js';
import { onlyEndpoint } from '../api/lists.js';
import {
  commaList,
  type KeyedOptions,
  openContext,
  perSecond,
  timestampOf,
  withCommonOptions,
  withIdempotencyKey,
} from '../command.js';
import { exitCodes, Failure } from '../failure.js';
import {
  previewRecoveryDocument,
  recoveryDocument,
  type recoveryQuery,
  startRecoveryDocument,
} from '../generated/documents.js';
import { type Printer, snakeNames } from '../output/printer.js';
import { printable } from '../output/text.js';
import { confirm } from '../terminal.js';

interface RecoverOptions extends KeyedOptions {
  readonly since: string;
  readonly until?: string;
  readonly events?: string[];
  readonly what: 'failed' | 'missed' | 'both';
  readonly rate?: number;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly yes?: boolean;
}

export function defineRecover(command: Command): void {
  withIdempotencyKey(
    withCommonOptions(command, [
      'recover --since 2h --dry-run',
      'recover whs_0VbeRhMqhfG4f350f6gHZ1hz --since 2026-11-21T09:00:00Z --what missed --yes',
    ]),
  )
    .requiredOption('--since <time>', '10m, 2h, 7d, or an RFC 3339 time; at most 30 days ago')
    .option('--until <time>', 'as --since; defaults to now')
    .option('--events <types>', 'only these types, separated by commas', commaList)
    .addOption(
      new Option('--what <what>', 'which events')
        .choices(['failed', 'missed', 'both'])
        .default('both'),
    )
    .option('--rate <n>', 'at most n deliveries per second, also written 2/s', perSecond(500))
    .option('--dry-run', 'only count the events')
    .option('--no-wait', 'do not wait for the end')
    .option('--yes', 'do not ask for confirmation')
    .action((endpoint: string | undefined, options: RecoverOptions) => recover(endpoint, options));
}

type Recovery = recoveryQuery['recovery'];

const pollMs = 1_000;

/** Counts the events, asks, starts a recovery, and shows its progress until it ends. */
async function recover(id: string | undefined, options: RecoverOptions): Promise<void> {
  const { client, print } = openContext(options);
  const endpoint = id ?? (await onlyEndpoint(client, undefined, 'give the id of one of them'));
  if (endpoint === undefined) throw new Failure('The account has no endpoint.', exitCodes.usage);

  const range = {
    endpoint,
    what: options.what,
    since: timestampOf(options.since),
    until: timestampOf(options.until),
    eventTypes: options.events ?? null,
    ratePerSecond: options.rate ?? null,
  };

  const { previewRecovery: preview } = await runDocument(client, previewRecoveryDocument, {
    input: range,
  });
  const { failed, missed, complete, estimatedSeconds } = preview;
  const uncounted = complete ? '' : ', and more that were not counted';
  const counted = `${failed} failed and ${missed} missed events${uncounted}`;
  const nothing = complete && failed + missed === 0;
  if (nothing || options.dryRun) {
    const text = nothing
      ? 'Nothing to recover.'
      : `Would send ${counted} to ${endpoint}, in about ${estimatedSeconds} s.`;
    print.line(text, snakeNames(preview));

    if (nothing) {
      print.note('Test events, and deliveries that the service still retries, do not count.');
    }

    return;
  }

  if (!options.yes) await confirm(`Send ${counted} to ${endpoint}?`);

  const input = { ...range, idempotencyKey: options.idempotencyKey ?? randomUUID() };
  const { startRecovery } = await runDocument(client, startRecoveryDocument, { input });

  if (!options.wait) {
    print.line(`Started ${startRecovery.id}.`, snakeNames(startRecovery));
    return;
  }

  print.note(`Started ${startRecovery.id}. The service sends each event when it is a minute old.`);

  const ended = await untilEnded(client, print, startRecovery.id, failed + missed);
  print.line(`${ended.id}: ${progressOf(ended)}.`, snakeNames(ended));
  if (ended.status !== 'completed') process.exitCode = exitCodes.refused;
}

/** Waits for the end; the recovery continues without this command. */
async function untilEnded(
  client: Client,
  print: Printer,
  id: string,
  total: number,
): Promise<Recovery> {
  const live = process.stderr.isTTY;
  process.once('SIGINT', () => {
    if (live) process.stderr.write('\n');
    print.note(`The service continues ${id}.`);
    process.exit(exitCodes.interrupted);
  });

  for (let last = ''; ;) {
    const { recovery } = await runDocument(client, recoveryDocument, { id });
    if (recovery.status !== 'running') {
      if (live && last !== '') process.stderr.write('\n');
      if (recovery.status === 'paused') {
        throw new Failure(`${id} is paused: ${recovery.reason ?? ''}.`);
      }
      return recovery;
    }

    const text = `${progressOf(recovery, total)}${recovery.waitsFor ? `, waiting for ${recovery.waitsFor}` : ''}`;
    if (live) process.stderr.write(`\r\u001b[K${printable(text)}`);
    else if (text !== last) print.note(text);
    last = text;
    await wait(pollMs);
  }
}

function progressOf({ status, failed, missed }: Recovery, total?: number): string {
  return `${status}, ${failed + missed}${total === undefined ? '' : ` of ${total}`} added`;
}
