import type { Chance } from '../../src/seed/chance.js';
import type { MemoryStore } from './memory-store.js';
import { eventTypes } from './plan.js';
import type { Tally } from './tally.js';
import type { Witness } from './witness.js';

/** What {@link Operators} work with. */
export interface OperatorsOptions {
  readonly chance: Chance;
  readonly store: MemoryStore;
  readonly witness: Witness;
  readonly tally: Tally;
  readonly note: (line: string) => void;
}

const operations = [
  ...['deactivate', 'activate', 'activate', 'activate', 'unsubscribe', 'subscribe'],
  ...['delete', 'rotate', 'move', 'replay', 'replay', 'replay'],
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
    const { chance, store, tally, witness, note } = this.#options;
    const operation = chance.oneOf(operations);
    const id = chance.oneOf([...store.endpoints.keys()]);
    note(`operator: ${operation} ${id}`);
    tally.operations += 1;
    if (operation === 'replay') this.#replay();
    else this.#change(operation, id);
    witness.look();
  }

  /** Somebody lets what was parked be claimed again. @returns which chains those were */
  releaseParked(): readonly string[] {
    const { store, witness, note } = this.#options;
    const parked = [...store.chains.values()].filter((chain) => chain.parked).map(({ id }) => id);
    return parked.filter((id) => {
      if (store.releaseParked(id) !== 'released') return false;
      note(`operator: releases ${id}`);
      witness.unparked(id);
      return true;
    });
  }

  #change(operation: Exclude<(typeof operations)[number], 'replay'>, id: string): void {
    const { store } = this.#options;
    switch (operation) {
      case 'deactivate':
        store.updateEndpoint(id, { active: false });
        return;
      case 'activate':
        this.#calm(id, { active: true });
        return;
      case 'unsubscribe':
        store.updateEndpoint(id, { eventTypes: eventTypes.slice(1) });
        return;
      case 'subscribe':
        store.updateEndpoint(id, { eventTypes });
        return;
      case 'delete':
        store.deleteEndpoint(id);
        return;
      case 'rotate':
        store.rotateSecret(id);
        return;
      case 'move':
        this.#calm(id, { url: `https://shop.example/${++this.#urls}` });
    }
  }

  /** A changed url and being enabled again end a run of failures. */
  #calm(id: string, patch: { active?: boolean; url?: string }): void {
    const { store, witness } = this.#options;
    const before = store.endpoints.get(id);
    const ends = patch.url !== undefined || before?.active === false;
    store.updateEndpoint(id, patch);
    if (ends) witness.calmed(id);
  }

  #replay(): void {
    const { chance, store, tally, witness } = this.#options;
    if (store.deliveries.size === 0) return;
    const source = chance.oneOf([...store.deliveries.keys()]);
    const chain = store.replay(source, `r${++this.#replays}`);
    if (typeof chain === 'string') return;
    tally.replays += 1;
    witness.opened([chain]);
  }
}
