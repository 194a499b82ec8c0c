import { type Config, type Environment, isSet } from './config.js';
import { isLoopback } from './loopback.js';

/**
 * What to say to an operator who left out BASE_URL where others than this machine are to reach the
 * service; undefined when nothing is to be said. What it begins is in events, which never change.
 */
export function baseUrlWarning(
  environment: Environment,
  { baseUrl, host }: Pick<Config, 'baseUrl' | 'host'>,
): string | undefined {
  if (isSet(environment, 'BASE_URL')) return undefined;
  if (!isSet(environment, 'DATABASE_URL') && isLoopback(host)) return undefined;
  return `BASE_URL is not set: URLs in events, problems, pages and mails begin with ${baseUrl}`;
}
