import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLongForm } from '../testing/long-form.fixture.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The command of `npm run chaos`, which `npm test` has already built for. */
function chaosCommand(): string[] {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: { chaos: string };
  };
  return manifest.scripts.chaos.split(' ').slice(1);
}

async function chaos(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { NODE_OPTIONS: _, NODE_ENV: __, ...env } = process.env;
  const child = spawn(process.execPath, [...chaosCommand(), ...args], { cwd: repository, env });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

describe('npm run chaos', () => {
  it('kills processes during payments and finds no loss and no duplicate', async () => {
    const { code, output } = await chaos(...(isLongForm ? ['--kills', '50'] : []));
    expect(output).toContain('Everything held.');
    expect(code).toBe(0);
  }, 1_800_000);

  it('refuses an option that is not a number', async () => {
    const { code, output } = await chaos('--kills', 'many');
    expect(output).toContain('--kills');
    expect(code).toBe(1);
  });
});
