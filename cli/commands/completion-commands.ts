import { Argument, type Command } from 'commander';

/** Adds `completion <shell>`, and the hidden command that its scripts call. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('Prints the completion script of a shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
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
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../completion.js');
      process.stdout.write(completionScript(program.name(), shell));
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const { candidates } = await import('../completion.js');
      for (const { word, description } of candidates(program, words)) {
        process.stdout.write(`${word}\t${description}\n`);
      }
    });
}
