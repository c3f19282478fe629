import { describe, expect, it } from '@jest/globals';
import { createOnrampQuoters } from './create-onramp-providers.js';
import { parseProviders } from './providers-config.js';

const swiftramp = {
  name: 'swiftramp',
  adapter: 'sandbox',
  base_url: 'http://127.0.0.1:8090/swiftramp',
  api_key: 'key',
  callback_secret: 'secret',
};

describe('the configuration of providers', () => {
  it('creates an adapter for every entry', () => {
    const config = parseProviders(
      JSON.stringify([swiftramp, { ...swiftramp, name: 'thriftramp' }]),
    );
    expect([...createOnrampQuoters(config).keys()]).toEqual(['swiftramp', 'thriftramp']);
  });

  it('takes the adapter’s word for a sandbox, unless the entry says otherwise', () => {
    const entries = [swiftramp, { ...swiftramp, name: 'real', sandbox: false }];
    expect(parseProviders(JSON.stringify(entries)).map(({ isSandbox }) => isSandbox)).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['has no boolean for its sandbox', JSON.stringify([{ ...swiftramp, sandbox: 'yes' }])],
    ['is not JSON', '{'],
    ['is not a list', '{}'],
    ['names a provider twice', JSON.stringify([swiftramp, swiftramp])],
    ['has an unknown adapter', JSON.stringify([{ ...swiftramp, adapter: 'nobody' }])],
    ['has no name for a URL path', JSON.stringify([{ ...swiftramp, name: 'Swift Ramp' }])],
    ['has no http(s) URL', JSON.stringify([{ ...swiftramp, base_url: 'file:///etc/passwd' }])],
    ['lacks a secret', JSON.stringify([{ ...swiftramp, callback_secret: undefined }])],
  ])('is refused when it %s', (_why, text) => {
    expect(() => parseProviders(text)).toThrow();
  });
});
