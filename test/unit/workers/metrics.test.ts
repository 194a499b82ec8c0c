import { expect } from 'chai';
import { WorkerMetrics } from '../../../workers/metrics.js';

const backlog = {
  ready: 3,
  claimed: 0,
  waiting: 0,
  isolated: 2,
  oldestDueSeconds: 7,
  oldestBacklogSeconds: 7,
  deadLettered: 0,
};
const notices = { pending: 0, refused: 0, oldestPendingSeconds: 0 };

describe('metrics of a worker', () => {
  async function render(readBacklog: () => Promise<typeof backlog>): Promise<string> {
    const metrics = new WorkerMetrics();
    metrics.setSources({
      backlog: readBacklog,
      fullAccounts: () => Promise.resolve(1),
      notices: () => Promise.resolve(notices),
      recoveries: () => Promise.resolve({ running: 0, paused: 0 }),
      queueDepths: () => Promise.resolve({ due: 0, replay: 0, notify: 0, expire: 0 }),
      inFlight: () => ({}),
      refusedWrites: () => 4,
      proxyUp: () => false,
    });
    return metrics.text();
  }

  it('says whether PostgreSQL answers, and renders without it', async () => {
    expect(await new WorkerMetrics().text()).to.include('\nsignalpost_proxy_up 1\n');
    const up = await render(() => Promise.resolve(backlog));
    expect(up).to.include('\nsignalpost_postgresql_up 1\n');
    expect(up).to.include('\nsignalpost_deliveries_isolated 2\n');
    expect(up).to.include('\nsignalpost_accounts_full 1\n');
    expect(up).to.include('\nsignalpost_writes_refused_total 4\n');
    expect(up).to.include('\nsignalpost_proxy_up 0\n');
    expect(up).to.include('\nsignalpost_oldest_due_seconds 7\n');
    const away = await render(() => Promise.reject(new Error('away')));
    expect(away).to.include('\nsignalpost_postgresql_up 0\n');
  });
});
