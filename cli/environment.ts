import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The settings of the environment. Only this file reads `process.env`. */
export interface CliEnvironment {
  /** Takes precedence over all profiles; nothing is stored then. */
  readonly apiKey: string | undefined;
  readonly url: string | undefined;
  readonly profile: string | undefined;
  /** The proxy for https, and the hosts that bypass it. */
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
  /** The folder of the profiles. */
  readonly configDir: string;
  /** The folder of the positions of `listen`. */
  readonly stateDir: string;
}

/** Reads the environment; an empty variable counts as unset, as in the XDG specification. */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): CliEnvironment {
  const value = (name: string) => environment[name] || undefined;
  const home = value('HOME') ?? homedir();
  const folder = (name: string, fallback: string) => {
    const set = value(name);
    return join(set !== undefined && isAbsolute(set) ? set : join(home, fallback), 'signalpost');
  };

  return {
    apiKey: value('SIGNALPOST_API_KEY')?.trim(),
    url: value('SIGNALPOST_URL'),
    profile: value('SIGNALPOST_PROFILE'),
    httpsProxy: value('https_proxy') ?? value('HTTPS_PROXY'),
    noProxy: value('no_proxy') ?? value('NO_PROXY'),
    configDir: folder('XDG_CONFIG_HOME', '.config'),
    stateDir: folder('XDG_STATE_HOME', join('.local', 'state')),
  };
}

/** Returns the environment for a child process: without the key, with `added` variables. */
export function environmentWith(
  added: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, SIGNALPOST_API_KEY: undefined, ...added };
}
