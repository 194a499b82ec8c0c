import type { Command } from 'commander';
import { jsonLine, printable } from '../../cli/output/text.js';
import type { ServiceConfig } from '../../src/config/config.js';
import type { Database } from '../../src/database/database.js';

/** The result of a sub-command: one JSON value, and the same as lines for a person. */
export interface CommandResult {
  readonly value: unknown;
  readonly lines: readonly string[];
  /** True if the command ran and found a problem; it then exits with 1. */
  readonly failed?: boolean;
}

/** The work of a sub-command; `argument` is the first word after its name, or ''. */
export type Work<Options> = (
  database: Database,
  options: Options,
  argument: string,
  config: ServiceConfig,
) => Promise<CommandResult>;

/** Adds a sub-command with the option `--json`, which prints one JSON value instead of lines. */
export function subCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print one JSON value on the last line');
}

/** Commander's action: opens the database, runs `work`, prints its result and sets the exit code. */
export function adminAction<Options>(
  work: Work<Options>,
): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const command = parameters.at(-1) as Command;
    const options = command.opts<Options & { json?: true }>();
    const argument = command.args[0] ?? '';

    // Loaded late, because loading would take half of the time of a command such as --help.
    const [{ withDatabase }, { openDatabase }, { createLogger }, { commandActor }] =
      await Promise.all([
        import('../launcher/with-database.js'),
        import('../../src/process/open-database.js'),
        import('../../src/process/log.js'),
        import('../../src/domain/transaction/actor.js'),
      ]);

    const answer = await withDatabase(async (config) => {
      const log = createLogger('admin', 'silent');
      const database = await openDatabase(config, { name: 'admin', log, actor: commandActor });
      try {
        return await work(database, options, argument, config);
      } finally {
        await database.close();
      }
    });
    printResult(answer, options.json);
  };
}

/**
 * Prints a result for a person or, with `json`, for a program, and sets the exit code. Escapes characters that
 * would control the terminal.
 */
export function printResult({ value, lines, failed }: CommandResult, json: true | undefined): void {
  process.stdout.write(`${json ? jsonLine(value) : lines.map(printable).join('\n')}\n`);
  if (failed) process.exitCode = 1;
}
