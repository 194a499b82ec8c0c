import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET; // whsec_…
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Whether these bytes were signed with the secret, at most 5 minutes ago. */
function isGenuine(headers, body) {
  const time = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const expected = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${time}.`)
    .update(body)
    .digest();
  // Two signatures while the secret is rotated.
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // the raw bytes, before any parser
  if (request.method !== 'POST' || !isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const event = JSON.parse(body.toString('utf8'));
  // Store the event here, unless you know its id. Then answer, and work later.
  if (event.type === 'cart.order.completed') console.log('Received', event.id);
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`Listening on port ${server.address().port}`);
});
