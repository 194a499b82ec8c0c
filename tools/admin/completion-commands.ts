import { Argument, Command } from 'commander';

/** The installed command, whose word `admin` leads here. */
const serverCommand = 'signalpost-server';
/** Its other words. */
const parts = {
  api: 'runs the API',
  worker: 'runs a worker',
  migrate: 'migrates the schema',
  doctor: 'checks settings, database and queue',
};

/** Adds `completion <shell>`, and the hidden command that its scripts call. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description(`Prints the completion script of ${serverCommand} for a shell`)
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../../cli/completion.js');
      const ask = `${serverCommand} admin complete`;
      process.stdout.write(completionScript(serverCommand, shell, ask));
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const { candidates } = await import('../../cli/completion.js');
      const root = new Command(serverCommand).addCommand(program);
      for (const [part, does] of Object.entries(parts)) root.command(part).description(does);
      for (const { word, description } of candidates(root, words)) {
        process.stdout.write(`${word}\t${description}\n`);
      }
    });
}
