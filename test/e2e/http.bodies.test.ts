import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import {
  dataOf,
  endpointInput,
  endpointsPath,
  type EndpointBody,
  listDeliveries,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import { offerInput, offersPath } from '../support/sales.js';
import { type RestClient, sendRaw } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const json = { 'content-type': 'application/json' };
const most = 65_536;
const valid = JSON.stringify(endpointInput());
/** A body that would be accepted, with this after its last member. */
const withMember = (member: string) => `${valid.slice(0, -1)},${member}}`;

describe('bodies', () => {
  let service: Service;
  let tenant: Tenant;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ rest } = tenant);
  });

  const post = (bytes: string | Buffer, headers: Record<string, string> = json) =>
    rest.send('POST', endpointsPath, { bytes, headers });

  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; profile=x',
  ]) {
    it(`H92: accepts a body as ${type}`, async () => {
      expect((await post(valid, { 'content-type': type })).status).to.equal(201);
    });
  }

  it('H269: refuses a number that a double would change, whatever its spelling', async () => {
    const offer = (number: string) =>
      JSON.stringify(offerInput({ metadata: { n: 0 } })).replace('"n":0', `"n":${number}`);
    const create = (number: string) =>
      rest.send('POST', offersPath, { bytes: offer(number), headers: json });

    for (const number of ['9007199254740993.0', '90071992547409930e-1', '1e-400', '1e400']) {
      expect(toProblem(await create(number), 400).code, number).to.equal('invalid_json');
    }

    for (const [number, kept] of [
      ['9007199254740991.0', 9_007_199_254_740_991],
      ['1e21', 1e21],
      ['0.12345678901234567890', 0.12345678901234568],
    ] as const) {
      expect(dataOf(await create(number), 201), number).to.deep.include({ metadata: { n: kept } });
    }
  });

  it('H269: refuses such a number on /graphql too, in variables and in literals', async () => {
    const { token } = await tenant.credential({ kind: 'internal' });
    const publish = (input: string, variables: string) =>
      fetch(`${service.internalUrl}/graphql`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${token}` },
        body: `{"query":${JSON.stringify(input)},"variables":${variables}}`,
      });

    const fields = `account: "${tenant.account}", type: "cart.order.completed", subject: "order:1"`;

    for (const number of ['9007199254740993.0', '1e-400']) {
      const variable = await publish(
        `mutation ($data: JSON!) { publishEvent(input: { ${fields}, data: $data }) { id } }`,
        `{"data":{"n":${number}}}`,
      );

      expect([variable.status, await variable.text()].join(), number).to.match(
        /^400.*invalid_json/,
      );

      const literal = await publish(
        `mutation { publishEvent(input: { ${fields}, data: { n: ${number} } }) { id } }`,
        '{}',
      );

      const refused = await literal.text();
      expect([literal.status, refused].join(), number).to.match(/^400.*cannot be represented/);
    }
  });

  for (const type of [
    'text/plain',
    'application/json; charset=iso-8859-1',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    '',
  ]) {
    it(`H92: refuses a body as "${type}", and names the accepted types`, async () => {
      const refused = await post(valid, { 'content-type': type });
      expect(toProblem(refused, 415).code).to.equal('unsupported_media_type');
      expect(refused.headers).to.include({ accept: 'application/json' });
    });
  }

  it('H92: requires a Content-Type', async () => {
    expect((await post(valid, {})).status).to.equal(415);
  });

  it('H92: refuses a compressed body', async () => {
    const refused = await post(gzipSync(valid), { ...json, 'content-encoding': 'gzip' });
    const { code, detail } = toProblem(refused, 415);
    expect(code).to.equal('unsupported_media_type');
    expect(detail).to.contain('uncompressed');
    expect(refused.headers).to.include({ 'accept-encoding': 'identity' });
    const plain = await post(valid, { ...json, 'content-encoding': 'identity' });
    expect(plain.status).to.equal(201);
  });

  it('H92: accepts at most 64 KiB for a new endpoint, announced or not', async () => {
    expect((await post(valid.padEnd(most, ' '))).status).to.equal(201);

    const refused = await post(valid.padEnd(most + 1, ' '));
    expect(toProblem(refused, 413).code).to.equal('payload_too_large');

    const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`;
    const unannounced = await sendRaw(
      service.url,
      [
        `POST ${endpointsPath} HTTP/1.1`,
        'Host: api.example',
        `Authorization: Bearer ${rest.token ?? ''}`,
        'Idempotency-Key: chunked',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
      ...Array.from({ length: 17 }, () => chunk),
      '0\r\n\r\n',
    );
    expect(toProblem(unannounced, 413).code).to.equal('payload_too_large');
  });

  it('H92: accepts at most 1,000 members and items, and checks that before any other error', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `"n${index}":1`).join();
    for (const bytes of [`{${names}}`, `{${names}`, withMember(`"x":[${'1,'.repeat(1_000)}1]`)]) {
      const refused = toProblem(await post(bytes), 413);
      expect(refused.code).to.equal('payload_too_large');
      expect(refused.detail).to.equal(
        'The request body must hold at most 1,000 members and items.',
      );
    }
    const fewer = Array.from({ length: 900 }, (_, index) => `"n${index}":1`).join();
    expect(toProblem(await post(`{${fewer}}`), 422).errors).to.have.length(100);
  });

  it('H92: accepts larger bodies where the operation needs them, and smaller ones where it does not', async () => {
    const padded = (body: object, length: number) => JSON.stringify(body).padEnd(length, ' ');
    const send = async (path: string, bytes: string) =>
      (await rest.send('POST', path, { bytes, headers: json })).status;
    const offer = offerInput({ metadata: { note: 'x'.repeat(131_000) } });
    expect(await send(offersPath, padded(offer, 262_144))).to.equal(201);
    expect(await send(offersPath, padded(offer, 262_145))).to.equal(413);
    const refunds = `/v1/commerce/payments/pay_${'0'.repeat(24)}/refunds`;
    expect(await send(refunds, padded({}, 16_384))).to.equal(404);
    expect(await send(refunds, padded({}, 16_385))).to.equal(413);
    const rotations = `${endpointsPath}/whs_${'0'.repeat(24)}/secret-rotations`;
    expect(await send(rotations, ' '.repeat(most))).to.equal(404);
    expect(await send(rotations, ' '.repeat(most + 1))).to.equal(413);
  });

  for (const [what, bytes] of Object.entries<string | Buffer>({
    'that is cut off': valid.slice(0, -1),
    'with a letter after its end': `${valid}x`,
    'of two JSON texts': `${valid}${valid}`,
    'of white space alone': '  ',
    'with a comment': `/* */${valid}`,
    'with a trailing comma': `${valid.slice(0, -1)},}`,
    'with single quotes': `{'url': 1}`,
    'with NaN': withMember('"x":NaN'),
    'with a leading zero': withMember('"x":01'),
    'with a member twice': withMember('"description":"a","description":"a"'),
    'with a member twice, once escaped': withMember('"description":"a","descr\\u0069ption":"b"'),
    'with a member twice further in': withMember('"x":[{"a":1,"a":2}]'),
    'nested 65 deep': withMember(`"x":${'['.repeat(64)}${']'.repeat(64)}`),
    'nested 60,000 deep': '['.repeat(60_000),
    'with 1e999': withMember('"x":1e999'),
    'with -1e999': withMember('"x":-1e999'),
    'with 2^53': withMember('"x":9007199254740992'),
    'with 2^53 + 1': withMember('"x":9007199254740993'),
    'with an invalid escape': withMember('"x":"\\x"'),
    'with an unescaped NUL': withMember('"x":"\0"'),
    'with an overlong sequence': Buffer.from(
      withMember('"x":"?"').replace('?', '\xc0\x80'),
      'latin1',
    ),
    'with an encoded surrogate': Buffer.from(
      withMember('"x":"?"').replace('?', '\xed\xa0\x80'),
      'latin1',
    ),
    'in Latin-1': Buffer.from(withMember('"x":"é"'), 'latin1'),
    'in UTF-16': Buffer.from(valid, 'utf16le'),
  })) {
    it(`H92, A24: answers 400 invalid_json to a body ${what}`, async () => {
      expect(toProblem(await post(bytes), 400).code).to.equal('invalid_json');
    });
  }

  it('H92: accepts a byte order mark', async () => {
    expect((await post(`\ufeff${valid}`)).status).to.equal(201);
  });

  it('H92: accepts 64 levels of nesting, and any number that a double keeps', async () => {
    for (const value of [
      `${'['.repeat(63)}${']'.repeat(63)}`,
      '9007199254740991',
      '-9007199254740991',
      '1e300',
      '1.5',
    ]) {
      const refused = await post(withMember(`"description":${value}`));
      expect(refusalsOf(refused)).to.deep.equal(['description: invalid_type']);
    }
  });

  for (const text of ['[]', '"text"', '42', 'true', 'null', `[${valid}]`]) {
    it(`H92, A24: answers 422 to a body that is no object but ${text.slice(0, 10)}`, async () => {
      expect(toProblem(await post(text), 422).code).to.equal('validation_failed');
    });
  }

  it('H92: answers 422 to a missing body', async () => {
    expect(toProblem(await post(''), 422).code).to.equal('validation_failed');
    const without = await rest.send('POST', endpointsPath, {});
    expect(toProblem(without, 422).code).to.equal('validation_failed');
  });

  for (const [what, member, refusals] of [
    ['a NUL in a text', '"description":"a\\u0000b"', ['description: invalid_value']],
    ['a lone surrogate in a text', '"description":"a\\ud800"', ['description: invalid_value']],
    [
      'surrogates the wrong way round',
      '"description":"\\udc00\\ud800"',
      ['description: invalid_value'],
    ],
  ] as const) {
    it(`H92: answers 422 to a body with ${what}`, async () => {
      expect(refusalsOf(await post(withMember(member)))).to.deep.equal(refusals);
    });
  }

  it('H92: answers 422 to NUL or a lone surrogate in a list or in a name', async () => {
    for (const character of ['\\u0000', '\\ud800']) {
      const types = valid.replace('cart.order.completed', `cart.${character}`);
      expect(refusalsOf(await post(types))).to.deep.equal(['event_types: invalid_value']);
      const name = await post(withMember(`"na${character}me":1`));
      const { errors } = toProblem(name, 422);
      expect(errors.map(({ code, param }) => ({ code, param }))).to.deep.equal([
        { code: 'invalid_value', param: undefined },
      ]);
      expect(name.text).not.to.include(character);
    }
  });

  it('H92: answers 422 and names a wrong field even after a hundred wrong items of another', async () => {
    const types = JSON.stringify(Array(100).fill(1));
    const body = `"event_types":${types},"notification_email":"ops@shop.example","description":7}`;
    const refused = await post(`{"url":"https://shop.example/hooks",${body}`);
    const refusals = ['description: invalid_type', 'event_types: invalid_type'];
    expect(refusalsOf(refused)).to.have.members(refusals);
  });

  it('H92: answers 422 to __proto__, which changes nothing', async () => {
    for (const value of ['{"active":false}', 'null', '1']) {
      const refused = await post(withMember(`"__proto__":${value}`));
      expect(refusalsOf(refused)).to.deep.equal(['__proto__: unknown_property']);
    }
    const constructed = await post(withMember('"constructor":{"prototype":{"active":false}}'));
    expect(refusalsOf(constructed)).to.deep.equal(['constructor: unknown_property']);
    const { active } = dataOf<EndpointBody>(await post(valid), 201);
    expect(active).to.equal(true);
  });

  it('H92: returns any text as it was sent', async () => {
    const description = 'é e\u0301 🌍 \u200f\u2028 "\\/ \u0001 \u007f';
    const created = dataOf<EndpointBody>(
      await rest.post(endpointsPath, endpointInput({ description })),
      201,
    );
    expect(created.description).to.equal(description);
    const read = await rest.get(`${endpointsPath}/${created.id}`);
    expect(dataOf<EndpointBody>(read, 200).description).to.equal(description);
    expect(await listDeliveries(rest)).to.deep.equal([]);
  });
});
