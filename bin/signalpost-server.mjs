#!/usr/bin/env node
// signalpost-server <command> [argument …]: runs one part of a built service in this process.
// It installs and compiles nothing, starts no child, and is fit to be process 1 of a container.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/', import.meta.url);

/** What each command loads, the words that it puts before its arguments, and whether it serves. */
const commands = {
  api: { entry: 'src/main.js', words: [], serves: true },
  worker: { entry: 'workers/main.js', words: [], serves: true },
  migrate: { entry: 'tools/migrate/main.js', words: [], serves: false },
  admin: { entry: 'tools/admin/main.js', words: [], serves: false },
  doctor: { entry: 'tools/admin/main.js', words: ['doctor'], serves: false },
};

const [name, ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;

if (command === undefined) {
  process.stderr.write(
    `usage: signalpost-server ${Object.keys(commands).join('|')} [argument …]\n`,
  );
  process.exit(2);
}
const entry = new URL(command.entry, built);
if (!existsSync(entry)) {
  process.stderr.write(
    `${fileURLToPath(entry)} is missing: run "npm ci && npm run build" first.\n`,
  );
  process.exit(1);
}

// Linux drops a signal to process 1 that has no handler. Until the command has its own, nothing has
// begun that must be finished.
const quit = () => process.exit(command.serves ? 0 : 143);
process.on('SIGTERM', quit);
process.argv = [process.argv[0], fileURLToPath(entry), ...command.words, ...rest];
await import(entry);
// A command that ends by itself keeps the handler, because it has no other.
if (command.serves) process.off('SIGTERM', quit);
