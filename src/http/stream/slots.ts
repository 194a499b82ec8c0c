import type { ServerResponse } from 'node:http';
import {
  deleteSlots,
  releaseSlots,
  renewSeconds,
  renewSlots,
  takeSlot,
} from '../../domain/stream/slots.js';
import type { Read, Transact } from '../../domain/transaction/tx.js';
import { isDisconnected, onDisconnect } from './client.js';

export interface StreamSlotsOptions {
  readonly read: Pick<Read, 'sql'>;
  readonly transact: Transact;
  /** Names this process: random digits. */
  readonly process: string;
  /** Called with the first of several errors in a row. */
  readonly onError: (error: unknown) => void;
}

/**
 * Counts the streams of each account over all API processes. While this process has streams, it says
 * that it is alive; the slots of one that was killed are soon free.
 */
export class StreamSlots {
  readonly #options: StreamSlotsOptions;
  /** Ids of slots that ended and may still be stored. */
  readonly #ended = new Set<number>();
  #lastId = 0;
  #open = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing = false;
  #failing = false;
  #closed = false;

  constructor(options: StreamSlotsOptions) {
    this.#options = options;
  }

  /**
   * Takes a slot until the response closes; a client that has gone takes none.
   * @param isPortal whether a portal session reads the stream
   * @returns false when all slots of the account are taken
   */
  async acquire(account: string, response: ServerResponse, isPortal = false): Promise<boolean> {
    if (isDisconnected(response) || this.#closed) return true;

    const { transact, process } = this.#options;
    const id = (this.#lastId += 1);

    this.#open += 1;
    this.#timer ??= setInterval(() => void this.#store(true), renewSeconds * 1_000);

    const taken = transact((tx) =>
      takeSlot(tx, { account, isPortal }, { process, id }, [...this.#ended]),
    );

    // After an error the slot may be stored or not.
    onDisconnect(
      response,
      () => void taken.catch(() => true).then((stored) => this.#end(id, stored)),
    );

    return taken;
  }

  /** Frees all slots of this process. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    const { read, process, onError } = this.#options;
    await deleteSlots(read, process).catch(onError);
  }

  #end(id: number, stored: boolean): void {
    this.#open -= 1;
    if (stored) this.#ended.add(id);
    void this.#store(false);
  }

  /** Ends that come meanwhile are stored together. What fails is stored with the next renewal. */
  async #store(renew: boolean): Promise<void> {
    if (this.#storing || this.#closed) return;

    this.#storing = true;

    const { read, process, onError } = this.#options;
    try {
      if (renew) await renewSlots(read, process);
      while (this.#ended.size > 0) {
        const ids = [...this.#ended];
        await releaseSlots(read, process, ids);
        for (const id of ids) this.#ended.delete(id);
      }
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) onError(error);
      this.#failing = true;
    }

    this.#storing = false;
    if (this.#open > 0 || this.#ended.size > 0) return;

    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
