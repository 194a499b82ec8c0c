import type { Logger } from '../process/log.js';

/** Told in the log and by `doctor`: what it means that X-Forwarded-For arrives and is ignored. */
export const forwardedForWarning =
  'X-Forwarded-For arrives and is ignored, because TRUSTED_PROXIES is 0. If your proxy adds it, ' +
  'all its clients share one address and its limits. Set TRUSTED_PROXIES to the number of proxies';

/** Makes what is called for each such request: it calls `count`, and warns the first time. */
export function warnOnceAboutForwardedFor(log: Logger, count: () => void): () => void {
  let warned = false;
  return () => {
    count();
    if (!warned) log.warn(forwardedForWarning);
    warned = true;
  };
}
