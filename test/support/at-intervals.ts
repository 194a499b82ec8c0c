/** Paces what a test does, such as a misfortune every half second; nothing waits for time with it. */
export { setInterval as atIntervals } from 'node:timers/promises';
