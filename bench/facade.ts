import { makeToken, hashToken } from '../src/domain/account/token.js';
import { makeId } from '../src/domain/id.js';
import type { Ground } from './bench-service.js';
import { residentMiB, startParty } from './party.js';

/** Requests per second of each round of one operation, and the candidate's latencies in ms. */
export interface OperationFigures {
  readonly ceiling: number[];
  readonly candidate: number[];
  readonly p50: number[];
  readonly p99: number[];
}

/** The two operations, and memory of the API process in MiB. */
export interface FacadeFigures {
  readonly retrieve: OperationFigures;
  readonly create: OperationFigures;
  readonly restMiB: number;
  readonly loadMiB: number;
}

interface Answer {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const connections = 50;
const databasePool = 10;

/** Retrieve and create through the facade, against Koa routes written by hand; they take turns. */
export async function benchFacade(
  ground: Ground,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<FacadeFigures> {
  const { token, endpoint } = await arrangeAccount(ground);
  const api = await ground.startApi();
  const restMiB = residentMiB(api.pid);
  const plain = await startParty('plain-koa', {
    databaseUrl: ground.databaseUrl,
    pool: databasePool,
    logFile: ground.logFile,
  });
  const load = await startParty('load', { connections });
  const origins = [`http://127.0.0.1:${plain.port}`, `http://127.0.0.1:${api.restPort}`] as const;
  const retrieve = { method: 'GET', path: `/v1/webhooks/endpoints/${endpoint}`, expect: 200 };
  const create = {
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    expect: 201,
    body: JSON.stringify({
      url: 'https://receiver.example/hook',
      event_types: ['cart.order.completed'],
      notification_email: 'bench@example.com',
    }),
  };
  const run = async (operation: object): Promise<OperationFigures> => {
    const figures: OperationFigures = { ceiling: [], candidate: [], p50: [], p99: [] };
    for (const origin of origins) await load.ask({ ...operation, origin, token, forMs: forMs / 2 });
    for (let round = 1; round <= rounds; round += 1) {
      const ceiling = await load.ask<Answer>({ ...operation, origin: origins[0], token, forMs });
      const candidate = await load.ask<Answer>({ ...operation, origin: origins[1], token, forMs });
      figures.ceiling.push(ceiling.perSecond);
      figures.candidate.push(candidate.perSecond);
      figures.p50.push(candidate.p50);
      figures.p99.push(candidate.p99);
      progress(`requests, round ${round} of ${rounds}`);
    }
    return figures;
  };
  const figures = { retrieve: await run(retrieve), create: await run(create) };
  const loadMiB = residentMiB(api.pid);
  await load.end();
  await plain.end();
  await api.end();
  return { ...figures, restMiB, loadMiB };
}

async function arrangeAccount(ground: Ground): Promise<{ token: string; endpoint: string }> {
  const at = new Date();
  const [account, member, endpoint] = [makeId('acc', at), makeId('mem', at), makeId('whs', at)];
  const token = makeToken('live');
  await ground.query('insert into account (id, name, created_at) values ($1, $2, now())', [
    account,
    'Bench',
  ]);
  await ground.query(
    `insert into member (id, account_id, email, role, created_at) values ($1, $2, 'bench@example.com', 'owner', now())`,
    [member, account],
  );
  await ground.query(
    `insert into credential (id, account_id, member_id, kind, level, token_sha256, last4, created_at)
     values ($1, $2, $3, 'live', 'full', $4, $5, now())`,
    [makeId('crd', at), account, member, hashToken(token), token.slice(-4)],
  );
  await ground.query(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
     values ($1, $2, 'https://receiver.example/hook', true, 'bench@example.com', '{cart.order.completed}', now(), now())`,
    [endpoint, account],
  );
  return { token, endpoint };
}
