import type { IncomingMessage } from 'node:http';
import { type CredentialFault, credentialDetail } from '../domain/account/credential-refusal.js';
import { authenticate, type Viewer } from '../domain/account/credentials.js';
import { bearerOf, hashToken } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import { Declined } from './declined.js';
import { QuotaUsedUp } from './quota-used-up.js';

/** Where an account stands with one of its quotas. */
interface Quota {
  readonly exceeded: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly resetSeconds: number;
  readonly limit: number;
  readonly until: number;
}

type Policy = 'default' | 'replay' | 'mail';

/** The limits of the public interface, which hold here too (H80, H95). */
export interface Limits {
  take(policy: Policy, account: string): Promise<Quota>;
  giveBack(policy: Policy, account: string, taken: Quota): Promise<Quota>;
  /** What it throws says `status`, `code`, `detail`, `errors` and `headers`, and so for `blame`. */
  admitToken(address: string, tokenHash: Buffer): Promise<void>;
  trust(tokenHash: Buffer): void;
  blame(address: string): Promise<void>;
}

/**
 * Who calls: the holder of an internal credential or of a dashboard token. Failures are counted for
 * the address of the connection.
 * @throws Declined, and what `limits` throws
 */
export async function admit(
  request: IncomingMessage,
  { read, limits }: { readonly read: Read; readonly limits: Limits },
): Promise<Viewer> {
  const address = request.socket.remoteAddress ?? '';
  const refuse = async (fault: CredentialFault) => {
    await limits.blame(address);
    throw unauthorized(fault);
  };
  const bearer = bearerOf(request.headersDistinct['authorization'] ?? []);
  if ('fault' in bearer) {
    return refuse(bearer.fault === 'missing' ? 'missing_credential' : 'invalid_credential');
  }
  const hash = hashToken(bearer.token);
  await limits.admitToken(address, hash);
  const viewer = await authenticate(read, bearer.token, hash);
  if (typeof viewer === 'string') return refuse(viewer);
  limits.trust(hash);
  if (viewer.kind === 'internal' || viewer.kind === 'dashboard') return viewer;
  return refuse('credential_kind_not_accepted');
}

/**
 * Counts one request for the account of a dashboard; internal tools act for many accounts and have no
 * limit.
 * @returns the headers that tell where the account stands
 * @throws QuotaUsedUp
 */
export async function count(
  { kind, account }: Viewer,
  limits: Limits,
): Promise<Readonly<Record<string, string>>> {
  if (kind !== 'dashboard') return {};
  const quota = await limits.take('default', account);
  if (quota.exceeded) throw usedUp(quota, 'default');
  return quota.headers;
}

/**
 * Does `work` and counts it as {@link count} counts the request. A mail that was not sent is given back.
 * @throws QuotaUsedUp, and what `work` throws
 */
export async function counted<T>(
  { kind, account }: Viewer,
  limits: Limits,
  policy: 'replay' | 'mail',
  work: () => Promise<T>,
): Promise<T> {
  if (kind !== 'dashboard') return work();
  const quota = await limits.take(policy, account);
  try {
    if (quota.exceeded) throw usedUp(quota, policy);
    return await work();
  } catch (error) {
    if (policy === 'mail') await limits.giveBack(policy, account, quota);
    throw error;
  }
}

function usedUp({ headers, limit, resetSeconds }: Quota, policy: Policy): QuotaUsedUp {
  const code = 'rate_limit_exceeded';
  const detail = `The limit of ${limit} in a minute, ${policy}, is used up.`;
  const refusal = { code, detail, errors: [{ code, detail }], retryAfterSeconds: resetSeconds };
  return new QuotaUsedUp(refusal, { ...headers, 'Retry-After': String(resetSeconds) });
}

function unauthorized(code: CredentialFault): Declined {
  const detail = credentialDetail(
    code,
    'This operation accepts internal credentials and dashboard tokens.',
  );
  const challenge = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return new Declined(
    401,
    { code: 'unauthorized', detail, errors: [{ code, detail }] },
    { 'WWW-Authenticate': `Bearer realm="internal"${challenge}` },
  );
}
