import { OperatorError, UsageError } from '@bascule/operator-commands';
import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment, readEnvironments } from './environments.js';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bascule-environments-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('the environments of a folder', () => {
  it('are the files of services, each on top of the common one', () => {
    const folder = folderWith({
      'common.env': 'ENVIRONMENT=production\nPORT=8080\n',
      'payment.env': '# of payment\nPORT=8082\nPROVIDERS=\'[{"name":"x"}]\'\n',
      'attester-2.env': 'PORT=8092\n',
      'README.md': 'not read',
    });
    expect(readEnvironments(folder)).toEqual([
      { name: 'attester-2', env: { ENVIRONMENT: 'production', PORT: '8092' } },
      {
        name: 'payment',
        env: { ENVIRONMENT: 'production', PORT: '8082', PROVIDERS: '[{"name":"x"}]' },
      },
    ]);
  });

  it.each([
    [{ 'paiment.env': '' }, /found paiment$/],
    [{ 'common.env': '' }, /found no <service>\.env/],
  ])('refuse the files %j', (files, message) => {
    const read = () => readEnvironments(folderWith(files));
    expect(read).toThrow(OperatorError);
    expect(read).toThrow(message);
  });

  it('refuse a folder that is missing', () => {
    expect(() => readEnvironments('/nowhere/at/all')).toThrow('expected a readable folder');
  });
});

describe('the process’s own environment', () => {
  it('is that of a known service', () => {
    expect(ownEnvironment('payment', { PORT: '1' })).toEqual({
      name: 'payment',
      env: { PORT: '1' },
    });
    expect(() => ownEnvironment('paiment', {})).toThrow(UsageError);
  });
});
