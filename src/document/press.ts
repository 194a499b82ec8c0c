import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from '../domain/commerce/invoice-document.js';
import { Refused } from '../rest/problem.js';

/** What the thread is asked for. */
export interface Job {
  readonly ticket: number;
  readonly document: InvoiceDocument;
}

/** What the thread answers. */
export type Made =
  | { readonly ticket: number; readonly bytes: Uint8Array }
  | { readonly ticket: number; readonly fault: string };

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Setting a document takes a tenth of a second; so many are two seconds of waiting. */
const mostWaiting = 20;

/** Ten times what all that may wait take. */
const limitMs = 20_000;

const retrySeconds = '5';

/** Documents that are remembered, some tens of kilobytes each: an address is often opened again. */
const mostKept = 20;

/**
 * Makes PDFs in a thread of its own, one after the other: setting type is work for the processor,
 * which other requests of the process must not wait for. The thread starts with the first document.
 */
export class Press {
  #thread: Worker | undefined;
  #tickets = 0;
  readonly #waiting = new Map<number, Waiting>();
  /** By all that it says, the one asked for last at the end. */
  readonly #kept = new Map<string, Promise<Buffer>>();

  /**
   * Sets an invoice or a credit note; one that says the same as one of the last is not set again.
   * @throws Refused service_unavailable when too many wait, or the thread did not answer in time
   */
  print(document: InvoiceDocument): Promise<Buffer> {
    const content = JSON.stringify(document);
    const made = this.#kept.get(content) ?? this.#set(document);
    this.#kept.delete(content);
    this.#kept.set(content, made);
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size > mostKept) this.#kept.delete(oldest);
    made.catch(() => {
      if (this.#kept.get(content) === made) this.#kept.delete(content);
    });
    return made;
  }

  async #set(document: InvoiceDocument): Promise<Buffer> {
    if (this.#waiting.size >= mostWaiting) throw busy();
    const thread = (this.#thread ??= this.#start());
    const ticket = (this.#tickets += 1);
    const made = new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(() => void this.close(), limitMs);
      this.#waiting.set(ticket, { resolve, reject, timer });
    });
    thread.postMessage({ ticket, document } satisfies Job);
    return made;
  }

  /** Ends the thread; whoever waits is refused. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#abandon(busy());
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./press-main.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    thread.on('message', (made: Made) => this.#settle(made));
    thread.on('error', (error: Error) => {
      if (this.#thread === thread) this.#abandon(error);
    });
    // It waits for jobs; the process must not wait for it.
    thread.unref();
    return thread;
  }

  #settle(made: Made): void {
    const waiting = this.#waiting.get(made.ticket);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(made.ticket);
    if ('bytes' in made) waiting.resolve(Buffer.from(made.bytes));
    else waiting.reject(new Error(`a document could not be set: ${made.fault}`));
  }

  /** The next job starts another thread. */
  #abandon(error: Error): void {
    this.#thread = undefined;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}

function busy(): Refused {
  const detail = 'Too many documents are being made at the moment.';
  return new Refused('service_unavailable', detail, { headers: { 'Retry-After': retrySeconds } });
}
