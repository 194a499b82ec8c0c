import type { Checkout } from './checkout.entity.js';

/** What the buyer's return URL tells the account. */
export interface ThankYouParameters {
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

const reservedNames = /^(?:order|metadata_truncated|metadata\[.*\])$/s;
const reservedNamesWithAffiliate = /^(?:order|affiliate|metadata_truncated|metadata\[.*\])$/s;

/**
 * The URL a buyer returns to after paying (contract 8.3, A37–A40).
 * The account's own query stays byte for byte, except for parameters of our names; its own affiliate
 * stays where we add none. A metadata key that does not fit within 2,000 characters is left out whole
 * and `metadata_truncated=true` says so.
 * @param successUrl the checkout's success URL
 */
export function thankYouUrl(
  successUrl: string,
  { order, metadata, affiliate }: ThankYouParameters,
): string {
  const reserved = affiliate == null ? reservedNames : reservedNamesWithAffiliate;
  const { base, query, fragment } = split(successUrl, reserved);
  const buildUrl = (parameters: readonly string[]) =>
    `${base}?${[...query, ...parameters].join('&')}${fragment}`;
  const fits = (parameters: readonly string[]) =>
    buildUrl(parameters).length <= maxThankYouUrlLength;

  const orderParameter = `order=${encode(order)}`;
  const affiliateParameters = affiliate == null ? [] : [`affiliate=${encode(affiliate)}`];
  const pairs = Object.entries(metadata).map(
    ([key, value]) => `${encode(`metadata[${key}]`)}=${encode(toText(value))}`,
  );
  if (fits([orderParameter, ...pairs, ...affiliateParameters]))
    return buildUrl([orderParameter, ...pairs, ...affiliateParameters]);

  const truncatedParameters = pairs.length > 0 ? [truncatedFlag] : [];
  const included: string[] = [];
  let remaining =
    maxThankYouUrlLength -
    buildUrl([orderParameter, ...affiliateParameters, ...truncatedParameters]).length;
  for (const pair of pairs) {
    const needed = '&'.length + pair.length;
    if (needed > remaining) continue;
    included.push(pair);
    remaining -= needed;
  }
  const fallbacks = [
    [orderParameter, ...included, ...affiliateParameters, ...truncatedParameters],
    [orderParameter, ...truncatedParameters],
    [orderParameter],
  ];
  const best = fallbacks.find(fits);
  return best === undefined ? successUrl : buildUrl(best);
}

/** Where the buyer goes after paying. */
export function returnUrl(
  { successUrl, metadata, affiliate }: Pick<Checkout, 'successUrl' | 'metadata' | 'affiliate'>,
  order: string,
): string {
  return thankYouUrl(successUrl, { order, metadata, affiliate });
}

/** By hand: URLSearchParams would spell the account's own parameters anew. */
function split(url: string, reserved: RegExp): { base: string; query: string[]; fragment: string } {
  const hash = url.indexOf('#');
  const beforeHash = hash === -1 ? url : url.slice(0, hash);
  const fragment = hash === -1 ? '' : url.slice(hash);
  const queryStart = beforeHash.indexOf('?');
  if (queryStart === -1) return { base: beforeHash, query: [], fragment };
  const query = beforeHash.slice(queryStart + 1);
  return {
    base: beforeHash.slice(0, queryStart),
    query:
      query === '' ? [] : query.split('&').filter((pair) => !reserved.test(parameterName(pair))),
    fragment,
  };
}

function parameterName(pair: string): string {
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

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
