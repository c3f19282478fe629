import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../..');
const KNIP = join(REPOSITORY, 'node_modules/knip/bin/knip.js');
/** The repository's own configuration, but for its packages. */
const OURS = JSON.parse(readFileSync(join(REPOSITORY, 'knip.json'), 'utf8')) as Record<
  string,
  unknown
>;

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
    const { workspaces: _, ...config } = OURS;
    const shop = { ...config, entry: ['src/main.ts'], project: ['src/**/*.ts'] };
    writeFileSync(join(root, 'knip.json'), JSON.stringify(shop));
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
