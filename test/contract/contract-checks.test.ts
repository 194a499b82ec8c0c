import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { repositoryRoot } from '../support/repository.js';
import {
  type Answered,
  ResponseContract,
  checkEvent,
  describedTypes,
} from '../support/contract.js';
import { sampleData } from '../../src/domain/test-event/test-event.js';
import { envelopeBytes } from '../../src/domain/event/prepare-event.js';

const text = readFileSync(join(repositoryRoot, 'schema', 'openapi.yaml'), 'utf8');
const contract = new ResponseContract(text);

const requestId = `req_${'a'.repeat(24)}`;
const headers = {
  'x-request-id': requestId,
  ratelimit: '"default";r=1;t=1',
  'ratelimit-policy': '"default";q=1;w=60',
  'content-type': 'application/json; charset=utf-8',
};
const { data: endpoint } = exampleOf('WebhookEndpoint') as { data: { readonly id: string } };
const problem = {
  type: 'https://api.example/problems/not-found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: 'No webhook endpoint with this id.',
  request_id: requestId,
  errors: [{ code: 'not_found', detail: 'No webhook endpoint with this id.' }],
};
const problemHeaders = { 'x-request-id': requestId, 'content-type': 'application/problem+json' };

/** The example of a response that several operations share. */
function exampleOf(response: string): unknown {
  const { components } = parse(text) as {
    components: { responses: Record<string, { content: Record<string, { example: unknown }> }> };
  };
  return components.responses[response]?.content['application/json']?.example;
}

function check(changes: Partial<Answered>): void {
  const answered = {
    method: 'GET',
    path: '/v1/webhooks/endpoints/whs_1',
    status: 200,
    headers,
    body: { data: endpoint },
    ...changes,
  };
  contract.check({ text: JSON.stringify(answered.body), ...answered });
}

describe('the check of every response in the tests', () => {
  it('accepts a response that the contract promises', () => {
    check({});
    check({ status: 404, headers: problemHeaders, body: problem });
  });

  const issues: Readonly<Record<string, Partial<Answered>>> = {
    'a member that the contract does not know': { body: { data: { ...endpoint, extra: 1 } } },
    'a secret where none belongs': { body: { data: { ...endpoint, signing_secret: 'whsec_a' } } },
    'a member that is missing': { body: { data: { ...endpoint, url: undefined } } },
    'a timestamp without milliseconds': {
      body: { data: { ...endpoint, created_at: '2026-11-20T12:00:00Z' } },
    },
    'a success that is not declared': { status: 201 },
    'another content type': { headers: { ...headers, 'content-type': 'application/json' } },
    'a missing request id': { headers: { ...headers, 'x-request-id': '' } },
    'a missing rate limit': {
      headers: { 'x-request-id': requestId, 'content-type': headers['content-type'] },
    },
    'a problem with a member too many': {
      status: 404,
      headers: problemHeaders,
      body: { ...problem, instance: '/x' },
    },
    'a problem without entries': {
      status: 404,
      headers: problemHeaders,
      body: { ...problem, errors: [] },
    },
    'a problem that the operation does not declare': {
      status: 409,
      headers: problemHeaders,
      body: { ...problem, status: 409, code: 'endpoint_inactive' },
    },
    'a problem whose status is another': {
      status: 404,
      headers: problemHeaders,
      body: { ...problem, status: 410 },
    },
    'a problem with the code of another status': {
      status: 404,
      headers: problemHeaders,
      body: { ...problem, code: 'forbidden' },
    },
    'a 503 without Retry-After': {
      status: 503,
      headers: problemHeaders,
      body: { ...problem, status: 503, code: 'service_unavailable' },
    },
  };
  for (const [name, changes] of Object.entries(issues)) {
    it(`refuses ${name}`, () => {
      expect(() => check(changes)).to.throw(/breaks openapi.yaml/);
    });
  }

  it('refuses a replayed response that shows the secret', () => {
    const body = { data: { ...endpoint, signing_secret: 'whsec_a' } };
    const path = '/v1/webhooks/endpoints';
    const created = { ...headers, location: `/v1/webhooks/endpoints/${endpoint.id}` };
    const first = { method: 'POST', path, status: 201, headers: created, body };
    check(first);
    const again = { ...first, headers: { ...created, 'idempotent-replayed': 'true' } };
    expect(() => check(again)).to.throw(/shows the signing secret/);
  });
});

type Json = Record<string, unknown>;

const occurredAt = new Date('2026-11-20T12:00:00Z');

/** What would be sent for an event of that type. */
function envelope(type: string): Json & { data: Json } {
  const bytes = envelopeBytes({
    id: `evt_${'a'.repeat(24)}`,
    baseUrl: 'https://api.example',
    type,
    version: 'v1',
    subject: `order:ord_${'a'.repeat(24)}`,
    time: occurredAt.toISOString(),
    test: false,
    data: { ...sampleData(type, occurredAt) },
  });
  return JSON.parse(bytes.toString()) as Json & { data: Json };
}

describe('the check of every event in the tests', () => {
  const check = (event: Json) => () => {
    checkEvent(Buffer.from(JSON.stringify(event)));
  };

  for (const type of describedTypes) {
    it(`accepts what is sent as ${type}, and nothing more or less`, () => {
      const event = envelope(type);
      const { data } = event;
      check(event)();
      expect(check({ ...event, data: { ...data, surprise: 1 } })).to.throw(/breaks its schema/);
      for (const name of Object.keys(data)) {
        const having = (value: unknown) => check({ ...event, data: { ...data, [name]: value } });
        expect(having(undefined), `without ${name}`).to.throw(/breaks its schema/);
        const other = typeof data[name] === 'boolean' ? 'true' : true;
        expect(having(other), `another type of ${name}`).to.throw(/breaks its schema/);
      }
    });
  }

  it('refuses an event whose envelope lacks a member', () => {
    const event = envelope('invoice.issued');
    for (const name of Object.keys(event).filter((member) => member !== 'type')) {
      expect(check({ ...event, [name]: undefined }), name).to.throw(/breaks its schema/);
    }
  });

  it('refuses an event of a type without a description', () => {
    const event = { ...envelope('invoice.issued'), type: 'invoice.lost' };
    expect(check(event)).to.throw(/does not know the event type invoice.lost/);
  });
});
