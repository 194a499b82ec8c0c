import type { ServiceConfig } from '../../src/config/config.js';
import { forwardedForWarning } from '../../src/http/forwarded-for-warning.js';
import { type Finding, warning } from './finding.js';

const timeoutMs = 2_000;

/**
 * Warns when a proxy is in front of the API and TRUSTED_PROXIES is 0. Reads the metrics of the API
 * process at `INTERNAL_HOST:INTERNAL_PORT`; returns no finding when no API runs there.
 */
export async function checkProxies(config: ServiceConfig): Promise<Finding[]> {
  const { trustedProxies, internalHost, internalPort } = config;
  if (trustedProxies > 0) return [];
  const host = internalHost.includes(':') ? `[${internalHost}]` : internalHost;
  try {
    const answer = await fetch(`http://${host}:${internalPort}/metrics`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const found = /^signalpost_forwarded_for_ignored_total ([1-9]\d*)/m.exec(await answer.text());
    return found ? [warning('settings', forwardedForWarning)] : [];
  } catch {
    return [];
  }
}
