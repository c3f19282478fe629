import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const DECLARED =
  /^ {2}([A-Z][A-Z_]+): (?:reloadable|sensitive|secret|privateKey|publicKeys|sealingKeys)\(/gm;

describe('the secrets of the services', () => {
  it('are all in docs/operations/secrets.md', () => {
    const text = readFileSync(join(root, 'docs/operations/secrets.md'), 'utf8');
    const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root }).filter(
      (path) => !path.endsWith('spec.ts'),
    );
    const declared = sources.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(DECLARED)].map(([, name = '']) => name),
    );
    expect(declared).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'WEBHOOK_SECRET_KEYS', 'SOLVER_API_KEY']),
    );
    expect(declared.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
