import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shell that completes words. */
export type Shell = 'bash' | 'zsh' | 'fish';

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
export function hasShell(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** A command line at which somebody presses Tab. */
export interface Tab {
  readonly shell: Shell;
  /** The completion script. */
  readonly script: string;
  /** An empty folder for the script and the program. */
  readonly folder: string;
  /** The compiled file that the program runs. */
  readonly entry: string;
}

/** Sources the script in the shell, and returns the words that it offers for the last of `words`. */
export function completeLast({ shell, script, folder, entry }: Tab, ...words: string[]): string[] {
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
