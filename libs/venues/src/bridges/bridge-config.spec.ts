import { Chains } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { parseBridges } from './bridge-config.js';
import { createBridges } from './create-bridges.js';

const escrow = {
  name: 'intent_escrow',
  adapter: 'intent-escrow',
  solver_url: 'http://127.0.0.1:8095',
  api_key: 'key',
};

describe('the configuration of bridges', () => {
  it('creates a bridge for every entry', () => {
    const config = parseBridges(JSON.stringify([escrow, { ...escrow, name: 'second' }]));
    const bridges = createBridges(config, new Chains({ chains: [] }));
    expect(bridges.map(({ name }) => name)).toEqual(['intent_escrow', 'second']);
  });

  it('may be empty', () => {
    expect(parseBridges('[]')).toEqual([]);
  });

  it.each([
    ['is not JSON', '{'],
    ['is not a list', '{}'],
    ['lists something else', '[null]'],
    ['names a bridge twice', JSON.stringify([escrow, escrow])],
    ['has an unknown adapter', JSON.stringify([{ ...escrow, adapter: 'constructor' }])],
    ['has a name in upper case', JSON.stringify([{ ...escrow, name: 'Escrow' }])],
    ['has no http(s) URL', JSON.stringify([{ ...escrow, solver_url: 'file:///etc/passwd' }])],
    ['lacks the key', JSON.stringify([{ ...escrow, api_key: undefined }])],
  ])('is refused when it %s', (_why, text) => {
    expect(() => parseBridges(text)).toThrow();
  });
});
