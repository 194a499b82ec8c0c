import { type Config, type Environment, isSet } from './config.js';
import { isLoopback } from './loopback.js';

/**
 * The warning for a missing BASE_URL when other machines may reach the service; else undefined. It
 * matters because sent events never change.
 */
export function baseUrlWarning(
  environment: Environment,
  { baseUrl, host }: Pick<Config, 'baseUrl' | 'host'>,
): string | undefined {
  if (isSet(environment, 'BASE_URL')) return undefined;
  if (!isSet(environment, 'DATABASE_URL') && isLoopback(host)) return undefined;
  return `BASE_URL is not set: URLs in events, problems, pages and mails start with ${baseUrl}`;
}
