import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../failure.js';

/**
 * Takes the lock of a listener, so that no two forward the same events. It is a socket, which the
 * system closes when its process ends in any way.
 * @throws Failure when another process has it
 */
export async function lockListener(id: string, name: string): Promise<() => void> {
  const path = socketPath(id);
  let server = await listen(path);
  if (!server && !path.startsWith('\0') && !(await answers(path))) {
    // The file of a process that was killed.
    rmSync(path, { force: true });
    server = await listen(path);
  }
  if (!server) {
    throw new Failure(
      `Another signalpost listen --name ${name} runs: end it, or choose another --name.`,
    );
  }
  server.unref();
  return () => server.close();
}

/** Linux has sockets without a file. */
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
