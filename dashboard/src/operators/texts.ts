import { operators } from '../texts/en/operators.js';

/** The texts of these pages. Those of members stay out of them, and the other way round. */
export const operatorText = operators;
