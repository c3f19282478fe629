import { describe, expect, it } from '@jest/globals';
import type { IntentOrder } from '@bascule/contracts';
import { orderId, serializeOrder } from '@bascule/solidity';
import { getAddress } from 'viem';
import { walletOrders } from './wallet-orders.js';

const address = (digit: string) => getAddress(`0x${digit.repeat(40)}`);
const escrow = address('e');
const wallet = address('1');
const order = {
  wallet,
  owner: address('2'),
  originChainId: 31_337n,
  inputToken: address('3'),
  inputAmount: 100n,
  destinationChainId: 31_338n,
  outputToken: address('4'),
  recipient: wallet,
  minimum: 98n,
  nonce: 1n,
  fillDeadline: 100n,
  expires: 200n,
  oracle: address('5'),
};
const reported: IntentOrder = {
  leg_index: 0,
  chain: 'alphanet',
  escrow,
  order_id: orderId(order, escrow),
  order: serializeOrder(order),
  token: 'alphanet:0x3333333333333333333333333333333333333333',
  amount: '100',
  status: 'OPEN',
};

describe('the orders of a payment', () => {
  it('are kept when wallet and id match their content', () => {
    expect(walletOrders([reported], wallet)).toEqual([reported]);
  });

  it.each<[string, Partial<IntentOrder>]>([
    ['another content', { order: { ...reported.order, input_amount: '101' } }],
    ['another escrow', { escrow: address('f') }],
    ['no escrow', { escrow: 'nowhere' }],
    ['no order', { order: { ...reported.order, nonce: 'one' } }],
  ])('are excluded when one has %s', (_what, change) => {
    expect(walletOrders([{ ...reported, ...change }, reported], wallet)).toEqual([reported]);
  });

  it('are excluded when they are another wallet’s', () => {
    expect(walletOrders([reported], address('9'))).toEqual([]);
  });
});
