import { expect } from 'chai';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('without a collector', () => {
  it('H180: nothing is lost, and the log says why nothing is exported', async () => {
    const service = await startService({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      },
    });

    const receiver = await startReceiver();
    try {
      const tenant = await createTenant(service);
      await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
      await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
      await eventually(
        () => expect(service.api.lines.join('\n')).to.include('could not export traces'),
        'the API says that it cannot export',
      );
    } finally {
      await receiver.close();
      await service.stop();
    }
  });
});
