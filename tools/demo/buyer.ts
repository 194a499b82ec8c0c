/** A page of the service as a browser without scripts got it. */
export interface OpenedPage {
  /** What its button says; undefined when it has none. */
  readonly button: string | undefined;
  /** What it says under its title; undefined when it is no news. */
  readonly statusText: string | undefined;
}

/** Opens a page to pay at or of an offer. @throws Error when there is none */
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
 * Sends the page's form.
 * @returns where the buyer is led
 * @throws Error when the page refused it
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
