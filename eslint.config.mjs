import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import jest from 'eslint-plugin-jest';
import ts from 'typescript-eslint';
import {
  CLASS_ROLES,
  DEPENDENCIES,
  LIFE_CYCLE,
  LIFE_CYCLE_IMPORTS,
  PRODUCTION,
  PURE,
  PURE_GLOBALS,
  PURE_IMPORTS,
  PURE_SYNTAX,
  TEST_HELPERS,
  TESTS,
} from './tools/boundaries.mjs';
import { ONE_NODE_READS } from './tools/one-node-reads.mjs';
import bascule from './tools/lint/plugin.mjs';

const NO_DOUBLE_ASSERTION = {
  selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type=/^TS(Unknown|Never)Keyword$/]',
  message: 'Parse the value into its type; a double assertion silences the compiler.',
};

const NO_OWN_LOCATION = [
  `NewExpression[callee.name='URL'] > MemberExpression[object.type='MetaProperty']`,
  `MemberExpression[object.type='MetaProperty'][property.name=/^(dirname|filename)$/]`,
].map((selector) => ({
  selector,
  message: 'Apps run from bundles, so a file is found by the name of its package.',
}));

const NO_SHARED_STATE = [
  `Program > :matches(VariableDeclaration, ExportNamedDeclaration > VariableDeclaration)[kind='let']`,
  'Program > ExpressionStatement',
].map((selector) => ({
  selector,
  message: 'Test files share this module, so it keeps no state and does nothing when it is loaded.',
}));

const ASK_THE_API =
  'Ask the API through Api or checkedRequest, which hold its answers against the contract; ask others through fetchOutsideApi.';

export default ts.config(
  {
    ignores: [
      '**/dist/**',
      'bundle/**',
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
    files: ['**/*.ts', '**/*.mjs'],
    plugins: { bascule },
    rules: { 'bascule/subject-first': 'error' },
  },
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
      'bascule/class-of-role': ['error', CLASS_ROLES],
      'no-restricted-syntax': ['error', NO_DOUBLE_ASSERTION, ...NO_OWN_LOCATION],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
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
          allow: [
            '../../tools/first-payment/**',
            '../../../tools/first-payment/**',
            '../../../../tools/first-payment/**',
          ],
          // Specs of what test support is built on use test support.
          ignoredCircularDependencies: [
            ['@bascule/testing', '*'],
            ['@bascule/messaging-testing', '*'],
          ],
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
      'no-restricted-syntax': ['error', NO_DOUBLE_ASSERTION, ...NO_OWN_LOCATION, ...PURE_SYNTAX],
    },
  },
  {
    ...LIFE_CYCLE,
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: LIFE_CYCLE_IMPORTS }],
    },
  },
  ...PRODUCTION.map(({ files, ignores, patterns }) => ({
    files,
    ignores,
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  })),
  {
    files: ['{apps,libs}/*/src/**/*.ts'],
    ignores: [...TESTS, ...Object.keys(ONE_NODE_READS)],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'anyNode',
          message:
            'One node may lie. Ask several, or say in ONE_NODE_READS why a lie does no harm.',
        },
      ],
    },
  },
  {
    files: TESTS,
    rules: {
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: TEST_HELPERS,
    // Two of them are programs that a test starts as processes.
    ignores: [
      '**/*spec.ts',
      'libs/messaging-testing/src/fixtures/service-program.ts',
      'libs/service-host/src/testing/failing-service.fixture.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...NO_SHARED_STATE] },
  },
  {
    files: ['**/*spec.ts', ...TEST_HELPERS],
    plugins: { bascule, jest },
    rules: {
      'bascule/no-early-return': 'error',
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect*', '**.expect*', 'assert*'] },
      ],
      'jest/no-disabled-tests': 'error',
      'jest/no-focused-tests': 'error',
    },
  },
  {
    files: ['tools/**', 'bench/**', 'apps/*/src/**/*.command.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['tools/**/*.ts', 'bench/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', NO_DOUBLE_ASSERTION] },
  },
  {
    files: ['tests/e2e/**/*.ts'],
    // Scripts of a page, which show the test what they fetch.
    ignores: ['tests/e2e/testing/browser/page/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: ASK_THE_API }],
      'no-restricted-imports': [
        'error',
        ...['node:http', 'node:https'].map((name) => ({
          name,
          importNames: ['get', 'request'],
          message: ASK_THE_API,
        })),
      ],
    },
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
