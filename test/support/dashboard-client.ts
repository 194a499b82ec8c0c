import { request } from 'undici';

/** A response to a {@link DashboardClient}. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Of a Problem. */
  readonly code: string | undefined;
}

/** A browser of one person: it keeps cookies, and says from which site it sends. */
export class DashboardClient {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly address: string,
    /** As Sec-Fetch-Site and other headers. */
    readonly headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
    /** Below which path it sends. */
    readonly base = '/dashboard',
  ) {}

  /** @param body an object is sent as JSON */
  async send(method: string, path: string, body?: object | string, headers = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await request(`${this.address}${this.base}${path}`, {
      method: method as 'POST',
      headers: {
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...(cookie !== '' && { cookie }),
        ...this.headers,
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const { statusCode: status, headers: sent } = response;
    for (const each of [sent['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.body.text();
    const isProblem = sent['content-type'] === 'application/problem+json';
    const code = isProblem ? (JSON.parse(text) as { code: string }).code : undefined;
    return { status, headers: sent, text, code };
  }
}
