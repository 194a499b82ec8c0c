import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET; // whsec_…, or the public key whpk_…
const key = Buffer.from(secret.replace(/^wh(sec|pk)_/, ''), 'base64');
const isPublic = secret.startsWith('whpk_');
const version = isPublic ? 'v1a,' : 'v1,';

/** Whether one signature is right: Ed25519 for a public key, HMAC-SHA256 for a secret. */
function isRight(signed, given) {
  if (isPublic) {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
    return verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), given);
  }
  const expected = createHmac('sha256', key).update(signed).digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether these bytes were signed for the key, at most 5 minutes ago. */
function isGenuine(headers, body) {
  const time = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${time}.`), body]);
  // Two signatures while the key is rotated.
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((each) => each.startsWith(version))
    .some((each) => isRight(signed, Buffer.from(each.slice(version.length), 'base64')));
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
