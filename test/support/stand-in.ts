import { createServer } from 'node:http';
import pg from 'pg';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/log.js';
import { Lifecycle } from '../../src/lifecycle.js';

// Stands in for the API or the worker process where a test is about the launcher alone: it holds a
// connection to the database and a port, and ends as both do.
const config = loadConfig();
const lifecycle = new Lifecycle(createLogger('stand-in', 'silent'));
lifecycle.watchSignals();

const pool = new pg.Pool({
  connectionString: config.databaseUrl,
  application_name: 'signalpost-stand-in',
});
pool.on('error', () => undefined);
lifecycle.onStop('pool', () => pool.end());
await pool.query('select 1');

const port = process.argv[1]?.endsWith('worker.js') ? config.workerPort : config.port;
const server = createServer((_request, response) => {
  pool.query('select 1').then(
    () => response.end(String(process.pid)),
    () => response.writeHead(503).end(),
  );
});
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
});
lifecycle.onStop('server', () => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
});
const url = `http://127.0.0.1:${port}`;
lifecycle.ready({ rest: url, internal: url });
