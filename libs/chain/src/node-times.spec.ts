import { describe, expect, it } from '@jest/globals';
import { NODE_PASS_LEASE_MS, NODE_PASS_MS, REQUEST_TIMEOUT_MS } from './node-times.js';

describe('a pass that asks nodes', () => {
  it('outlasts a request that times out, and its lease outlasts the pass', () => {
    expect(NODE_PASS_MS).toBeGreaterThan(REQUEST_TIMEOUT_MS);
    expect(NODE_PASS_LEASE_MS).toBeGreaterThan(NODE_PASS_MS);
  });
});
