import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Command } from 'commander';
import { didYouMean, timestampOf } from '../../../cli/command.js';
import { candidates } from '../../../cli/completion.js';
import { createProgram } from '../../../cli/program.js';
import { version } from '../../../cli/version.js';
import { repositoryRoot } from '../../support/repository.js';

const program = await createProgram();
const words = (...before: string[]) => candidates(program, before).map(({ word }) => word);
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
const manifest = (path: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
  };

describe('the commands of signalpost', () => {
  it('shows an example in the help of each command', () => {
    for (const leaf of leaves(program).filter(({ options }) => options.length > 0)) {
      let help = '';
      leaf.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help, leaf.name()).to.contain('Examples:\n  $ signalpost ');
    }
  });

  it('completes commands, their options and values', () => {
    expect(words('endp')).to.deep.equal(['endpoints']);
    expect(words('complete')).not.to.include('complete');
    expect(words('endpoints', 'rotate-s')).to.deep.equal(['rotate-secret']);
    expect(words('endpoints', 'list', '--st')).to.deep.equal(['--status']);
    expect(words('endpoints', 'list', '--status', '')).to.deep.equal(['active', 'inactive']);
    expect(words('--profile', 'x', 'endpoints', 'list', '--status', 'i')).to.deep.equal([
      'inactive',
    ]);
    expect(words('completion', '')).to.deep.equal(['bash', 'zsh', 'fish']);
  });

  it('has the version of the service', () => {
    const own = manifest('cli/package.json');
    const service = manifest('package.json');
    expect([version, own.version]).to.deep.equal([service.version, service.version]);
    expect(service.dependencies).to.include(own.dependencies);
  });

  it('loads only the commands that are named', async () => {
    const named = await createProgram(['endpoints', 'list']);
    const defined = named.commands.filter(
      ({ commands, options }) => commands.length + options.length > 0,
    );
    expect(defined.map((command) => command.name())).to.deep.equal(['endpoints']);
    const help = (whole: Command) => whole.createHelp().formatHelp(whole, whole.createHelp());
    expect(help(named)).to.equal(help(program));
  });

  it('H182: the command line reads durations and times, and refuses a day that does not exist', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    expect(timestampOf('2h', now)).to.equal('2026-11-21T10:00:00.000Z');
    expect(timestampOf('2026-11-21', now)).to.equal('2026-11-21T00:00:00.000Z');
    expect(timestampOf('2026-11-21T10:00:00+01:00', now)).to.equal('2026-11-21T09:00:00.000Z');
    const refused = [
      '7',
      'yesterday 1',
      '2026-11-31',
      '2026-02-30T00:00:00Z',
      '2026-11-21T24:00:00Z',
    ];
    for (const text of refused) expect(() => timestampOf(text, now), text).to.throw('Not a time');
  });

  it('suggests the nearest names for an unknown one', () => {
    const names = ['cart.order.completed', 'offer.sent'];
    expect(didYouMean('cart.order.complete', names)).to.equal('Did you mean cart.order.completed?');
    expect(didYouMean('nothing.like.it', names)).to.equal(undefined);
  });
});
