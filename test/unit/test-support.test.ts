import { expect } from 'chai';
import { arrivals } from '../support/reconciliation.js';
import { createServer, type RequestListener, type Server } from 'node:http';
import { fetch } from 'undici';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from '../support/eventually.js';
import { type ApiHost, besideClients, type Calls } from '../support/upgrade.js';

/** A request as `evt_1 1 200`: event, attempt, and what it was answered with. */
const request = (text: string, path = '/hook') => {
  const [id = '', attempt = '', answered] = text.split(' ');
  return {
    path,
    headers: { 'webhook-id': id, 'x-service-attempt': attempt },
    ...(answered !== undefined && { answered: Number(answered) }),
  };
};

describe('reconciliation of fault tests', () => {
  const duplicates = (...texts: string[]) =>
    arrivals(
      [],
      texts.map((text) => request(text)),
    ).duplicates;

  it('counts an acknowledged event that did not arrive as lost', () => {
    const requests = [request('evt_1 1 200'), request('evt_3 1 200')];
    expect(arrivals(['evt_1', 'evt_2'], requests)).to.deep.equal({
      acked: 2,
      received: 2,
      lost: 1,
      duplicates: 0,
    });
  });

  it('counts a request after an acceptance or for the same attempt as a duplicate', () => {
    expect(duplicates('evt_1 1 500', 'evt_1 2', 'evt_1 3 200')).to.equal(0);
    expect(duplicates('evt_1 1 200', 'evt_1 2 200')).to.equal(1);
    expect(duplicates('evt_1 1', 'evt_1 1 200')).to.equal(1);
    expect(duplicates('evt_1 1 200', 'evt_1 1 200', 'evt_1 2 500')).to.equal(2);
  });

  it('counts each receiver separately', () => {
    const requests = [request('evt_1 1 200', '/one'), request('evt_1 1 200', '/two')];
    expect(arrivals(['evt_1'], requests).duplicates).to.equal(0);
  });
});

/** The answers of an API that serves. */
const serve: RequestListener = (_, response) => void response.end('{}');
/** Takes the request and cuts its connection. */
const cut: RequestListener = (request) => void request.socket.destroy();

describe('the clients of an upgrade', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function start(listener: RequestListener): Promise<ApiHost> {
    const server = createServer(listener);
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    servers.push(server);
    return hostOf(port);
  }

  const hostOf = (port: number) => {
    const url = `http://127.0.0.1:${port}`;
    return { url, internalUrl: url };
  };

  /** What clients see of an API that serves beside `other`. */
  async function callBeside(other: ApiHost, ending: readonly ApiHost[] = []): Promise<Calls> {
    const calls: Calls = { events: [], failures: [] };
    const apis = { serving: [await start(serve), other], ending: new Set(ending) };
    const publish = async (key: string, { internalUrl }: ApiHost) => {
      await (await fetch(internalUrl)).text();
      return key;
    };
    const all = () => expect(calls.events.length + calls.failures.length).to.be.above(20);
    await besideClients(calls, apis, 'token', publish, () => eventually(all, 'they call'));
    return calls;
  }

  it('clients go on to the next API when one refuses the connection', async () => {
    const { events, failures } = await callBeside(hostOf(await freePort()));
    expect(failures).to.deep.equal([]);
    expect(events).not.to.have.lengthOf(0);
  });

  it('clients count a cut connection as a failure', async () => {
    const { failures } = await callBeside(await start(cut));
    expect(failures).not.to.have.lengthOf(0);
    for (const failure of failures) expect(failure).to.match(/^TypeError: fetch failed \w*Error: /);
  });

  it('clients go on when a process that is ending cuts their connection', async () => {
    const other = await start(cut);
    expect((await callBeside(other, [other])).failures).to.deep.equal([]);
  });
});
