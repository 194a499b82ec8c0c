import { baseUrlWarning } from './base-url-warning.js';
import type { Config, Environment } from './config.js';
import { mailWarning } from './mail-warning.js';

/** Returns what a worker logs of its settings at the start, one text for each line. */
export function workerWarnings(environment: Environment, config: Config): string[] {
  const warnings = [baseUrlWarning(environment, config), mailWarning(environment, config)];
  return warnings.filter((warning) => warning !== undefined);
}
