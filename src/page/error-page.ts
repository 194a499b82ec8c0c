import type { Problem, AnyProblemCode } from '../api/problem.js';
import { errorPage } from './checkout-view.js';

/** Next steps for a buyer, in plain words. Status and code stay those of the Problem. */
const messagesByCode: Partial<Record<AnyProblemCode, readonly [title: string, text: string]>> = {
  not_found: [
    'Page not found',
    'There is no checkout and no offer at this address. Check that the address is complete.',
  ],
  forbidden: ['Form not accepted', 'Open the page itself and continue there.'],
  rate_limit_exceeded: ['Too many requests', 'Wait a minute, then reload the page.'],
  service_unavailable: [
    'Temporarily unavailable',
    'Try again in a few seconds. You will not pay twice.',
  ],
  internal_error: ['Something went wrong', 'This is our error. Try again; you will not pay twice.'],
};
const defaultMessage = ['Request refused', 'Open the checkout again.'] as const;

/** Renders a Problem as a page; keeps its headers, such as `Retry-After` and `Allow`. */
export function renderErrorPage({ code, headers }: Problem): Pick<Problem, 'headers' | 'text'> {
  const [title, text] = messagesByCode[code] ?? defaultMessage;
  const page = errorPage(title, text);
  return { headers: { ...headers, ...page.headers }, text: page.text };
}
