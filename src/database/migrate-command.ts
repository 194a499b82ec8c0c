/** How an operator migrates: an installation has the first command, a clone also the second. */
export const migrateCommand = '"signalpost-server migrate" (in a clone "npm run migrate")';
