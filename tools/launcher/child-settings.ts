import { type Environment, isSet } from '../../src/config/config.js';

/**
 * The settings of the user for the processes of this `DATA_DIR`. They log short lines when a person
 * reads them, unless the user set `LOG_FORMAT`.
 * @param terminal whether the output is a terminal
 */
export function childSettings(
  environment: Environment,
  dataDir: string,
  terminal: boolean,
): Record<string, string | undefined> {
  const readable = terminal && !isSet(environment, 'LOG_FORMAT');
  return { ...environment, ...(readable && { LOG_FORMAT: 'human' }), DATA_DIR: dataDir };
}
