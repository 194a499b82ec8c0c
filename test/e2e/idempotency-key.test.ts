import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  endpointInput,
  endpointsPath,
  type EndpointBody,
  type Envelope,
  toProblem,
} from '../support/endpoints.js';
import { call, publicOperations } from '../support/every-operation.js';
import { type Reply, type RestClient, sendRaw } from '../support/rest-client.js';
import { sharedService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('the Idempotency-Key header', () => {
  let url: string;
  let rest: RestClient;

  before(async () => {
    const service = await sharedService();
    ({ url } = service);
    ({ rest } = await createTenant(service));
  });

  it('H51, A5, A45: are required; an empty or blank one is none', async () => {
    for (const line of [
      undefined,
      'Idempotency-Key:',
      'Idempotency-Key: ',
      'Idempotency-Key: \t ',
    ]) {
      const { code, errors } = toProblem(await raw(line === undefined ? [] : [line]), 400);
      expect(code).to.equal('idempotency_key_required');

      expect(errors).to.deep.equal([
        {
          code,
          detail: 'This operation requires an Idempotency-Key header of 1 to 255 characters.',
          param: 'Idempotency-Key',
        },
      ]);
    }
  });

  it('H52, A6: have at most 255 code points', async () => {
    for (const character of ['x', 'é', '🎉', '🇩']) {
      expect((await rawKey(character.repeat(255))).status, character).to.equal(201);
      expect(keyRefusalOf(await rawKey(character.repeat(256))), character).to.equal('too_long');
    }
  });

  it('H53: are UTF-8', async () => {
    expect((await rawKey('clé-Ключ-鍵-🔑')).status).to.equal(201);
    const issues = {
      E9: [0xe9],
      'C0 80': [0xc0, 0x80],
      'ED A0 80': [0xed, 0xa0, 0x80],
      F5: [0xf5],
    };
    for (const [name, bytes] of Object.entries(issues)) {
      const key = Buffer.concat([Buffer.from('a'), Buffer.from(bytes), Buffer.from('b')]);
      expect(keyRefusalOf(await rawKey(key)), name).to.equal('invalid_encoding');
    }
  });

  it('H54: hold no NUL byte; in another header it is a malformed request', async () => {
    expect(keyRefusalOf(await rawKey('a\0b'))).to.equal('nul_byte');
    expect(keyRefusalOf(await raw(['iDEMPOTENCY-kEY: \0']))).to.equal('nul_byte');
    const { code } = toProblem(
      await raw(['X-Other: a\0b', `Idempotency-Key: ${randomUUID()}`]),
      400,
    );
    expect(code).to.equal('malformed_request');
    expect((await rest.post(endpointsPath, endpointInput())).status).to.equal(201);
  });

  it('H55: are sent once; a comma is part of the key', async () => {
    const key = randomUUID();
    for (const lines of [
      [`Idempotency-Key: ${key}`, `Idempotency-Key: ${key}`],
      [`Idempotency-Key: ${key}`, `idempotency-key: other`],
      [`Idempotency-Key: ${key}`, 'Idempotency-Key:'],
    ]) {
      expect(keyRefusalOf(await raw(lines))).to.equal('repeated_header');
    }
    const first = await rawKey(`${key}, ${key}`);
    expect(first.status).to.equal(201);
    expect(idOf(await rawKey(`${key}, ${key}`))).to.equal(idOf(first));
    expect((await rawKey(key)).headers).not.to.have.property('idempotent-replayed');
  });

  it('H56: are taken literally, quotation marks included', async () => {
    const key = randomUUID();
    const ids = [];
    for (const value of [key, `"${key}"`, `'${key}'`, key.toUpperCase(), `${key} x`]) {
      const reply = await rawKey(value);
      expect(reply.headers, value).not.to.have.property('idempotent-replayed');
      ids.push(idOf(reply));
    }
    expect(new Set(ids)).to.have.lengthOf(5);
    expect(
      idOf(await rawKey(`  ${key}\t`)),
      'white space around a value is not part of it',
    ).to.equal(ids[0]);
  });

  it('H57: are asked for by every operation that changes something', async () => {
    for (const operation of publicOperations) {
      const reply = await call(rest, operation, undefined, { key: null });
      if (operation.method === 'GET') expect(reply.status, operation.id).to.be.oneOf([200, 404]);
      else expect(toProblem(reply, 400).code, operation.id).to.equal('idempotency_key_required');
    }
  });

  it('H50: are ignored by GET and HEAD, malformed ones too', async () => {
    const key = randomUUID();
    await rest.post(endpointsPath, endpointInput(), { key });

    for (const method of ['GET', 'HEAD']) {
      for (const lines of [
        [Buffer.from('Idempotency-Key: \u00e9', 'latin1')],
        ['Idempotency-Key: a', 'Idempotency-Key: b'],
        [`Idempotency-Key: ${'x'.repeat(300)}`],
        [`Idempotency-Key: ${key}`],
      ]) {
        const { status, headers } = await raw(lines, method);
        expect(status, `${method} ${lines.join('; ')}`).to.equal(200);
        expect(headers).not.to.have.property('idempotent-replayed');
      }
    }
  });

  /** Sends these header lines byte by byte, with the body of a create request. */
  function raw(lines: readonly (string | Buffer)[], method = 'POST'): Promise<Reply> {
    const body = method === 'POST' ? JSON.stringify(endpointInput()) : '';
    const usual = [
      `${method} ${endpointsPath} HTTP/1.1`,
      'Host: api.example',
      'Connection: close',
      `Authorization: Bearer ${rest.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];

    const bytes = [...usual, ...lines, '', body].map((line, index) =>
      Buffer.concat([Buffer.from(index === 0 ? '' : '\r\n'), Buffer.from(line as string)]),
    );
    return sendRaw(url, Buffer.concat(bytes));
  }

  function rawKey(key: string | Buffer): Promise<Reply> {
    return raw([Buffer.concat([Buffer.from('Idempotency-Key: '), Buffer.from(key as string)])]);
  }
});

function idOf({ status, text, body }: Reply): string {
  expect(status, text).to.equal(201);
  return (body as Envelope<EndpointBody>).data.id;
}

/** The one reason of an invalid_idempotency_key (A45). */
function keyRefusalOf(reply: Reply): string | undefined {
  const { code, errors } = toProblem(reply, 400);
  expect(code).to.equal('invalid_idempotency_key');
  expect(errors.map(({ param }) => param)).to.deep.equal(['Idempotency-Key']);
  return errors[0]?.code;
}
