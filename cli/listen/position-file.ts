import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../private-file.js';

/** How far a listener has come. */
export interface ListenerState {
  readonly position: string | undefined;
  /** When it was written. */
  readonly at: number;
  /** The events behind the position that have begun; after a crash they may have arrived. */
  readonly inFlight: readonly string[];
  /** The latest time of a forwarded event. */
  readonly seenUntil: string | undefined;
}

/** Keeps the state of one listener in a file, which is replaced as a whole. */
export interface PositionFile {
  read(): ListenerState | undefined;
  write(state: Omit<ListenerState, 'at'>): void;
}

/** A name of letters and digits for a listener of a service and profile. */
export function listenerId(url: string, profile: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([url, profile, name]))
    .digest('hex')
    .slice(0, 24);
}

/** Opens the file of a listener. */
export function openPositionFile(stateDir: string, id: string): PositionFile {
  const path = join(stateDir, 'listeners', `${id}.json`);
  return {
    read: () => parse(readPrivateFile(path) ?? ''),
    write: (state) => writePrivateFile(path, `${JSON.stringify({ ...state, at: Date.now() })}\n`),
  };
}

/** With SIGNALPOST_API_KEY nothing is stored. */
export const noPositionFile: PositionFile = { read: () => undefined, write: () => undefined };

/** A damaged file counts as none: the listener then begins at the present, and says so. */
function parse(text: string): ListenerState | undefined {
  try {
    const { position, at, inFlight, seenUntil } = JSON.parse(text) as Record<string, unknown>;
    const optional = (value: unknown) => (typeof value === 'string' ? value : undefined);
    if (typeof at !== 'number') return undefined;
    return {
      position: optional(position),
      at,
      inFlight: Array.isArray(inFlight) ? inFlight.map(String) : [],
      seenUntil: optional(seenUntil),
    };
  } catch {
    return undefined;
  }
}
