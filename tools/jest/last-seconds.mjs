import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written after every run of a part, and kept between runs. */
export const secondsFile = join(import.meta.dirname, '../../.local/test-reports/seconds.json');

/** Seconds of each test file, by its path, when it last passed here. */
export function lastSeconds() {
  return existsSync(secondsFile) ? JSON.parse(readFileSync(secondsFile, 'utf8')) : {};
}
