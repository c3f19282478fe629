import { describe, expect, it } from '@jest/globals';
import { RoutingGraph } from '../routes/routing-graph.js';
import { eachToEach, known, lane, ramp, token } from '../testing/routing-world.fixture.js';
import { availableInputs, availableOutputs } from './available-assets.js';

const [USDC, WETH, FOREIGN] = [
  token('alphanet', '1'),
  token('alphanet', '2'),
  token('betanet', '1'),
];
const graph = new RoutingGraph({
  tokens: known(USDC, WETH, FOREIGN),
  ramps: [ramp('swift', 'usd', USDC), ramp('thrift', 'usd', FOREIGN), ramp('thrift', 'eur', WETH)],
  lanes: [lane(USDC, FOREIGN)],
  conversions: eachToEach(USDC, WETH),
});
const none = { inputs: [], outputs: [], onramps: [] };
const all = () => true;

describe('availableOutputs', () => {
  it('says of each input all that routes lead to, in order', () => {
    const inputs = [FOREIGN, 'usd', WETH];
    expect(availableOutputs(graph, { ...none, inputs }, all)).toEqual({
      [FOREIGN]: { fiats: [], tokens: [FOREIGN] },
      usd: { fiats: [], tokens: [USDC, WETH, FOREIGN] },
      [WETH]: { fiats: [], tokens: [USDC, WETH, FOREIGN] },
    });
  });

  it('leaves out inputs without a route', () => {
    expect(availableOutputs(graph, { ...none, inputs: ['gbp'] }, all)).toEqual({});
    const wanted = { ...none, inputs: [FOREIGN, WETH], outputs: [USDC, 'usd'] };
    expect(availableOutputs(graph, wanted, all)).toEqual({ [WETH]: { fiats: [], tokens: [USDC] } });
  });

  it('buys only from the providers that are named, and needs none of them for tokens', () => {
    const wanted = { ...none, inputs: ['eur', 'usd', FOREIGN], onramps: ['thrift'] };
    expect(Object.keys(availableOutputs(graph, wanted, all))).toEqual(['eur', 'usd', FOREIGN]);
    const other = { ...wanted, onramps: ['swift'] };
    expect(Object.keys(availableOutputs(graph, other, all))).toEqual(['usd', FOREIGN]);
  });

  it('shows only what is to be shown, on either side', () => {
    const isShown = (asset: string) => !asset.startsWith('betanet');
    const inputs = ['usd', FOREIGN];
    expect(availableOutputs(graph, { ...none, inputs }, isShown)).toEqual({
      usd: { fiats: [], tokens: [USDC, WETH] },
    });
  });
});

describe('availableInputs', () => {
  it('says of each output all that leads to it, in order', () => {
    expect(availableInputs(graph, { ...none, outputs: [FOREIGN, WETH] }, all)).toEqual({
      [FOREIGN]: { fiats: ['eur', 'usd'], tokens: [USDC, WETH, FOREIGN] },
      [WETH]: { fiats: ['eur', 'usd'], tokens: [USDC, WETH] },
    });
  });

  it('keeps to the inputs and providers that are named', () => {
    const wanted = { inputs: ['eur', 'usd', USDC], outputs: [FOREIGN, 'usd'], onramps: ['swift'] };
    expect(availableInputs(graph, wanted, all)).toEqual({
      [FOREIGN]: { fiats: ['usd'], tokens: [USDC] },
    });
  });
});
