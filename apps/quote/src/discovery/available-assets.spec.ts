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
  it('lists the reachable outputs of each input, sorted', () => {
    const inputs = [FOREIGN, 'usd', WETH];
    expect(availableOutputs(graph, { ...none, inputs }, all)).toEqual({
      [FOREIGN]: { fiats: [], tokens: [FOREIGN] },
      usd: { fiats: [], tokens: [USDC, WETH, FOREIGN] },
      [WETH]: { fiats: [], tokens: [USDC, WETH, FOREIGN] },
    });
  });

  it('omits inputs without a route', () => {
    expect(availableOutputs(graph, { ...none, inputs: ['gbp'] }, all)).toEqual({});
    const wanted = { ...none, inputs: [FOREIGN, WETH], outputs: [USDC, 'usd'] };
    expect(availableOutputs(graph, wanted, all)).toEqual({ [WETH]: { fiats: [], tokens: [USDC] } });
  });

  it('limits purchases to the named providers and leaves token inputs unaffected', () => {
    const wanted = { ...none, inputs: ['eur', 'usd', FOREIGN], onramps: ['thrift'] };
    expect(Object.keys(availableOutputs(graph, wanted, all))).toEqual(['eur', 'usd', FOREIGN]);
    const other = { ...wanted, onramps: ['swift'] };
    expect(Object.keys(availableOutputs(graph, other, all))).toEqual(['usd', FOREIGN]);
  });

  it('applies the scope on either side', () => {
    const isShown = (asset: string) => !asset.startsWith('betanet');
    const inputs = ['usd', FOREIGN];
    expect(availableOutputs(graph, { ...none, inputs }, isShown)).toEqual({
      usd: { fiats: [], tokens: [USDC, WETH] },
    });
  });
});

describe('availableInputs', () => {
  it('lists the inputs that reach each output, sorted', () => {
    expect(availableInputs(graph, { ...none, outputs: [FOREIGN, WETH] }, all)).toEqual({
      [FOREIGN]: { fiats: ['eur', 'usd'], tokens: [USDC, WETH, FOREIGN] },
      [WETH]: { fiats: ['eur', 'usd'], tokens: [USDC, WETH] },
    });
  });

  it('applies the filters of inputs and providers', () => {
    const wanted = { inputs: ['eur', 'usd', USDC], outputs: [FOREIGN, 'usd'], onramps: ['swift'] };
    expect(availableInputs(graph, wanted, all)).toEqual({
      [FOREIGN]: { fiats: ['usd'], tokens: [USDC] },
    });
  });
});
