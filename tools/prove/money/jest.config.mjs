import { join } from 'node:path';
import config from '../../../jest.config.mjs';

const name = process.env.MONEY_PROJECT;
const project = config.projects.find(({ displayName }) => displayName === name);

// Stryker takes one project, and copies less than Jest looks through.
export default {
  ...project,
  testEnvironment: join(import.meta.dirname, 'environment.mjs'),
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  // tools/prove/money.mjs starts the servers.
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: config.testTimeout,
};
