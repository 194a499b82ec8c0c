import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from '../domain/commerce/invoice-document.js';
import { ApiError } from '../api/problem.js';
import { ByteCache } from './byte-cache.js';
import { FairQueue } from './fair-queue.js';

/** What the thread starts with. */
export interface RenderThreadData {
  readonly fontFolder: string | undefined;
}

/** What the thread is asked for. */
export interface RenderJob {
  readonly jobId: number;
  readonly document: InvoiceDocument;
}

/** What the thread answers, or has to say. */
export type RenderResult =
  | { readonly jobId: number; readonly bytes: Uint8Array }
  | { readonly jobId: number; readonly error: string }
  | { readonly warning: string };

/** What a {@link PdfRenderer} needs. */
export interface PdfRendererOptions {
  /** A folder of fonts for letters that the fonts of the package lack. */
  readonly fontFolder?: string | undefined;
  readonly onWarning: (message: string) => void;
}

interface RenderRequest {
  readonly document: InvoiceDocument;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
  /** When waiting has lasted too long, by performance.now(). */
  readonly deadline: number;
}

interface Running {
  readonly jobId: number;
  readonly request: RenderRequest;
  readonly timer: NodeJS.Timeout;
}

/** A hundred lines take 50 ms of the processor, and up to 1.7 s in scripts that are shaped letter by letter. */
const limits = { perAccount: 12, total: 48 } as const;

/** A request lasts ten seconds at most; who waits longer has gone. */
const maxWaitMs = 8_000;

/** More than the start of the thread, the largest font and the largest document take together. */
const renderTimeoutMs = 8_000;

const retrySeconds = '5';

/** Some hundreds of documents of tens of kilobytes each. */
const cacheBytes = 16 * 1_024 * 1_024;

/**
 * Makes PDFs in a thread of its own, one after the other: setting type is work for the processor,
 * which other requests of the process must not wait for. The thread starts with the first document.
 * Accounts take turns, and each has a bounded number of places.
 */
export class PdfRenderer {
  readonly #options: PdfRendererOptions;
  #thread: Worker | undefined;
  #lastJobId = 0;
  #running: Running | undefined;
  readonly #queue = new FairQueue<RenderRequest>(limits);
  readonly #cache = new ByteCache(cacheBytes);
  /** By what they say, so that a document is made once however many ask for it at once. */
  readonly #inFlight = new Map<string, Promise<Buffer>>();

  constructor(options: PdfRendererOptions) {
    this.#options = options;
  }

  /** Names what a document says; it changes with every change of the document. */
  static contentHashOf(document: InvoiceDocument): string {
    return createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  }

  /**
   * Sets an invoice or a credit note, or finds it in the cache.
   * @throws Refused service_unavailable when the account or all have too many waiting, or the wait was too long
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
        (bytes) => this.#cache.set(contentHash, bytes),
        // Who waits for it is told.
        () => undefined,
      )
      .finally(() => this.#inFlight.delete(contentHash));
    return result;
  }

  /** Ends the thread; who waits is refused. */
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

  /** Hands the thread its next document, if it has none. */
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

  /** Others go on with another thread. */
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
    // It waits for jobs; the process must not wait for it.
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
    else running.request.reject(new Error(`a document could not be set: ${result.error}`));
    this.#startNext();
  }

  /** The next document starts another thread. */
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
  const detail = 'Too many documents are in preparation. Retry later.';
  return new ApiError('service_unavailable', detail, { headers: { 'Retry-After': retrySeconds } });
}
