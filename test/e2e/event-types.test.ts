import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { admin, adminJson } from '../support/admin.js';
import { createCliUser } from '../support/cli.js';
import {
  createEndpoint,
  endpointInput,
  endpointsPath,
  type List,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';
import { describedTypes, summaryOf } from '../support/contract.js';

const id = 'shop.order.shipped';
const schema = { type: 'object', properties: { parcel: { type: 'string' } } };
const type = (changes: object = {}) => ({
  id,
  category: 'shop',
  summary: 'Order shipped',
  description: 'An order left.',
  offered: true,
  validation: 'enforce',
  versions: { v1: { schema, example: { parcel: 'p-1' } } },
  ...changes,
});

describe('event types of an operator', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let folder: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    receiver = await startReceiver();
    folder = mkdtempSync(join(tmpdir(), 'signalpost-event-types-'));
  });

  after(async () => {
    await receiver.close();
    rmSync(folder, { recursive: true });
    // Other tests of the shared service compare the catalogue with that of the migrations.
    await service.database.query('delete from event_type_version');
    await service.database.query(`delete from event_type where id = '${id}'`);
  });

  const file = (value: object) => {
    const path = join(folder, 'types.yaml');
    writeFileSync(path, stringify(value));
    return path;
  };

  const eventTypes = (...args: string[]) => admin(service.environment, 'event-types', ...args);

  it('H140, H142: event types are put, subscribed to over /v1, published and delivered with their dataschema', async () => {
    const put = await eventTypes('put', file(type()));
    expect(put.code, put.stderr).to.equal(0);

    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url(), event_types: [id] });
    const event = await tenant.publish({ type: id, data: { parcel: 'p-2' } });
    const request = await receiver.next(({ headers }) => headers['webhook-id'] === event);
    expect(verify(request, endpoint.signing_secret)).to.deep.include({ service: true });

    const { dataschema, data } = JSON.parse(request.body.toString()) as Record<string, string>;
    expect(data).to.deep.equal({ parcel: 'p-2' });
    expect(dataschema).to.equal(`${service.url}/schemas/events/${id}/v1`);

    const served = await fetch(String(dataschema));
    expect(served.headers.get('content-type')).to.match(/^application\/schema\+json/);
    expect(await served.json()).to.deep.equal({ $id: dataschema, ...schema });
    expect((await fetch(`${service.url}/schemas/events/${id}/v2`)).status).to.equal(404);

    const open = await fetch(`${service.url}/schemas/events/payment.dispute.opened/v1`);
    expect(await open.json()).to.include({ type: 'object' });

    const refused = await tenant
      .publish({ type: id, data: { parcel: 1 } })
      .catch((error: unknown) => error as GraphqlRefusal);
    expect(refused).to.have.nested.property('extensions.errors[0].param', 'data.parcel');
  });

  it('H165: refuses an id that the service reserves for itself', async () => {
    const reserved = await eventTypes('put', file({ ...type(), id: 'webhook.endpoint.failing2' }));
    expect(reserved.code).to.equal(1);
    expect(reserved.stderr).to.include('Must not begin with webhook.');
  });

  it('H140: refuses a change that breaks a version', async () => {
    const narrower = { schema: { ...schema, required: ['parcel'] }, example: { parcel: 'p' } };
    const broken = await eventTypes('put', file(type({ versions: { v1: narrower } })));
    expect(broken.code).to.equal(1);
    expect(broken.stderr).to.equal(
      `${id} versions.v1.schema: data.parcel: Becomes required. Add a version for it.\n`,
    );

    const input = { ...type(), versions: [{ version: 'v2', ...narrower }] };
    const mutation = `mutation ($input: PutEventTypeInput!) {
      putEventType(input: $input) { validation versions { version schema example } } }`;
    const { putEventType } = await tenant.graphql<{ putEventType: object }>(mutation, { input });
    const versions = [
      { version: 'v1', schema, example: { parcel: 'p-1' } },
      { version: 'v2', ...narrower },
    ];
    expect(putEventType).to.deep.equal({ validation: 'enforce', versions });
  });

  it('H183: signalpost prints the example of an event type, and trigger changes it', async () => {
    const { token } = await tenant.credential({ kind: 'live' });
    const user = createCliUser({ SIGNALPOST_URL: service.url, SIGNALPOST_API_KEY: token });
    try {
      const show = (...args: string[]) => user.run('event-types', 'show', id, ...args);
      const shown = await show('--example');
      expect(shown.code, shown.stderr).to.equal(0);
      expect(JSON.parse(shown.stdout)).to.deep.equal({ parcel: 'p-1' });

      const second = await show('--example', '--version', 'v2');
      expect(JSON.parse(second.stdout)).to.deep.equal({ parcel: 'p' });

      const unknown = await show('--example', '--version', 'v9');
      expect([unknown.code, unknown.stderr]).to.deep.equal([
        1,
        `${id} has no version v9. Its versions: v1, v2.\n`,
      ]);

      const trigger = ['trigger', id, '--no-endpoint', '--set'];
      const sent = await user.run(...trigger, 'parcel=p-77', '--json');
      expect(sent.code, sent.stderr).to.equal(0);

      const event = await user.run(
        'events',
        'show',
        (JSON.parse(sent.stdout) as { id: string }).id,
      );

      expect(event.stdout).to.contain('p-77');

      const mistyped = await user.run(...trigger, 'parcl=p-77');
      expect(mistyped.stderr).to.equal('Unknown path: parcl. Did you mean parcel?\n');

      const open = await user.run('event-types', 'show', 'payment.dispute.opened', '--example');
      expect(open.stderr).to.contain('has no schema');
    } finally {
      user.remove();
    }
  });

  it('H141: event types survive export and import as a YAML file, byte for byte', async () => {
    const first = join(folder, 'first.yaml');
    const second = join(folder, 'second.yaml');

    expect(await eventTypes('export', first)).to.include({ code: 0 });

    const text = readFileSync(first, 'utf8');
    expect((await eventTypes('diff', first)).stdout).to.equal('Nothing differs.\n');

    const changed = text.replace('summary: Order shipped', 'summary: Parcel sent');
    writeFileSync(first, changed);

    const dryRun = await eventTypes('apply', first, '--dry-run');
    const line = `${id}: summary: "Order shipped" becomes "Parcel sent"\n`;
    expect([dryRun.code, dryRun.stdout]).to.deep.equal([0, line]);

    const diff = await eventTypes('diff', first);
    expect([diff.code, diff.stdout]).to.deep.equal([1, line]);

    const args = ['event-types', 'apply', first];
    expect(await adminJson(service.environment, args)).to.have.property('dryRun', false);
    await eventTypes('export', second);
    expect(readFileSync(second, 'utf8')).to.equal(changed);
  });

  it('H251: refuses data that takes too many steps to compare, at once and in a test event', async () => {
    const heavyId = 'shop.order.weighed';
    const items = { allOf: Array.from({ length: 48 }, () => ({ pattern: '(.*a){20}$' })) };
    const heavy = {
      ...type({ id: heavyId }),
      versions: { v1: { schema: { properties: { texts: { items } } }, example: { texts: [] } } },
    };

    const put = await eventTypes('put', file(heavy));
    expect(put.code, put.stderr).to.equal(0);

    const data = { texts: Array.from({ length: 16 }, () => 'ab'.repeat(2_000)) };
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'sent',
        (error: unknown) => (error as GraphqlRefusal).extensions['errors'] as object[],
      );
    try {
      const tooSlow = { code: 'schema_too_slow', param: 'data' };
      const published = await codeOf(tenant.publish({ type: heavyId, data }));
      expect(published[0]).to.include(tooSlow);

      const send = 'mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }';
      const input = { account: tenant.account, type: heavyId, data };
      expect((await codeOf(tenant.graphql(send, { input })))[0]).to.include(tooSlow);
      await eventTypes('put', file({ ...heavy, validation: 'warn' }));

      // A refusal rests on what was read at most a second ago.
      await eventually(async () => {
        expect(await codeOf(tenant.publish({ type: heavyId, data }))).to.equal('sent');
      }, 'warns');
    } finally {
      await service.database.query(
        `with v as (delete from event_type_version where event_type_id = $1)
         delete from event_type where id = $1`,
        [heavyId],
      );
    }
  });

  it('H269: refuses an event type with a number that a double would change, and changes nothing', async () => {
    const path = join(folder, 'numbers.yaml');
    const example = (number: string) => {
      writeFileSync(
        path,
        stringify(type()).replace('parcel: p-1', `parcel: p-1\n      n: ${number}`),
      );
      return path;
    };

    for (const number of ['9007199254740993', '9007199254740993.0', '1e-400', '.inf', '.nan']) {
      const refused = await eventTypes('put', example(number));
      expect([refused.code, refused.stdout], number).to.deep.equal([1, '']);
      expect(refused.stderr, number).to.include(number);
    }

    for (const number of ['1e21', '9007199254740991.0', '0x1F']) {
      expect(await eventTypes('put', example(number)), number).to.include({ code: 0 });
    }

    expect(await eventTypes('put', file(type()))).to.include({ code: 0 });
  });

  it('H221: signalpost compares and puts event types with an internal token', async () => {
    const { token } = await tenant.credential({ kind: 'internal' });
    const user = createCliUser();
    try {
      const login = ['--profile', 'operator', '--url', service.internalUrl];
      const wrong = await user.type('sk_int_wrongwrongwrong', 'login', ...login);
      expect([wrong.code, wrong.stdout]).to.deep.equal([3, '']);

      const right = await user.type(token, 'login', ...login);
      expect(right.code, right.stderr).to.equal(0);

      const command = (name: string, ...args: string[]) =>
        user.run('event-types', name, ...args, '--profile', 'operator');
      const added = file({ event_types: [{ ...type(), id: 'shop.order.lost' }] });
      const news = 'shop.order.lost: is new\nshop.order.lost: v1 is new\n';
      const before = await command('diff', added, '--json');
      expect(before.code, before.stderr).to.equal(1);

      const differences = JSON.parse(before.stdout) as { changed: unknown; missing: string[] };
      expect(differences.changed).to.deep.equal([
        { id: 'shop.order.lost', changes: ['is new', 'v1 is new'] },
      ]);
      expect(differences.missing).to.include('cart.order.completed');

      const dry = await command('apply', added, '--dry-run');
      expect([dry.code, dry.stdout]).to.deep.equal([0, news]);
      expect((await command('diff', added)).stdout).to.include(news);

      const applied = await command('apply', added);
      expect([applied.code, applied.stdout]).to.deep.equal([0, news]);

      const again = await command('apply', added);
      expect([again.code, again.stdout]).to.deep.equal([0, 'No changes.\n']);

      const narrower = { schema: { ...schema, required: ['parcel'] }, example: { parcel: 'p' } };
      const broken = { ...type({ versions: { v1: narrower } }), id: 'shop.order.lost' };
      const refused = await command('apply', file({ event_types: [broken] }));
      expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
      expect(refused.stderr).to.include('shop.order.lost versions.v1.schema');

      const unreadable = await command('apply', file({ types: [] }));
      expect(unreadable.stderr).to.include('event_types: ');
    } finally {
      user.remove();
      await service.database.query(`delete from event_type_version`);
      await service.database.query(`delete from event_type where id = 'shop.order.lost'`);
    }
  });

  it('H221: refuses changes with a live key, and at the public listener', async () => {
    const live = (await tenant.credential({ kind: 'live' })).token;
    const user = createCliUser();
    try {
      const path = file({ event_types: [type()] });
      const run = (url: string) => user.with(live).run('event-types', 'apply', path, '--url', url);
      const outside = await run(service.url);
      expect(outside.code).to.equal(1);
      expect(outside.stderr).to.include('use the URL of the internal listener');
      const inside = await run(service.internalUrl);
      expect([inside.code, inside.stdout]).to.deep.equal([3, '']);
    } finally {
      user.remove();
    }
  });
});

interface EventTypeBody {
  readonly id: string;
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  readonly accepts_new_subscriptions: boolean;
  readonly sent: boolean;
}

const path = '/v1/webhooks/event-types';

describe('webhooks.event_types.list', () => {
  // Its own service, because it changes the catalogue, which all tests share.
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0 });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  async function list(): Promise<List<EventTypeBody>> {
    const reply = await tenant.rest.get(path);
    expect(reply.status).to.equal(200);
    return reply.body as List<EventTypeBody>;
  }

  it('H38, A19: shows the whole catalogue in one page, both booleans spelled out', async () => {
    const { data, page } = await list();
    expect(page).to.deep.equal({ has_more: false });

    const catalogue = await service.database.query('select id from event_type');
    expect(data).to.have.lengthOf(catalogue.length);
    expect(data).to.have.lengthOf.above(20);

    for (const type of data) {
      expect(Object.keys(type).sort()).to.deep.equal([
        'accepts_new_subscriptions',
        'category',
        'description',
        'id',
        'sent',
        'summary',
      ]);
    }

    const retired = data.filter((type) => !type.accepts_new_subscriptions).map(({ id }) => id);
    expect(retired).to.deep.equal(['order.completed']);
  });

  it('H32: orders it by category, then by id', async () => {
    const { data } = await list();
    const keys = data.map(({ category, id }) => `${category} ${id}`);
    expect(keys).to.deep.equal([...keys].sort());
  });

  it('A20: marks as sent what checkouts, refunds and offers emit, and nothing else', async () => {
    const { data } = await list();
    expect(data.filter(({ sent }) => sent).map(({ id }) => id)).to.have.members(describedTypes);
  });

  it('describes each type as openapi.yaml does', async () => {
    const { data } = await list();
    for (const { id, description } of data.filter(({ sent }) => sent)) {
      expect(summaryOf(id), id).to.equal(description);
    }
  });

  it('H37: accepts no query parameter', async () => {
    expect(refusalsOf(await tenant.rest.get(`${path}?limit=5`))).to.deep.equal([
      'limit: unknown_parameter',
    ]);
  });

  it('A9: answers 401, 403 and 422 to what it refuses', async () => {
    toProblem(await tenant.rest.as('sk_live_unknown').get(path), 401);
    const accountant = await tenant.client({ kind: 'live', role: 'accountant' });
    toProblem(await accountant.get(path), 403);
    toProblem(await tenant.rest.get(`${path}?category=orders`), 422);
  });

  it('shows a retired type as not offered, and leaves out an unlisted one', async () => {
    const { id } = await createEndpoint(tenant.rest, {
      event_types: ['offer.created', 'offer.sent'],
    });
    await tenant.graphql('mutation { retireEventType(id: "offer.created") { id } }');
    await tenant.graphql('mutation { unlistEventType(id: "offer.sent") { id } }');

    const { data } = await list();
    const ids = data.map((type) => type.id);
    expect(ids).not.to.include('offer.sent');

    const retired = data.find((type) => type.id === 'offer.created');
    expect(retired?.accepts_new_subscriptions).to.equal(false);

    const types = { event_types: ['offer.created', 'offer.sent'] };
    const refused = await tenant.rest.post(endpointsPath, endpointInput(types));
    expect(toProblem(refused, 422).errors.map(({ detail }) => detail)).to.deep.equal([
      'No longer offered for new subscriptions: offer.created',
      'Unknown event type: offer.sent',
    ]);

    const kept = await tenant.rest.patch(`${endpointsPath}/${id}`, types);
    expect(kept.status, kept.text).to.equal(200);

    const less = { event_types: ['cart.order.completed'] };
    await tenant.rest.patch(`${endpointsPath}/${id}`, less);
    toProblem(await tenant.rest.patch(`${endpointsPath}/${id}`, types), 422);
  });
});
