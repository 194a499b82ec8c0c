import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { DomainError, validationFailed } from '../domain/errors.js';
import type { OwnResponse } from '../api/replies.js';
import type { OpenStream, StreamExchange } from './stream-endpoint.js';
import { accessOf, forbidden, lastEventId, refused, requireGet } from './public-stream.js';
import { readStreamQuery } from './stream-query.js';

export interface InternalStreamOptions {
  /** Finds the holder of an internal credential or of a dashboard token. @throws ApiError */
  readonly authenticate: (request: IncomingMessage) => Promise<Viewer>;
  /** @throws DomainError not_found */
  readonly requireAccount: (account: string) => Promise<unknown>;
  readonly openStream: OpenStream;
}

/** The parts of a request to the internal listener. */
export interface InternalStreamExchange extends StreamExchange {
  readonly method: string;
  readonly querystring: string;
  /** For the log line. */
  readonly state: { caller?: Pick<Viewer, 'account' | 'credential' | 'kind'> };
}

/**
 * Makes the function that answers `/stream` of the internal listener: an internal credential names
 * the account, a dashboard token has its own.
 */
export function internalStream(
  options: InternalStreamOptions,
): (exchange: InternalStreamExchange) => Promise<OwnResponse> {
  const { authenticate, openStream } = options;
  return async (exchange) => {
    const viewer = await authenticate(exchange.req);
    const { credential, kind } = viewer;
    exchange.state.caller = { account: viewer.account, credential, kind };

    const internal = kind === 'internal';
    const access = accessOf(viewer);
    if (!access) throw forbidden();

    requireGet(exchange.method);

    const query = readStreamQuery(exchange.querystring, lastEventId(exchange), internal);
    const account = internal ? await namedAccount(query.account, options) : viewer.account;
    const findAccess = async () => {
      const again = await authenticate(exchange.req).catch(refused);
      if (again?.kind !== kind) return undefined;
      const isThere = internal ? await exists(account, options) : again.account === account;
      return isThere ? accessOf(again) : undefined;
    };
    return openStream(exchange, { account, isPortal: false, access, findAccess }, query);
  };
}

/** Whether the account of an open stream is still there: the credential is not of this account. */
async function exists(
  account: string,
  { requireAccount }: Pick<InternalStreamOptions, 'requireAccount'>,
): Promise<boolean> {
  try {
    await requireAccount(account);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return false;
    throw error;
  }
}

async function namedAccount(
  account: string | undefined,
  { requireAccount }: InternalStreamOptions,
): Promise<string> {
  if (account === undefined) {
    const detail = 'An internal credential names the account.';
    throw validationFailed([{ code: 'required', detail, param: 'account' }]);
  }
  await requireAccount(account);
  return account;
}
