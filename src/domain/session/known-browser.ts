import { getMember } from '../account/accounts.js';
import type { Sealer } from '../sealer.js';
import type { Read } from '../tx.js';
import type { LinkHolder } from './redeem-link.js';
import { hashAddress } from './request-links.js';
import { makeSecretToken } from './secret-tokens.js';

// A browser that has signed an address in keeps a sealed cookie that says so. It opens nothing: mails that such
// a browser asks for do not wait for those that strangers ask for.

/** What the cookie says. */
export interface KnownBrowser {
  /** Stays the same at each sign-in; counts what this browser asks for. */
  readonly id: string;
  /** Hashes of the addresses that it signed in, the latest first. */
  readonly addresses: readonly string[];
}

/** One more drops the oldest. */
const maxAddresses = 5;

/** What the cookie is sealed for. */
const purpose = 'known browser';

/** Says whether the browser has signed this address in. */
export function knowsAddress({ addresses }: KnownBrowser, email: string): boolean {
  return addresses.includes(nameOf(email));
}

/** Returns the browser with one more address. @param known undefined for a new one */
export function withAddress(known: KnownBrowser | undefined, email: string): KnownBrowser {
  const others = known?.addresses.filter((each) => each !== nameOf(email)) ?? [];
  return {
    id: known?.id ?? makeSecretToken(),
    addresses: [nameOf(email), ...others].slice(0, maxAddresses),
  };
}

/**
 * Returns the browser with the address of the member that it signs in.
 * @throws DomainError not_found
 */
export async function withMember(
  read: Read,
  known: KnownBrowser | undefined,
  { accountId, memberId }: Pick<LinkHolder, 'accountId' | 'memberId'>,
): Promise<KnownBrowser> {
  const { email } = await getMember(read, accountId, memberId);
  return withAddress(known, email);
}

/** Makes the value of the cookie. */
export function sealKnownBrowser(sealer: Sealer, known: KnownBrowser): string {
  const { keyId, sealed } = sealer.seal(JSON.stringify(known), purpose);
  return `${Buffer.from(keyId).toString('base64url')}.${sealed.toString('base64url')}`;
}

/** Reads the value of the cookie; undefined if this service did not make it. */
export function openKnownBrowser(
  sealer: Sealer,
  value: string | undefined,
): KnownBrowser | undefined {
  const [keyId, sealed] = value?.split('.') ?? [];
  if (keyId === undefined || sealed === undefined) return undefined;
  try {
    const secret = {
      keyId: Buffer.from(keyId, 'base64url').toString(),
      sealed: Buffer.from(sealed, 'base64url'),
    };
    return JSON.parse(sealer.open(secret, purpose)) as KnownBrowser;
  } catch {
    // Browsers may send anything, and a key may have left the ring. The browser is a stranger then.
    return undefined;
  }
}

/** Half a hash keeps the cookie short. */
function nameOf(email: string): string {
  return hashAddress(email).subarray(0, 16).toString('base64url');
}
