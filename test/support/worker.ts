import { testAuthority } from './authority.js';
import { freePort } from '../../tools/launcher/ports.js';
import { type ServiceProcess, startProcess, untilReady } from './process.js';

/** A real worker process and the URL of its health listener. */
export interface WorkerProcess extends ServiceProcess {
  readonly healthUrl: string;
}

/** Starts a worker that may deliver to loopback, and waits until it is ready. */
export async function startWorker(
  environment: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const port = await freePort();
  const worker = startProcess('workers/main.js', {
    SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    WEBHOOKS_CA_FILE: (await testAuthority()).caFile,
    WORKER_PORT: String(port),
    ...environment,
  });
  const healthUrl = `http://127.0.0.1:${port}`;
  await untilReady(worker, healthUrl);
  return Object.assign(worker, { healthUrl });
}
