import { OperatorError, UsageError } from '@bascule/operator-commands';
import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
      'payment.env': '# of payment\nPORT=8082\nPROVIDERS=[{"name":"x"}]\n',
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

  it('keep values as a container gets them, with # and quotes', () => {
    const [EXECUTOR_PRIVATE_KEY, LABEL] = ['aws-kms:alias/operator#0x00aa', '"quoted" '];
    const folder = folderWith({
      'payment.env': `  # of payment\r\nEXECUTOR_PRIVATE_KEY=${EXECUTOR_PRIVATE_KEY}\r\nLABEL=${LABEL}\n\nEMPTY=\nTWO=a=b`,
    });
    expect(readEnvironments(folder)).toEqual([
      { name: 'payment', env: { EXECUTOR_PRIVATE_KEY, LABEL, EMPTY: '', TWO: 'a=b' } },
    ]);
  });

  it.each(['hidden-text', 'API KEY=hidden-text', '=hidden-text', 'export API_KEY=hidden-text'])(
    'refuse the line "%s" without its text',
    (line) => {
      const folder = folderWith({ 'payment.env': `PORT=1\n${line}\n` });
      const read = () => readEnvironments(folder);
      expect(read).toThrow(OperatorError);
      expect(read).toThrow(/payment\.env:2: expected NAME=value$/);
    },
  );

  it('refuse a file that cannot be read, by its name', () => {
    const folder = folderWith({});
    mkdirSync(join(folder, 'payment.env'));
    expect(() => readEnvironments(folder)).toThrow(/payment\.env: expected a readable file$/);
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
