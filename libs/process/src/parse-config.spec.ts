import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { parseConfig } from './parse-config.js';
import { integer, list, port, secret, sensitive, str, url } from './validators.js';

const specs = {
  PORT: port({ default: 8080 }),
  CHAINS: list(),
  API_KEY: secret({ desc: 'of the provider' }),
  DATABASE_URL: sensitive(url()),
  LIMIT: integer({ min: 1, default: 10 }),
  LABEL: str({ default: undefined }),
};

const valid = {
  CHAINS: 'alphanet, betanet',
  API_KEY: 'correct horse',
  DATABASE_URL: 'postgres://user:hunter2@localhost/bascule',
};

function problemsOf(env: Record<string, string>): string[] {
  try {
    parseConfig(env, specs);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('parseConfig', () => {
  it('parses, fills in defaults and freezes', () => {
    const config = parseConfig(valid, specs);
    expect(config.PORT).toBe(8080);
    expect(config.CHAINS).toEqual(['alphanet', 'betanet']);
    expect(config.LIMIT).toBe(10);
    expect(config.LABEL).toBeUndefined();
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('lists all problems at once', () => {
    expect(problemsOf({ PORT: 'abc', CHAINS: 'alphanet,,betanet' })).toEqual([
      expect.stringContaining('PORT: Invalid port input'),
      expect.stringContaining('CHAINS: an item of the list is empty'),
      'API_KEY: is missing (of the provider)',
      'DATABASE_URL: is missing',
    ]);
  });

  it('treats an empty variable as absent', () => {
    expect(parseConfig({ ...valid, PORT: '' }, specs).PORT).toBe(8080);
    expect(problemsOf({ ...valid, API_KEY: '' })).toEqual([
      'API_KEY: is missing (of the provider)',
    ]);
  });

  it('prints secrets as ***, and keeps them out of errors', () => {
    const config = parseConfig(valid, specs);
    for (const printed of [JSON.stringify(config), inspect(config)]) {
      expect(printed).toContain('***');
      expect(printed).not.toContain('correct horse');
      expect(printed).not.toContain('hunter2');
    }
    expect(problemsOf({ ...valid, DATABASE_URL: 'postgres:hunter2@' }).join()).not.toContain(
      'hunter2',
    );
  });

  it('reads a variable that is not in the table as absent', () => {
    const config = parseConfig({ NAME: 'x', OTHER: 'y' }, { NAME: str() });
    expect(config).toEqual({ NAME: 'x' });
  });
});
