import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Compiled test files, in the order of their names.
 * @param {string[]} kinds folders of test/, such as unit
 * @param {string[]} parts only those whose path contains one of them; all where there is none
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
