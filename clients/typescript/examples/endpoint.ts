import { createClient } from 'signalpost-client';

const { SIGNALPOST_URL: url = '', SIGNALPOST_API_KEY: key = '', RECEIVER_URL = '' } = process.env;
const client = createClient({ url, key });
const event_types = ['cart.order.completed'];
const { data } = await client.request('POST', '/v1/webhooks/endpoints', {
  body: { url: RECEIVER_URL, event_types, notification_email: 'ops@shop.example' },
});
console.log(data.id, 'signing_secret' in data ? data.signing_secret : '');
for await (const { id, status } of client.list('/v1/webhooks/deliveries')) console.log(id, status);
