// Runs before each integration test file: fails it when a transaction asks its own pool for a second connection.
import { afterAll, beforeAll } from '@jest/globals';
import { takeSecondConnections, watchSecondConnections } from '@bascule/testing';

watchSecondConnections();

// Files share their libraries: one is not to blame for what came after the tests of another.
beforeAll(() => {
  takeSecondConnections();
});

afterAll(() => {
  const [first, ...others] = takeSecondConnections();
  if (first === undefined) return;
  throw new Error(
    `Expected all queries of a transaction through its manager, found ${others.length + 1} others; the first is:\n${first}`,
  );
});
