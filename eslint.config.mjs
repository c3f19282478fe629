import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import ts from 'typescript-eslint';

const TESTS = [
  '**/*.spec.ts',
  '**/*.int-spec.ts',
  '**/*.e2e-spec.ts',
  '**/*.fixture.ts',
  'libs/testing/**',
];

// A file in an app whose name carries none of these roles is a rule of the domain: plain TypeScript.
const ROLES = [
  'adapter',
  'client',
  'command',
  'config',
  'consumer',
  'controller',
  'dto',
  'entity',
  'filter',
  'guard',
  'migration',
  'module',
  'repository',
  'scanner',
  'server',
  'service',
  'worker',
];
const ROLE_FILES = ROLES.map((role) => `apps/*/src/**/*.${role}.ts`);

const NEST_AND_IO = [
  '@nestjs/*',
  '@nestjs/*/*',
  'typeorm',
  'pg',
  'ioredis',
  'undici',
  'fastify',
  '@fastify/*',
  'node:fs',
  'node:fs/*',
  'node:net',
  'node:http',
  'node:https',
  'node:child_process',
  '@bascule/persistence',
  '@bascule/messaging',
  '@bascule/http',
  '@bascule/transactions',
];

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
          allow: ['../../../../tools/first-payment/**'],
          // Specs of what test support is built on use test support.
          ignoredCircularDependencies: [['@bascule/testing', '*']],
          depConstraints: [
            { sourceTag: 'type:composition', onlyDependOnLibsWithTags: ['*'] },
            { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
            { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
            { sourceTag: 'layer:domain', onlyDependOnLibsWithTags: ['layer:domain'] },
            {
              sourceTag: 'layer:adapter',
              onlyDependOnLibsWithTags: [
                'layer:domain',
                'layer:infrastructure',
                'layer:adapter',
                'layer:testing',
              ],
            },
            {
              sourceTag: 'layer:infrastructure',
              onlyDependOnLibsWithTags: ['layer:domain', 'layer:infrastructure', 'layer:testing'],
            },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/amounts/src/**/*.ts', 'libs/contracts/src/**/*.ts'],
    ignores: [
      ...ROLE_FILES,
      ...TESTS,
      'apps/*/src/{index,main,migrate}.ts',
      'apps/*/src/persistence/migrations/**',
      'apps/standalone/**',
    ],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: NEST_AND_IO }] }] },
  },
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
