import type { StreamFigures } from './stream.js';

/** The lines of the table about streams. */
export function streamLines(figures: StreamFigures): string[] {
  const { idle, residentMiB, published, perSecond, missed, repeated } = figures;
  const [one, many] = residentMiB;
  const late = `p50 ${figures.p50.toFixed(0)} ms, p99 ${figures.p99.toFixed(0)} ms after the commit`;
  const lost = `${missed} missed, ${repeated} repeated of ${published}`;
  const cost = `API ${figures.apiMicros.toFixed(0)} µs, PostgreSQL with inserts ${figures.postgresMicros.toFixed(0)} µs an event`;
  return [
    `| ${idle} idle streams | ${many} MiB | ${one} MiB with one | | |`,
    `| events over 50 streams | ${perSecond.toFixed(0)}/s | | | ${late}; ${lost}; ${cost} |`,
  ];
}
