import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';
import { parseConfig } from './parse-config.js';
import { freezeConfig } from './freeze-config.js';
import { secret, str } from './validators.js';

const KEY = 'correct horse';
const own = parseConfig({ API_KEY: KEY, NAME: 'x' }, { API_KEY: secret(), NAME: str() });
const config = freezeConfig(own, { ...own, provider: { apiKey: KEY } });

function logged(fields: object): string {
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'test', level: 'info' },
    { write: (line) => lines.push(line) },
  );
  logger.info(fields, 'configured');
  return lines.join('');
}

describe('a configuration built from parsed variables', () => {
  it('keeps its values', () => {
    expect([config.API_KEY, config.provider.apiKey]).toEqual([KEY, KEY]);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each<[string, () => string]>([
    ['inspect', () => inspect(config)],
    ['inspect, inside something else', () => inspect({ nested: [config] }, { depth: 9 })],
    ['JSON', () => JSON.stringify({ config })],
    ['the logger', () => logged({ config })],
    ['the logger, inside something else', () => logged({ service: { config } })],
    ['the logger, by itself', () => logged(config)],
  ])('prints no secret with %s', (_how, print) => {
    expect(print()).not.toContain(KEY);
    expect(print()).toContain('NAME');
  });

  it('prints an amount above the range of numbers', () => {
    const most = 2n ** 256n - 1n;
    expect(JSON.stringify(freezeConfig({ MOST: most }, {}))).toBe(`{"MOST":"${most}"}`);
  });
});
