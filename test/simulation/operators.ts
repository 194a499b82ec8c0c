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
  ...['delete', 'rotate', 'move', 'replay', 'replay', 'replay', 'bounce'],
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
    const { store, witness } = this.#options;
    switch (operation) {
      case 'deactivate':
        this.#deactivate(id);
        return;
      case 'bounce':
        this.#deactivate(id);
        this.#calm(id, { active: true });
        return;
      case 'activate':
        this.#calm(id, { active: true });
        return;
      case 'unsubscribe':
        this.#unsubscribe(id);
        return;
      case 'subscribe':
        store.updateEndpoint(id, { eventTypes });
        return;
      case 'delete':
        store.deleteEndpoint(id);
        witness.refused(id);
        return;
      case 'rotate':
        store.rotateSecret(id);
        return;
      case 'move':
        this.#calm(id, { url: `https://shop.example/${++this.#urls}` });
    }
  }

  #unsubscribe(id: string): void {
    const { store, witness } = this.#options;
    const left = eventTypes.slice(1);
    const before = store.endpoints.get(id)?.eventTypes ?? [];
    store.updateEndpoint(id, { eventTypes: left });
    witness.refused(
      id,
      before.filter((type) => !left.includes(type)),
    );
  }

  #deactivate(id: string): void {
    const { store, witness } = this.#options;
    store.updateEndpoint(id, { active: false });
    witness.refused(id);
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
