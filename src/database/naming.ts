import typeorm = require('typeorm');
import { snakeCase } from '../domain/sql.js';

/**
 * Names tables and columns in snake_case, entities and properties in camelCase, and foreign keys as
 * PostgreSQL does.
 */
export class SnakeCaseNaming extends typeorm.DefaultNamingStrategy {
  override tableName(className: string, customName?: string): string {
    return customName ?? snakeCase(className);
  }

  override columnName(
    property: string,
    customName: string | undefined,
    prefixes: string[],
  ): string {
    return snakeCase([...prefixes, customName ?? property].join('_'));
  }

  override foreignKeyName(table: typeorm.Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}
