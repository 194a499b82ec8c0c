import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { onDisconnect } from '../../../src/http/stream/client.js';
import { eventually } from '../../support/eventually.js';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a response whose client goes', () => {
  it('calls back once, also when it waits behind another', async () => {
    const responses: ServerResponse[] = [];
    const server = createServer((_request, response) => responses.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(request.repeat(2));
    await eventually(() => expect(responses).to.have.lengthOf(2), 'the requests arrive');

    const calls = [0, 0];
    const closed: string[] = [];

    for (const [index, response] of responses.entries()) {
      onDisconnect(response, () => (calls[index] = (calls[index] ?? 0) + 1));
    }

    responses[0]?.on('close', () => closed.push('response'));
    responses[0]?.req.socket.on('close', () => closed.push('socket'));
    socket.destroy();
    await eventually(() => expect(closed).to.have.lengthOf(2), 'both are closed');
    await new Promise((resolve) => server.close(resolve));
    expect(calls).to.deep.equal([1, 1]);
  });
});
