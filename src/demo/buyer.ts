/** A page of the service as a browser without scripts got it. */
export interface OpenedPage {
  /** What its button says. */
  readonly button: string;
}

/** Opens the page to pay at. @throws Error when it cannot be paid at */
export async function openCheckoutPage(url: string): Promise<OpenedPage> {
  const response = await fetch(url);
  const page = await response.text();
  const button = /<button type="submit">([^<]+)</.exec(page)?.[1];
  if (!response.ok || button === undefined) throw new Error(`GET ${url}: ${response.status}`);
  return { button };
}

/**
 * Sends the page's form.
 * @returns where the buyer is led
 * @throws Error when the payment was not made
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
  return location;
}
