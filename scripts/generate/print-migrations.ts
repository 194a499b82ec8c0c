import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const header = `// Made by "npm run generate" from src/database/migrations.
import type { MigrationInterface } from 'typeorm';
`;

/**
 * Generates the list of migrations, sorted by file.
 * @throws Error for a numbered file that does not export one class
 */
export function printMigrations(root: string): Promise<string> {
  const folder = join(root, 'src', 'database', 'migrations');
  const found = readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.ts$/.test(file))
    .sort()
    .map((file) => {
      const classes = readFileSync(join(folder, file), 'utf8').matchAll(/^export class (\w+)/gm);
      const [name, ...others] = Array.from(classes, ([, each]) => each);
      if (!name || others.length > 0) throw new Error(`${file} must export one class`);
      return { name, path: `../migrations/${file.replace(/\.ts$/, '.js')}` };
    });

  const names = found.map(({ name }) => `  ${name},\n`).join('');
  return Promise.resolve(`${header}${found
    .map(({ name, path }) => `import { ${name} } from '${path}';\n`)
    .join('')}
/** All migrations in order, as a list and not a glob, so that every build has the same. */
export const migrations: (new () => MigrationInterface)[] = [
${names}];
`);
}
