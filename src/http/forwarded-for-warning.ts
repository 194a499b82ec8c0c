import type { Logger } from '../process/log.js';

/** The warning of the log and of `doctor` when X-Forwarded-For arrives but no proxy is trusted. */
export const forwardedForWarning =
  'X-Forwarded-For arrives and is ignored, because TRUSTED_PROXIES is 0. If your proxy adds it, ' +
  'all its clients share one address and its limits. Set TRUSTED_PROXIES to the number of proxies';

/** Makes a handler for such requests: it counts each one and logs the warning once. */
export function warnOnceAboutForwardedFor(log: Logger, count: () => void): () => void {
  let warned = false;
  return () => {
    count();
    if (!warned) log.warn(forwardedForWarning);
    warned = true;
  };
}
