import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Lists compiled test files, sorted by path.
 * @param {string[]} kinds folders of test/, such as unit
 * @param {string[]} parts only files whose path contains one of them; defaults to all
 */
export function testFiles(kinds, parts = ['']) {
  return kinds
    .flatMap((kind) => listFiles(join(root, 'dist', 'test', kind)))
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => relative(root, file))
    .filter((file) => parts.some((part) => file.includes(part)))
    .sort();
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
