import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { expect } from 'chai';
import { getIntrospectionQuery } from 'graphql';
import Koa from 'koa';
import { pino } from 'pino';
import { revokeCredential } from '../../../src/domain/account/credentials.js';
import type { Read } from '../../../src/domain/transaction/tx.js';
import { type GraphQLExchange, internalGraphQLRoute } from '../../../src/http/graphql/routes.js';
import { send as sendReply } from '../../../src/http/exchange.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import {
  KnownDocuments,
  type OperationBody,
  runKnownDocuments,
} from '../../../src/http/graphql/known-documents.js';
import { createGraphQLServer, executeWith } from '../../../src/http/graphql/server.js';
import { Authenticator } from '../../../src/http/authentication.js';
import { RateLimits } from '../../../src/http/rate-limits.js';
import { eventually } from '../../support/eventually.js';
import { releaseWith } from '../../support/documents.js';
import { publisherOf } from '../../support/publisher.js';
import { statementsOf } from '../../support/statements.js';
import { createFixture, event, type Fixture } from './fixture.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: Record<string, unknown> & {
      readonly code: string;
      readonly errors?: readonly { readonly code: string; readonly param?: string }[];
    };
  }[];
}

const authenticatorOf = (perMinute: number) =>
  new Authenticator({ perMinute, acquireSlot: () => Promise.resolve(() => undefined) });

const eventTypes = '{ eventTypes { page { hasMore } } }';

/** How each test sends its valid documents. */
const ways = ['by text', 'by id'] as const;
const schema = buildSchema();

for (const way of ways)
  describe(`/graphql, ${way}`, () => {
    let fixture: Fixture;
    let server: Server;
    let apollo: ReturnType<typeof createGraphQLServer>;
    let documents = new KnownDocuments(schema, new Map());
    let internal: string;
    let dashboard: string;
    let read: Read;
    const reports: unknown[] = [];
    const counted: string[] = [];
    const semaphoreKeys: (string | undefined)[] = [];
    let limits: RateLimits;
    let authenticator: Authenticator;

    before(async () => {
      fixture = await createFixture();
      read = fixture.database.read;

      apollo = createGraphQLServer(
        schema,
        pino({ level: 'silent' }),
        (code) => void counted.push(code),
      );

      await apollo.start();

      const app = new Koa<GraphQLExchange['state']>();
      const handle = internalGraphQLRoute({
        execute: runKnownDocuments(executeWith(apollo)),
        documents: { find: (body: OperationBody) => documents.find(body) },
        dependencies: {
          get read() {
            return read;
          },
          transact: (work, options) => {
            semaphoreKeys.push(options?.semaphoreKey);
            return fixture.database.transact(work, options);
          },
          publisher: publisherOf(fixture.database),
          waitForReplay: () => Promise.reject(new Error('no request waits here')),
        },
        get limits() {
          return limits;
        },
        replayLimitMs: 20_000,
        get authenticator() {
          return authenticator;
        },
        report: (error) => void reports.push(error),
        countError: (code) => void counted.push(code),
        maxConcurrent: 3,
      });

      app.use(async (ctx) => {
        const reply = await handle({ req: ctx.req, state: ctx.state });
        ctx.respond = false;
        sendReply(ctx.res, reply, [ctx.state.headers], false);
      });

      const listener = app.callback();
      server = createServer((request, response) => void listener(request, response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      internal = await fixture.token('internal');
      dashboard = await fixture.token('dashboard');
    });

    beforeEach(() => {
      read = fixture.database.read;
      limits = new RateLimits({ perMinute: 1_000 });
      authenticator = authenticatorOf(1_000);
      reports.splice(0);
      counted.splice(0);
    });

    after(async () => {
      server.close();
      server.closeAllConnections();
      await apollo.stop();
      await fixture.drop();
    });

    async function send(init: RequestInit, search = ''): Promise<Answer> {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/graphql${search}`, init);
      const body = (await response.json()) as object;
      return { status: response.status, headers: response.headers, ...body };
    }

    function post(token: string, body: string, headers: Record<string, string> = {}) {
      return send({
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        body,
      });
    }

    /** The operation as this way sends it. A document that no release can know is sent as its text. */
    function operationOf(query: string): OperationBody {
      const release = way === 'by id' ? releaseWith(schema, query) : undefined;
      documents = release ?? new KnownDocuments(schema, new Map());
      return release ? { documentId: 'known' } : { query };
    }

    const ask = (token: string, query: string, variables: object = {}) =>
      post(token, JSON.stringify({ ...operationOf(query), variables }));

    const codeOf = ({ errors }: Answer) => errors?.[0]?.extensions.code;
    const causeOf = ({ errors }: Answer) => errors?.[0]?.extensions.errors?.[0]?.code;

    describe('admission', () => {
      it('accepts internal credentials and dashboard tokens', async () => {
        for (const token of [internal, dashboard]) {
          const answer = await ask(token, eventTypes);
          expect(answer).to.deep.include({
            status: 200,
            data: { eventTypes: { page: { hasMore: false } } },
          });
        }
      });

      it('runs changes of a dashboard one after the other in each account, and those of internal tools at once', async () => {
        semaphoreKeys.splice(0);
        const change =
          'mutation ($of: ID, $id: ID!) { deleteWebhookEndpoint(account: $of, id: $id) }';
        const { account } = fixture;
        for (const [token, of] of [
          [dashboard, null],
          [internal, account],
        ] as const) {
          const answer = await ask(token, change, { of, id: 'whs_000000000000000000000000' });
          expect(codeOf(answer)).to.equal('not_found');
        }
        expect(semaphoreKeys).to.deep.equal([account, undefined]);
      });

      it('H90: refuses a request without a credential', async () => {
        const answer = await send({
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        });
        expect(answer.status).to.equal(401);
        expect(causeOf(answer)).to.equal('missing_credential');
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="internal"');
      });

      it('H87: refuses API keys', async () => {
        for (const kind of ['live', 'legacy'] as const) {
          const answer = await ask(await fixture.token(kind), eventTypes);
          expect(answer.status).to.equal(401);
          expect(codeOf(answer)).to.equal('unauthorized');
          expect(causeOf(answer)).to.equal('credential_kind_not_accepted');
          expect(answer.headers.get('www-authenticate')).to.contain('error="invalid_token"');
        }
      });

      it('H90: refuses unknown, malformed and revoked credentials', async () => {
        const revoked = await fixture.token('internal');
        const [row] = await fixture.test.query<{ id: string }>(
          'select id from credential order by id desc limit 1',
        );
        await fixture.database.transact((tx) => revokeCredential(tx, null, row?.id ?? ''));
        expect(causeOf(await ask(revoked, eventTypes))).to.equal('revoked_credential');
        expect(causeOf(await ask(`${internal}x`, eventTypes))).to.equal('invalid_credential');
        expect(causeOf(await ask('a b', eventTypes))).to.equal('invalid_credential');
      });

      it('H90: refuses a request with several credentials', async () => {
        const { port } = server.address() as AddressInfo;
        const sent = request({
          port,
          method: 'POST',
          headers: [
            'Host',
            'localhost',
            'Authorization',
            `Bearer ${internal}`,
            'Authorization',
            `Bearer ${internal}`,
          ],
        }).end();

        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        expect(response.statusCode).to.equal(401);
      });

      it('answers 503 with Retry-After while PostgreSQL is unreachable', async () => {
        const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
        read = { ...fixture.database.read, sql: () => Promise.reject(away) };
        const answer = await ask(internal, eventTypes);
        expect(answer.status).to.equal(503);
        expect(answer.headers.get('retry-after')).to.equal('5');
        expect(codeOf(answer)).to.equal('service_unavailable');
      });
    });

    describe('rate limits', () => {
      const unknown = 'dlv_000000000000000000000000';

      it('H95: counts the requests of a dashboard for its account, and none of internal tools', async () => {
        limits = new RateLimits({ perMinute: 2 });

        for (const left of [1, 0]) {
          const answer = await ask(dashboard, eventTypes);
          expect(answer.status).to.equal(200);
          expect(answer.headers.get('ratelimit')).to.match(new RegExp(`^"default";r=${left};t=`));
        }

        const refused = await ask(dashboard, eventTypes);
        expect(refused.status).to.equal(429);
        expect(codeOf(refused)).to.equal('rate_limit_exceeded');
        expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
        expect((await limits.consume('default', fixture.account)).exceeded).to.equal(true);

        const answer = await ask(internal, eventTypes);
        expect([answer.status, answer.headers.get('ratelimit')]).to.deep.equal([200, null]);
      });

      it('H95: counts a request that it refuses later', async () => {
        limits = new RateLimits({ perMinute: 2 });
        const refused = await post(dashboard, 'no JSON');
        expect(refused.status).to.equal(400);
        expect(refused.headers.get('ratelimit')).to.match(/^"default";r=1;t=/);
        expect(refused.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      });

      it('H80: counts each replayDelivery of a dashboard, however many are in one request', async () => {
        for (let count = 2; count < 600; count += 1)
          await limits.consume('replay', fixture.account);

        const fields = ['a', 'b', 'c'].map(
          (alias) => `${alias}: replayDelivery(id: "${unknown}") { id }`,
        );
        const codes: (string | undefined)[] = [];

        for (const field of fields)
          codes.push(codeOf(await ask(dashboard, `mutation { ${field} }`)));
        expect(codes).to.deep.equal(['not_found', 'not_found', 'rate_limit_exceeded']);

        const { errors } = await ask(dashboard, `mutation { ${fields.join(' ')} }`);
        expect(errors?.[0]?.extensions.code).to.equal('rate_limit_exceeded');
        expect(errors?.[0]?.extensions['retryAfterSeconds']).to.be.within(1, 60);

        const internalField = `replayDelivery(account: "${fixture.account}", id: "${unknown}") { id }`;
        expect(codeOf(await ask(internal, `mutation { ${internalField} }`))).to.equal('not_found');
        expect(reports).to.deep.equal([]);
      });

      it('H252: counts each test event of a dashboard, even a refused one', async () => {
        for (let count = 2; count < 600; count += 1) await limits.consume('test', fixture.account);
        const field = 'sendTestEvent(input: { type: "no.such" }) { id }';
        const code = async () => codeOf(await ask(dashboard, `mutation { ${field} }`));
        expect([await code(), await code(), await code()]).to.deep.equal([
          'validation_failed',
          'validation_failed',
          'rate_limit_exceeded',
        ]);
        const internalField = `sendTestEvent(input: { account: "${fixture.account}", type: "no.such" }) { id }`;
        expect(codeOf(await ask(internal, `mutation { ${internalField} }`))).to.equal(
          'validation_failed',
        );
        expect(reports).to.deep.equal([]);
      });

      it('H95: counts each mail of an offer that a dashboard sends, and none that is not sent', async () => {
        for (let count = 2; count < 60; count += 1) await limits.consume('mail', fixture.account);

        const code = async (field: string) => codeOf(await ask(dashboard, `mutation { ${field} }`));
        const failing = ['sendOffer', 'resendOffer'].map(
          (name) => `${name}(id: "${unknown}") { id }`,
        );

        for (const field of [...failing, ...failing]) {
          expect(await code(field)).to.equal('not_found');
        }

        expect(await code(`sendOffer(id: "${fixture.offer}") { id }`)).to.equal(undefined);
        expect(await code(`resendOffer(id: "${fixture.sentOffer}") { id }`)).to.equal(undefined);
        for (const field of failing) expect(await code(field)).to.equal('rate_limit_exceeded');

        const both = failing.map((field, index) => `${'ab'[index] ?? ''}: ${field}`).join(' ');
        const { errors } = await ask(dashboard, `mutation { ${both} }`);
        expect(errors?.[0]?.extensions.code).to.equal('rate_limit_exceeded');
        expect(errors?.[0]?.extensions['retryAfterSeconds']).to.be.within(1, 60);

        const internalField = `sendOffer(account: "${fixture.account}", id: "${unknown}") { id }`;
        expect(codeOf(await ask(internal, `mutation { ${internalField} }`))).to.equal('not_found');
        expect(reports).to.deep.equal([]);
      });

      it('H95: counts failed look-ups by address, and still serves known callers', async () => {
        authenticator = authenticatorOf(10);
        expect((await ask(internal, eventTypes)).status).to.equal(200);
        expect((await ask('a b', eventTypes)).status).to.equal(401);
        expect((await ask('int_1', eventTypes)).status).to.equal(401);
        let refused: Answer | undefined;
        const sent = await statementsOf(async () => {
          refused = await ask('int_2', eventTypes);
        });
        expect(refused?.status).to.equal(429);
        expect(Number(refused?.headers.get('retry-after'))).to.be.within(1, 10);
        expect(sent).to.deep.equal([]);
        expect((await ask(internal, eventTypes)).status).to.equal(200);
      });
    });

    describe('the status of an answer', () => {
      const strict = { accept: 'application/graphql-response+json' };
      const withoutStatement = async (name: string, query: string, headers = {}) => {
        const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
        const fine = fixture.database.read;
        read = {
          ...fine,
          sql: (statement, values) =>
            statement.name === name ? Promise.reject(away) : fine.sql(statement, values),
        };
        return post(internal, JSON.stringify(operationOf(query)), headers);
      };

      it('answers 503 without data to a client of application/graphql-response+json', async () => {
        const answer = await withoutStatement('event-types', eventTypes, strict);
        expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'service_unavailable']);
        expect(answer.headers.get('retry-after')).to.equal('5');
        expect(answer.headers.get('content-type')).to.match(/^application\/graphql-response\+json/);
        expect(answer).not.to.have.property('data');
        expect(counted).to.deep.equal(['service_unavailable']);
      });

      it('answers 200 with partial data', async () => {
        const query = `{ webhookDeliveries(account: "${fixture.account}") { data { id endpoint { id } } } }`;
        const answer = await withoutStatement('endpoints-find', query, strict);
        expect(codeOf(answer)).to.equal('service_unavailable');
        expect(answer.status).to.equal(200);
        expect(answer).to.have.property('data');
      });

      it('answers 200 to any other client, once the operation was executed', async () => {
        for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
          const answer = await withoutStatement('event-types', eventTypes, headers);
          expect([answer.status, codeOf(answer)]).to.deep.equal([200, 'service_unavailable']);
          expect(answer.data).to.equal(null);
          expect(answer.headers.get('content-type')).to.match(/^application\/json/);
        }
      });
    });

    describe('refusals', () => {
      it('refuses GET, so that no link can change anything', async () => {
        const search = `?query=${encodeURIComponent(eventTypes)}`;
        const headers = { authorization: `Bearer ${internal}`, 'apollo-require-preflight': '1' };
        const answer = await send({ headers }, search);
        expect(answer.status).to.equal(405);
        expect(answer.headers.get('allow')).to.equal('POST');
      });

      it('refuses bodies that are not a JSON object', async () => {
        expect((await post(internal, '{"a":1,"a":2}')).status).to.equal(400);
        expect(codeOf(await post(internal, '{'))).to.equal('invalid_json');
        expect((await post(internal, '[]')).status).to.equal(400);
        expect((await post(internal, '')).status).to.equal(400);
      });

      it('refuses bodies of another type, which a form could send', async () => {
        const body = JSON.stringify(operationOf(eventTypes));
        expect((await post(internal, body, { 'content-type': 'text/plain' })).status).to.equal(415);
      });

      it('refuses bodies over 4 MiB', async () => {
        const answer = await post(internal, JSON.stringify({ query: ' '.repeat(4 * 1_048_576) }));
        expect(answer.status).to.equal(413);
      });

      it('refuses several operations in one request', async () => {
        const answer = await post(internal, JSON.stringify([{ query: eventTypes }]));
        expect(answer.status).to.equal(400);
      });

      it('H290: refuses an id that it does not know, and a text beside an id', async () => {
        operationOf(eventTypes);
        const unknown = await post(internal, JSON.stringify({ documentId: 'other' }));
        expect([unknown.status, codeOf(unknown)]).to.deep.equal([400, 'document_unknown']);
        const both = await post(
          internal,
          JSON.stringify({ documentId: 'known', query: eventTypes }),
        );
        expect([both.status, codeOf(both)]).to.deep.equal([422, 'validation_failed']);
        expect(both.errors?.[0]?.extensions.errors?.[0]).to.include({ param: 'query' });
        expect(counted).to.deep.equal(['document_unknown', 'validation_failed']);
      });

      it('refuses persisted queries', async () => {
        const extensions = { persistedQuery: { version: 1, sha256Hash: '0' } };
        const answer = await post(internal, JSON.stringify({ extensions }));
        expect(codeOf(answer)).to.equal('PERSISTED_QUERY_NOT_SUPPORTED');
      });

      it('H92: refuses texts that cannot be stored, in variables, in literals and in names', async () => {
        const query = 'query q($id: ID!) { webhookEndpoint(id: $id) { id } }';

        for (const id of ['\0', '\ud800']) {
          const answer = await ask(internal, query, { id });
          expect(answer.status).to.equal(422);
          expect(causeOf(answer)).to.equal('invalid_value');
        }

        expect(causeOf(await ask(internal, query, { id: 'x', 'y\0': 1 }))).to.equal(
          'invalid_value',
        );

        const literal = String.raw`{ webhookEndpoint(id: "\u0000") { id } }`;
        const answer = await ask(internal, literal);
        expect(codeOf(answer)).to.equal('validation_failed');
        expect(causeOf(answer)).to.equal('invalid_value');

        const proto = '{"query":"{ __typename }","variables":{"x":{"__proto__":{}}}}';
        expect(causeOf(await post(internal, proto))).to.equal('invalid_value');
      });

      it('refuses operations that are too large', async () => {
        const tokens = `{ ${'eventTypes { page { hasMore } } '.repeat(200)} }`;
        expect(codeOf(await ask(internal, tokens))).to.equal('GRAPHQL_PARSE_FAILED');
        const aliases = Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(' ');
        expect(codeOf(await ask(internal, `{ ${aliases} }`))).to.equal('GRAPHQL_VALIDATION_FAILED');
        const list = 'webhookDeliveries(limit: 100) { data { id endpoint { id url } } }';
        const lists = Array.from({ length: 13 }, (_, index) => `a${index}: ${list}`).join(' ');
        const answer = await ask(internal, `{ ${lists} }`);
        expect(answer.errors?.[0]?.message).to.contain('cost');
      });

      it('refuses introspection, except from internal credentials', async () => {
        const asked = getIntrospectionQuery();
        expect((await ask(internal, asked)).data).to.have.property('__schema');
        const refused = await ask(dashboard, asked);
        expect(refused.status).to.equal(403);
        expect(codeOf(refused)).to.equal('forbidden');
        expect(codeOf(await ask(dashboard, '{ __type(name: "Query") { name } }'))).to.equal(
          'forbidden',
        );
      });

      it('shows nothing of an internal error', async () => {
        const broken = Object.assign(new Error('relation "secret" is not there'), {
          code: '42P01',
        });
        const fine = fixture.database.read;
        read = {
          ...fine,
          sql: (statement, values) =>
            statement.name === 'event-types' ? Promise.reject(broken) : fine.sql(statement, values),
        };

        const answer = await ask(internal, eventTypes);
        expect(answer.status).to.equal(200);
        expect(codeOf(answer)).to.equal('internal_error');
        expect(JSON.stringify(answer)).not.to.match(/secret|stack|42P01/);
      });

      it('names the first fault of large variables that do not fit, without sending them back', async () => {
        const query =
          'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
        const many = Object.fromEntries(
          Array.from({ length: 20_000 }, (_, index) => [`n${index}`, 1] as const),
        );
        const good = { account: fixture.account, type: 'cart.order.completed', data: {} };
        const refused = async (input: unknown, message: string) => {
          const answer = await ask(internal, query, { input });
          expect([answer.status, codeOf(answer)], message).to.deep.equal([400, 'BAD_USER_INPUT']);
          const messages = answer.errors?.map((error) => error.message);
          expect(messages).to.deep.equal([`Variable "$input" got an invalid value: ${message}`]);
        };

        await refused(many, 'input has "n0", which PublishEventInput does not have.');
        await refused([many], 'input must be an object.');
        await refused({ data: many }, 'input lacks "account".');
        await refused({ ...good, type: many }, 'input.type must be of type String.');
        await refused({ ...good, data: many, type: null }, 'input.type must not be null.');

        const long = 'x'.repeat(100_000);
        await refused(
          { ...good, [long]: 1 },
          `input has "${long.slice(0, 100)}", which PublishEventInput does not have.`,
        );
      });

      it('reports many faults of variables as faults of the caller', async () => {
        const query =
          'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
        const wrong = Array.from({ length: 30 }, (_, index) => [`n${index}`, 1] as const);
        const answer = await ask(internal, query, { input: Object.fromEntries(wrong) });
        const codes = new Set(answer.errors?.map(({ extensions }) => extensions.code));
        expect([...codes]).to.deep.equal(['BAD_USER_INPUT']);
      });

      it('refuses subscriptions as a fault of the caller', async () => {
        const answer = await ask(internal, 'subscription { eventTypes { page { hasMore } } }');
        expect(answer.status).to.equal(400);
        expect(codeOf(answer)).to.equal('GRAPHQL_VALIDATION_FAILED');
        expect(answer).not.to.have.property('data');
        expect(counted).to.deep.equal(['GRAPHQL_VALIDATION_FAILED']);
      });

      it('refuses a client that accepts no JSON, before its operation runs', async () => {
        const input = { account: fixture.account, ...event, key: 'not accepted' };
        const publish =
          'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
        const body = JSON.stringify({ ...operationOf(publish), variables: { input } });
        const answer = await post(internal, body, { accept: 'text/html' });
        expect([answer.status, codeOf(answer)]).to.deep.equal([406, 'not_acceptable']);
        const again = await ask(internal, publish.replace('id }', 'created }'), { input });
        expect(again.data).to.deep.equal({ publishEvent: { created: true } });
      });

      it('refuses operations beyond the limit of concurrency, before it asks the database', async () => {
        let release: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        let asked = 0;
        const fine = fixture.database.read;
        read = {
          ...fine,
          sql: async (statement, values) => {
            if (statement.name === 'event-types') {
              asked += 1;
              if (asked <= 3) await held;
            }
            return fine.sql(statement, values);
          },
        };

        const first = Array.from({ length: 3 }, () => ask(internal, eventTypes));

        try {
          await eventually(() => {
            expect(asked).to.equal(3);
            return Promise.resolve();
          }, 'three are under way');

          // A refused operation frees no place of another one.
          for (let count = 1; count <= 2; count += 1) {
            const refused: Answer[] = [];
            const sent = await statementsOf(async () => {
              refused.push(await ask(internal, eventTypes));
            });

            expect(refused.map((answer) => [answer.status, codeOf(answer)])).to.deep.equal([
              [503, 'service_unavailable'],
            ]);
            expect(refused[0]?.headers.get('retry-after')).to.equal('1');
            expect(sent, 'statements').to.deep.equal([]);
            expect(counted).to.have.length(count);
          }

          expect(new Set(counted)).to.deep.equal(new Set(['service_unavailable']));
        } finally {
          release();
        }

        for (const { status } of await Promise.all(first)) expect(status).to.equal(200);
        expect((await ask(internal, eventTypes)).status).to.equal(200);
      });

      it('suggests no field names in an error', async () => {
        const answer = await ask(internal, '{ eventType }');
        expect(codeOf(answer)).to.equal('GRAPHQL_VALIDATION_FAILED');
        expect(answer.errors?.[0]?.message).not.to.contain('Did you mean');
      });
    });
  });
