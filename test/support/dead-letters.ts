import { createEndpoint } from './endpoints.js';
import type { Service } from './service.js';
import type { Tenant } from './tenants.js';

/** Publishes an event and makes its delivery a dead letter. Call it while no worker runs. @returns its id */
export async function makeDeadLetter(
  service: Service,
  tenant: Tenant,
  url: string,
): Promise<string> {
  const { id: endpoint } = await createEndpoint(tenant.rest, { url });
  const event = await tenant.publish({});
  const [written] = await service.database.query<{ id: string }>(
    `update pending_delivery
        set ready = false, due_at = now(), dead_letter_reason = 'Attempts ended with their worker.'
      where endpoint_id = $1 and event_id = $2 returning id`,
    [endpoint, event],
  );
  if (!written) throw new Error('no delivery was written');
  return written.id;
}
