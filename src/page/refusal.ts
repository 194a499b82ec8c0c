import type { Problem } from '../rest/problem.js';
import type { ProblemCode } from '../rest/problem-table.js';
import { refusalPage } from './checkout-view.js';

/** What a buyer can do about it, in their words; the status and the code stay those of the Problem. */
const words: Partial<Record<ProblemCode, readonly [title: string, text: string]>> = {
  not_found: [
    'Page not found',
    'There is no checkout and no offer at this address. Was it copied whole?',
  ],
  forbidden: ['Not sent from here', 'Please open the page itself and go on from there.'],
  rate_limit_exceeded: ['Too many requests', 'Please wait a minute, then load the page again.'],
  service_unavailable: [
    'Not available at the moment',
    'Please try again in a few seconds. A payment that was made is not made twice.',
  ],
  internal_error: [
    'Something went wrong',
    'The fault is ours. Please try again; a payment that was made is not made twice.',
  ],
};
const otherwise = ['Request refused', 'Please open the checkout again.'] as const;

/** A Problem as a page; headers such as `Retry-After` and `Allow` stay. */
export function showRefusal({ code, headers }: Problem): Pick<Problem, 'headers' | 'text'> {
  const [title, text] = words[code] ?? otherwise;
  const page = refusalPage(title, text);
  return { headers: { ...headers, ...page.headers }, text: page.text };
}
