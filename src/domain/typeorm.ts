import typeorm = require('typeorm');

// Required, because Node reads all files of a CommonJS package twice when it is imported (ADR 0020).

/** The decorators of entities, from TypeORM. */
export const { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } = typeorm;
