import { describe, expect, it } from '@jest/globals';
import {
  defaultAssetScope,
  isInScope,
  keyScope,
  keyScopeHint,
  requestScope,
} from './asset-scope.js';

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

describe('the scope of a key', () => {
  it('is that of the deployment for a live key, and has no live chain for a test key', () => {
    for (const configured of ['all', 'sandbox', 'live'] as const) {
      expect(keyScope('live', configured)).toBe(configured);
      expect(keyScope(undefined, configured)).toBe(configured);
      expect(keyScope('test', configured)).toBe('sandbox');
    }
  });

  it('is named in messages about unknown assets where it is one of live chains or of test chains', () => {
    expect(keyScopeHint('live', 'live')).toBe(' Live keys use live chains only.');
    expect(keyScopeHint(undefined, 'all')).toBe('');
    expect(keyScopeHint('test', 'all')).toBe(' Test keys use test chains only.');
  });
});

describe('the default scope of a deployment', () => {
  it('hides test chains wherever there are live ones', () => {
    expect(defaultAssetScope([TEST, TEST])).toBe('all');
    expect(defaultAssetScope([TEST, LIVE])).toBe('live');
  });
});
