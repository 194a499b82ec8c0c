import type { Command, Option } from 'commander';

/** Defines `completion <shell>`. */
export function defineCompletion(command: Command): void {
  command.registeredArguments[0]?.choices(['bash', 'zsh', 'fish']);

  command
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  $ signalpost completion bash >> ~/.bashrc',
        '  $ signalpost completion zsh > "${fpath[1]}/_signalpost"',
        '  $ signalpost completion fish > ~/.config/fish/completions/signalpost.fish',
      ].join('\n'),
    )
    .action((shell: Shell) => {
      process.stdout.write(completionScript('signalpost', shell));
    });
}

/** Defines the hidden command that the scripts call at each Tab. */
export function defineComplete(command: Command): void {
  command
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => {
      for (const { word, description } of candidates(command.parent ?? command, words)) {
        process.stdout.write(`${word}\t${description}\n`);
      }
    });
}

type Shell = 'bash' | 'zsh' | 'fish';

/** A possible completion. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/**
 * Completes the last of `words`: commands, options, or the values of an option.
 * @param words the words after the program's name; the last one is incomplete or empty
 */
export function candidates(program: Command, words: readonly string[]): Candidate[] {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { command, value } = follow(program, before);
  const fitting = value ? choices(value) : [...commandsOf(command), ...optionsOf(command, begun)];
  return fitting.filter(({ word }) => word.startsWith(begun));
}

/** Returns the command that the words name, and the option whose value comes next. */
function follow(program: Command, words: readonly string[]): { command: Command; value?: Option } {
  let command = program;
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? '';
    const option = command.options.find(({ long, short }) => word === long || word === short);
    if (option?.required) {
      if (place === words.length - 1) return { command, value: option };
      place += 1;
    } else {
      command = command.commands.find((child) => child.name() === word) ?? command;
    }
  }
  return { command };
}

function commandsOf(command: Command): Candidate[] {
  return [
    ...command.commands
      .filter((child) => !(child as unknown as { _hidden?: boolean })._hidden)
      .map((child) => ({ word: child.name(), description: child.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((word) => ({ word, description })),
    ),
  ];
}

function optionsOf(command: Command, begun: string): Candidate[] {
  if (!begun.startsWith('-')) return [];
  return [
    ...command.options.map(({ long, description }) => ({ word: long ?? '', description })),
    { word: '--help', description: 'display help for command' },
  ];
}

function choices({ argChoices = [], description }: Option): Candidate[] {
  return argChoices.map((word) => ({ word, description }));
}

/**
 * Returns the script that asks for candidates at each Tab.
 * @param program the command name that the user types, such as `signalpost`
 * @param ask the command that prints the candidates, such as `signalpost complete`
 */
export function completionScript(
  program: string,
  shell: Shell,
  ask = `${program} complete`,
): string {
  return scripts[shell].replaceAll('ASK', ask).replaceAll('PROGRAM', program);
}

const scripts = {
  bash: `_PROGRAM_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(ASK -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _PROGRAM_complete PROGRAM
`,
  zsh: `#compdef PROGRAM
_PROGRAM() {
  local -a found
  local line
  for line in "\${(@f)$(ASK -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe PROGRAM found; else _files; fi
}
if [ "$funcstack[1]" = "_PROGRAM" ]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
`,
  fish: `function __PROGRAM_complete
  set -l words (commandline -opc)
  set -l begun (commandline -ct)
  set -l found (ASK -- $words[2..-1] "$begun" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$begun"
  end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
`,
} as const;
