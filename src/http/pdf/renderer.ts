// Renders invoices as PDF in a worker thread, because layout is CPU-bound and would block other requests.
//
// The thread starts with the first document, so that a process without invoices loads no fonts. It renders one document
// at a time: accounts take turns, each with a limited number of places in the queue, and requests for one document share
// a job. A thread that hangs or crashes is replaced, and only its current document fails. Nothing is stored: the same
// document always gives the same bytes.
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Lru } from '../../domain/lru.js';
import type { InvoiceDocument } from '../../domain/payment/invoice-document.js';
import { ApiError } from '../problems.js';

export interface RenderThreadData {
  readonly fontFolder: string | undefined;
}

/** A job for the thread. */
export interface RenderJob {
  readonly jobId: number;
  readonly document: InvoiceDocument;
}

/** A message from the thread: the result of a job, or a warning. */
export type RenderResult =
  | { readonly jobId: number; readonly bytes: Uint8Array }
  | { readonly jobId: number; readonly error: string }
  | { readonly warning: string };

interface PdfRendererOptions {
  /** Folder of fonts for letters that the bundled fonts lack. */
  readonly fontFolder?: string | undefined;
  readonly onWarning: (message: string) => void;
}

interface RenderRequest {
  readonly document: InvoiceDocument;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
  /** Latest start, in milliseconds of `performance.now()`. */
  readonly deadline: number;
}

interface Running {
  readonly jobId: number;
  readonly request: RenderRequest;
  readonly timer: NodeJS.Timeout;
}

/** One hundred lines take 50 ms of CPU time, and up to 1.7 s in scripts that need shaping. */
const limits = { perAccount: 12, total: 48 } as const;

/** A request times out after ten seconds, so a later result would have no reader. */
const maxWaitMs = 8_000;

/** Longer than the start of the thread, the largest font and the largest document together. */
const renderTimeoutMs = 8_000;

const retryAfterSeconds = 5;

/** Holds some hundreds of documents of tens of kilobytes. */
const cacheBytes = 16 * 1_024 * 1_024;

/**
 * Renders PDFs in a worker thread, one at a time, fairly between accounts.
 */
export class PdfRenderer {
  readonly #options: PdfRendererOptions;
  #thread: Worker | undefined;
  #lastJobId = 0;
  #running: Running | undefined;
  readonly #queue = new FairQueue<RenderRequest>(limits);
  readonly #cache = new Lru<Buffer>(cacheBytes);
  /** Jobs by content hash, so that concurrent requests for one document share one job. */
  readonly #inFlight = new Map<string, Promise<Buffer>>();

  constructor(options: PdfRendererOptions) {
    this.#options = options;
  }

  /** Hashes the content of a document; every change of the content changes it. */
  static contentHashOf(document: InvoiceDocument): string {
    return createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  }

  /**
   * Renders an invoice or a credit note, or returns it from the cache.
   * @throws ApiError service_unavailable when too many documents wait, of the account or of all, or
   *   the wait is too long
   */
  render(
    document: InvoiceDocument,
    contentHash = PdfRenderer.contentHashOf(document),
  ): Promise<Buffer> {
    const cached = this.#cache.get(contentHash);
    if (cached) return Promise.resolve(cached);

    const inFlight = this.#inFlight.get(contentHash);
    if (inFlight) return inFlight;

    const result = this.#request(document);
    this.#inFlight.set(contentHash, result);

    result
      .then(
        (bytes) => this.#cache.set(contentHash, bytes, bytes.length),
        // The caller of `render` handles the error.
        () => undefined,
      )
      .finally(() => this.#inFlight.delete(contentHash));

    return result;
  }

  /** Stops the thread and rejects all waiting requests. */
  async close(): Promise<void> {
    for (let request = this.#queue.next(); request; request = this.#queue.next())
      request.reject(rendererBusy());
    const thread = this.#thread;
    this.#failRunning(rendererBusy());
    await thread?.terminate();
  }

  #request(document: InvoiceDocument): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + maxWaitMs;
      const request = { document, resolve, reject, deadline };
      this.#queue.add(document.account, request)?.reject(rendererBusy());
      this.#startNext();
    });
  }

  /** Gives the idle thread its next document. */
  #startNext(): void {
    while (!this.#running) {
      const request = this.#queue.next();
      if (!request) return;

      if (performance.now() > request.deadline) {
        request.reject(rendererBusy());
        continue;
      }

      const thread = (this.#thread ??= this.#start());
      const jobId = (this.#lastJobId += 1);
      const timer = setTimeout(() => void this.#restartThread(thread), renderTimeoutMs);
      this.#running = { jobId, request, timer };
      thread.postMessage({ jobId, document: request.document } satisfies RenderJob);
    }
  }

  /** Replaces a thread that hangs; waiting requests continue on a new one. */
  async #restartThread(thread: Worker): Promise<void> {
    this.#failRunning(rendererBusy());
    this.#startNext();
    await thread.terminate();
  }

  #start(): Worker {
    const { fontFolder } = this.#options;
    const thread = new Worker(new URL('./render-thread.js', import.meta.url), {
      workerData: { fontFolder } satisfies RenderThreadData,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });

    thread.on('message', (result: RenderResult) => this.#handleMessage(result));

    thread.on('error', (error: Error) => {
      if (this.#thread !== thread) return;
      this.#failRunning(error);
      this.#startNext();
    });

    // An idle thread must not keep the process alive.
    thread.unref();

    return thread;
  }

  #handleMessage(result: RenderResult): void {
    if ('warning' in result) {
      this.#options.onWarning(result.warning);
      return;
    }
    const running = this.#running;
    if (running?.jobId !== result.jobId) return;
    clearTimeout(running.timer);
    this.#running = undefined;
    if ('bytes' in result) running.request.resolve(Buffer.from(result.bytes));
    else running.request.reject(new Error(`Could not render the document: ${result.error}`));
    this.#startNext();
  }

  /** Rejects the running request. The next one starts a new thread. */
  #failRunning(error: Error): void {
    const running = this.#running;
    this.#thread = undefined;
    this.#running = undefined;
    if (!running) return;
    clearTimeout(running.timer);
    running.request.reject(error);
  }
}

function rendererBusy(): ApiError {
  const detail = 'Too many documents are being rendered. Retry later.';
  return new ApiError('service_unavailable', detail, { retryAfterSeconds });
}

/** How many items may wait. */
interface QueueLimits {
  readonly perAccount: number;
  readonly total: number;
}

/**
 * Waiting work by account. Accounts take turns; each account's items run in order of arrival. When
 * the queue is full, the account with the most items loses its last one to an account with fewer.
 */
export class FairQueue<Item> {
  readonly #limits: QueueLimits;
  /** Accounts in the order of their turns; only those with waiting items. */
  readonly #accounts = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Adds an item.
   * @returns the item that finds no place: this one, or one of another account
   */
  add(account: string, item: Item): Item | undefined {
    const waiting = this.#accounts.get(account) ?? [];
    if (waiting.length >= this.#limits.perAccount) return item;

    let displaced: Item | undefined;

    if (this.#size >= this.#limits.total) {
      const longest = this.#longest();
      if (longest.length <= waiting.length + 1) return item;
      displaced = longest.pop();
      this.#size -= 1;
    }

    waiting.push(item);
    this.#accounts.set(account, waiting);
    this.#size += 1;

    return displaced;
  }

  /** Takes the first item of the account whose turn it is. */
  next(): Item | undefined {
    const [nextAccount] = this.#accounts;
    if (!nextAccount) return undefined;
    const [account, waiting] = nextAccount;
    const item = waiting.shift();
    this.#size -= 1;
    this.#accounts.delete(account);
    if (waiting.length > 0) this.#accounts.set(account, waiting);
    return item;
  }

  #longest(): Item[] {
    return [...this.#accounts.values()].reduce((one, other) =>
      other.length > one.length ? other : one,
    );
  }
}
