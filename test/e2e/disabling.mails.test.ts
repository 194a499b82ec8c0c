import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type MailServer, startMailServer } from '../support/mail.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

const endpoints = 300;

describeServiceOnQueues('mails about disabled endpoints', (create) => {
  let queue: ServiceQueue;
  let service: Service;
  let mailServer: MailServer;
  let receiver: Receiver;

  before(async () => {
    mailServer = await startMailServer();
    receiver = await startReceiver();
    queue = await create();
    const environment = {
      SMTP_URL: mailServer.url,
      ...(queue.redisUrl ? { REDIS_URL: queue.redisUrl } : {}),
    };
    service = await startService({ environment, workers: 2 });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await mailServer.close();
    await queue.drop();
  });

  it('H110: sends two mails in 15 minutes, however many endpoints are disabled, and names each once', async () => {
    const tenant = await createTenant(service);
    const { rest } = tenant;
    const description = 'YOU HAVE WON https://evil.example';
    const ids: string[] = [];
    for (let index = 0; index < endpoints; index += 1) {
      const url = receiver.url(`/${index}`);
      const notification_email = 'stranger@elsewhere.example';
      ids.push((await createEndpoint(rest, { url, notification_email, description })).id);
    }

    receiver.always(answer(410));
    await tenant.publish({});

    await eventually(async () => {
      const [row] = await service.database.query<{ disabled: number }>(
        'select count(*)::int as disabled from endpoint where not active',
      );
      expect(row?.disabled).to.equal(endpoints);
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
    const named = [...text.matchAll(/^(?:Endpoint: )?(whs_\S+)/gm)].map(([, id]) => id);
    expect(named).to.have.members(ids);
    expect(text).not.to.include('evil');
  });
});
