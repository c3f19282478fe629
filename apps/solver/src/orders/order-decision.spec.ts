import { chainDefinitions } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import type { Order } from '@bascule/solidity';
import { getAddress } from 'viem';
import { parseAssets } from '../assets/asset.js';
import { routesOf } from '../assets/route.js';
import { orderDecision } from './order-decision.js';

const address = (digits: string) => getAddress(`0x${digits.padStart(40, '0')}`);
const { alphanet, betanet } = chainDefinitions;
if (!alphanet || !betanet) throw new Error('no development chains');

const tokens = { alphanet: address('a1'), betanet: address('b1') };
const assets = parseAssets(JSON.stringify([{ tokens, flat_fee: '10000', min_amount: '1000000' }]));
const routes = routesOf(assets, [alphanet, betanet], 5);
const [route] = routes;
if (!route) throw new Error('no route');

const order: Order = {
  wallet: address('1001'),
  owner: address('1002'),
  originChainId: BigInt(alphanet.chainId),
  inputToken: tokens.alphanet,
  inputAmount: 100_000_000n,
  destinationChainId: BigInt(betanet.chainId),
  outputToken: tokens.betanet,
  recipient: address('1001'),
  minimum: 99_000_000n,
  nonce: 1n,
  fillDeadline: 2_000_000_000n,
  expires: 2_000_001_000n,
  oracle: route.oracle,
};
const found = { chainId: alphanet.chainId, escrow: route.escrow };
const OUTPUT = 99_940_000n;

describe('an order', () => {
  it('is filled with the quote for its amount', () => {
    expect(orderDecision(order, found, routes)).toEqual({ route, output: OUTPUT });
  });

  it('is filled when its minimum leaves exactly the fee', () => {
    const tight = { ...order, minimum: OUTPUT };
    expect(orderDecision(tight, found, routes)).toMatchObject({ output: OUTPUT });
  });

  it.each<[string, Partial<Order>, string]>([
    ['has a minimum one unit above that', { minimum: OUTPUT + 1n }, 'unpaid'],
    ['is smaller than quoted ones', { inputAmount: 999_999n, minimum: 0n }, 'too_small'],
    ['names another oracle', { oracle: address('bad') }, 'another_oracle'],
    ['holds another token', { inputToken: address('bad') }, 'unknown_route'],
    ['wants another token', { outputToken: address('bad') }, 'unknown_route'],
    ['goes to an unsupported chain', { destinationChainId: 1n }, 'unknown_route'],
    ['stays on its chain', { destinationChainId: order.originChainId }, 'unknown_route'],
    [
      'names another origin than the chain it was found on',
      { originChainId: 31338n },
      'unknown_route',
    ],
  ])('is declined when it %s', (_, change, declined) => {
    expect(orderDecision({ ...order, ...change }, found, routes)).toEqual({ declined });
  });

  it('is declined when it does not cover the fee', () => {
    const free = routes.map((each) => ({ ...each, minAmount: 0n }));
    const tiny = { ...order, inputAmount: 10_000n, minimum: 0n };
    expect(orderDecision(tiny, found, free)).toEqual({ declined: 'unpaid' });
  });

  it('is filled at the smallest amount', () => {
    const smallest = { ...order, inputAmount: 1_000_000n, minimum: 0n };
    expect(orderDecision(smallest, found, routes)).toMatchObject({ output: 989_500n });
  });

  it('is declined when it is in another escrow', () => {
    const elsewhere = { ...found, escrow: address('bad') };
    expect(orderDecision(order, elsewhere, routes)).toEqual({ declined: 'unknown_route' });
  });
});

describe('the routes of an asset', () => {
  it('lead in both directions', () => {
    expect(routes.map(({ origin, destination }) => [origin, destination])).toEqual([
      ['alphanet', 'betanet'],
      ['betanet', 'alphanet'],
    ]);
  });

  it('need the same escrow on both chains', () => {
    const other = { ...betanet.contracts, intentEscrow: address('e5') };
    expect(routesOf(assets, [alphanet, { ...betanet, contracts: other }], 5)).toEqual([]);
    const { intentEscrow: _, ...none } = betanet.contracts;
    expect(routesOf(assets, [alphanet, { ...betanet, contracts: none }], 5)).toEqual([]);
  });
});
