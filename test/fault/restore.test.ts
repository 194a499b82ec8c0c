import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { type Backup, type Cluster, startCluster } from '../support/cluster.js';
import { makeDue, recordedAs, recordsOf } from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import type { PostgresServer } from '../support/postgres.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('a restore to an earlier moment', function () {
  let cluster: Cluster;
  let backup: Backup;
  let restored: PostgresServer | undefined;
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    cluster = await startCluster({ durable: true });
    backup = await cluster.backUp();
    receiver = await startReceiver();
    service = await startService({ cluster });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await restored?.stop();
    await cluster.stop();
  });

  /** The events that arrive, as often as they do. */
  const arrived: string[] = [];
  const arrives = async (event: string) => {
    while (arrived.at(-1) !== event)
      arrived.push((await receiver.next()).headers['webhook-id'] ?? '');
  };

  it('H208: sends again what was delivered since, and knows nothing that was published since', async () => {
    const tenant = await createTenant(service);
    const { id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
    const delivered = await tenant.publish({ key: 'before' });
    await arrives(delivered);
    await recordedAs(tenant.rest, delivered, ['success']);
    receiver.script(answer(503, { 'retry-after': '3600' }));

    const failed = await tenant.publish({});
    await arrives(failed);
    await recordedAs(tenant.rest, failed, ['failed']);

    const [{ moment } = { moment: '' }] = await service.database.query<{ moment: string }>(
      'select clock_timestamp()::text as moment',
    );

    await makeDue(service, failed);
    await arrives(failed);
    await recordedAs(tenant.rest, failed, ['failed', 'success']);

    const later = await tenant.publish({ key: 'after' });
    await arrives(later);
    await recordedAs(tenant.rest, later, ['success']);

    restored = await backup.restoreTo(moment);

    await eventually(async () => {
      const [row] = await service.database.query('select pg_is_in_recovery() as recovering');
      expect(row).to.deep.equal({ recovering: false });
      expect(await recordsOf(tenant.rest, later)).to.deep.equal([]);
      expect(await tenant.publish({ key: 'before' })).to.equal(delivered);
    }, 'the service uses the restored database');

    const { status } = await tenant.rest.get(`${endpointsPath}/${endpoint}`);
    expect(status).to.equal(200);
    await recordedAs(tenant.rest, failed, ['failed']);
    await makeDue(service, failed);
    await arrives(failed);
    await recordedAs(tenant.rest, failed, ['failed', 'success']);

    const again = await tenant.publish({ key: 'after' });
    await arrives(again);
    expect(again).not.to.equal(later);
    expect(arrived).to.deep.equal([delivered, failed, failed, later, failed, again]);
  });
});
