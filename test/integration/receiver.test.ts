import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { createAccount } from '../../src/domain/account/accounts.js';
import { createEndpoint } from '../../src/domain/endpoint/change-endpoint.js';
import type { Database } from '../../src/database/database.js';
import { createLogger } from '../../src/process/log.js';
import { openDatabase } from '../../src/process/open-database.js';
import { acquirePostgres, type PostgresHandle } from '../../tools/launcher/embedded-postgres.js';
import { withDatabase } from '../../tools/launcher/with-database.js';
import {
  type Receiver,
  type ReceivedDelivery,
  startReceiver,
} from '../../tools/receiver/receiver.js';
import { findRegistered, trigger } from '../../tools/receiver/registered.js';
import { eventually } from '../support/eventually.js';
import { hostileText, unsafeIn } from '../support/cli.js';
import { createTestHome, type TestHome } from '../support/launcher.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { freePort } from '../../tools/launcher/ports.js';

describe('the receiver of npm run receiver', () => {
  let home: TestHome;
  let postgres: PostgresHandle;
  let receiver: Receiver;
  let looked = 0;
  const received: ReceivedDelivery[] = [];

  before(async () => {
    home = await createTestHome();
    postgres = await acquirePostgres(home.dataDir, 'test');
    await withDatabase(() => Promise.resolve(), home.environment);

    receiver = await startReceiver({
      dataDir: home.dataDir,
      port: 0,
      secrets: [],
      findSecrets: async () => {
        looked += 1;
        const endpoints = await findRegistered(receiver.url, home.environment);
        return endpoints.flatMap(({ secrets }) => secrets);
      },
      answer: (delivery) => (received.push(delivery), 200),
    });
  });

  after(async () => {
    await receiver.close();
    await postgres.leave();
    await home.remove();
  });

  const onDatabase = <T>(work: (database: Database) => Promise<T>) =>
    withDatabase(async (config) => {
      const log = createLogger('test', 'silent');
      const database = await openDatabase(config, { name: 'test', log });
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    }, home.environment);

  const register = (url: string) =>
    onDatabase((database) =>
      database.transact(async (tx) => {
        const { id: account } = await createAccount(tx, { name: 'Trial' });
        const eventTypes = ['cart.order.completed'];
        const input = { url, eventTypes, notificationEmail: 'you@example.com' };
        return { account, ...(await createEndpoint(tx, account, input)) };
      }),
    );

  it('finds no endpoint before one has the URL of the receiver', async () => {
    expect(await findRegistered(receiver.url, home.environment)).to.eql([]);
    await post(receiver.url, 'whsec_unknown');
    expect(received.at(-1)?.verification.verified).to.equal(false);
  });

  it('verifies the first event of an endpoint that was registered later, with one look-up', async () => {
    const { endpoint, account, signingSecret } = await register(receiver.url);
    await register('https://localhost:1/');
    looked = 0;
    await Promise.all([1, 2, 3].map(() => post(receiver.url, signingSecret)));
    expect(received.slice(-3).map(({ verification }) => verification.verified)).to.eql(
      [1, 2, 3].map(() => true),
    );
    expect(looked).to.equal(1);
    expect(await findRegistered(receiver.url, home.environment)).to.eql([
      { id: endpoint.id, account, secrets: [signingSecret] },
    ]);
  });

  it('sends a test event to its endpoint', async () => {
    const [endpoint] = await findRegistered(receiver.url, home.environment);
    if (!endpoint) throw new Error('no endpoint');
    await trigger(endpoint, 'cart.order.completed', home.environment);
    const pending = {
      name: 'test-pending',
      text: 'select endpoint_id as id from pending_delivery',
    };
    expect(await onDatabase((database) => database.read.sql(pending, []))).to.eql([
      { id: endpoint.id },
    ]);
  });

  describe('npm run receiver as a command', () => {
    let command: ServiceProcess;
    afterEach(() => command.end());

    const output = () => command.lines.join('\n');
    const says = (text: string) =>
      eventually(() => expect(output()).to.contain(text), `it says ${text}`);

    it('waits for an endpoint to send the test event to, and says how to create it', async () => {
      const port = await freePort();
      const args = ['--port', String(port), '--trigger'];
      command = startProcess('tools/receiver/main.js', home.environment, args);
      await says(`"url":"https://localhost:${port}/"`);
      expect(output()).to.contain(`curl -i http://127.0.0.1:${home.apiPort}/v1/webhooks/endpoints`);
      expect(output()).to.contain('"event_types":["cart.order.completed"]');
      expect(output()).to.contain('Waiting for the endpoint');

      const { endpoint } = await register(`https://localhost:${port}/`);
      await says(`Found endpoint ${endpoint.id}`);

      const pending = {
        name: 'test-event-of',
        text: 'select test from pending_delivery where endpoint_id = $1',
      };

      await onDatabase((database) =>
        eventually(
          async () => expect(await database.read.sql(pending, [endpoint.id])).to.have.length(1),
          'the test event is sent',
        ),
      );
    });

    it('stops waiting at Ctrl-C', async () => {
      command = startProcess('tools/receiver/main.js', home.environment, [
        '--port',
        '0',
        '--trigger',
      ]);
      await says('Waiting for the endpoint');
      expect(await command.end('SIGINT')).to.equal(0);
    });

    it('escapes what strangers send', async () => {
      command = startProcess('tools/receiver/main.js', home.environment, ['--port', '0']);
      await says('Receiving at ');
      const [, url = ''] = /Receiving at (\S+)/.exec(output()) ?? [];
      const type = { 'X-Service-Event-Type': 'odd\u009b31m' };
      await post(url, 'whsec_unknown', hostileText, type);
      await says('FORGED');
      expect(unsafeIn(output())).to.deep.equal([]);
      expect(output()).to.contain('\\u009b31m  attempt').and.to.contain('\\u001b]0;owned');
    });
  });

  async function post(
    url: string,
    secret: string,
    body = '{}',
    added: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const ca = readFileSync(join(home.dataDir, 'receiver-ca.pem'));
    const headers = { 'X-Service-Signature': `t=${time},v1=${signature}`, ...added };
    const sent = request(url, { method: 'POST', ca, agent: false, headers });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
  }
});
