import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { CommonOptions } from '../context.js';
import { explainSignature } from '../explain-signature.js';
import { exitCodes, Failure } from '../failure.js';
import { createPrinter } from '../output/printer.js';
import { paint } from '../output/text.js';

export interface VerifyOptions extends CommonOptions {
  readonly secret: string[];
  readonly header: string;
  readonly body: string;
  readonly id?: string;
  readonly timestamp?: string;
  readonly at?: string;
}

/** Prints whether the signature is right, and why not. */
export async function verify(options: VerifyOptions): Promise<void> {
  const print = createPrinter(options.json ?? false);
  const now = options.at === undefined ? new Date() : new Date(options.at);
  if (Number.isNaN(now.getTime())) {
    throw new Failure(
      '--at is not an RFC 3339 time, such as 2026-11-21T09:00:00Z.',
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
    const which = options.secret.length > 1 ? ` by secret ${result.secret + 1}` : '';
    print.line(paint('green', `Right: ${header} matches${which}.`), result);
    return;
  }
  print.line(paint('red', `Wrong (${result.reason}): ${result.detail}`), result);
  process.exitCode = exitCodes.refused;
}
