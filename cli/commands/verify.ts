import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type CommonOptions, withCommonOptions } from '../command.js';
import { exitCodes, Failure } from '../failure.js';
import { createPrinter } from '../output/printer.js';
import { paint } from '../output/text.js';
import { explainSignature } from '../signature.js';

interface VerifyOptions extends CommonOptions {
  readonly secret: string[];
  readonly header: string;
  readonly body: string;
  readonly id?: string;
  readonly timestamp?: string;
  readonly at?: string;
}

export function defineVerify(command: Command): void {
  withCommonOptions(command, [
    "verify --secret whsec_… --header 't=1795132800,v1=4d84…' --body body.json",
    "verify --secret whsec_… --header 'v1,yugBIP…' --id evt_test_1 --timestamp 1795132800 --body body.json",
  ])
    .requiredOption('--secret <secret...>', 'signing secret, whsec_…; several during a rotation')
    .requiredOption('--header <value>', 'value of X-Service-Signature or webhook-signature')
    .requiredOption('--body <file>', 'file with the raw body; - reads standard input')
    .option('--id <id>', 'value of webhook-id')
    .option('--timestamp <seconds>', 'value of webhook-timestamp')
    .option('--at <time>', 'RFC 3339 time at which the request arrived; defaults to now')
    .action((options: VerifyOptions) => verify(options));
}

/** Prints whether the signature is right, and why not. */
async function verify(options: VerifyOptions): Promise<void> {
  const print = createPrinter(options.json ?? false);
  const now = options.at === undefined ? new Date() : new Date(options.at);
  if (Number.isNaN(now.getTime())) {
    throw new Failure(
      '--at must be an RFC 3339 time such as 2026-11-21T09:00:00Z.',
      exitCodes.usage,
    );
  }

  const result = explainSignature({
    header: options.header,
    secrets: options.secret,
    body: options.body === '-' ? await buffer(process.stdin) : readFileSync(options.body),
    id: options.id,
    timestamp: options.timestamp,
    now,
  });
  if (result.right) {
    const header = result.form === 'service' ? 'X-Service-Signature' : 'webhook-signature';
    const which = options.secret.length > 1 ? ` secret ${result.secret + 1}` : '';
    print.line(paint('green', `Right: ${header} matches${which}.`), result);
    return;
  }

  print.line(paint('red', `Wrong (${result.reason}): ${result.detail}`), result);
  process.exitCode = exitCodes.refused;
}
