import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A user of this machine, by number. */
export interface UnixUser {
  readonly uid: number;
  readonly gid: number;
}

/** How a program ended. */
export interface Ended {
  readonly ok: boolean;
  /** Standard output and error, for the message when it failed. */
  readonly output: string;
}

/**
 * Runs a program to its end as `user` (as this process's own user when undefined) from the root
 * folder, since another user may not be able to enter ours. Never throws.
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
    return { ok: false, output: `${stdout}${stderr}`.trim() || (message ?? 'unknown fault') };
  }
}

/** What PostgreSQL's programs see: not our environment, not our folder. */
export const minimalEnvironment = {
  cwd: '/',
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
};
