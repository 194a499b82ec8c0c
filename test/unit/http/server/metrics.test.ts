import { expect } from 'chai';
import { createMetrics } from '../../../../src/http/server/metrics.js';

const engine = { workersAlive: 0, ready: 2, oldestDueSeconds: 7, oldestBacklogSeconds: 9 };

describe('createMetrics', () => {
  const print = (answers: { readonly postgresql: boolean; readonly queue: boolean }) => {
    const metrics = createMetrics();
    metrics.setSources({
      depths: () =>
        answers.queue ? Promise.resolve({ due: 3 }) : Promise.reject(new Error('away')),
      waiting: () => 0,
      streams: () => ({ open: 0, lagSeconds: 0 }),
      engine: () =>
        answers.postgresql ? Promise.resolve(engine) : Promise.reject(new Error('away')),
      refusedWrites: () => 4,
    });
    return metrics.print();
  };

  it('H196: says whether PostgreSQL and the queue answer, also when no worker runs', async () => {
    const up = await print({ postgresql: true, queue: true });
    expect(up)
      .to.include('\nsignalpost_postgresql_up 1\n')
      .and.include('\nsignalpost_queue_up 1\n');
    expect(up).to.include('\nsignalpost_writes_refused_total 4\n');
    expect(up).to.include('\nsignalpost_workers_alive 0\n');
    expect(up).to.include('\nsignalpost_queue_depth{kind="due"} 3\n');
    const away = await print({ postgresql: false, queue: false });
    expect(away).to.include('\nsignalpost_postgresql_up 0\n');
    expect(away).to.include('\nsignalpost_queue_up 0\n');
    expect(away).not.to.match(/^signalpost_(workers_alive|queue_depth)\b/m);
  });
});
