/** Other sessions held a lock for too long; the message names them. */
export class MigrationBlocked extends Error {
  constructor(tries: number, blockers: string) {
    super(
      `The migration failed after ${tries} tries: ${blockers} holds a lock that it needs. ` +
        'End that session, as with select pg_terminate_backend(<process>), then run "npm run migrate" again. ' +
        'Applied migrations stay.',
    );
    this.name = 'MigrationBlocked';
  }
}
