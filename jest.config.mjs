import { SWC } from './tools/jest/swc.mjs';

// One configuration for every package; the file's suffix says what a test needs.
const swc = ['@swc/jest', SWC];

const shared = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tests', '<rootDir>/tools'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: { '^.+\\.ts$': swc },
  // Node's own module loader: a worker loads each module once, which Jest's loader does for every file.
  runtime: '<rootDir>/tools/jest/native/runtime.mjs',
  testEnvironment: '<rootDir>/tools/jest/native/environment.mjs',
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      setupFiles: ['<rootDir>/tools/jest/fixed-seed.mjs'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['**/*.int-spec.ts'],
      globalSetup: '<rootDir>/tools/jest/start-servers.mjs',
      globalTeardown: '<rootDir>/tools/jest/stop-servers.mjs',
      setupFilesAfterEnv: [
        '<rootDir>/tests/events/check-published.ts',
        '<rootDir>/tests/testing/check-connections.ts',
      ],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/tools/jest/orphans.mjs',
    },
  ],
  testSequencer: '<rootDir>/tools/jest/longest-first.mjs',
  // Longer than any wait within a test (`eventually`), so that the wait reports what it waited for.
  testTimeout: 180_000,
};
