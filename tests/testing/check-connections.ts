// Runs before each integration test file: fails it when a transaction asks its own pool for a second connection.
import { afterAll } from '@jest/globals';
import { takeSecondConnections, watchSecondConnections } from '@bascule/testing';

watchSecondConnections();

afterAll(() => {
  const [first, ...others] = takeSecondConnections();
  if (first === undefined) return;
  throw new Error(
    `Expected all queries of a transaction through its manager, found ${others.length + 1} others; the first is:\n${first}`,
  );
});
