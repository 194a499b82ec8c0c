/** The host of a URL, or the whole text if it is not a URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Host and path of a URL, or the whole text if it is not a URL. */
export function hostAndPath(url: string): string {
  return URL.canParse(url) ? `${hostOf(url)}${new URL(url).pathname}` : url;
}

/** Labels an endpoint in a select. */
interface NamedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
}

/** Names endpoints for a list of choices: by host and path, and by description and id where these are equal. */
export function endpointChoices(
  endpoints: readonly NamedEndpoint[],
): readonly (readonly [id: string, name: string])[] {
  const counts = new Map<string, number>();
  for (const { url } of endpoints) {
    const place = hostAndPath(url);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return endpoints.map(({ id, url, description }) => {
    const place = hostAndPath(url);
    if (counts.get(place) === 1) return [id, place];
    return [id, [place, ...(description ? [shorten(description)] : []), id].join(' · ')];
  });
}

function shorten(description: string): string {
  const [start = ''] = /^.{0,39}/su.exec(description) ?? [];
  return start === description ? description : `${start}…`;
}
