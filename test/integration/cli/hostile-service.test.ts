import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CliUser, createCliUser, hostileText, unsafeIn } from '../../support/cli.js';

/** Members that decide what the command line does; their texts are no data. */
const page = { hasMore: false, nextCursor: null, has_more: false };
const deadline = '2026-01-01T12:00:00.000Z';

const delivery = {
  id: hostileText,
  status: hostileText,
  attempt: hostileText,
  maxAttempts: hostileText,
  responseStatus: hostileText,
  durationMs: hostileText,
  eventType: hostileText,
  eventId: hostileText,
  createdAt: hostileText,
  endpoint: { id: hostileText },
  evidence: { [hostileText]: [hostileText, { [hostileText]: hostileText }] },
};
const event = {
  id: hostileText,
  type: hostileText,
  version: hostileText,
  subject: hostileText,
  test: false,
  occurredAt: hostileText,
  body: hostileText,
  deliveries: { data: [delivery] },
};
const recovery = { id: hostileText, failed: hostileText, missed: hostileText };

/** What each operation of the command line answers, by the name of its field. */
const results = {
  checkouts: {
    data: [
      {
        id: hostileText,
        status: hostileText,
        externalReference: hostileText,
        createdAt: hostileText,
        order: { id: hostileText },
        totals: { currency: hostileText, totalMinorUnits: hostileText },
      },
    ],
    page,
  },
  webhookDeliveries: { data: [delivery], page },
  webhookDelivery: delivery,
  events: { data: [event], page },
  event,
  eventType: {
    versions: ['v1', hostileText].map((version) => ({
      version,
      schema: {},
      example: { [hostileText]: hostileText },
    })),
  },
  previewRecovery: { ...recovery, complete: true, estimatedSeconds: hostileText },
  startRecovery: { ...recovery, status: 'running' },
  recovery: { ...recovery, status: hostileText },
  sendTestEvent: { id: hostileText },
  applyCatalogue: {
    changed: [{ id: hostileText, changes: [hostileText] }],
    missing: [hostileText],
  },
  viewer: {
    account: { id: hostileText, name: hostileText },
    member: { email: hostileText, role: hostileText },
    permissions: { webhooks: 'write', orders: hostileText },
  },
};

/** One resource of `/v1`, whatever its kind. */
const resource = {
  id: hostileText,
  status: hostileText,
  url: hostileText,
  category: hostileText,
  summary: hostileText,
  event_types: [hostileText],
  totals: { total_minor_units: hostileText },
  amount_minor_units: hostileText,
  currency: hostileText,
  external_reference: hostileText,
  order: hostileText,
  payment: hostileText,
  buyer_email: hostileText,
  reason: hostileText,
  created_at: hostileText,
  signing_secret: hostileText,
  [hostileText]: { [hostileText]: hostileText },
};

const streamed = { id: 'evt_1', type: hostileText, time: hostileText, test: true };
const attempt = {
  id: hostileText,
  status: hostileText,
  attempt: hostileText,
  max_attempts: hostileText,
  created_at: hostileText,
  duration_ms: hostileText,
  response_status: hostileText,
  event_type: hostileText,
  event_id: hostileText,
  endpoint_id: hostileText,
  evidence: { failure: hostileText },
};

const frame = (kind: string, data: string) =>
  `id: 1\nevent: ${kind}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`;

/** The frames of a stream, which then refuses to go on. */
const frames = [
  frame('event', JSON.stringify({ ...streamed, body: hostileText })),
  frame('delivery', JSON.stringify({ ...attempt, attempt: 1, replayed_from: hostileText })),
  frame('delivery', JSON.stringify(attempt)),
  frame('cut', hostileText),
];

/** A service whose every text is hostile. */
async function startHostileService() {
  let refuses = false;
  let streams = 0;
  let lastFrame = '';
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://service').pathname;
    request.resume();

    const json = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const problem = (status: number) =>
      json(status, {
        title: hostileText,
        detail: hostileText,
        code: hostileText,
        errors: [{ param: hostileText, detail: hostileText }],
      });

    if (path === '/stream') {
      streams += 1;
      if (streams > 1) return problem(403);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      return response.end(frames.join('') + lastFrame);
    }

    if (path.endsWith('/graphql')) {
      const errors = [{ message: hostileText, extensions: { detail: hostileText } }];
      return json(200, refuses ? { data: null, errors } : { data: results });
    }

    if (refuses) return problem(422);
    if (path.startsWith('/schemas/')) return json(200, { [hostileText]: hostileText });

    const isOne = request.method !== 'GET' || /\/(?:endpoints|commerce\/\w+)\/[^/]+$/.test(path);
    const types = [{ ...resource, id: 'offer.sent' }, resource];
    const list = path.endsWith('/event-types') ? types : [resource];
    return json(200, { data: isOne ? resource : list, page, pagination: { total_pages: 1 } });
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets how the next command is answered. */
    next({ refusing = false, last = '' } = {}) {
      refuses = refusing;
      streams = 0;
      lastFrame = last;
    },
  };
}

describe('signalpost against a hostile service', () => {
  let service: Awaited<ReturnType<typeof startHostileService>>;
  let user: CliUser;
  let file: string;

  before(async () => {
    service = await startHostileService();
    user = createCliUser({
      SIGNALPOST_URL: service.url,
      SIGNALPOST_API_KEY: 'sk_live_0000000000000000',
    });
    file = join(user.home, 'catalogue.yaml');
    writeFileSync(file, 'event_types: []\n');
  });

  after(() => {
    service.server.close();
    user.remove();
  });

  const range = ['recover', 'whs_1', '--since', deadline];
  const commands: (readonly string[])[] = [
    ['whoami'],
    ...['endpoints', 'orders', 'payments', 'refunds', 'checkouts', 'deliveries', 'events'].flatMap(
      (kind) => [
        [kind, 'list'],
        [kind, 'show', 'id_1'],
      ],
    ),
    ['endpoints', 'create', '--endpoint-url', 'u', '--events', 'offer.sent', '--email', 'e'],
    ['endpoints', 'delete', 'whs_1'],
    ['deliveries', 'replay', 'whd_1'],
    ['event-types', 'list'],
    ['event-types', 'show', 'offer.sent'],
    ['event-types', 'show', 'offer.sent', '--example'],
    ['event-types', 'show', 'offer.sent', '--schema'],
    ['event-types', 'show', 'offer.sent', '--example', '--version', 'v9'],
    ['event-types', 'diff', 'FILE'],
    ['event-types', 'apply', 'FILE'],
    ['trigger', 'offer.sent', '--endpoint', 'whs_1'],
    ['trigger', 'offer.snt'],
    [...range, '--dry-run'],
    [...range],
    [...range, '--yes'],
    [...range, '--yes', '--no-wait'],
    ['tail', '--events', 'other'],
    ['listen', '--print-body', '--endpoint', 'whs_1'],
    ['listen', '--forward-to', 'http://127.0.0.1:1/'],
    ['login'],
  ];

  const run = (command: readonly string[]) =>
    user.run(...command.map((word) => (word === 'FILE' ? file : word)));

  for (const command of commands) {
    it(`escapes hostile text in the output of ${command.join(' ')}`, async () => {
      service.next();
      const { stdout, stderr } = await run(command);
      expect(unsafeIn(stdout)).to.deep.equal([]);
      expect(unsafeIn(stderr)).to.deep.equal([]);
      expect(stderr).not.to.contain('    at ');
      expect(stdout + stderr).to.match(/\\u001b|whs_1|offer\.snt|whd_1|key/);
    });
  }

  it('escapes hostile text in refusals, in the problems of /v1 and in the errors of operations', async () => {
    for (const command of [['endpoints', 'list'], ['events', 'list'], range, ['tail']]) {
      service.next({ refusing: true });
      const { code, stdout, stderr } = await run(command);
      expect([code, unsafeIn(stdout + stderr)], command.join(' ')).to.deep.equal([1, []]);
      expect(stderr).to.contain('\\u001b');
    }
  });

  it('escapes a frame that is not JSON, and prints no stack', async () => {
    service.next({ last: frame('event', hostileText) });
    const { code, stdout, stderr } = await run(['listen']);
    expect([code, unsafeIn(stdout + stderr)]).to.deep.equal([1, []]);
    expect(stderr).not.to.contain('    at ');
  });

  it('prints JSON that equals what the service sent', async () => {
    for (const command of [
      ['endpoints', 'list'],
      ['deliveries', 'list'],
      ['event-types', 'show', 'offer.sent', '--example'],
      ['event-types', 'diff', 'FILE'],
      ['trigger', 'offer.sent', '--endpoint', 'whs_1'],
      ['listen'],
      ['tail'],
    ]) {
      service.next();
      const { stdout } = await run([...command, '--json']);
      expect(unsafeIn(stdout)).to.deep.equal([]);
      const lines = stdout.trimEnd().split('\n');
      const texts = lines.map((line) => JSON.stringify(JSON.parse(line)));
      expect(texts.join(), command.join(' ')).to.contain(JSON.stringify(hostileText).slice(1, -1));
    }
  });
});
