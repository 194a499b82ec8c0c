import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fetch } from 'undici';
import { freePort } from '../../tools/launcher/ports.js';
import { testAuthority } from '../support/authority.js';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.js';
import { recordedAs, recordsOf } from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/process.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('a service behind a proxy', () => {
  let service: Service;
  let proxy: ConnectProxy;
  let receiver: Receiver;
  let tenant: Tenant;
  let folder: string;

  before(async () => {
    proxy = await startConnectProxy();
    receiver = await startReceiver();
    folder = mkdtempSync(join(tmpdir(), 'signalpost-proxy-'));
    const file = join(folder, 'proxy-url');
    writeFileSync(file, proxy.url('shop:hidden@'));
    service = await startService({
      environment: { WEBHOOKS_PROXY_URL_FILE: file },
    });
    tenant = await createTenant(service);
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await proxy.stop();
    rmSync(folder, { recursive: true });
  });

  const worker = () => service.workers[0]!;
  const metrics = async () => (await fetch(`${worker().healthUrl}/metrics`)).text();

  it('H291: sends deliveries and test events through the proxy, and nothing else', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
    await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
    const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
      'mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }',
      { input: { account: tenant.account, endpoint: id, type: 'cart.order.completed' } },
    );
    await recordedAs(tenant.rest, sendTestEvent.id, ['success']);
    expect(receiver.requests).to.have.length(2);
    expect(new Set(proxy.tunnels.map(({ to }) => to))).to.deep.equal(
      new Set([`127.0.0.1:${receiver.port}`]),
    );
  });

  it('H291: records an attempt that a working proxy refuses, as one of its endpoint', async () => {
    const closed = await freePort();
    const other = await createTenant(service);
    await createEndpoint(other.rest, { url: `https://127.0.0.1:${closed}/` });
    const id = await other.publish({});
    await eventually(async () => {
      const [first] = await recordsOf(other.rest, id);
      expect(first).to.include({ status: 'failed', attempt: 1 });
    }, 'it failed');
    await eventually(() => {
      const line = worker().lines.find((one) => one.includes('"proxy_connect_failed"'));
      expect(line ?? '').to.include('"msg":"attempt"');
    }, 'the reason is logged');
  });

  it('H292: counts no attempt while the proxy is away, and sends everything when it is back', async () => {
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url('/later') });
    const path = `${endpointsPath}/${endpoint.id}`;
    const before = (await tenant.rest.get(path)).body;

    await proxy.stop();
    receiver.dropConnections();
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await tenant.publish({}));

    await eventually(async () => {
      const text = await metrics();
      expect(text).to.include('\nsignalpost_proxy_up 0\n');
      const [, checks = '0'] =
        /^signalpost_proxy_faults_total\{reason="unreachable"\} (\d+)$/m.exec(text) ?? [];
      expect(Number(checks)).to.be.at.least(3);
    }, 'the proxy was checked again');

    // Nothing was recorded, nothing counted, and everything is still due.
    for (const id of ids) expect(await recordsOf(tenant.rest, id)).to.deep.equal([]);
    const rows = await service.database.query<{ attempt: number; interruptions: number }>(
      'select distinct attempt, interruptions from pending_delivery where event_id = any ($1)',
      [ids],
    );
    expect(rows).to.deep.equal([{ attempt: 1, interruptions: 0 }]);
    expect((await tenant.rest.get(path)).body).to.deep.equal(before);

    await proxy.start();
    const endpoints = 2;
    for (const id of ids) {
      const records = await recordedAs(
        tenant.rest,
        id,
        Array.from({ length: endpoints }, () => 'success' as const),
      );
      expect(records.map(({ attempt }) => attempt)).to.deep.equal([1, 1]);
    }
    expect((await tenant.rest.get(path)).body).to.deep.equal(before);

    const sent = receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '');
    for (const id of ids) expect(sent.filter((one) => one === id)).to.have.length(endpoints);

    const log = worker().lines;
    const after = await metrics();
    const faults = Number(/reason="unreachable"\} (\d+)/.exec(after)?.[1]);
    const reported = log.filter((line) => line.includes('cannot be reached'));
    // At most one a minute, however long this took.
    expect(reported).to.have.length.within(1, faults - 1);
    expect(reported[0]).to.include('WEBHOOKS_PROXY_URL').and.include('ECONNREFUSED');
    expect(log.join('\n')).not.to.include('hidden');
    expect(after).to.include('\nsignalpost_internal_errors_total 0\n');
    // Its lanes were told, so no wake-up counts as missed.
    expect(after).not.to.include('found="missed"');
  });

  it('H293: a worker without its client certificate does not start, and names the setting', async () => {
    const missing = startProcess('workers/main.js', {
      ...service.environment,
      WORKER_PORT: String(await freePort()),
      WEBHOOKS_CLIENT_CERT_FILE: join(folder, 'missing.crt'),
      WEBHOOKS_CLIENT_KEY_FILE: join(folder, 'missing.key'),
    });
    await eventually(() => expect(missing.running).to.equal(false), 'it ended');
    expect(await missing.end()).to.equal(1);
    expect(missing.lines.join('\n'))
      .to.include('could not start')
      .and.include('WEBHOOKS_CLIENT_CERT_FILE: cannot be read (ENOENT)');
  });

  it('H293: a worker shows its client certificate through the proxy', async () => {
    const authority = await testAuthority();
    const { cert, key } = await authority.issue();
    const certFile = join(folder, 'tls.crt');
    const keyFile = join(folder, 'tls.key');
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);

    const strict = await startReceiver({
      tls: { requestCert: true, rejectUnauthorized: true, ca: readFileSync(authority.caFile) },
    });
    const certified = await startService({
      environment: {
        WEBHOOKS_PROXY_URL: proxy.url(),
        WEBHOOKS_CLIENT_CERT_FILE: certFile,
        WEBHOOKS_CLIENT_KEY_FILE: keyFile,
      },
    });
    try {
      const account = await createTenant(certified);
      await createEndpoint(account.rest, { url: strict.url() });
      await recordedAs(account.rest, await account.publish({}), ['success']);
      expect(proxy.tunnels.at(-1)?.to).to.equal(`127.0.0.1:${strict.port}`);
    } finally {
      await certified.stop();
      await strict.close();
    }
  });
});
