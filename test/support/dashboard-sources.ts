import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { repositoryRoot } from './repository.js';

/** The dashboard as those who work on it see it, with the page of components. */
export interface DashboardSources {
  /** The address of its pages, without a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Builds the dashboard as in development, into a temporary folder, and serves it on a free port. */
export async function serveDashboardSources(): Promise<DashboardSources> {
  const outDir = await mkdtemp(join(tmpdir(), 'signalpost-dashboard-'));
  const configFile = join(repositoryRoot, 'dashboard', 'vite.config.ts');
  const { NODE_ENV } = process.env;

  // Not the server of development: it has a request for each file, and each can fail on its own.
  await build({
    configFile,
    logLevel: 'error',
    define: { 'import.meta.env.DEV': 'true' },
    build: { outDir, minify: false },
  });

  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, strictPort: false, open: false },
  });

  // Vite sets it for the whole process.
  if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = NODE_ENV;

  const address = server.httpServer.address();
  if (address == null || typeof address === 'string') throw new Error('Vite has no port');

  return {
    url: `http://127.0.0.1:${address.port}/dashboard`,
    async close() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
