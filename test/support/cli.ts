import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Ended, runProgram } from './process.js';

const entry = 'cli/main.js';
const path = fileURLToPath(new URL(`../../${entry}`, import.meta.url));

/** A user of the command line, with its own home folder. */
export interface CliUser {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  run(...args: readonly string[]): Promise<Ended>;
  /** Runs a command with `input` on standard input. */
  type(input: string, ...args: readonly string[]): Promise<Ended>;
  /** Runs a command on a terminal of that width; standard output and error arrive as one text. */
  onTerminal(columns: number, ...args: readonly string[]): Promise<Ended>;
  /** Starts a command that runs until it is ended. */
  start(...args: readonly string[]): RunningCli;
  /** Returns a user with the same home folder and another key in the environment. */
  with(key: string): Pick<CliUser, 'run'>;
  /** Removes the home folder. */
  remove(): void;
}

/** A command that runs. */
export interface RunningCli {
  stdout(): string;
  stderr(): string;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Sends a signal that does not end the command. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Whether this machine has the `script` of util-linux, which opens pseudo-terminals; that of macOS differs. */
export const canOpenTerminals =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Creates a user; `added` are further environment variables. */
export function createCliUser(added: Readonly<Record<string, string>> = {}): CliUser {
  const home = mkdtempSync(join(tmpdir(), 'signalpost-cli-'));
  const environment = { HOME: home, ...added };
  return {
    home,
    environment,
    run: (...args) => runProgram(entry, args, environment),
    async type(input, ...args) {
      const child = start(process.execPath, [path, ...args], environment);
      child.stdin.end(input);
      return ended(child);
    },
    async onTerminal(columns, ...args) {
      const words = [process.execPath, path, ...args].map((word) => `'${word}'`).join(' ');
      const command = `stty cols ${columns} rows 24; exec ${words}`;
      return ended(start('script', ['-qefc', command, '/dev/null'], environment));
    },
    start(...args) {
      const child = start(process.execPath, [path, ...args], environment);
      const kill = () => child.kill('SIGKILL');
      process.once('exit', kill);

      const output = { stdout: '', stderr: '' };

      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
      }

      const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
      return {
        stdout: () => output.stdout,
        stderr: () => output.stderr,
        ended: exit.finally(() => process.off('exit', kill)),
        signal: (name) => child.kill(name),
        end(signal) {
          child.kill(signal);
          return exit;
        },
      };
    },
    with: (key) => ({
      run: (...args) => runProgram(entry, args, { ...environment, SIGNALPOST_API_KEY: key }),
    }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function start(file: string, args: string[], environment: Readonly<Record<string, string>>) {
  return spawn(file, args, {
    env: { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', ...environment },
    stdio: 'pipe',
  });
}

async function ended(child: ReturnType<typeof start>): Promise<Ended> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** A text that rewrites a terminal: its title, colours, lines and the order of what follows. */
export const hostileText =
  '\u001b]0;owned\u0007\u001b[2J\u009b31m\b\u007fnew\r\n\u2028\u202efdp.exe\u2066\ufeff\u{e0041}\nFORGED';

/** Returns the characters that would control a terminal, and the lines that begin with forged text. */
export function unsafeIn(output: string): string[] {
  const unsafe = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\u{e0000}-\u{e007f}]/gu;
  return [...(output.match(unsafe) ?? []), ...(output.match(/^FORGED.*/gm) ?? [])];
}
