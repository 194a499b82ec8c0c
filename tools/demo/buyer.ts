/** A page of the service, as a browser without scripts reads it. */
export interface OpenedPage {
  /** The text of its button; undefined when it has none. */
  readonly button: string | undefined;
  /** The status below its title; undefined when it shows none. */
  readonly statusText: string | undefined;
}

/** Opens a hosted checkout page or an offer page. @throws Error when the status is not 2xx */
export async function openPage(url: string): Promise<OpenedPage> {
  const response = await fetch(url);
  const page = await response.text();
  if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
  return {
    button: /<button type="submit">(.+?)<\/button>/.exec(page)?.[1]?.replace(/<[^>]+>/g, ''),
    statusText: /<section>\s*<h2>([^<]+)</.exec(page)?.[1],
  };
}

/**
 * Submits the form of the page.
 * @returns the URL of the redirect
 * @throws Error when the page refuses the form
 */
export async function payOnPage(url: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  if (response.status !== 303 || location === null) {
    throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  }
  return new URL(location, url).href;
}
