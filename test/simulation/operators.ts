import type { Random } from '../../tools/seed/random.js';
import type { MemoryStore } from './memory-store.js';
import { eventTypes } from './scenario.js';
import type { Counters } from './counters.js';
import type { InvariantChecker } from './invariant-checker.js';

/** What {@link Operators} work with. */
export interface OperatorsOptions {
  readonly random: Random;
  readonly store: MemoryStore;
  readonly invariants: InvariantChecker;
  readonly counters: Counters;
  readonly log: (line: string) => void;
}

const operations = [
  'deactivate',
  'activate',
  'activate',
  'activate',
  'unsubscribe',
  'subscribe',
  'delete',
  'rotate',
  'move',
  'replay',
  'replay',
  'replay',
  'bounce',
] as const;

/** People who change endpoints and replay deliveries while everything else goes wrong. */
export class Operators {
  readonly #options: OperatorsOptions;
  #urls = 0;
  #replays = 0;

  constructor(options: OperatorsOptions) {
    this.#options = options;
  }

  /** Does one thing or another. */
  act(): void {
    const { random, store, counters, invariants, log } = this.#options;
    const operation = random.pick(operations);
    const id = random.pick([...store.endpoints.keys()]);
    log(`operator: ${operation} ${id}`);
    counters.operations += 1;
    if (operation === 'replay') this.#replay();
    else this.#change(operation, id);
    invariants.check();
  }

  /** Releases all dead letters. @returns their pending deliveries */
  releaseDeadLetter(): readonly string[] {
    const { store, invariants, log } = this.#options;
    const deadLettered = [...store.pendingDeliveries.values()]
      .filter((pending) => pending.deadLettered)
      .map(({ id }) => id);
    return deadLettered.filter((id) => {
      if (store.releaseDeadLetter(id) !== 'released') return false;
      log(`operator: releases ${id}`);
      invariants.deadLetterReleased(id);
      return true;
    });
  }

  #change(operation: Exclude<(typeof operations)[number], 'replay'>, id: string): void {
    const { store, invariants } = this.#options;

    switch (operation) {
      case 'deactivate':
        this.#deactivate(id);
        return;
      case 'bounce':
        this.#deactivate(id);
        this.#resetHealth(id, { active: true });
        return;
      case 'activate':
        this.#resetHealth(id, { active: true });
        return;
      case 'unsubscribe':
        this.#unsubscribe(id);
        return;
      case 'subscribe':
        store.updateEndpoint(id, { eventTypes });
        return;
      case 'delete':
        store.deleteEndpoint(id);
        invariants.refused(id);
        return;
      case 'rotate':
        store.rotateSecret(id);
        return;
      case 'move':
        this.#resetHealth(id, { url: `https://shop.example/${++this.#urls}` });
    }
  }

  #unsubscribe(id: string): void {
    const { store, invariants } = this.#options;
    const left = eventTypes.slice(1);
    const before = store.endpoints.get(id)?.eventTypes ?? [];
    store.updateEndpoint(id, { eventTypes: left });
    invariants.refused(
      id,
      before.filter((type) => !left.includes(type)),
    );
  }

  #deactivate(id: string): void {
    const { store, invariants } = this.#options;
    store.updateEndpoint(id, { active: false });
    invariants.refused(id);
  }

  /** A changed url and being enabled again end a run of failures. */
  #resetHealth(id: string, patch: { active?: boolean; url?: string }): void {
    const { store, invariants } = this.#options;
    const before = store.endpoints.get(id);
    const ends = patch.url !== undefined || before?.active === false;
    store.updateEndpoint(id, patch);
    if (ends) invariants.healthReset(id);
  }

  #replay(): void {
    const { random, store, counters, invariants } = this.#options;
    if (store.deliveries.size === 0) return;
    const source = random.pick([...store.deliveries.keys()]);
    const pending = store.replay(source, `r${++this.#replays}`);
    if (typeof pending === 'string') return;
    counters.replays += 1;
    invariants.opened([pending]);
  }
}
