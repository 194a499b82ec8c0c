import type { ServiceConfig } from '../../src/config/config.js';
import { forwardedForWarnings } from '../../src/http/client-address.js';
import { type Finding, warning } from './finding.js';

const timeoutMs = 2_000;

/**
 * Warns when proxies in front of the API do not fit TRUSTED_PROXIES: none is trusted, or what they
 * append is no address. Reads the metrics of the API process at `INTERNAL_HOST:INTERNAL_PORT`; returns
 * no finding when no API runs there.
 */
export async function checkProxies(config: ServiceConfig): Promise<Finding[]> {
  const { internalHost, internalPort } = config;
  const host = internalHost.includes(':') ? `[${internalHost}]` : internalHost;
  try {
    const answer = await fetch(`http://${host}:${internalPort}/metrics`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const metrics = await answer.text();
    return Object.entries(forwardedForWarnings).flatMap(([problem, text]) => {
      const counted = new RegExp(`^signalpost_forwarded_for_${problem}_total [1-9]`, 'm');
      return counted.test(metrics) ? [warning('settings', text)] : [];
    });
  } catch {
    return [];
  }
}
