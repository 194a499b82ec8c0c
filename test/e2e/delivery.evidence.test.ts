import { expect } from 'chai';
import { freePort } from '../../tools/launcher/ports.js';
import { answer, raw } from '../support/behaviours.js';
import { firstRecordedAs, makeDue, recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface Evidence {
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  readonly responseHeaders: readonly Header[] | null;
  readonly responseBody: { readonly encoding: string; readonly content: string } | null;
  readonly timings: Readonly<Record<string, number | null>>;
  readonly address: string | null;
  readonly tlsVersion: string | null;
  readonly failure: string | null;
  readonly warning: string | null;
}

interface Header {
  readonly name: string;
  readonly value: string;
}

const query = `query ($account: ID) {
  webhookDeliveries(account: $account) {
    data {
      id
      evidence {
        url requestHeaders { name value } responseHeaders { name value }
        responseBody { encoding content truncated }
        timings { lookupMs connectMs tlsMs firstByteMs totalMs } address tlsVersion failure warning
      }
    }
  }
}`;

/** Postpones the next attempt until the test is over. */
const later = { 'retry-after': '3600' };

describe('evidence of deliveries', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  afterEach(() => receiver.close());

  const evidenceOf = async (id: string) => {
    const { webhookDeliveries } = await tenant.graphql<{
      webhookDeliveries: { data: { id: string; evidence: Evidence | null }[] };
    }>(query, { account: tenant.account });
    return webhookDeliveries.data.find((each) => each.id === id)?.evidence;
  };

  it('H129, H130: is kept of a failure and of the success after it, and of no other', async () => {
    await createEndpoint(tenant.rest, { url: receiver.url('/hook?token=abc') });

    const cookie = { 'set-cookie': 'sid=1', 'content-type': 'text/plain; charset=latin1' };
    receiver.script(answer(503, { ...later, ...cookie }, Buffer.from('cassé', 'latin1')));

    const event = await tenant.publish({});
    await recordedAs(tenant.rest, event, ['failed']);
    await makeDue(service, event);

    const [failed, late] = await recordedAs(tenant.rest, event, ['failed', 'success']);
    const [prompt] = await recordedAs(tenant.rest, await tenant.publish({}), ['success']);

    const first = await evidenceOf(failed.id);
    expect(first).to.deep.include({
      url: receiver.url('/hook?token=***'),
      responseBody: { encoding: 'text', content: 'cassé', truncated: false },
      address: '127.0.0.1',
      tlsVersion: 'TLSv1.3',
      failure: 'The receiver responded with status 503.',
    });

    const names = (headers: readonly Header[] = []) => headers.map(({ name }) => name);
    expect(JSON.stringify(first?.requestHeaders)).not.to.match(/v1[=,]/);
    expect(names(first?.requestHeaders))
      .to.include('webhook-id')
      .and.not.include('webhook-signature');
    expect(names(first?.requestHeaders)).not.to.include('x-service-signature');
    expect(names(first?.responseHeaders ?? []))
      .to.include('date')
      .and.not.include('set-cookie');

    expect(first?.timings).to.have.all.keys(
      'lookupMs',
      'connectMs',
      'tlsMs',
      'firstByteMs',
      'totalMs',
    );

    expect(await evidenceOf(late.id)).to.deep.include({
      failure: null,
      warning: null,
      responseBody: { encoding: 'text', content: '', truncated: false },
    });

    expect(await evidenceOf(prompt.id)).to.equal(null);
  });

  it('H129: is kept of a success whose body the receiver leaves open, and says so', async () => {
    await createEndpoint(tenant.rest, { url: receiver.url() });
    receiver.script(raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok'));
    const { id } = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'success');
    expect(await evidenceOf(id)).to.deep.include({
      failure: null,
      warning:
        'The receiver accepted the event, but its response is incomplete. (The receiver left the body open)',
      responseBody: { encoding: 'text', content: 'ok', truncated: false },
    });
  });

  it('H131: says why an attempt failed, and nothing of a refused destination', async () => {
    const port = await freePort();
    const url = `https://127.0.0.1:${port}/`;
    const { id } = await createEndpoint(tenant.rest, { url });
    const refused = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
    expect(await evidenceOf(refused.id)).to.deep.include({
      failure: 'The receiver refused the connection. (address 127.0.0.1; ECONNREFUSED)',
      responseHeaders: null,
      responseBody: null,
    });

    const inside = 'https://10.0.0.1/';
    await service.database.query('update endpoint set url = $2 where id = $1', [id, inside]);

    const blocked = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
    expect(await evidenceOf(blocked.id)).to.deep.include({
      url: inside,
      timings: { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null },
      address: null,
      failure: 'The service may not connect to an address of this host. Nothing was sent.',
    });
  });

  it('H158: keeps the responses of a hundred attempts an hour, and the reason of all', async () => {
    receiver.always(answer(503, later, 'refused'));

    await createEndpoint(tenant.rest, {
      url: receiver.url(),
      event_types: ['cart.order.completed'],
    });

    for (let count = 0; count < 250; count += 1) await tenant.publish({});

    const { account } = tenant;
    const hours = await eventually(async () => {
      const rows = await service.database.query<{ all: number; withBody: number }>(
        `select count(*)::int as all, count(v.body)::int as "withBody"
           from delivery d join delivery_evidence v on v.delivery_id = d.id
          where d.account_id = $1 group by date_trunc('hour', d.created_at)`,
        [account],
      );
      expect(rows.reduce((sum, { all }) => sum + all, 0)).to.equal(250);
      return rows;
    }, 'all attempts are recorded');

    // Those in flight when the hundredth ended keep theirs, too.
    for (const { all, withBody } of hours) expect(withBody).to.be.within(Math.min(all, 100), 200);
  });
});
