import { mkdtempSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../.local/test-chains/', import.meta.url));

/** What tests make once and use often. */
export function cacheDirectory(): string {
  mkdirSync(root, { recursive: true });
  return root;
}

/** An ignored folder of this process' own; the next run removes it when this one is killed. */
export function ownDirectory(): string {
  return mkdtempSync(join(cacheDirectory(), `run-${process.pid}-`));
}
