// HEALTHCHECK of the image: exits with 0 while the process of this container answers /livez. Not
// /readyz, which is 503 while PostgreSQL is down: a restart would not help.
/* global fetch, AbortSignal */
const host = process.env.INTERNAL_HOST ?? '127.0.0.1';
const address = /^(0\.0\.0\.0|::|)$/.test(host)
  ? '127.0.0.1'
  : host.includes(':')
    ? `[${host}]`
    : host;
/** A container has an API or a worker; the other port is closed. */
const ports = [process.env.INTERNAL_PORT || '8081', process.env.WORKER_PORT || '8082'];

const alive = await Promise.all(
  ports.map((port) =>
    fetch(`http://${address}:${port}/livez`, { signal: AbortSignal.timeout(4_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
);
process.exit(alive.includes(true) ? 0 : 1);
