import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { DashboardClient, startDashboard } from '../../support/dashboard.js';

describe('the cookies of the dashboard', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('H168: go by TLS to their host only, and carry the name of the instance', async () => {
    const database = await test.open();
    const servers = [
      await startDashboard(database, { origin: 'https://one.example' }),
      await startDashboard(database, { origin: 'https://two.example' }),
    ];

    const names = [];

    for (const { address } of servers) {
      const asked = await new DashboardClient(address).send('POST', '/session/link', {
        email: 'ann@shop.example',
      });
      const cookie = String(asked.headers['set-cookie']);
      expect(cookie).to.match(/^__Host-.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
      names.push(cookie.split('=')[0]);
    }

    expect(new Set(names).size).to.equal(2);
    await Promise.all(servers.map((each) => each.close()));
  });

  it('are not sent over plain HTTP from another machine', async () => {
    const server = await startDashboard(await test.open(), { origin: 'http://shop.example' });
    const asked = await new DashboardClient(server.address).send('POST', '/session/link', {
      email: 'ann@shop.example',
    });
    expect(asked.status).to.equal(403);
    expect(asked.text).to.include('BASE_URL');
    await server.close();
  });
});
