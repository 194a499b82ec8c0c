import { spawn } from 'node:child_process';
import { type CommonOptions, openContext } from '../context.js';
import { exitCodes, Failure } from '../failure.js';

const pages: Readonly<Record<string, string>> = {
  whs: 'endpoints',
  whd: 'deliveries',
  evt: 'events',
  rcv: 'recoveries',
};

/** Prints the dashboard page of an id, and opens it in the browser of a terminal. */
export function openPage(id: string, options: CommonOptions & { browser: boolean }): void {
  const { session, print } = openContext(options);
  const page = pages[/^([a-z]+)_[A-Za-z0-9_-]+$/.exec(id)?.[1] ?? ''];
  if (page === undefined) {
    const kinds = Object.keys(pages).map((kind) => `${kind}_…`);
    throw new Failure(`The dashboard has pages of ${kinds.join(', ')} ids.`, exitCodes.usage);
  }
  const url = `${session.url}/dashboard/${page}/${id}`;
  print.line(url, { url });
  if (!options.browser || !process.stdout.isTTY) return;
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  // Without a browser the printed URL is enough.
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
