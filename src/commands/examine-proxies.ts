import type { ServiceConfig } from '../config.js';
import { forwardedAdvice } from '../forwarded-advice.js';
import type { Finding } from './finding.js';

const patienceMs = 2_000;

/**
 * Asks the metrics of the API process, when there is one at `INTERNAL_HOST:INTERNAL_PORT`, whether a
 * proxy is in front that the settings do not mention. Where no API answers nothing is known.
 */
export async function examineProxies(config: ServiceConfig): Promise<Finding[]> {
  const { trustedProxies, internalHost, internalPort } = config;
  if (trustedProxies > 0) return [];
  const host = internalHost.includes(':') ? `[${internalHost}]` : internalHost;
  try {
    const answer = await fetch(`http://${host}:${internalPort}/metrics`, {
      signal: AbortSignal.timeout(patienceMs),
    });
    const found = /^signalpost_forwarded_for_ignored_total ([1-9]\d*)/m.exec(await answer.text());
    return found ? [{ subject: 'settings', level: 'warning', detail: forwardedAdvice }] : [];
  } catch {
    return [];
  }
}
