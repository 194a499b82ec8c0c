import type { MigrationInterface } from 'typeorm';
import { Baseline1795392000000 } from './0001-baseline.js';

/** All migrations in order; a list, not a glob, so that it is the same under every build. */
export const migrations: (new () => MigrationInterface)[] = [Baseline1795392000000];
