// A browser that has signed an address in keeps a sealed cookie that says so. The cookie signs nobody in. It only
// lets the browser request mails to the address although strangers have used up their limit.
import { getMember } from '../account/accounts.js';
import type { Read } from '../transaction/tx.js';
import type { Sealer } from '../values/sealer.js';
import type { LinkHolder } from './redeem-link.js';
import { makeSecretToken } from './secret-tokens.js';
import { hashAddress } from './sign-in-links.js';

/** What the cookie says. */
export interface KnownBrowser {
  /** Stays the same at each sign-in; the requests of this browser are counted by it. */
  readonly id: string;
  /** Hashes of the addresses that it signed in, the latest first. */
  readonly addresses: readonly string[];
}

/** A new address drops the oldest one beyond this number. */
const maxAddresses = 5;

/** The owner for which the cookie is sealed. */
const purpose = 'known browser';

/** Whether the browser has signed this address in. */
export function knowsAddress({ addresses }: KnownBrowser, email: string): boolean {
  return addresses.includes(nameOf(email));
}

/**
 * Returns the browser with another address.
 * @param browser undefined for a new browser
 */
export function withAddress(browser: KnownBrowser | undefined, email: string): KnownBrowser {
  const others = browser?.addresses.filter((address) => address !== nameOf(email)) ?? [];
  return {
    id: browser?.id ?? makeSecretToken(),
    addresses: [nameOf(email), ...others].slice(0, maxAddresses),
  };
}

/**
 * Returns the browser with the address of the member whom it signs in.
 * @throws DomainError not_found
 */
export async function withMember(
  read: Read,
  browser: KnownBrowser | undefined,
  { accountId, memberId }: Pick<LinkHolder, 'accountId' | 'memberId'>,
): Promise<KnownBrowser> {
  const { email } = await getMember(read, accountId, memberId);
  return withAddress(browser, email);
}

/** Returns the value of the cookie. */
export function sealKnownBrowser(sealer: Sealer, browser: KnownBrowser): string {
  const { keyId, sealed } = sealer.seal(JSON.stringify(browser), purpose);
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
    // Browsers may send anything, and the key may have been removed. The browser then counts as a stranger.
    return undefined;
  }
}

/** Half a hash keeps the cookie short. */
function nameOf(email: string): string {
  return hashAddress(email).subarray(0, 16).toString('base64url');
}
