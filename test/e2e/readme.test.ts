import { expect } from 'chai';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { recordedAs } from '../support/delivery-records.js';
import { readmeText, shapeOf, shownInReadme } from '../support/documents.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** An answer as `curl -i` prints it. */
interface Answer {
  readonly head: string;
  readonly body: string;
}

describe('README.md and docs/tour.md, by hand', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let key: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    receiver = await startReceiver();
    key = (await tenant.credential({ kind: 'live' })).token;
  });

  after(() => receiver.close());

  it('the requests of README.md get the answers that it shows', async () => {
    const [shownKey = ''] = /sk_live_\w+…/.exec(shownInReadme('npm start')) ?? [];
    const created = await curl('/v1/webhooks/endpoints', {
      [shownKey]: key,
      'https://localhost:9443/': receiver.url(),
    });

    const shownAnswer = shownInReadme('create').replace(
      'localhost:9443',
      new URL(receiver.url()).host,
    );

    expect(shapeOf(`${created.head}\n\n${created.body}`)).to.equal(shapeOf(shownAnswer));

    const { token: internal } = await tenant.credential({ kind: 'internal' });
    const named = { '<internal token>': internal, '<account id>': tenant.account };
    const opened = await curl('createCheckout', named);
    const [checkout = ''] = /chk_\w+/.exec(opened.body) ?? [];
    const paid = await curl('recordPayment', { ...named, '<checkout id>': checkout });
    expect(shapeOf(opened.body + paid.body)).to.equal(shapeOf(shownInReadme('pay')));

    const { 'webhook-id': event = '' } = (await receiver.next()).headers;
    await recordedAs(tenant.rest, event, ['success']);

    const listed = await curl('/v1/webhooks/deliveries', { '<key>': key });
    expect(shapeOf(pretty(listed.body))).to.equal(shapeOf(pretty(shownInReadme('deliveries'))));
  });

  /** Sends the one documented request that contains `words`, with these replacements. */
  async function curl(words: string, things: Readonly<Record<string, string>>): Promise<Answer> {
    const commands = [...readmeText().matchAll(/^ *curl (?:.*\\\n)*.*$/gm)].map(([all]) => all);
    const matching = commands.filter((command) => command.includes(words));
    expect(matching, words).to.have.lengthOf(1);

    let [command = ''] = matching;

    for (const [shown, thing] of Object.entries(things)) {
      command = command.replaceAll(shown, thing);
    }

    const [, address = ''] = /(http:\/\/[^\s']+)/.exec(command) ?? [];
    const { port, pathname, search } = new URL(address);
    const home = port === '8081' ? service.internalUrl : service.url;
    const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const [, body] = /-d '(.+)'$/s.exec(command) ?? [];
    return send(`${home}${pathname}${search}`, Object.fromEntries(headers), body);
  }

  function send(url: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const pairs = response.rawHeaders;
        const lines = pairs.flatMap((name, at) =>
          at % 2 === 0 ? `${name}: ${pairs[at + 1]}` : [],
        );
        const status = `HTTP/${response.httpVersion} ${response.statusCode} ${response.statusMessage}`;
        const head = [status, ...lines].join('\n');
        text(response).then((answer) => resolve({ head, body: answer }), reject);
      });
      sent.end(body);
    });
  }

  function pretty(json: string): string {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  }
});
