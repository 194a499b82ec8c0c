import type { Command } from 'commander';
import { leaf } from './leaf.js';
import type { VerifyOptions } from '../actions/verify.js';

/** Adds `verify`. */
export function addVerifyCommand(program: Command): void {
  leaf(
    program,
    'verify',
    'Says whether a signature is right, and if not why. Asks no service. Exits with 1 when it is wrong.',
    [
      "verify --secret whsec_… --header 't=1795132800,v1=4d84…' --body body.json",
      "verify --secret whsec_… --header 'v1,yugBIP…' --id evt_test_1 --timestamp 1795132800 --body body.json",
    ],
  )
    .requiredOption('--secret <secret...>', 'signing secret, whsec_…; several during a rotation')
    .requiredOption('--header <value>', 'value of X-Service-Signature or webhook-signature')
    .requiredOption('--body <file>', 'file of the raw body; - reads standard input')
    .option('--id <id>', 'value of webhook-id')
    .option('--timestamp <seconds>', 'value of webhook-timestamp')
    .option('--at <time>', 'when the request arrived: RFC 3339; defaults to now')
    .action(async (options: VerifyOptions) =>
      (await import('../actions/verify.js')).verify(options),
    );
}
