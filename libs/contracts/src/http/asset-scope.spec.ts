import { describe, expect, it } from '@jest/globals';
import { defaultAssetScope, isInScope, requestScope } from './asset-scope.js';

const LIVE = { isTestnet: false };
const TEST = { isTestnet: true };

describe('the scope of a request', () => {
  it('is the sandbox parameter of a live key, else what is configured', () => {
    const mode = 'live';
    expect(requestScope({ mode, sandbox: true, configured: 'all' })).toBe('sandbox');
    expect(requestScope({ mode, sandbox: false, configured: 'all' })).toBe('live');
    expect(requestScope({ mode, sandbox: undefined, configured: 'sandbox' })).toBe('sandbox');
    expect(requestScope({ mode: undefined, sandbox: undefined, configured: 'live' })).toBe('live');
  });

  it('has no live chain for a test key, whatever is configured', () => {
    for (const configured of ['all', 'sandbox', 'live'] as const) {
      for (const sandbox of [undefined, true, false]) {
        expect(isInScope(requestScope({ mode: 'test', sandbox, configured }), false)).toBe(false);
      }
      expect(requestScope({ mode: 'test', sandbox: undefined, configured })).toBe('sandbox');
      expect(requestScope({ mode: 'test', sandbox: false, configured })).toBe('none');
    }
  });

  it('includes test chains, live chains, both or none', () => {
    const included = (scope: Parameters<typeof isInScope>[0]) =>
      [true, false].map((isTestnet) => isInScope(scope, isTestnet));
    expect(included('all')).toEqual([true, true]);
    expect(included('sandbox')).toEqual([true, false]);
    expect(included('live')).toEqual([false, true]);
    expect(included('none')).toEqual([false, false]);
  });
});

describe('the default scope of a deployment', () => {
  it('hides test chains wherever there are live ones', () => {
    expect(defaultAssetScope([TEST, TEST])).toBe('all');
    expect(defaultAssetScope([TEST, LIVE])).toBe('live');
  });
});
