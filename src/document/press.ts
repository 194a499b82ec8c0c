import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from '../domain/commerce/invoice-document.js';
import { Refused } from '../rest/problem.js';
import { ByteCache } from './byte-cache.js';
import { FairQueue } from './fair-queue.js';

/** What the thread starts with. */
export interface PressData {
  readonly fontFolder: string | undefined;
}

/** What the thread is asked for. */
export interface Job {
  readonly ticket: number;
  readonly document: InvoiceDocument;
}

/** What the thread answers, or has to say. */
export type Made =
  | { readonly ticket: number; readonly bytes: Uint8Array }
  | { readonly ticket: number; readonly fault: string }
  | { readonly warning: string };

/** What a {@link Press} needs. */
export interface PressOptions {
  /** A folder of fonts for letters that the fonts of the package lack. */
  readonly fontFolder?: string | undefined;
  readonly onWarning: (message: string) => void;
}

interface Order {
  readonly document: InvoiceDocument;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
  /** When waiting has lasted too long, by performance.now(). */
  readonly until: number;
}

interface Running {
  readonly ticket: number;
  readonly order: Order;
  readonly timer: NodeJS.Timeout;
}

/** A hundred lines take 50 ms of the processor, and up to 1.7 s in scripts that are shaped letter by letter. */
const limits = { perAccount: 12, inAll: 48 } as const;

/** A request lasts ten seconds at most; who waits longer has gone. */
const patienceMs = 8_000;

/** More than the start of the thread, the largest font and the largest document take together. */
const renderMs = 8_000;

const retrySeconds = '5';

/** Some hundreds of documents of tens of kilobytes each. */
const cacheBytes = 16 * 1_024 * 1_024;

/**
 * Makes PDFs in a thread of its own, one after the other: setting type is work for the processor,
 * which other requests of the process must not wait for. The thread starts with the first document.
 * Accounts take turns, and each has a bounded number of places.
 */
export class Press {
  readonly #options: PressOptions;
  #thread: Worker | undefined;
  #tickets = 0;
  #running: Running | undefined;
  readonly #queue = new FairQueue<Order>(limits);
  readonly #cache = new ByteCache(cacheBytes);
  /** By what they say, so that a document is made once however many ask for it at once. */
  readonly #underWay = new Map<string, Promise<Buffer>>();

  constructor(options: PressOptions) {
    this.#options = options;
  }

  /** Names what a document says; it changes with every change of the document. */
  static tagOf(document: InvoiceDocument): string {
    return createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  }

  /**
   * Sets an invoice or a credit note, or finds it in the cache.
   * @throws Refused service_unavailable when the account or all have too many waiting, or the wait was too long
   */
  print(document: InvoiceDocument, tag = Press.tagOf(document)): Promise<Buffer> {
    const cached = this.#cache.get(tag);
    if (cached) return Promise.resolve(cached);
    const underWay = this.#underWay.get(tag);
    if (underWay) return underWay;
    const made = this.#order(document);
    this.#underWay.set(tag, made);
    made
      .then(
        (bytes) => this.#cache.set(tag, bytes),
        // Who waits for it is told.
        () => undefined,
      )
      .finally(() => this.#underWay.delete(tag));
    return made;
  }

  /** Ends the thread; who waits is refused. */
  async close(): Promise<void> {
    for (let order = this.#queue.next(); order; order = this.#queue.next()) order.reject(busy());
    const thread = this.#thread;
    this.#abandon(busy());
    await thread?.terminate();
  }

  #order(document: InvoiceDocument): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const until = performance.now() + patienceMs;
      const order = { document, resolve, reject, until };
      this.#queue.add(document.account, order)?.reject(busy());
      this.#proceed();
    });
  }

  /** Hands the thread its next document, if it has none. */
  #proceed(): void {
    while (!this.#running) {
      const order = this.#queue.next();
      if (!order) return;
      if (performance.now() > order.until) {
        order.reject(busy());
        continue;
      }
      const thread = (this.#thread ??= this.#start());
      const ticket = (this.#tickets += 1);
      const timer = setTimeout(() => void this.#giveUp(thread), renderMs);
      this.#running = { ticket, order, timer };
      thread.postMessage({ ticket, document: order.document } satisfies Job);
    }
  }

  /** Others go on with another thread. */
  async #giveUp(thread: Worker): Promise<void> {
    this.#abandon(busy());
    this.#proceed();
    await thread.terminate();
  }

  #start(): Worker {
    const { fontFolder } = this.#options;
    const thread = new Worker(new URL('./press-main.js', import.meta.url), {
      workerData: { fontFolder } satisfies PressData,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    thread.on('message', (made: Made) => this.#settle(made));
    thread.on('error', (error: Error) => {
      if (this.#thread !== thread) return;
      this.#abandon(error);
      this.#proceed();
    });
    // It waits for jobs; the process must not wait for it.
    thread.unref();
    return thread;
  }

  #settle(made: Made): void {
    if ('warning' in made) {
      this.#options.onWarning(made.warning);
      return;
    }
    const running = this.#running;
    if (running?.ticket !== made.ticket) return;
    clearTimeout(running.timer);
    this.#running = undefined;
    if ('bytes' in made) running.order.resolve(Buffer.from(made.bytes));
    else running.order.reject(new Error(`a document could not be set: ${made.fault}`));
    this.#proceed();
  }

  /** The next document starts another thread. */
  #abandon(error: Error): void {
    const running = this.#running;
    this.#thread = undefined;
    this.#running = undefined;
    if (!running) return;
    clearTimeout(running.timer);
    running.order.reject(error);
  }
}

function busy(): Refused {
  const detail = 'Too many documents are in preparation. Retry later.';
  return new Refused('service_unavailable', detail, { headers: { 'Retry-After': retrySeconds } });
}
