import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isTransfer, RoutingGraph, type Ramp } from './routing-graph.js';

const token = (chain: string, digit: string): TokenIdentifier => `${chain}:0x${digit.repeat(40)}`;
const USDC = token('alphanet', '1');
const WETH = token('alphanet', '2');
const NATIVE: TokenIdentifier = 'alphanet:0x';
const FOREIGN = token('betanet', '1');
const LONELY = token('gammanet', '1');
const tokens = [USDC, WETH, NATIVE, FOREIGN, LONELY].map((id) => ({
  id,
  chain: id.slice(0, id.indexOf(':')),
}));
const ramp = (provider: string, fiat: string, bought: TokenIdentifier): Ramp => ({
  provider,
  method: 'SEPA',
  fiat,
  token: bought,
  limits: { min: '1', max: '100' },
});
const graph = new RoutingGraph({
  tokens,
  ramps: [ramp('swift', 'usd', WETH), ramp('swift', 'usd', USDC), ramp('thrift', 'usd', FOREIGN)],
  convertingChains: new Set(['alphanet', 'betanet']),
});

describe('RoutingGraph', () => {
  it('converts between two tokens of a chain, its native currency included', () => {
    expect(graph.routes(USDC, NATIVE)).toEqual([
      { ramp: null, leg: { chain: 'alphanet', inputToken: USDC, outputToken: NATIVE } },
    ]);
    expect(graph.routes(NATIVE, USDC)).toHaveLength(1);
  });

  it('transfers when the input is the output', () => {
    const [route] = graph.routes(USDC, USDC);
    expect(route && isTransfer(route.leg)).toBe(true);
  });

  it('has no route between chains, to fiat, or to what it does not know', () => {
    expect(graph.routes(USDC, FOREIGN)).toEqual([]);
    expect(graph.routes(USDC, 'usd')).toEqual([]);
    expect(graph.routes('usd', 'eur')).toEqual([]);
    expect(graph.routes(USDC, token('alphanet', '9'))).toEqual([]);
    expect(graph.routes('eur', USDC)).toEqual([]);
  });

  it('buys the token itself, or another one of the chain that is then converted', () => {
    const routes = graph.routes('usd', USDC);
    expect(routes.map((route) => [route.ramp?.token, isTransfer(route.leg)])).toEqual([
      [USDC, true],
      [WETH, false],
    ]);
  });

  it('does not convert on a chain without a venue', () => {
    const lonely = new RoutingGraph({
      tokens,
      ramps: [],
      convertingChains: new Set(),
    });
    expect(lonely.routes(USDC, WETH)).toEqual([]);
    expect(lonely.routes(LONELY, LONELY)).toHaveLength(1);
  });

  it('tries at most four tokens of one provider and method, the wanted one among them', () => {
    const many = ['3', '4', '5', '6', '7', '1'].map((digit) => token('alphanet', digit));
    const wide = new RoutingGraph({
      tokens: many.map((id) => ({ id, chain: 'alphanet' })),
      ramps: many.map((bought) => ramp('swift', 'usd', bought)),
      convertingChains: new Set(['alphanet']),
    });
    const routes = wide.routes('usd', USDC);
    expect(routes).toHaveLength(4);
    expect(routes[0]?.ramp?.token).toBe(USDC);
  });

  it('only ever gives routes that join what was asked for on one chain', () => {
    const asset = fc.constantFrom('usd', 'eur', ...tokens.map(({ id }) => id));
    fc.assert(
      fc.property(asset, asset, (from, to) => {
        for (const { ramp: bought, leg } of graph.routes(from, to)) {
          expect(leg.outputToken).toBe(to);
          expect(bought ? bought.fiat : leg.inputToken).toBe(from);
          if (bought) expect(leg.inputToken).toBe(bought.token);
          expect(leg.inputToken.startsWith(`${leg.chain}:`)).toBe(true);
          expect(leg.outputToken.startsWith(`${leg.chain}:`)).toBe(true);
        }
      }),
    );
  });
});
