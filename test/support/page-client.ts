import { expect } from 'chai';
import { request } from 'undici';

/** The response with a page. */
export interface AnsweredPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A request of {@link openPage}; the method defaults to GET, or POST with a body. */
export interface PageRequest {
  readonly method?: string;
  /** Form fields, sent with POST as browsers do. */
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Requests a page as a browser without scripts does, and checks what every page must have. Follows no
 * redirect.
 */
export async function openPage(url: string, ask: PageRequest = {}): Promise<AnsweredPage> {
  const { form, headers = {} } = ask;
  const body = ask.body ?? (form && new URLSearchParams(form).toString());
  const method = ask.method ?? (body === undefined ? 'GET' : 'POST');
  const response = await request(url, {
    method: method as 'GET',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body: body ?? null,
  });
  const page = {
    status: response.statusCode,
    headers: response.headers,
    text: await response.body.text(),
  };
  if (method !== 'OPTIONS') checkPage(page);
  return page;
}

function checkPage({ headers, text }: AnsweredPage): void {
  expect(headers, text).to.include({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-security-policy']).to.match(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action [^;]+; base-uri 'none'; frame-ancestors [^;]+$/,
  );
  expect(headers).not.to.have.any.keys('set-cookie', 'x-powered-by', 'server');
  expect(text).not.to.match(/<script|<link|<img|\son[a-z]+=|\sstyle=|javascript:/i);
}
