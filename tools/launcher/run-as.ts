import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A user of this machine, by number. */
export interface UnixUser {
  readonly uid: number;
  readonly gid: number;
}

/** The result of a program that has ended. */
export interface Ended {
  readonly ok: boolean;
  /** Standard output and standard error; the system's message if both are empty. */
  readonly output: string;
}

/**
 * Runs a program to its end, as `user` or, if undefined, as the user of this process. It runs in the root
 * folder, because another user may be unable to enter ours. Never throws.
 */
export async function runAs(
  user: UnixUser | undefined,
  file: string,
  args: readonly string[],
): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(file, args, { ...user, ...minimalEnvironment });
    return { ok: true, output: `${stdout}${stderr}`.trim() };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Partial<Record<string, string>>;
    return { ok: false, output: `${stdout}${stderr}`.trim() || (message ?? 'unknown error') };
  }
}

/** The environment and working folder of PostgreSQL's programs, instead of ours. */
export const minimalEnvironment = {
  cwd: '/',
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
};
