import { expect } from 'chai';
import { makeId } from '../../src/domain/id.js';
import { answer } from '../support/behaviours.js';
import { firstRecordedAs, recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  deliveriesPath,
  type DeliveryBody,
  endpointsPath,
  type List,
  listDeliveries,
  refusalsOf,
} from '../support/endpoints.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const required = [
  'id',
  'attempt',
  'max_attempts',
  'status',
  'created_at',
  'event_id',
  'event_type',
  'event_version',
  'test',
];
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('webhooks.deliveries.list', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  beforeEach(async () => {
    tenant = await createTenant(service);
    ({ rest } = tenant);
  });

  const subscribe = () => createEndpoint(rest, { url: receiver.url() });
  const deliver = async (status: number) => {
    receiver.script(answer(status, { 'retry-after': '3600' }));
    const event = await tenant.publish({});
    const [record] = await recordedAs(rest, event, [status < 300 ? 'success' : 'failed']);
    return record;
  };

  /** Records without a story, made by SQL; ids of the account, newest first. */
  const arrange = async (count: number): Promise<string[]> => {
    await subscribe();
    const { id } = await deliver(200);
    const ids = Array.from({ length: count - 1 }, (_, index) =>
      makeId('whd', new Date(Date.now() - 60_000 - index * 1_000)),
    );
    for (const copy of ids) await copyRecord(id, copy);
    return [id, ...ids];
  };

  const copyRecord = (id: string, copy: string) =>
    service.database.query(
      `insert into delivery
       select (jsonb_populate_record(d, jsonb_build_object('id', $2::text))).* from delivery d where id = $1`,
      [id, copy],
    );

  const page = async (query: string) =>
    (await rest.get(`${deliveriesPath}${query}`)).body as List<DeliveryBody>;

  it('H58: shows the members that every record has, and delivered_at only after a 2xx', async () => {
    await subscribe();

    const success = await deliver(200);
    expect(success).to.have.all.keys(...required, 'delivered_at', 'duration_ms', 'response_status');

    expect(success).to.include({
      attempt: 1,
      max_attempts: 10,
      status: 'success',
      response_status: 200,
      event_type: 'cart.order.completed',
      event_version: 'v1',
      test: false,
    });

    expect(success.id).to.match(/^whd_[0-9A-Za-z]{24}$/);
    expect(success.event_id).to.match(/^evt_[0-9A-Za-z]{24}$/);
    expect(success.created_at).to.match(instant);
    expect(success.delivered_at).to.match(instant);

    const took = Date.parse(success.delivered_at ?? '') - Date.parse(success.created_at);
    expect(took).to.be.within(0, 10_000);

    const failed = await deliver(500);
    expect(failed).to.have.all.keys(...required, 'duration_ms', 'response_status');
    expect(failed).to.include({ status: 'failed', response_status: 500 });
  });

  it('H58: leaves out duration_ms where nothing was sent, and response_status where nothing came', async () => {
    const { id } = await subscribe();
    await service.database.query(`update endpoint set url = 'https://10.1.2.3/' where id = $1`, [
      id,
    ]);
    const blocked = await firstRecordedAs(rest, await tenant.publish({}), 'failed');
    expect(blocked).to.have.all.keys(...required);
    await service.database.query(`update endpoint set url = 'https://127.0.0.1:1/' where id = $1`, [
      id,
    ]);
    const refused = await firstRecordedAs(rest, await tenant.publish({}), 'failed');
    expect(refused).not.to.have.any.keys('response_status', 'delivered_at');
  });

  it('H59, A17: shows one record per attempt, each with an id of its own', async () => {
    await subscribe();
    const first = await deliver(500);
    await service.database.query(
      "update pending_delivery set due_at = date_trunc('milliseconds', now()) where event_id = $1",
      [first.event_id],
    );
    const [again, second] = await recordedAs(rest, first.event_id, ['failed', 'success']);
    expect(again).to.deep.equal(first);
    expect([first.attempt, second.attempt]).to.deep.equal([1, 2]);
    expect(second.id > first.id).to.equal(true);
    expect(second.created_at > first.created_at).to.equal(true);
  });

  it('H30: filters by each status and refuses others', async () => {
    const { id } = await subscribe();
    const success = await deliver(200);
    const abandoned = await deliver(503);

    await rest.patch(`${endpointsPath}/${id}`, { active: false });
    await rest.patch(`${endpointsPath}/${id}`, { active: true });

    const failed = await deliver(503);
    const idsOf = async (status: string) =>
      (await listDeliveries(rest, `?status=${status}`)).map((record) => record.id);
    expect(await idsOf('success')).to.deep.equal([success.id]);
    expect(await idsOf('abandoned')).to.deep.equal([abandoned.id]);
    expect(await idsOf('failed')).to.deep.equal([failed.id]);

    for (const wrong of ['pending', 'SUCCESS', 'active']) {
      const refused = await rest.get(`${deliveriesPath}?status=${wrong}`);
      expect(refusalsOf(refused)).to.deep.equal(['status: invalid_value']);
    }
  });

  it('H31: gives 20 without limit, and refuses what is no number from 1 to 100', async () => {
    const ids = await arrange(23);
    expect((await listDeliveries(rest)).map(({ id }) => id)).to.deep.equal(ids.slice(0, 20));
    expect((await listDeliveries(rest, '?limit=1')).length).to.equal(1);
    expect((await listDeliveries(rest, '?limit=100')).length).to.equal(23);
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '', '1e1']) {
      const refused = await rest.get(`${deliveriesPath}?limit=${limit}`);
      expect(refusalsOf(refused).join()).to.match(
        /^limit: (out_of_range|invalid_type|invalid_value)$/,
      );
    }
  });

  it('H32, H33, H34, A8: walks pages newest first, once each, while records are added', async () => {
    const ids = await arrange(7);
    const walked: string[] = [];
    let query = '?limit=3';
    for (let pages = 1; ; pages += 1) {
      const { data, page: at } = await page(query);
      walked.push(...data.map(({ id }) => id));
      if (pages === 1) await copyRecord(ids[0] ?? '', makeId('whd', new Date(Date.now() + 1_000)));
      expect(at.has_more).to.equal(pages < 3);

      if (!at.has_more) {
        expect(at).not.to.have.property('next_cursor');
        expect(pages).to.equal(3);
        break;
      }

      expect(at.next_cursor?.length).to.be.within(1, 512);
      query = `?limit=3&cursor=${at.next_cursor ?? ''}`;
    }

    expect(walked).to.deep.equal(ids);
  });

  it('H36: refuses a cursor that is changed, of another list or of another filter', async () => {
    await arrange(3);
    await createEndpoint(rest);

    const { next_cursor: cursor = '' } = (await page('?limit=1')).page;
    const { next_cursor: filtered = '' } = (await page('?limit=1&status=success')).page;
    const endpoints = await rest.get(`${endpointsPath}?limit=1`);
    const { next_cursor: foreign = '' } = (endpoints.body as List<object>).page;
    const other = (await createTenant(service)).rest;
    const refused = [
      await rest.get(`${deliveriesPath}?cursor=${cursor.slice(0, -2)}AA`),
      await rest.get(`${deliveriesPath}?cursor=none`),
      await rest.get(`${deliveriesPath}?cursor=${foreign}`),
      await rest.get(`${deliveriesPath}?cursor=${cursor}&status=success`),
      await rest.get(`${deliveriesPath}?cursor=${filtered}`),
      await other.get(`${deliveriesPath}?cursor=${cursor}`),
    ];
    for (const reply of refused) {
      expect(refusalsOf(reply)).to.deep.equal(['cursor: invalid_cursor']);
    }

    expect((await page(`?limit=2&cursor=${cursor}`)).data.length).to.equal(2);
  });

  it('H37, A9: refuses unknown, repeated and empty parameters, all in one answer', async () => {
    const refused = await rest.get(`${deliveriesPath}?limit=1&limit=2&status=&page=2`);
    expect(refusalsOf(refused)).to.have.members([
      'limit: invalid_value',
      'status: invalid_value',
      'page: unknown_parameter',
    ]);
  });

  it('H39: shows the records of its own account only', async () => {
    await subscribe();
    await deliver(200);
    const other = await createTenant(service);
    expect(await listDeliveries(other.rest)).to.deep.equal([]);
  });

  it('H66: shows records for 30 days', async () => {
    await subscribe();
    const { id } = await deliver(200);
    await makePartitionOfThePast();
    const day = 86_400_000;
    const idOfAge = (ms: number) => makeId('whd', new Date(Date.now() - ms));
    const young = idOfAge(30 * day - 60_000);
    for (const copy of [young, idOfAge(30 * day + 60_000)]) await copyRecord(id, copy);
    const listed = await listDeliveries(rest);
    expect(listed.map((record) => record.id)).to.deep.equal([id, young]);
  });

  async function makePartitionOfThePast(): Promise<void> {
    const [row] = await service.database.query<{ bound: string }>(
      `select min(split_part(pg_get_expr(c.relpartbound, c.oid), '''', 2)) as bound
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'delivery'::regclass and c.relname <> 'delivery_past'`,
    );
    await service.database.query(
      `create table if not exists delivery_past partition of delivery
       for values from ('whd_0') to ('${row?.bound ?? ''}')`,
    );
  }
});
