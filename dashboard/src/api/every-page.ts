/** A page of a list, as the service returns it. */
interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor: string | null };
}

/** Reads a list page by page, to its end or until `most` items are read. */
export async function readEveryPage<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
  most: number,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { data, page } = await read(cursor);
    items.push(...data);
    cursor = page.hasMore && items.length < most ? (page.nextCursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return items;
}

/**
 * Lets concurrent calls of the same generation share one read.
 */
export function shareReads<Result>(
  read: () => Promise<Result>,
): (generation: number) => Promise<Result> {
  let running: { readonly generation: number; readonly result: Promise<Result> } | undefined;
  return (generation) => {
    if (running?.generation === generation) return running.result;
    const result = read().finally(() => {
      if (running?.result === result) running = undefined;
    });
    running = { generation, result };
    return result;
  };
}
