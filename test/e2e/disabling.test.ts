import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answer, type Behaviour } from '../support/behaviours.js';
import { recordsOf, recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  dataOf,
  type DeliveryBody,
  type EndpointBody,
  endpointsPath,
} from '../support/endpoints.js';
import { checkEvent } from '../support/contract.js';
import { eventually } from '../support/eventually.js';
import { parseMail, type MailServer, type ReceivedMail, startMailServer } from '../support/mail.js';
import { testDataDir } from '../support/process.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type Tenant, callGraphql, type GraphqlRefusal } from '../support/tenants.js';

const down = answer(500);
const gone = answer(410);

describe('automatic disabling', () => {
  let service: Service;
  let mailServer: MailServer;
  let receiver: Receiver;
  let tenant: Tenant;
  let endpoint: EndpointBody & { readonly signing_secret: string };
  let count = 0;

  before(async () => {
    mailServer = await startMailServer();
    const environment = { SMTP_URL: mailServer.url, WEBHOOKS_RETRY_SCHEDULE: '2h,2h' };
    service = await startService({ environment, workers: 2 });
  });

  after(async () => {
    await service.stop();
    await mailServer.close();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    endpoint = await createEndpoint(tenant.rest, {
      url: receiver.url('/hook'),
      notification_email: `ops${++count}@shop.example`,
      description: 'Main\r\nBcc: evil@evil.example\r\n\r\nReason: none',
    });
  });

  afterEach(() => receiver.close());

  const path = () => `${endpointsPath}/${endpoint.id}`;
  const retrieved = async () => dataOf<EndpointBody>(await tenant.rest.get(path()), 200);
  const patched = async (patch: object) =>
    dataOf<EndpointBody>(await tenant.rest.patch(path(), patch), 200);
  const disabled = (reason: string) =>
    eventually(async () => {
      const body = await retrieved();
      expect(body).to.include({ active: false, disabled_reason: reason });
      return body;
    }, `it is disabled: ${reason}`);

  /** Publishes an event that is answered by `behaviour`. @returns its id once its attempt is recorded */
  const attempted = async (behaviour: Behaviour, status: 'success' | 'failed' | 'abandoned') => {
    receiver.always(behaviour);
    const event = await tenant.publish({});
    await recordedAs(tenant.rest, event, [status]);
    return event;
  };

  /** Makes the run of failures `hours` old, with this number of failures. */
  const age = (hours: number, failures?: number) =>
    service.database.query(
      `update endpoint set failing_since = now() - $2 * interval '1 hour',
              failure_count = coalesce($3, failure_count) where id = $1`,
      [endpoint.id, hours, failures ?? null],
    );

  const run = async () => {
    const [row] = await service.database.query<{ failures: number; minutes: number | null }>(
      `select failure_count as failures,
              extract(epoch from now() - failing_since)::float8 / 60 as minutes
         from endpoint where id = $1`,
      [endpoint.id],
    );
    return row!;
  };

  const mailsTo = (to: string) => mailServer.taken.filter((mail) => mail.to.includes(to));

  /** Waits until every notice of this endpoint is sent. @returns its mails, `mails` in number */
  const notified = (mails: number): Promise<ReceivedMail[]> =>
    eventually(async () => {
      const rows = await service.database.query<{ sent: boolean }>(
        'select sent_at is not null as sent from notice where resource_id = $1',
        [endpoint.id],
      );
      expect(rows).to.deep.equal(Array.from({ length: mails }, () => ({ sent: true })));
      const arrived = mailsTo(endpoint.notification_email);
      expect(arrived).to.have.length(mails);
      return arrived;
    }, `${mails} notices are sent`);

  it('H69, H70, H72: disables after the failure that makes the run long enough in time and number', async () => {
    const early: string[] = [];
    for (let failures = 1; failures <= 9; failures += 1)
      early.push(await attempted(down, 'failed'));
    expect(await run()).to.include({ failures: 9 });
    await age(121, 8);
    early.push(await attempted(down, 'failed'));
    expect(await run()).to.include({ failures: 9 });
    await age(119.9, 50);
    early.push(await attempted(down, 'failed'));

    const before = await retrieved();
    expect(before).to.include({ active: true, disabled_reason: null });
    await age(120, 9);

    const last = await attempted(down, 'abandoned');
    const after = await disabled('consecutive_failures');
    expect(after.updated_at > before.updated_at).to.equal(true);
    for (const event of early) await recordedAs(tenant.rest, event, ['abandoned']);

    const pendingDeliveries = await service.database.query(
      'select 1 from pending_delivery where endpoint_id = $1',
      [endpoint.id],
    );

    expect(pendingDeliveries).to.deep.equal([]);

    const [warning, mail] = await notified(2);
    expect(warning?.text, 'H150').to.include('has failed since');
    expect(mail?.text).to.include('\nReason: consecutive_failures\n');
    expect(mail?.text).to.include('\nLast response status: 500\n');
    expect(receiver.requests.at(-1)?.headers['webhook-id']).to.equal(last);
  });

  const freshStarts: Record<string, () => Promise<unknown>> = {
    'a 2xx': () => attempted(answer(204), 'success'),
    'another url': () => patched({ url: receiver.url('/elsewhere') }),
    're-enabling': async () => {
      await patched({ active: false });
      await patched({ active: true });
    },
  };
  for (const [what, begin] of Object.entries(freshStarts)) {
    it(`H69, H75: counts failures from zero after ${what}`, async () => {
      await attempted(down, 'failed');
      await age(500, 100);
      await begin();
      await attempted(down, 'failed');
      const { failures, minutes } = await run();
      expect(failures).to.equal(1);
      expect(minutes).to.be.lessThan(1);
      expect(await retrieved()).to.include({ active: true, disabled_reason: null });
    });
  }

  it('H69: counts no failure of a test delivery', async () => {
    await attempted(down, 'failed');
    await age(500, 100);

    const before = await run();

    for (const behaviour of [down, gone]) {
      receiver.always(behaviour);

      const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
        'mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }',
        {
          input: {
            account: tenant.account,
            endpoint: endpoint.id,
            type: 'cart.order.completed',
          },
        },
      );
      await recordedAs(tenant.rest, sendTestEvent.id, ['abandoned']);
    }

    expect((await run()).failures).to.equal(before.failures);
    expect(await retrieved()).to.include({ active: true, disabled_reason: null });
  });

  it('H150, H151: warns before disabling, and withdraws the warning, by mails and by signed events', async () => {
    const watcher = await startReceiver();
    try {
      const types = ['failing', 'recovered', 'disabled'].map((name) => `webhook.endpoint.${name}`);
      await createEndpoint(tenant.rest, { url: watcher.url('/watch'), event_types: types });
      await attempted(down, 'failed');
      await age(31);
      await attempted(down, 'failed');
      await attempted(answer(204), 'success');
      await attempted(gone, 'abandoned');
      await disabled('receiver_gone');

      const subjects = (await notified(3)).map(({ headers }) => String(headers['subject']));
      const url = (await retrieved()).url;
      expect(subjects.sort()).to.deep.equal(
        ['disabled', 'failing', 'recovered'].map((state) => `Webhook endpoint ${state}: ${url}`),
      );
      await eventually(() => expect(watcher.requests).to.have.length(3), 'the three events arrive');

      const bodies = watcher.requests.map(({ body }) => {
        checkEvent(body);
        return JSON.parse(body.toString()) as { type: string; data: { endpoint: object } };
      });

      expect(bodies.map(({ type }) => type)).to.have.members(types);
      for (const { data } of bodies) expect(data.endpoint).to.include({ id: endpoint.id, url });
    } finally {
      await watcher.close();
    }
  });

  it('H71, H72: disables at once when the receiver answers 410', async () => {
    const waiting = await attempted(down, 'failed');
    await attempted(gone, 'abandoned');
    await disabled('receiver_gone');
    await recordedAs(tenant.rest, waiting, ['abandoned']);
    const missed = await tenant.publish({});
    await notified(1);
    expect(await recordsOf(tenant.rest, missed)).to.deep.equal([]);
  });

  it('H73: sends one mail, although attempts of two workers end with 410 together', async () => {
    // As many as two workers begin at an endpoint that has answered nothing, 2 each.
    const together = 4;
    const held: (() => unknown)[] = [];
    receiver.always((request, response) => {
      held.push(() => gone(request, response));
      if (held.length >= together) for (const letGo of held.splice(0)) letGo();
    });

    const startedAt = await retrieved();
    await Promise.all(Array.from({ length: together }, () => tenant.publish({})));

    const { updated_at } = await disabled('receiver_gone');
    const [mail] = await notified(1);

    expect(receiver.requests.length).to.equal(together);
    expect(mail?.headers['subject']).to.deep.equal([`Webhook endpoint disabled: ${startedAt.url}`]);
    expect(mail?.headers['from']).to.deep.equal(['Signalpost <signalpost@localhost>']);

    for (const line of [
      `Endpoint: ${endpoint.id}`,
      `URL: ${startedAt.url}`,
      'Reason: receiver_gone',
      `Time: ${updated_at}`,
      'Last response status: 410',
    ]) {
      expect(mail?.text.split('\n')).to.include(line);
    }

    expect(mail?.text).to.include(`PATCH /v1/webhooks/endpoints/${endpoint.id}`);
    expect(mail?.raw).not.to.include('evil');
    expect(mail?.raw).not.to.include('whsec_');
    expect(mail?.raw).not.to.include(endpoint.signing_secret.slice(6));
    expect(mail?.headers).not.to.have.property('bcc');
    expect(mail?.to).to.deep.equal([endpoint.notification_email]);

    const logs = [service.api, ...service.workers].flatMap(({ lines }) => lines).join('\n');
    expect(logs).not.to.include(endpoint.notification_email);
  });

  it('H73: sends another mail when the endpoint is disabled again, to its address of that moment', async () => {
    receiver.always(gone);
    await tenant.publish({});
    await disabled('receiver_gone');

    const [first] = await notified(1);
    const notification_email = `later${count}@shop.example`;
    await patched({ active: true, notification_email });
    await tenant.publish({});
    await disabled('receiver_gone');

    const [second] = await eventually(() => {
      const mails = mailsTo(notification_email);
      expect(mails).to.have.length(1);
      return mails;
    }, 'the second notice arrived');

    expect(second?.headers['message-id']).not.to.deep.equal(first?.headers['message-id']);
    expect(mailsTo(endpoint.notification_email)).to.have.length(1);
  });

  it('H73: writes the mail to a file in DATA_DIR without a mail server', async () => {
    const other = await sharedService();
    const shop = await createTenant(other);
    const { id } = await createEndpoint(shop.rest, { url: receiver.url('/hook') });

    receiver.always(gone);
    await shop.publish({});

    const notice = await eventually(async () => {
      const [row] = await other.database.query<{ message_id: string }>(
        'select message_id from notice where resource_id = $1 and sent_at is not null',
        [id],
      );
      expect(row).not.to.equal(undefined);
      return row!;
    }, 'the notice is written');

    const file = join(testDataDir(), 'mail', `${notice.message_id.slice(1, -1)}.eml`);
    const { headers, text } = parseMail(readFileSync(file, 'utf8'));
    expect(headers['to']).to.deep.equal(['ops@shop.example.com']);
    expect(headers['message-id']).to.deep.equal([notice.message_id]);
    expect(text).to.include(`Endpoint: ${id}\n`);
  });

  it('H75: setting active enables the endpoint again, and only replays send old events', async () => {
    const event = await attempted(gone, 'abandoned');
    await disabled('receiver_gone');

    const back = await patched({ active: true });
    expect(back).to.include({ active: true, disabled_reason: null });
    expect(await run()).to.deep.equal({ failures: 0, minutes: null });
    expect(await patched({ active: true })).to.include({ active: true, disabled_reason: null });

    const reported = await attempted(answer(200), 'success');
    const [abandoned] = await recordedAs(tenant.rest, event, ['abandoned']);

    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).to.deep.equal([
      event,
      reported,
    ]);

    const reply = await tenant.rest.post(`/v1/webhooks/deliveries/${abandoned.id}/replay`);
    expect(dataOf<DeliveryBody>(reply, 200)).to.include({
      status: 'success',
      replayed_from: abandoned.id,
    });

    await notified(1);
  });
});

interface Log {
  readonly auditLog: {
    readonly data: readonly { readonly action: string; readonly changes: readonly object[] }[];
    readonly page: { readonly nextCursor?: string | null };
  };
}

const change = `mutation ($account: ID, $id: ID!, $input: UpdateWebhookEndpointInput!, $reason: String) {
  updateWebhookEndpoint(account: $account, id: $id, input: $input, reason: $reason) { active }
}`;
const logQuery = `query ($account: ID, $resource: ID, $field: String, $limit: Int, $cursor: String) {
  auditLog(account: $account, resource: $resource, field: $field, limit: $limit, cursor: $cursor) {
    data { action changes { field from to } }
    page { nextCursor }
  }
}`;
const disabled = { field: 'active', from: 'true', to: 'false' };
const enabled = { field: 'active', from: 'false', to: 'true' };

describe('the reason of a disabled endpoint', () => {
  let service: Service;
  let tenant: Tenant;
  let id: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  beforeEach(async () => {
    ({ id } = await createEndpoint(tenant.rest));
  });

  const set = (active: boolean, reason?: string | null) =>
    tenant.graphql(change, { account: tenant.account, id, input: { active }, reason });

  async function changesOf(variables: object = {}): Promise<readonly (readonly object[])[]> {
    const { account } = tenant;
    const asked = { account, resource: id, limit: 10, ...variables };
    const { auditLog } = await tenant.graphql<Log>(logQuery, asked);
    return auditLog.data
      .filter(({ action }) => action === 'endpoint_updated')
      .map(({ changes }) => changes);
  }

  it('H232: the audit entry of the change has the reason, whole and unchanged', async () => {
    const reason = '😀'.repeat(200);
    await set(false, ` ${reason} `);
    await set(true);
    await set(false, '<b>a</b>\u202e');
    expect(await changesOf()).to.deep.equal([
      [disabled, { field: 'reason', from: null, to: '<b>a</b>\u202e' }],
      [enabled],
      [disabled, { field: 'reason', from: null, to: reason }],
    ]);
  });

  it('H232: refuses an invalid reason by name, and changes nothing', async () => {
    for (const [active, reason] of [
      [false, 'a'.repeat(201)],
      [false, 'two\nlines'],
      [false, 'Asked by ann@shop.example'],
      [true, 'Why'],
    ] as const) {
      const refusal = await set(active, reason).catch((error: unknown) => error as GraphqlRefusal);
      expect(refusal, reason).to.include({ code: 'validation_failed' });
      const { extensions } = refusal as GraphqlRefusal;
      expect(extensions, reason).to.have.nested.property('errors[0].param', 'reason');
    }

    expect(await changesOf()).to.deep.equal([]);

    const { body } = await tenant.rest.get(`${endpointsPath}/${id}`);
    expect(body).to.have.nested.property('data.active', true);
  });

  it('H232: /v1 neither accepts nor shows a reason', async () => {
    const path = `${endpointsPath}/${id}`;
    const refused = await tenant.rest.patch(path, { active: false, reason: 'Why' });
    expect(refused.status).to.equal(422);
    expect(refused.body).to.have.nested.property('errors[0].param', 'reason');
    await set(false, 'Why');
    const { body } = await tenant.rest.get(path);
    expect(JSON.stringify(body)).not.to.match(/Why|"reason"/);
  });

  it('H232: only those who change webhooks give a reason, and no dashboard token reads it', async () => {
    const { token } = await tenant.credential({ kind: 'dashboard', role: 'viewer' });
    const refusal = (query: string, variables: object) =>
      callGraphql(service, token, query, variables).then(
        () => undefined,
        (error: unknown) => (error as GraphqlRefusal).code,
      );
    const input = { active: false };
    expect(await refusal(change, { id, input, reason: 'Why' })).to.equal('forbidden');
    expect(await refusal(logQuery, { resource: id, limit: 1 })).to.equal('forbidden');
    expect(await changesOf()).to.deep.equal([]);
  });

  it('H193: lists audit entries by the field that changed, page by page', async () => {
    await set(false, 'First');
    await set(true);
    await tenant.rest.patch(`${endpointsPath}/${id}`, { description: 'Words' });
    expect(await changesOf({ field: 'active' })).to.have.length(2);
    expect(await changesOf({ field: 'reason' })).to.have.length(1);
    expect(await changesOf({ field: 'url' })).to.deep.equal([]);

    const { account } = tenant;
    const asked = { account, resource: id, field: 'active', limit: 1 };
    const first = (await tenant.graphql<Log>(logQuery, asked)).auditLog;
    expect(first.data[0]?.changes).to.deep.equal([enabled]);

    const cursor = first.page.nextCursor;
    const second = (await tenant.graphql<Log>(logQuery, { ...asked, cursor })).auditLog;
    expect(second.data[0]?.changes[0]).to.deep.equal(disabled);

    const other = await tenant
      .graphql<Log>(logQuery, { ...asked, field: 'reason', cursor })
      .catch((error: unknown) => error as GraphqlRefusal);
    expect(other).to.include({ code: 'validation_failed' });
  });
});
