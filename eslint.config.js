import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const forbid = (message, ...selectors) => selectors.map((selector) => ({ selector, message }));

/** However it is reached: by its name, in brackets, taken apart, under another name, or imported. */
const environmentOutsideConfig = forbid(
  'Settings come from src/config.ts.',
  "MemberExpression[object.name='process'][property.name='env']",
  "MemberExpression[object.name='process'][property.value='env']",
  "MemberExpression[object.name=/^(globalThis|global)$/][property.name='process']",
  "VariableDeclarator[init.name='process']",
  "AssignmentExpression[right.name='process']",
  ':matches(ImportDeclaration, ImportExpression, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/^(node:)?process$/]',
);
const defaultExport = forbid('Named exports only.', 'ExportDefaultDeclaration');
const sleepInTests = forbid(
  'Wait for a condition with eventually(), not for time.',
  "CallExpression[callee.name='setTimeout']",
  "CallExpression[callee.property.name='setTimeout']",
  "ImportSpecifier[imported.name='sleep']",
  'ImportExpression[source.value=/^(node:)?timers(\\u002fpromises)?$/]',
  // setImmediate lets others have their turn, which takes no time.
  "ImportDeclaration[source.value=/^(node:)?timers(\\u002fpromises)?$/] > :matches(ImportDefaultSpecifier, ImportNamespaceSpecifier, ImportSpecifier[imported.name!='setImmediate'])",
);
const clockInDomain = [
  ...forbid(
    'Time is the database’s: use tx.now.',
    "MemberExpression[object.name='Date'][property.name='now']",
    "NewExpression[callee.name='Date'][arguments.length=0]",
    "CallExpression[callee.name='Date']",
    "MemberExpression[object.name='performance'][property.name='now']",
  ),
  ...forbid('Chance is passed in.', "MemberExpression[object.name='Math'][property.name='random']"),
];
const syntax = (...lists) => ({ 'no-restricted-syntax': ['error', ...lists.flat()] });

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'coverage',
      '.data',
      'src/rest/generated',
      '**/*.mjs',
      '*.js',
      '*.cjs',
    ],
  },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      ...syntax(environmentOutsideConfig, defaultExport),
    },
  },
  { files: ['src/config.ts'], rules: syntax(defaultExport) },
  // The TypeORM command line reads the default export.
  { files: ['ormconfig.ts'], rules: syntax(environmentOutsideConfig) },
  {
    files: ['src/domain/**/*.ts'],
    rules: syntax(environmentOutsideConfig, defaultExport, clockInDomain),
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  // They start processes, so they pass an environment on; only they and bench/ may let time pass.
  { files: ['test/**/*.ts'], rules: syntax(defaultExport, sleepInTests) },
  { files: ['test/support/**/*.ts', 'bench/**/*.ts'], rules: syntax(defaultExport) },
);
