import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KNIP = join(import.meta.dirname, '../../node_modules/knip/bin/knip.js');

describe('unused code', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'unused-'));
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'package.json'), '{ "name": "shop", "type": "module" }');
    writeFileSync(join(root, 'src/main.ts'), "import { sum } from './sum.js';\nsum();\n");
    writeFileSync(join(root, 'src/sum.ts'), 'export const sum = () => 1;\n');
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function check() {
    const config = {
      entry: ['src/main.ts'],
      project: ['src/**/*.ts'],
      include: ['files', 'exports'],
    };
    writeFileSync(join(root, 'knip.json'), JSON.stringify(config));
    const { status, stdout } = spawnSync(process.execPath, [KNIP, '--no-progress'], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, stdout };
  }

  it('passes when every export has a user', () => {
    expect(check().status).toBe(0);
  });

  it('refuses an export without a user', () => {
    writeFileSync(
      join(root, 'src/sum.ts'),
      'export const sum = () => 1;\nexport const total = 2;\n',
    );
    expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('total') });
  });

  it('refuses a file without a user', () => {
    writeFileSync(join(root, 'src/left.ts'), 'export {};\n');
    expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('src/left.ts') });
  });
});
