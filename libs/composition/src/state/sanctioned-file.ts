import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const EMPTY = `# Sanctioned addresses, one per line, after their number. A change takes effect at once.
# addresses: 0
`;

/** Creates the stack's list of sanctioned addresses, unless it exists. */
export function provideSanctionedFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, EMPTY, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
