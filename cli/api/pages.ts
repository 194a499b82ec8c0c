import type { Client } from './client.js';

/** The items of a list, at most as many as asked for, and whether there are more. */
export interface Listed<Item> {
  readonly items: Item[];
  readonly more: boolean;
}

type Query = Readonly<Record<string, string | undefined>>;

/** Reads a list that goes on by cursor, in pages of at most 100, up to `limit` items. */
export async function listByCursor<Item>(
  client: Client,
  path: string,
  query: Query,
  limit: number,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (;;) {
    const size = Math.min(100, limit - items.length);
    const { data, page } = await client.call<{
      data: Item[];
      page: { has_more: boolean; next_cursor?: string | null };
    }>({ path, query: { ...query, limit: String(size), cursor } });
    items.push(...data);
    cursor = page.next_cursor ?? undefined;
    if (!page.has_more || cursor === undefined) return { items, more: false };
    if (items.length >= limit) return { items, more: true };
  }
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
export async function listByDocument<Item>(
  readPage: (page: {
    readonly limit: number;
    readonly cursor: string | null;
  }) => Promise<DocumentPage<Item>>,
  limit: number,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (;;) {
    const size = Math.min(100, limit - items.length);
    const { data, page }: DocumentPage<Item> = await readPage({ limit: size, cursor });
    items.push(...data);
    cursor = page.nextCursor ?? null;
    if (!page.hasMore || cursor === null) return { items, more: false };
    if (items.length >= limit) return { items, more: true };
  }
}

/** Reads a list that goes on by page number, in pages of 25, up to `limit` items. */
export async function listByNumber<Item>(
  client: Client,
  path: string,
  query: Query,
  limit: number,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await client.call<{
      data: Item[];
      pagination: { total_pages: number; total_count: number };
    }>({ path, query: { ...query, page: String(page), per_page: '25' } });
    items.push(...data);
    if (items.length >= limit || page >= pagination.total_pages) {
      return { items: items.slice(0, limit), more: pagination.total_count > limit };
    }
  }
}
