import type { Command } from 'commander';
import type { ErasureView } from '../../src/domain/erasure/erasures.js';
import { adminAction, subCommand } from './admin-action.js';

const load = () => import('../../src/domain/erasure/erasures.js');

/** Adds `erasures`. */
export function addErasureCommands(program: Command): void {
  const erasures = program.command('erasures').description('Shows what was erased');
  subCommand(erasures, 'list', 'Lists the latest 100 erasures, newest first').action(
    adminAction(async (database) => {
      const { data } = await (await load()).listErasures(database.read, { limit: 100 });
      return { value: data, lines: data.map(lineOf) };
    }),
  );
  subCommand(erasures, 'show <id>', 'Shows one erasure').action(
    adminAction(async (database, _options, id) => {
      const erasure = await (await load()).getErasure(database.read, id);
      const rows = Object.entries(erasure.counts).map(([table, count]) => `  ${table}  ${count}`);
      return { value: erasure, lines: [lineOf(erasure), ...rows] };
    }),
  );
}

function lineOf({ id, kind, accountId, status, requestedBy, createdAt }: ErasureView): string {
  return [id, kind, accountId, status, createdAt.toISOString(), requestedBy].join('  ');
}
