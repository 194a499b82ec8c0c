import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../failure.js';
import { readPrivateFile, writePrivateFile } from '../private-file.js';

/** The stored state of a listener. */
export interface ListenerState {
  readonly position: string | undefined;
  /** When it was written. */
  readonly at: number;
  /** Events after the position that have started; after a crash they may have been forwarded. */
  readonly inFlight: readonly string[];
  /** The latest time of a forwarded event. */
  readonly seenUntil: string | undefined;
}

/** Stores the state of one listener in a file, which is replaced atomically. */
export interface PositionFile {
  read(): ListenerState | undefined;
  write(state: Omit<ListenerState, 'at'>): void;
}

/** Returns a file name for the listener of a service and profile. */
export function listenerId(url: string, profile: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([url, profile, name]))
    .digest('hex')
    .slice(0, 24);
}

/** Opens the file of a listener without reading it. */
export function openPositionFile(stateDir: string, id: string): PositionFile {
  const path = join(stateDir, 'listeners', `${id}.json`);
  return {
    read: () => parse(readPrivateFile(path) ?? ''),
    write: (state) => writePrivateFile(path, `${JSON.stringify({ ...state, at: Date.now() })}\n`),
  };
}

/** Stores nothing, for SIGNALPOST_API_KEY. */
export const noPositionFile: PositionFile = { read: () => undefined, write: () => undefined };

/** A damaged file counts as missing: the listener then starts with new events. */
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

/**
 * Takes the lock of a listener, so that no two processes forward the same events. The lock is a socket,
 * which the system closes however its process ends.
 * @throws Failure if another process has it
 */
export async function lockListener(id: string, name: string): Promise<() => void> {
  const path = socketPath(id);
  let server = await listen(path);
  if (!server && !path.startsWith('\0') && !(await answers(path))) {
    // A process that was killed left the file behind.
    rmSync(path, { force: true });
    server = await listen(path);
  }

  if (!server) {
    throw new Failure(
      `Another signalpost listen --name ${name} is running: stop it, or use another --name.`,
    );
  }

  server.unref();

  return () => server.close();
}

/** Linux has abstract sockets, which need no file. */
function socketPath(id: string): string {
  if (process.platform === 'linux') return `\0signalpost-${process.getuid?.() ?? ''}-${id}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\signalpost-${id}`;
  return join(tmpdir(), `signalpost-${id}.sock`);
}

async function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(path);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
