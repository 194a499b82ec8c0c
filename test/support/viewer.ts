import {
  authenticate,
  type AuthFailure,
  type Viewer,
} from '../../src/domain/account/credentials.js';
import type { Read } from '../../src/domain/tx.js';

/** Looks up who holds `token`, or why it is refused. */
export async function viewerOf(read: Read, token: string): Promise<Viewer | AuthFailure> {
  const found = await authenticate(read, token);
  return typeof found === 'string' ? found : found.viewer;
}
