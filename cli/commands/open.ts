import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { type CommonOptions, openContext, withCommonOptions } from '../command.js';
import { exitCodes, Failure } from '../failure.js';

interface OpenOptions extends CommonOptions {
  readonly browser: boolean;
}

export function defineOpen(command: Command): void {
  withCommonOptions(command, ['open whs_0VbeRhMqhfG4f350f6gHZ1hz'])
    .option('--no-browser', 'only print the URL')
    .action((id: string, options: OpenOptions) => openPage(id, options));
}

/** The pages of the dashboard by the prefix of their ids. */
const pages: Readonly<Record<string, string>> = {
  whs: 'endpoints',
  whd: 'deliveries',
  evt: 'events',
  rcv: 'recoveries',
};

/** Prints the URL of the page, and opens it in the browser if standard output is a terminal. */
function openPage(id: string, options: OpenOptions): void {
  const { session, print } = openContext(options);
  const page = pages[/^([a-z]+)_[A-Za-z0-9_-]+$/.exec(id)?.[1] ?? ''];
  if (page === undefined) {
    const kinds = Object.keys(pages).map((kind) => `${kind}_…`);
    throw new Failure(`The dashboard has pages only for ${kinds.join(', ')} ids.`, exitCodes.usage);
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
