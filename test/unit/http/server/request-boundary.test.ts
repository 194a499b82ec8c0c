import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { fetch } from 'undici';
import type { RequestState } from '../../../../src/http/exchange.js';
import { ApiError } from '../../../../src/http/problems.js';
import {
  type AnsweredRequest,
  requestBoundary,
} from '../../../../src/http/server/request-boundary.js';

/** Sends one request to a listener whose only handler is `handler`. */
async function exchangeWith(handler: (state: RequestState) => void, method = 'GET') {
  const recorded: AnsweredRequest[] = [];
  const uncaught: unknown[] = [];
  const app = new Koa<RequestState>();
  app.on('error', (error) => uncaught.push(error));
  app.use(
    requestBoundary({
      origin: 'https://signalpost.example',
      isSecure: false,
      tracing: undefined,
      continuesTraces: false,
      spanName: () => undefined,
      describeSpan: () => ({ name: '', attributes: {} }),
      record: (request) => recorded.push(request),
    }),
  );
  app.use((ctx) => handler(ctx.state));

  const callback = app.callback();
  const server = createServer((request, response) => void callback(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method });
    const text = await response.text().catch((error: unknown) => error);
    return { response, text, recorded, uncaught };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('requestBoundary', () => {
  it('answers a reply that cannot be sent with a Problem, and records it once', async () => {
    const { response, text, recorded, uncaught } = await exchangeWith((state) => {
      state.reply = { status: 200, headers: { 'X-Broken': 'a\nb' }, text: 'never sent' };
    });

    expect(response.status).to.equal(500);
    expect(response.statusText).to.equal('Internal Server Error');
    expect(JSON.parse(String(text))).to.include({ code: 'internal_error' });
    expect(recorded.map(({ status }) => status)).to.deep.equal([500]);
    expect(recorded[0]?.requestId).to.equal(response.headers.get('x-request-id'));
    expect(recorded[0]?.error).to.have.property('code', 'ERR_INVALID_CHAR');
    expect(uncaught).to.deep.equal([]);
  });

  it('sends no content in place of such a reply to HEAD', async () => {
    const { response, text, recorded } = await exchangeWith((state) => {
      state.reply = { status: 204, headers: { 'X-Broken': 'a\nb' }, text: null };
    }, 'HEAD');

    expect(response.status).to.equal(500);
    expect(text).to.equal('');
    expect(recorded.map(({ status }) => status)).to.deep.equal([500]);
  });

  it('answers with the Problem as JSON if its page fails, and records both errors', async () => {
    const refusal = new ApiError('not_found', 'No such path.');
    const broken = new Error('no template');
    const { response, text, recorded, uncaught } = await exchangeWith((state) => {
      state.renderProblem = () => {
        throw broken;
      };
      throw refusal;
    });

    expect(response.status).to.equal(500);
    expect(JSON.parse(String(text))).to.include({ code: 'internal_error' });
    expect(recorded).to.have.lengthOf(1);
    expect(recorded[0]?.error).to.have.deep.property('errors', [refusal, broken]);
    expect(uncaught).to.deep.equal([]);
  });

  it('ends the connection of a stream that cannot begin, and records it once', async () => {
    const broken = new Error('cannot begin');
    const { text, recorded, uncaught } = await exchangeWith((state) => {
      state.streamed = {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        begin: () => {
          throw broken;
        },
      };
    });

    expect(text).to.be.instanceOf(Error);
    expect(recorded.map(({ error }) => error)).to.deep.equal([broken]);
    expect(uncaught).to.deep.equal([]);
  });
});
