import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets, publicJwks } from './secrets.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-secrets-'));
const path = join(directory, 'secrets.json');

describe('the secrets of a stack', () => {
  afterEach(() => rmSync(path, { force: true }));

  it('are created once, readable by their owner only', () => {
    const secrets = loadSecrets(path);
    expect(loadSecrets(path)).toEqual(secrets);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(secrets.postgresPassword).not.toBe(secrets.rolePassword);
  });

  it('include those that a later version adds', () => {
    const { fundingTokenKey, ...older } = loadSecrets(path);
    writeFileSync(path, JSON.stringify(older));
    const completed = loadSecrets(path);
    expect(completed).toMatchObject(older);
    expect(completed.fundingTokenKey.kid).toBe(fundingTokenKey.kid);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(completed);
  });

  it('are not replaced when their file is damaged', () => {
    writeFileSync(path, '{');
    expect(() => loadSecrets(path)).toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe('{');
  });

  it('publish only the public half of a signing key', () => {
    const { internalTokenKey } = loadSecrets(path);
    const { keys } = JSON.parse(publicJwks(internalTokenKey)) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty('d');
  });
});
