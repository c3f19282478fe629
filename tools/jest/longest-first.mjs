// Starts the longest test files first, so that no worker is left with one of them at the end.
import TestSequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lastSeconds } from './last-seconds.mjs';

const checkedIn = JSON.parse(readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'));

/** End-to-end files start a stack, which takes longer than most integration files. */
const secondsUnmeasured = (path) => (path.endsWith('.e2e-spec.ts') ? 30 : 5);

/** Paths by falling duration: as measured by the last run, else as checked in by file name. */
export function longestFirst(paths, measured = {}, weights = checkedIn) {
  const secondsOf = (path) => measured[path] ?? weights[basename(path)] ?? secondsUnmeasured(path);
  return paths.toSorted((a, b) => secondsOf(b) - secondsOf(a));
}

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const byPath = new Map(tests.map((test) => [test.path, test]));
    return longestFirst([...byPath.keys()], lastSeconds()).map((path) => byPath.get(path));
  }
}
