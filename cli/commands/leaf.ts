import { type Command, InvalidArgumentError } from 'commander';

/** Adds a command with the options that all have, and with examples in its help. */
export function leaf(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  const lines = examples.map((example) => `  $ signalpost ${example}`);
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print one line of JSON for each result')
    .option('--profile <name>', 'profile of signalpost login; SIGNALPOST_API_KEY wins')
    .option('--url <url>', 'URL of the service')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Parses an integer from `min` to `max`. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Must be an integer from ${min} to ${max}.`);
  };
}

/** Parses a rate from 1 to `max`, such as `2` or `2/s`. */
export function perSecond(max: number): (text: string) => number {
  return (text) => integer(1, max)(text.replace(/\/s$/, ''));
}

/** Parses a list that is separated by commas. */
export function commaList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.every((item) => item !== '')) return items;
  throw new InvalidArgumentError('Must be names separated by commas.');
}

/** Adds `--limit` of a list. */
export function limited(command: Command): Command {
  return command.option('--limit <n>', 'items to print, at most', integer(1, 10_000), 20);
}
