import { freePort } from '../../tools/launcher/ports.js';
import { type ServiceProcess, startProcess, untilReady } from './process.js';
import type { Service } from './service.js';

/** Another API process of a service, with listeners of its own. */
export interface SecondApi {
  readonly url: string;
  readonly process: ServiceProcess;
}

/** Starts one more API process and waits until it is ready; end it before the service stops. */
export async function startSecondApi(service: Service): Promise<SecondApi> {
  const port = await freePort();
  const internalPort = await freePort();
  const one = startProcess('src/main.js', {
    ...service.environment,
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
  });
  await untilReady(one, `http://127.0.0.1:${internalPort}`);
  return { url: `http://127.0.0.1:${port}`, process: one };
}
