import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect } from 'chai';
import { candidates } from '../../../cli/completion.js';
import { nearest } from '../../../cli/nearest.js';
import { createProgram } from '../../../cli/program.js';
import { version } from '../../../cli/version.js';
import { repositoryRoot } from '../../support/repository.js';

const words = (...before: string[]) => candidates(createProgram(), before).map(({ word }) => word);
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
const manifest = (path: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
  };

describe('the tree of commands', () => {
  it('has an example in the help of each command', () => {
    for (const leaf of leaves(createProgram()).filter(({ options }) => options.length > 0)) {
      let help = '';
      leaf.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help, leaf.name()).to.contain('Examples:\n  $ signalpost ');
    }
  });

  it('completes commands, options and their values', () => {
    expect(words('endp')).to.deep.equal(['endpoints']);
    expect(words('complete')).not.to.include('complete');
    expect(words('endpoints', 'ro')).to.deep.equal(['rotate-secret']);
    expect(words('endpoints', 'list', '--st')).to.deep.equal(['--status']);
    expect(words('endpoints', 'list', '--status', '')).to.deep.equal(['active', 'inactive']);
    expect(words('--profile', 'x', 'endpoints', 'list', '--status', 'i')).to.deep.equal([
      'inactive',
    ]);
    expect(words('completion', '')).to.deep.equal(['bash', 'zsh', 'fish']);
  });

  it('has the versions of the service', () => {
    const own = manifest('cli/package.json');
    const service = manifest('package.json');
    expect([version, own.version]).to.deep.equal([service.version, service.version]);
    expect(service.dependencies).to.include(own.dependencies);
  });

  it('names near words', () => {
    expect(nearest('cart.order.complete', ['cart.order.completed', 'offer.sent'])).to.deep.equal([
      'cart.order.completed',
    ]);
  });
});
