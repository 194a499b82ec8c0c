import { createServer } from 'node:http';
import pg from 'pg';
import { type Config, loadConfig } from '../../src/config/config.js';
import { waitForStartGate } from '../../src/process/start-gate.js';
import { Lifecycle, stopTimeouts } from '../../src/process/lifecycle.js';
import { createLogger } from '../../src/process/log.js';

/**
 * Runs a fake of the API or worker process, for tests of only the launcher. The fake holds a port and database
 * connections, responds with its pid, and stops as the real processes do.
 */
export async function runFakeProcess(
  name: string,
  portOf: (config: Config) => number,
): Promise<void> {
  await waitForStartGate();

  const config = loadConfig();
  const lifecycle = new Lifecycle(
    createLogger(name, 'silent'),
    stopTimeouts(config.webhooks.timeoutMs).processMs,
  );

  lifecycle.watchSignals();

  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    application_name: `signalpost-${name}`,
  });

  pool.on('error', () => undefined);
  await pool.query('select 1');

  lifecycle.onStop('pool', async () => {
    await pool.query('select 1');
    await pool.end();
    process.stdout.write(`${name} drained while the database was up\n`);
  });

  const server = createServer((_request, response) => {
    pool.query('select 1').then(
      () => response.end(String(process.pid)),
      () => response.writeHead(503).end(),
    );
  });

  const port = portOf(config);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  lifecycle.onStop('server', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const url = `http://127.0.0.1:${port}`;
  lifecycle.ready({ rest: url, internal: url });
}
