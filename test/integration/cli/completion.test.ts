import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runProgram } from '../../support/process.js';
import { repositoryRoot } from '../../support/repository.js';

const compiled = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const programs = [
  {
    name: 'signalpost',
    script: 'cli/main.js',
    entry: compiled('cli/main.js'),
    tabs: [
      [['endp'], ['endpoints']],
      [['endpoints', 'rotate-s'], ['rotate-secret']],
      [['endpoints', 'list', '--st'], ['--status']],
      [
        ['endpoints', 'list', '--status', ''],
        ['active', 'inactive'],
      ],
    ],
  },
  {
    name: 'signalpost-server',
    script: 'tools/admin/main.js',
    entry: join(repositoryRoot, 'bin', 'signalpost-server.mjs'),
    tabs: [
      [['mig'], ['migrate']],
      [['admin', 'cred'], ['credentials']],
      [
        ['admin', 'credentials', ''],
        ['create', 'list', 'revoke'],
      ],
      [
        ['admin', 'seed', '--size', ''],
        ['small', 'large'],
      ],
    ],
  },
] as const;

describe('the completion scripts', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'signalpost-completion-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    for (const { name, script, entry, tabs } of programs) {
      it(`H184: ${shell} completes ${name} with the script that it prints`, async function () {
        if (!hasShell(shell)) {
          this.test!.title += ` (pending: ${shell} is not installed here)`;
          return this.skip();
        }
        const printed = await runProgram(script, ['completion', shell], { HOME: folder });
        expect(printed.code, printed.stderr).to.equal(0);
        const tab = { shell, script: printed.stdout, folder, entry };
        for (const [words, offered] of tabs) {
          expect(completeLast(tab, name, ...words), words.join(' ')).to.have.members([...offered]);
        }
      });
    }
  }
});

/** A shell that completes words. */
type Shell = 'bash' | 'zsh' | 'fish';

/** What each shell runs: it sources the script `$1`, then completes the last word of the others. */
const drivers: Readonly<Record<Shell, readonly string[]>> = {
  bash: [
    '--noprofile',
    '--norc',
    '-c',
    `source "$1"
     shift
     registered=($(complete -p "$1"))
     COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
     for place in "\${!registered[@]}"; do
       [ "\${registered[place]}" = -F ] && "\${registered[place + 1]}"
     done
     printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
  ],
  // The real _describe draws a menu, so this one prints what it gets.
  zsh: [
    '-f',
    '-c',
    `autoload -Uz compinit && compinit -D -u
     source "$1"
     shift
     _describe() { print -rl -- "\${(@)\${(@P)2}%%:*}" }
     words=("$@") CURRENT=$#
     $_comps[$1]`,
    'zsh',
  ],
  fish: [
    '--no-config',
    '-c',
    `source $argv[1]
     complete -C (string join ' ' -- $argv[2..-1]) | string split -f1 \\t; true`,
  ],
};

/** Whether the shell is installed here. */
function hasShell(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** A command line at which somebody presses Tab. */
interface Tab {
  readonly shell: Shell;
  /** The completion script. */
  readonly script: string;
  /** An empty folder for the script and the program. */
  readonly folder: string;
  /** The compiled file that the program runs. */
  readonly entry: string;
}

/** Sources the script in the shell, and returns the words that it offers for the last of `words`. */
function completeLast({ shell, script, folder, entry }: Tab, ...words: string[]): string[] {
  const [program = ''] = words;
  writeFileSync(join(folder, program), `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`);
  chmodSync(join(folder, program), 0o755);
  const file = join(folder, `${program}.${shell}`);
  writeFileSync(file, script);
  const output = execFileSync(shell, [...drivers[shell], file, ...words], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder },
  });
  return output.split('\n').filter((word) => word !== '');
}
