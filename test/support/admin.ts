import { expect } from 'chai';
import { type Ended, runProgram } from './process.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAllTests } from './teardown.js';

/** The sub-commands that have already run in their own process. */
const ran = new Set<string>();

/**
 * Runs `npm run admin -- …` with `environment`. The first run of each sub-command has its own process,
 * which must end by itself. Later runs share a process, because loading a command takes half a second.
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
  expect(ended.code, `${ended.stdout}${ended.stderr}`).to.equal(code);
  return JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
}

/** A command for the process of `admin-host.ts`. */
export interface AdminCommand {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Ends the output of each command, after the exit code on standard output. No command prints it. */
export const endOfOutput = '\0';

const program = fileURLToPath(new URL('admin-host.js', import.meta.url));
let host: ReturnType<typeof start> | undefined;
let last: Promise<unknown> = Promise.resolve();
afterAllTests(async () => {
  await last;
  host?.child.kill('SIGKILL');
  host = undefined;
});

/** Runs a command in the shared process, after the commands before it. */
function runShared(command: AdminCommand): Promise<Ended> {
  const ended = last.then(() => run(command));
  last = ended.catch(() => undefined);
  return ended;
}

async function run(command: AdminCommand): Promise<Ended> {
  const { child, streams, exit } = (host ??= start());
  const outputs = Promise.all(streams.map(outputOf));
  child.send(command);
  const [stdout = '', stderr = ''] = await outputs;
  const [, printed, code] = /^(.*?)(\d+)\0$/s.exec(stdout) ?? [];
  if (printed !== undefined)
    return { code: Number(code), stdout: printed, stderr: stderr.replace(endOfOutput, '') };
  // Arguments that commander refuses end the process.
  host = undefined;
  return { code: await exit, stdout, stderr };
}

/** Reads until the end of a command or of the process. */
function outputOf(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      stream.off('data', take).off('close', end);
      resolve(text);
    };
    const take = (chunk: string) => {
      text += chunk;
      if (text.endsWith(endOfOutput)) end();
    };
    stream.on('data', take).once('close', end);
  });
}

function start() {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const streams = [child.stdout, child.stderr].flatMap((stream) => stream ?? []);
  for (const stream of streams) stream.setEncoding('utf8');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exit = once(child, 'exit').then(([code]) => {
    process.off('exit', kill);
    return code as number | null;
  });
  return { child, streams, exit };
}
