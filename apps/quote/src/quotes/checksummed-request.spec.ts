import type { QuoteRequest } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { USDC, WETH } from '../testing/quoted-route.fixture.js';
import { checksummedRequest } from './checksummed-request.js';

const CHECKSUMMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const request: QuoteRequest = {
  request: {
    kind: 'FIXED_INPUT',
    fixed_input_amount: { asset: USDC, amount: '1.0' },
    output_asset: WETH,
  },
};

describe('checksummedRequest', () => {
  it('checksums the destination and the targets of custom actions', () => {
    const action = { type: 'CallImmediateAction', value: '0', calldata: '0xABcd' } as const;
    const lower = CHECKSUMMED.toLowerCase();
    const custom_actions = {
      actions: [{ ...action, target: lower }],
      user_estimated_gas: '1',
    };
    const asked = { ...request.request, dest_address: lower, custom_actions };
    expect(checksummedRequest({ ...request, request: asked }).request).toEqual({
      ...request.request,
      dest_address: CHECKSUMMED,
      custom_actions: { ...custom_actions, actions: [{ ...action, target: CHECKSUMMED }] },
    });
  });

  it('changes nothing else', () => {
    expect(checksummedRequest(request)).toEqual(request);
  });
});
