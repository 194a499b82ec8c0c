import {
  type ItemOf,
  type ListInput,
  type ListPath,
  nextOf,
} from '../../clients/typescript/src/client.js';
import { exitCodes, Failure } from '../failure.js';
import type { Printer } from '../output/printer.js';
import type { Client } from './client.js';

/** The first items of a list, and whether there are more. */
interface Listed<Item> {
  readonly items: Item[];
  readonly more: boolean;
}

const largestPage = 100;

/** Reads a list of `/v1`, in pages of its largest size, up to `limit` items. */
export function listByPath<Path extends ListPath>(
  client: Client,
  path: Path,
  query: ListInput<Path>['query'],
  limit: number,
): Promise<Listed<ItemOf<Path>>> {
  const size = path.startsWith('/v1/commerce/')
    ? { per_page: 25 }
    : { limit: Math.min(largestPage, limit) };
  const pages = client.pages(path, { query: { ...query, ...size } } as ListInput<Path>);
  return readPages(limit, async () => {
    const next = await pages.next();
    if (next.done === true) return { data: [], last: true };
    return { data: next.value.data, last: nextOf(next.value) === undefined };
  });
}

/** One page of an operation of `cli/documents`. */
interface DocumentPage<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor?: string | null };
}

/**
 * Reads the list of an operation, in pages of at most 100, up to `limit` items. A page may be empty
 * although more follow.
 */
export function listByDocument<Item>(
  readPage: (page: {
    readonly limit: number;
    readonly cursor: string | null;
  }) => Promise<DocumentPage<Item>>,
  limit: number,
): Promise<Listed<Item>> {
  let cursor: string | null = null;
  return readPages(limit, async (size) => {
    const { data, page } = await readPage({ limit: size, cursor });
    cursor = page.nextCursor ?? null;
    return { data, last: !page.hasMore || cursor === null };
  });
}

/** Reads pages up to `limit` items or the end, and shows the progress on a terminal. */
async function readPages<Item>(
  limit: number,
  readPage: (size: number) => Promise<{ data: readonly Item[]; last: boolean }>,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  let isShown = false;
  const replaceLine = (text: string) => void process.stderr.write(`\r\u001b[K${text}`);
  try {
    for (;;) {
      const { data, last } = await readPage(Math.min(largestPage, limit - items.length));
      items.push(...data);

      if (last || items.length >= limit) {
        return { items: items.slice(0, limit), more: !last || items.length > limit };
      }

      if (process.stderr.isTTY) {
        replaceLine(`${items.length} read …`);
        isShown = true;
      }
    }
  } finally {
    if (isShown) replaceLine('');
  }
}

/** Says how to print more of a list. */
export function noteMore(print: Printer, limit: number): void {
  print.note(`There are more: use --limit ${limit * 2}.`);
}

/**
 * Returns the only endpoint of the account; undefined if it has none.
 * @param advice what to do if it has several
 * @throws Failure 2 if it has several
 */
export async function onlyEndpoint(
  client: Client,
  status: 'active' | undefined,
  advice: string,
): Promise<string | undefined> {
  const { items } = await listByPath(client, '/v1/webhooks/endpoints', { status }, 2);
  const [first, second] = items;
  if (!second) return first?.id;
  const several = status === undefined ? 'several endpoints' : `several ${status} endpoints`;
  throw new Failure(`The account has ${several}: ${advice}.`, exitCodes.usage);
}
