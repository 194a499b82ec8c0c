import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const environmentOutsideConfig = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Settings come from src/config.ts.',
};
const sleepInTests = {
  selector: "CallExpression[callee.name='setTimeout'], ImportSpecifier[imported.name='sleep']",
  message: 'Wait for a condition with eventually(), not for time.',
};
const clockInDomain = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Time is the database’s: use tx.now.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time is the database’s: use tx.now.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Chance is passed in.',
  },
];
const defaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only.',
};

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
      'no-restricted-syntax': ['error', environmentOutsideConfig, defaultExport],
    },
  },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', environmentOutsideConfig, defaultExport, ...clockInDomain],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', sleepInTests, defaultExport],
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  {
    files: [
      'src/config.ts',
      'ormconfig.ts',
      'scripts/**/*.ts',
      'bench/**/*.ts',
      'test/support/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
