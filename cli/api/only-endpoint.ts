import { exitCodes, Failure } from '../failure.js';
import type { Client } from './client.js';
import { listByCursor } from './pages.js';

/**
 * Returns the only endpoint of the account; undefined when it has none.
 * @param advice what to do when it has several
 * @throws Failure 2 when it has several
 */
export async function onlyEndpoint(
  client: Client,
  status: 'active' | undefined,
  advice: string,
): Promise<string | undefined> {
  const path = '/v1/webhooks/endpoints';
  const { items } = await listByCursor<{ id: string }>(client, path, { status }, 2);
  const [first, second] = items;
  if (!second) return first?.id;
  const several = status === undefined ? 'several endpoints' : `several ${status} endpoints`;
  throw new Failure(`The account has ${several}: ${advice}.`, exitCodes.usage);
}
