import { mkdtempSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Kind = 'test-chains' | 'test-pgbouncer' | 'test-redis';

/** Folder of artefacts that tests create once and use again. */
export function cacheDirectory(kind: Kind): string {
  const root = fileURLToPath(new URL(`../../../.local/${kind}/`, import.meta.url));
  mkdirSync(root, { recursive: true });
  return root;
}

/** An ignored folder of this process' own; the next run removes it when this one is killed. */
export function ownDirectory(kind: Kind): string {
  return mkdtempSync(join(cacheDirectory(kind), `run-${process.pid}-`));
}
