import { readingProgress } from '../output/reading-progress.js';
import type { Client } from './client.js';

/** The items of a list, at most as many as asked for, and whether there are more. */
export interface Listed<Item> {
  readonly items: Item[];
  readonly more: boolean;
}

type Query = Readonly<Record<string, string | undefined>>;

const largestPage = 100;

/** Reads a list that goes on by cursor, in pages of at most 100, up to `limit` items. */
export function listByCursor<Item>(
  client: Client,
  path: string,
  query: Query,
  limit: number,
): Promise<Listed<Item>> {
  let cursor: string | undefined;
  return readPages(limit, async (size) => {
    const { data, page } = await client.call<{
      data: Item[];
      page: { has_more: boolean; next_cursor?: string | null };
    }>({ path, query: { ...query, limit: String(size), cursor } });
    cursor = page.next_cursor ?? undefined;
    return { data, last: !page.has_more || cursor === undefined };
  });
}

/** One page of a list that an operation of `cli/documents` reads. */
export interface DocumentPage<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor?: string | null };
}

/**
 * Reads a list of an operation, in pages of at most 100, up to `limit` items. A page may be empty
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

/** Reads a list that goes on by page number, in pages of 25, up to `limit` items. */
export function listByNumber<Item>(
  client: Client,
  path: string,
  query: Query,
  limit: number,
): Promise<Listed<Item>> {
  let number = 0;
  return readPages(limit, async () => {
    number += 1;
    const { data, pagination } = await client.call<{
      data: Item[];
      pagination: { total_pages: number };
    }>({ path, query: { ...query, page: String(number), per_page: '25' } });
    return { data, last: number >= pagination.total_pages };
  });
}

/** Reads pages until `limit` items or the last one, and shows on a terminal how far it is. */
async function readPages<Item>(
  limit: number,
  readPage: (size: number) => Promise<{ data: readonly Item[]; last: boolean }>,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  const progress = readingProgress();
  try {
    for (;;) {
      const { data, last } = await readPage(Math.min(largestPage, limit - items.length));
      items.push(...data);
      if (last || items.length >= limit) {
        return { items: items.slice(0, limit), more: !last || items.length > limit };
      }
      progress.show(items.length);
    }
  } finally {
    progress.end();
  }
}
