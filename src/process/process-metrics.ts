import prom = require('prom-client');

/**
 * Milliseconds between two samples of the event loop. With the default of 10, a timer that fires a
 * hundred times a second takes half a percent of a core of an idle process.
 */
const eventLoopMonitoringPrecision = 50;

/** Collects what Node knows of the process: memory, processor time, event loop, garbage. */
export function collectProcessMetrics(register: prom.Registry): void {
  prom.collectDefaultMetrics({ register, eventLoopMonitoringPrecision });
}
