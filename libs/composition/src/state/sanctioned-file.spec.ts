import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideSanctionedFile } from './sanctioned-file.js';

describe('provideSanctionedFile', () => {
  it('creates a list without addresses, and keeps one that exists', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bascule-'));
    try {
      const path = join(directory, 'stack', 'sanctioned.txt');
      provideSanctionedFile(path);
      expect(readFileSync(path, 'utf8')).toMatch(/^#.*\n# addresses: 0\n$/);
      writeFileSync(path, 'kept');
      provideSanctionedFile(path);
      expect(readFileSync(path, 'utf8')).toBe('kept');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
