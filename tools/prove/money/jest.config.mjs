import { join } from 'node:path';
import config from '../../../jest.config.mjs';

const name = process.env.MONEY_PROJECT;
const project = config.projects.find(({ displayName }) => displayName === name);

// Jest's own module loader: a mutant of code that runs on import needs the module loaded again.
const jestLoader = {
  runtime: undefined,
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['@bascule/source', 'node', 'node-addons'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
const nativeLoader = { testEnvironment: join(import.meta.dirname, 'environment.mjs') };

// Stryker takes one project, and copies less than Jest looks through.
export default {
  ...project,
  ...(process.env.MONEY_LOADER === 'jest' ? jestLoader : nativeLoader),
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  // tools/prove/money.mjs starts the servers.
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: config.testTimeout,
};
