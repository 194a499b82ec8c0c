import type { Command } from 'commander';
import { leaf } from './leaf.js';
import type { LoginOptions } from '../actions/login.js';
import type { CommonOptions } from '../context.js';

/** Adds `login`, `logout`, `whoami` and `profiles`. */
export function addAccountCommands(program: Command): void {
  leaf(
    program,
    'login',
    'Stores a live key under a profile. Asks for it, or reads it from stdin.',
    [
      'login',
      'login --profile staging --url https://webhooks.example.com',
      'login --profile operator --url http://127.0.0.1:8081 < internal-token.txt',
    ],
  )
    .option('--no-check', 'store the key without asking the service')
    .action(async (options: LoginOptions) => (await import('../actions/login.js')).login(options));
  leaf(program, 'logout', 'Removes a profile from this machine. The key stays valid.', [
    'logout',
    'logout --profile staging',
  ]).action(async (options: CommonOptions) =>
    (await import('../actions/login.js')).logout(options),
  );
  leaf(program, 'profiles', 'Lists the profiles of this machine.', ['profiles']).action(
    async (options: CommonOptions) => (await import('../actions/login.js')).listProfiles(options),
  );
  leaf(program, 'whoami', 'Shows which service and key the other commands use.', [
    'whoami',
    'whoami --json',
  ]).action(async (options: CommonOptions) =>
    (await import('../actions/whoami.js')).whoami(options),
  );
}
