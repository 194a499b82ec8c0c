import { expect } from 'chai';
import { type Ended, runProgram } from './run-program.js';
import { runShared } from './shared-admin.js';

/** Sub-commands that have run in a process of their own. */
const ran = new Set<string>();

/**
 * Runs `npm run admin -- …` with `environment`. Each sub-command has a process of its own the first time,
 * which must end by itself. Later ones share a process: it takes half a second to load a command.
 */
export function admin(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> {
  const command = args.slice(0, 2).join(' ');
  if (ran.has(command) && environment['DATABASE_URL'] !== undefined)
    return runShared({ args, environment: { PATH: process.env['PATH'], ...environment } });
  ran.add(command);
  return runProgram('tools/admin/main.js', args, environment);
}

/** Returns the value that `--json` prints on the last line. @throws AssertionError on another exit code */
export async function adminJson(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  code = 0,
): Promise<unknown> {
  const ended = await admin(environment, ...args, '--json');
  expect(ended.code, ended.stderr).to.equal(code);
  return JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
}
