import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../api/client.js';
import { onlyEndpoint } from '../api/only-endpoint.js';
import { runDocument } from '../api/run-document.js';
import { confirm } from '../confirm.js';
import { openContext } from '../context.js';
import { exitCodes, Failure } from '../failure.js';
import {
  previewRecoveryDocument,
  recoveryDocument,
  type recoveryQuery,
  startRecoveryDocument,
} from '../generated/documents.js';
import { instantOf } from '../instant.js';
import { printable } from '../output/printable.js';
import type { Printer } from '../output/printer.js';
import { snakeNames } from '../output/snake-names.js';
import type { KeyedOptions } from './endpoints.js';

export interface RecoverOptions extends KeyedOptions {
  readonly since: string;
  readonly until?: string;
  readonly events?: string[];
  readonly what: 'failed' | 'missed' | 'both';
  readonly rate?: number;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly yes?: boolean;
}

type Recovery = recoveryQuery['recovery'];

const pollMs = 1_000;

/** Counts, asks, starts a recovery, and shows its progress until it ends. */
export async function recover(id: string | undefined, options: RecoverOptions): Promise<void> {
  const { client, print } = openContext(options);
  const endpoint = id ?? (await onlyEndpoint(client, undefined, 'give the id of one'));
  if (endpoint === undefined) throw new Failure('The account has no endpoint.', exitCodes.usage);
  const range = {
    endpoint,
    what: options.what,
    since: instantOf(options.since),
    until: instantOf(options.until),
    eventTypes: options.events ?? null,
    ratePerSecond: options.rate ?? null,
  };
  const { previewRecovery: preview } = await runDocument(client, previewRecoveryDocument, {
    input: range,
  });
  const { failed, missed, complete, estimatedSeconds } = preview;
  const counted = `${failed} failed and ${missed} missed events${complete ? '' : ', and more that were not counted'}`;
  const nothing = complete && failed + missed === 0;
  if (nothing || options.dryRun) {
    const text = nothing
      ? 'Nothing to recover.'
      : `Would send ${counted} to ${endpoint}, in about ${estimatedSeconds} s.`;
    print.line(text, snakeNames(preview));
    if (nothing)
      print.note('Test events, and deliveries that the service still retries, do not count.');
    return;
  }
  if (!options.yes) await confirm(`Send ${counted} to ${endpoint}?`);
  const input = { ...range, idempotencyKey: options.idempotencyKey ?? randomUUID() };
  const { startRecovery } = await runDocument(client, startRecoveryDocument, { input });
  if (!options.wait) {
    print.line(`Started ${startRecovery.id}.`, snakeNames(startRecovery));
    return;
  }
  print.note(`Started ${startRecovery.id}. Each event is sent when it is a minute old.`);
  const ended = await untilEnded(client, print, startRecovery.id, failed + missed);
  print.line(`${ended.id}: ${progressOf(ended)}.`, snakeNames(ended));
  if (ended.status !== 'completed') process.exitCode = exitCodes.refused;
}

/** A recovery goes on without this command. */
async function untilEnded(
  client: Client,
  print: Printer,
  id: string,
  total: number,
): Promise<Recovery> {
  const live = process.stderr.isTTY;
  process.once('SIGINT', () => {
    if (live) process.stderr.write('\n');
    print.note(`${id} goes on in the service.`);
    process.exit(exitCodes.interrupted);
  });
  for (let last = ''; ;) {
    const { recovery } = await runDocument(client, recoveryDocument, { id });
    if (recovery.status !== 'running') {
      if (live && last !== '') process.stderr.write('\n');
      if (recovery.status === 'paused')
        throw new Failure(`${id} is paused: ${recovery.reason ?? ''}.`);
      return recovery;
    }
    const text = `${progressOf(recovery)} of ${total}${recovery.waitsFor ? `, waits for ${recovery.waitsFor}` : ''}`;
    if (live) process.stderr.write(`\r\u001b[K${printable(text)}`);
    else if (text !== last) print.note(text);
    last = text;
    await wait(pollMs);
  }
}

function progressOf({ status, failed, missed }: Recovery): string {
  return `${status}, added ${failed + missed}`;
}
