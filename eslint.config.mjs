import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import ts from 'typescript-eslint';
import {
  DEPENDENCIES,
  PRODUCTION,
  PURE,
  PURE_GLOBALS,
  PURE_IMPORTS,
  PURE_SYNTAX,
  TESTS,
} from './tools/boundaries.mjs';

export default ts.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/src/generated/**',
      'libs/solidity/out/**',
      'libs/solidity/cache/**',
      '.nx/**',
      '.local/**',
      'coverage/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...ts.configs.recommendedTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: { project: './tsconfig.spec.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      complexity: ['error', 15],
      'no-console': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          // The end-to-end tests play the user that `npm run first-payment` plays.
          allow: ['../../tools/first-payment/**', '../../../tools/first-payment/**'],
          // Specs of what test support is built on use test support.
          ignoredCircularDependencies: [['@bascule/testing', '*']],
          depConstraints: DEPENDENCIES,
        },
      ],
    },
  },
  {
    ...PURE,
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: PURE_IMPORTS }],
      'no-restricted-globals': ['error', ...PURE_GLOBALS],
      'no-restricted-syntax': ['error', ...PURE_SYNTAX],
    },
  },
  ...PRODUCTION.map(({ files, ignores, patterns }) => ({
    files,
    ignores,
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  })),
  {
    files: TESTS,
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['tools/**', 'bench/**', 'apps/*/src/**/*.command.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
