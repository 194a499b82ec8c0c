import type { FillResult } from '../tools/seed/fill-account.js';
import { adminJson } from '../test/support/admin.js';
import { benchKey, type BenchService } from './bench-service.js';
import { startActor } from './actor.js';

/** Median time of a request for the first and for the last page, in ms per round. */
export interface PageFigures {
  readonly pages: number;
  readonly first: number[];
  readonly last: number[];
}

interface Answer {
  readonly p50: number;
}

const lists = ['orders', 'payments', 'invoices', 'refunds'] as const;
const connections = 4;
const perPage = 25;

/** Measures first and last page of each list, in turns, of an account from `admin seed --size large`. */
export async function benchPages(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<Record<string, PageFigures>> {
  const environment = {
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: `b1:${benchKey.toString('base64')}`,
  };

  progress('seeding 100,000 orders, which takes a minute or two');

  const filled = (await adminJson(environment, ['seed', '--size', 'large'])) as FillResult;
  const create = ['credentials', 'create', '--account', filled.account, '--kind', 'live'];
  const { token } = (await adminJson(environment, create)) as { token: string };

  await service.query('vacuum analyze');

  const api = await service.startApi();
  const load = await startActor('load', { connections });
  const origin = `http://127.0.0.1:${api.restPort}`;
  const timeOf = async (list: string, page: number): Promise<number> => {
    const path = `/v1/commerce/${list}?page=${page}&per_page=${perPage}`;
    const request = { origin, method: 'GET', path, tokens: [token], expect: 200, forMs };
    return (await load.ask<Answer>(request)).p50;
  };

  const figures: Record<string, PageFigures> = {};

  for (const list of lists) {
    // The last full page: a shorter one would be cheaper for the wrong reason.
    const pages = Math.floor(filled.made[list] / perPage);
    const figure: PageFigures = { pages, first: [], last: [] };

    await timeOf(list, 1);

    for (let round = 1; round <= rounds; round += 1) {
      figure.first.push(await timeOf(list, 1));
      figure.last.push(await timeOf(list, pages));
    }

    figures[list] = figure;
    progress(`pages of ${list}`);
  }

  await load.end();
  await api.end();

  return figures;
}
