import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { createEndpoint, type EndpointBody, dataOf, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

const endpoints = 30;

describe('mails about disabled endpoints', () => {
  let service: Service;
  let mailServer: MailServer;
  let receiver: Receiver;

  before(async function () {
    this.timeout(60_000);
    mailServer = await startMailServer();
    receiver = await startReceiver();
    service = await startService({ environment: { SMTP_URL: mailServer.url }, workers: 2 });
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    await mailServer.close();
  });

  it('H110: are two in 15 minutes, however many are disabled at once, and name each endpoint once', async function () {
    this.timeout(60_000);
    const tenant = await createTenant(service);
    const { rest } = tenant;
    const description = 'YOU HAVE WON https://evil.example';
    const ids: string[] = [];
    for (let each = 0; each < endpoints; each += 1) {
      const url = receiver.url(`/${each}`);
      const notification_email = 'stranger@elsewhere.example';
      ids.push((await createEndpoint(rest, { url, notification_email, description })).id);
    }
    receiver.always(answer(410));
    await tenant.publish({});
    await eventually(async () => {
      const listed = await rest.get(`${endpointsPath}?limit=100&status=inactive`);
      expect(dataOf<EndpointBody[]>(listed, 200)).to.have.length(endpoints);
    }, 'all are disabled');
    const pendingNotices = () =>
      service.database.query<{ due_in: number }>(
        `select extract(epoch from due_at - now())::float8 as due_in
           from notice where sent_at is null`,
      );
    await eventually(async () => {
      const waiting = (await pendingNotices()).map(({ due_in }) => due_in);
      expect(Math.min(900, ...waiting)).to.be.above(800);
    }, 'what no mail names yet is held');
    expect(mailServer.mails).to.have.length(1);
    await service.database.query(
      `update notice set due_at = due_at - interval '15 minutes',
              claimed_at = claimed_at - interval '15 minutes'`,
    );
    await eventually(async () => expect(await pendingNotices()).to.deep.equal([]), 'all are named');
    expect(mailServer.mails.length).to.be.at.most(2);
    const text = mailServer.mails.map((mail) => mail.text).join('\n');
    for (const id of ids) expect(text.split(`Endpoint: ${id}\n`), id).to.have.length(2);
    expect(text).not.to.include('evil');
  });
});
