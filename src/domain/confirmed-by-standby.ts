/**
 * SQL, never null, for the row that a key was stored with. It writes to PostgreSQL's log, so that the
 * commit waits for the synchronous standby. The commit that stored the key may have failed to: then it
 * is visible although the standby does not have it.
 */
export const confirmedByStandby = `pg_logical_emit_message(true, 'signalpost', '') is not null`;
