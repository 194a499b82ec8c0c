import { expect } from 'chai';
import { type Ended, runProgram } from './run-program.js';

/** Runs `npm run admin -- …` with `environment`. */
export function admin(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> {
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
