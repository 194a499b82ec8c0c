import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isEvent, VerificationError, verify } from 'signalpost-client';

const { SIGNING_SECRET = '', PORT = '3000' } = process.env;

/** Answers 204 to events of the service, and 401 to everything else. */
const server = createServer(async (request, response) => {
  try {
    const event = verify(await buffer(request), request.headers, SIGNING_SECRET);
    // Store the event here, before you answer; docs/receiving.md says how to handle it once.
    if (isEvent(event, 'cart.order.completed')) console.log(event.id, event.data.order.id);
    response.writeHead(204).end();
  } catch (error) {
    const isForeign = error instanceof VerificationError;
    console.error(isForeign ? `${error.reason}: ${error.message}` : error);
    // 500: not stored, so the service sends it again.
    response.writeHead(isForeign ? 401 : 500).end();
  }
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(server.address()));
