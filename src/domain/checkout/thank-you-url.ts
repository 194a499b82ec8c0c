import type { Checkout } from './checkout.entity.js';

/** What the buyer's return URL tells the account. */
export interface ThankYou {
  readonly order: string;
  /** In stored order; values of any JSON type. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The affiliate's code when the buyer came through an affiliate link. */
  readonly affiliate?: string | null | undefined;
}

/** The most that a thank-you URL may measure, inclusive (contract 8.3). */
const maxThankYouUrlLength = 2_000;

/** The most a success URL may measure, so that order, affiliate and flag always fit behind it. */
export const maxSuccessUrlLength = 1_800;

const truncatedFlag = 'metadata_truncated=true';

const ourNames = /^(?:order|metadata_truncated|metadata\[.*\])$/s;
const ourNamesWithAffiliate = /^(?:order|affiliate|metadata_truncated|metadata\[.*\])$/s;

/**
 * The URL a buyer returns to after paying (contract 8.3, A37–A40).
 * The account's own query stays byte for byte, except for parameters of our names; its own affiliate
 * stays where we add none. A metadata key that does not fit within 2,000 characters is left out whole
 * and `metadata_truncated=true` says so.
 * @param successUrl the checkout's success URL
 */
export function thankYouUrl(successUrl: string, { order, metadata, affiliate }: ThankYou): string {
  const ours = affiliate == null ? ourNames : ourNamesWithAffiliate;
  const { base, query, fragment } = split(successUrl, ours);
  const urlOf = (parameters: readonly string[]) =>
    `${base}?${[...query, ...parameters].join('&')}${fragment}`;
  const fits = (parameters: readonly string[]) => urlOf(parameters).length <= maxThankYouUrlLength;

  const first = `order=${encode(order)}`;
  const last = affiliate == null ? [] : [`affiliate=${encode(affiliate)}`];
  const pairs = Object.entries(metadata).map(
    ([key, value]) => `${encode(`metadata[${key}]`)}=${encode(textOf(value))}`,
  );
  if (fits([first, ...pairs, ...last])) return urlOf([first, ...pairs, ...last]);

  const flag = pairs.length > 0 ? [truncatedFlag] : [];
  const kept: string[] = [];
  let room = maxThankYouUrlLength - urlOf([first, ...last, ...flag]).length;
  for (const pair of pairs) {
    const needed = '&'.length + pair.length;
    if (needed > room) continue;
    kept.push(pair);
    room -= needed;
  }
  const fallbacks = [[first, ...kept, ...last, ...flag], [first, ...flag], [first]];
  const fitting = fallbacks.find(fits);
  return fitting === undefined ? successUrl : urlOf(fitting);
}

/** Where the buyer goes after paying. */
export function wayBack(
  { successUrl, metadata, affiliate }: Pick<Checkout, 'successUrl' | 'metadata' | 'affiliate'>,
  order: string,
): string {
  return thankYouUrl(successUrl, { order, metadata, affiliate });
}

/** By hand: URLSearchParams would spell the account's own parameters anew. */
function split(url: string, ours: RegExp): { base: string; query: string[]; fragment: string } {
  const hash = url.indexOf('#');
  const beforeHash = hash === -1 ? url : url.slice(0, hash);
  const fragment = hash === -1 ? '' : url.slice(hash);
  const mark = beforeHash.indexOf('?');
  if (mark === -1) return { base: beforeHash, query: [], fragment };
  const query = beforeHash.slice(mark + 1);
  return {
    base: beforeHash.slice(0, mark),
    query: query === '' ? [] : query.split('&').filter((pair) => !ours.test(nameOf(pair))),
    fragment,
  };
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // Not percent-encoded text, hence none of our names.
    return name;
  }
}

/** RFC 3986: everything but unreserved characters is percent-encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
