/** Paces the actions of a test, such as a fault every 500 ms. Never used to wait for a result. */
export { setInterval as atIntervals } from 'node:timers/promises';
