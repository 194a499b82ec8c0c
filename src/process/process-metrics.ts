import prom = require('prom-client');

/**
 * Milliseconds between two samples of the event loop. Each sample wakes the process, and an idle one
 * hardly wakes for anything else. A pause that is shorter may fall between two samples.
 */
const eventLoopMonitoringPrecision = 200;

/** Collects what Node knows of the process: memory, processor time, event loop, garbage. */
export function collectProcessMetrics(register: prom.Registry): void {
  prom.collectDefaultMetrics({ register, eventLoopMonitoringPrecision });
}
