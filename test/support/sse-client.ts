import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { eventually } from './eventually.js';

/** One frame of a stream. */
export interface SseFrame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SseOptions {
  readonly token: string;
  readonly query?: string;
  readonly lastEventId?: string | undefined;
}

/** A client of a live stream, or what the service answered in place of one. */
export class SseClient {
  readonly frames: SseFrame[] = [];
  readonly #request: ClientRequest;
  #rest = '';
  /** Comments that came. */
  heartbeats = 0;
  #ended = false;
  response!: IncomingMessage;
  /** The body of a response that is no stream. */
  problem = '';

  private constructor(url: string, { token, query = '', lastEventId }: SseOptions) {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    this.#request = get(`${url}/stream${query}`, { headers, agent: false });
  }

  /** Resolves with the headers of the response; for a Problem, with its body. */
  static async open(url: string, options: SseOptions): Promise<SseClient> {
    const client = new SseClient(url, options);
    await new Promise<void>((resolve, reject) => {
      client.#request.on('error', reject);
      client.#request.on('response', (response) => {
        client.#request.on('error', () => undefined);
        client.response = response;
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('close', () => (client.#ended = true));
        if (response.statusCode === 200) {
          response.on('data', (text: string) => client.#take(text));
          resolve();
        } else {
          response.on('data', (text: string) => (client.problem += text));
          response.on('end', resolve);
        }
      });
    });
    return client;
  }

  /** The position of the last frame that has one. */
  get lastEventId(): string | undefined {
    return this.frames.findLast(({ id }) => id !== undefined)?.id;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The ids of the items of a kind, in their order. */
  ids(event: string): string[] {
    return this.of(event).map(({ data }) => String(data['id']));
  }

  of(event: string): SseFrame[] {
    return this.frames.filter((frame) => frame.event === event);
  }

  /** Waits until it has caught up with the service. */
  async joined(): Promise<this> {
    await eventually(() => {
      if (this.of('position').length === 0) throw new Error('The client has not caught up.');
    }, 'the client has caught up');
    return this;
  }

  /** Stops reading, as a client does that hangs. */
  pause(): void {
    this.response.pause();
  }

  /** Reads on. */
  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.includes(': heartbeat\n')) this.heartbeats += 1;
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = JSON.parse(field('data') ?? '{}') as SseFrame['data'];
      this.frames.push({ event: field('event') ?? '', id: field('id'), data });
    }
  }
}
