import type { Checkout } from './checkout.entity.js';

/** The parameters that the thank-you URL gives to the account. */
export interface ThankYouParameters {
  readonly order: string;
  /** In stored order; values of any JSON type. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The affiliate's code when the buyer came through an affiliate link. */
  readonly affiliate?: string | null | undefined;
}

/** A thank-you URL has at most this many characters. */
const maxThankYouUrlLength = 2_000;

/** A success URL has at most this many characters, so that order, affiliate and flag always fit. */
export const maxSuccessUrlLength = 1_800;

const truncatedFlag = 'metadata_truncated=true';

const reservedNames = /^(?:order|metadata_truncated|metadata\[.*\])$/s;
const reservedNamesWithAffiliate = /^(?:order|affiliate|metadata_truncated|metadata\[.*\])$/s;

/**
 * Builds the URL to which the buyer returns after paying, of at most 2,000 characters.
 * - The account's own query stays byte for byte, except for parameters with our names.
 * - The account's own `affiliate` parameter stays when we add none.
 * - A metadata key that does not fit is left out whole, and `metadata_truncated=true` is added.
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

/** Builds the {@link thankYouUrl} of a checkout. */
export function returnUrl(
  { successUrl, metadata, affiliate }: Pick<Checkout, 'successUrl' | 'metadata' | 'affiliate'>,
  order: string,
): string {
  return thankYouUrl(successUrl, { order, metadata, affiliate });
}

/** Does not use URLSearchParams, which would re-encode the account's own parameters. */
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
    // The name is not percent-encoded text, so it is not one of ours.
    return name;
  }
}

/** Percent-encodes all but unreserved characters (RFC 3986). */
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
