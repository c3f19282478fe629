import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from './index.js';

const DOCUMENT = join(import.meta.dirname, '../../../docs/operations/preflight.md');
const names = checks.map(({ name }) => name);

describe('the checks', () => {
  it('are all files of their folder', () => {
    const files = readdirSync(import.meta.dirname)
      .filter((file) => /^(?!index\.)[a-z-]+\.ts$/.test(file))
      .map((file) => file.replace(/\.ts$/, ''));
    expect([...names].sort()).toEqual(files.sort());
  });

  it('are rows of docs/operations/preflight.md, in the order of the table', () => {
    const rows = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `([a-z]+)`/gm)];
    expect(rows.map(([, name]) => name)).toEqual(names);
  });
});
