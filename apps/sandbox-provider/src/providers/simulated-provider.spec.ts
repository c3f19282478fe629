import { describe, expect, it } from '@jest/globals';
import { parseSimulatedProviders } from './simulated-provider.js';

const entry = {
  name: 'swiftramp',
  api_key: 'key',
  wallet_private_key: `0x${'1'.repeat(64)}`,
  callback_url: 'http://127.0.0.1:8080/providers/swiftramp/callbacks',
  callback_secret: 'secret',
};

describe('the configured sandbox providers', () => {
  it('are parsed with their offer', () => {
    const other = { ...entry, name: 'thriftramp', wallet_private_key: `0x${'2'.repeat(64)}` };
    const providers = parseSimulatedProviders(JSON.stringify([entry, other]));
    expect(providers.map(({ offer }) => offer.title)).toEqual(['Swiftramp', 'Thriftramp']);
  });

  it.each([
    ['nothing', []],
    ['an unknown one', [{ ...entry, name: 'nobody' }]],
    ['one twice', [entry, entry]],
    ['one without a key', [{ ...entry, api_key: '' }]],
    ['a short wallet key', [{ ...entry, wallet_private_key: '0x12' }]],
    ['a callback to a file', [{ ...entry, callback_url: 'file:///tmp/x' }]],
    ['two with the same wallet', [entry, { ...entry, name: 'thriftramp' }]],
  ])('are refused when the list has %s', (_what, items) => {
    expect(() => parseSimulatedProviders(JSON.stringify(items))).toThrow(/expected/);
  });
});
