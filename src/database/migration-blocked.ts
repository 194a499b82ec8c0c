import { migrateCommand } from './migrate-command.js';

/** Another session held a lock for too long. The message names it and the next step. */
export class MigrationBlocked extends Error {
  constructor(tries: number, blockers: string) {
    super(
      `The migration failed after ${tries} tries: ${blockers} holds a lock that it needs. ` +
        'End that session, for example with select pg_terminate_backend(<process>), ' +
        `then run ${migrateCommand} again. ` +
        'Migrations that were applied stay.',
    );
    this.name = 'MigrationBlocked';
  }
}
