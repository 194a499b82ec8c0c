import { expect } from 'chai';
import { type CliUser, createCliUser } from '../support/cli.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

const set = `mutation ($id: ID!, $input: EndpointOptionsInput!, $account: ID) {
  setEndpointOptions(id: $id, input: $input, account: $account) { options { filter } } }`;
const trial = `query ($id: ID!, $filter: String!, $account: ID) {
  tryEndpointFilter(id: $id, filter: $filter, account: $account) { id matches } }`;
const why = `query ($event: ID!, $endpoint: ID!, $account: ID) {
  eventAtEndpoint(event: $event, endpoint: $endpoint, account: $account) { state matches } }`;

describe('the filter of an endpoint', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let user: CliUser;
  let all: string;
  let large: string;

  before(async () => {
    receiver = await startReceiver();
    service = await sharedService();
  });

  after(() => receiver.close());

  beforeEach(async () => {
    tenant = await createTenant(service);
    const add = (path: string) =>
      createEndpoint(tenant.rest, { url: receiver.url(`/${tenant.account}/${path}`) });
    ({ id: all } = await add('all'));
    ({ id: large } = await add('large'));
    const { token } = await tenant.credential({ kind: 'live' });
    user = createCliUser({ SIGNALPOST_URL: service.url, SIGNALPOST_API_KEY: token });
  });

  afterEach(() => user.remove());

  const filter = (text: string | null) =>
    tenant.graphql(set, { id: large, input: { filter: text }, account: tenant.account });

  const publish = (total: number) => tenant.publish({ data: { metadata: { total } } });

  const at = async (event: string, endpoint = large) => {
    const variables = { event, endpoint, account: tenant.account };
    const answer = await tenant.graphql<{ eventAtEndpoint: { state: string } }>(why, variables);
    return answer.eventAtEndpoint.state;
  };

  it('H294: sends only what matches, and names the character that it refuses', async () => {
    await filter('$.data.metadata.total >= 100 && $.type == "cart.order.completed"');
    const small = await publish(5);
    const big = await publish(500);
    await eventually(async () => {
      expect(await at(big)).to.equal('delivered');
      expect(await at(small, all)).to.equal('delivered');
    }, 'both are delivered');
    expect(await at(small)).to.equal('filtered');
    const paths = receiver.requests.map(({ path }) => path);
    expect(paths.filter((path) => path === `/${tenant.account}/large`)).to.have.lengthOf(1);

    const refusal = await filter('$.data.metadata.total >= "a').catch((error: unknown) => error);
    expect((refusal as GraphqlRefusal).extensions['errors']).to.deep.equal([
      { code: 'invalid_value', detail: 'Character 26: This text is not closed.', param: 'filter' },
    ]);
  });

  it('H295: what a filter leaves out has no record and waits nowhere, and replays and test events ignore it', async () => {
    const before = await publish(1);
    await eventually(async () => expect(await at(before)).to.equal('delivered'), 'it is delivered');
    await filter('$.data.metadata.total >= 100');
    const event = await publish(1);
    await eventually(
      async () => expect(await at(event, all)).to.equal('delivered'),
      'it is delivered',
    );
    const { rows } = await counts(event);
    expect(rows).to.deep.equal([{ endpoint: all }]);

    const [record] = await service.database.query<{ id: string }>(
      'select id from delivery where event_id = $1 and endpoint_id = $2',
      [before, large],
    );
    const replay = await tenant.rest.post(`${deliveriesPath}/${record?.id}/replay`);
    expect(replay.status).to.equal(200);

    const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
      `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`,
      { input: { endpoint: large, type: 'cart.order.completed', account: tenant.account } },
    );
    await recordedAs(tenant.rest, sendTestEvent.id, ['success']);
  });

  const counts = async (event: string) => ({
    rows: await service.database.query<{ endpoint: string }>(
      `select endpoint_id as endpoint from delivery where event_id = $1
        union all select endpoint_id from pending_delivery where event_id = $1`,
      [event],
    ),
  });

  it('H296: a preview counts what matches the filter of today', async () => {
    await filter('$.data.metadata.total >= 100');
    for (const total of [1, 2, 300]) await publish(total);
    await service.database.query('delete from pending_delivery where account_id = $1', [
      tenant.account,
    ]);
    const preview = async () => {
      const { previewRecovery } = await tenant.graphql<{ previewRecovery: { missed: number } }>(
        `query ($input: RecoveryRangeInput!, $account: ID) {
           previewRecovery(input: $input, account: $account) { missed } }`,
        { input: { endpoint: large, what: 'missed' }, account: tenant.account },
      );
      return previewRecovery.missed;
    };
    await filter('$.data.metadata.total < 100');
    expect(await preview()).to.equal(2);
    await filter('$.data.metadata.total == 2');
    expect(await preview()).to.equal(1);
  });

  it('H297: tries a filter over the command line, and sets and removes it', async () => {
    const events = [await publish(1), await publish(500)];
    const text = '$.data.metadata.total >= 100';
    const tried = await user.run(
      'endpoints',
      'options',
      large,
      '--filter',
      text,
      '--try',
      '--json',
    );
    expect(tried.code, tried.stderr).to.equal(0);
    const rows = tried.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; matches: boolean });
    expect(rows.filter(({ matches }) => matches).map(({ id }) => id)).to.deep.equal(
      events.slice(1),
    );
    expect(tried.stderr).to.contain('1 of the newest 2 events match. Nothing was changed.');

    const answer = await tenant.graphql<{ tryEndpointFilter: object[] }>(trial, {
      id: large,
      filter: text,
      account: tenant.account,
    });
    expect(answer.tryEndpointFilter).to.have.lengthOf(2);

    const options = async (...args: string[]) => {
      const { code, stdout, stderr } = await user.run(
        'endpoints',
        'options',
        large,
        ...args,
        '--json',
      );
      expect(code, stderr).to.equal(0);
      return (JSON.parse(stdout) as { filter: string | null }).filter;
    };
    expect(await options()).to.equal(null);
    expect(await options('--filter', text)).to.equal(text);
    expect(await options('--filter', 'none')).to.equal(null);
    const refused = await user.run('endpoints', 'options', large, '--filter', '$.data.a = 1');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('filter: Character 10: Write == in place of =.');
    expect((await user.run('endpoints', 'options', large, '--try')).code).to.equal(2);
  });

  it('H298: says over the command line why an endpoint did not get an event', async () => {
    const text = '$.data.metadata.total >= 100';
    await filter(text);
    const event = await publish(1);
    const ask = async () => {
      const { code, stdout, stderr } = await user.run('events', 'why', event, '--endpoint', large);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    expect(await ask()).to.equal(`It does not match the filter of the endpoint: ${text}\n`);
    await filter('$.data.metadata.total == 1');
    expect(await ask()).to.match(
      /^Cannot be known: the filter changed at .*\nThe filter of today matches it: /,
    );
    const foreign = await user.run('events', 'why', event, '--endpoint', 'whs_1');
    expect(foreign.code).to.equal(1);
  });
});
