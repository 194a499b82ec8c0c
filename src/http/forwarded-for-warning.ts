import type { Logger } from '../process/log.js';

/** What the log and `doctor` say when X-Forwarded-For arrives and is not used. */
export const forwardedForWarnings = {
  ignored:
    'X-Forwarded-For arrives and is ignored, because TRUSTED_PROXIES is 0. If your proxy adds it, ' +
    'all its clients share one address and its limits. Set TRUSTED_PROXIES to the number of proxies',
  invalid:
    'X-Forwarded-For has text in place of the address that the outermost trusted proxy appends. ' +
    'These clients share the address of the last proxy and its limits. Let the proxy append the ' +
    'address of its client, and set TRUSTED_PROXIES to the number of proxies',
} as const;

/** Why X-Forwarded-For of a request is not used. */
export type ForwardedForProblem = keyof typeof forwardedForWarnings;

/** Makes a handler for such requests: it counts each one, and logs each problem once. */
export function warnOnceAboutForwardedFor(
  log: Logger,
  count: (problem: ForwardedForProblem) => void,
): (problem: ForwardedForProblem) => void {
  const warned = new Set<ForwardedForProblem>();
  return (problem) => {
    count(problem);
    if (!warned.has(problem)) log.warn(forwardedForWarnings[problem]);
    warned.add(problem);
  };
}
