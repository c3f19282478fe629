import { describe, expect, it } from '@jest/globals';
import { agreedExactOutputQuote, agreedQuote } from './agreed-quote.js';
import type { ExactOutputQuote, VenueQuote } from './venue.js';

/** Nodes are only counted. */
const nodes = (count: number) => ({ endpoints: Array<never>(count) });

const quote = (amountOut: bigint, route = 'usual'): VenueQuote => ({
  ...{ venue: 'pools', amountIn: 1n, amountOut, gas: 0n, calls: () => [] },
  route: route,
});
/** One venue has a quote at most. */
const ofNodes = <T>(quotes: readonly (T | null)[]): T[][] =>
  quotes.map((found) => (found === null ? [] : [found]));
const LEAST = 90n;
const isEnough = ({ amountOut }: VenueQuote) => amountOut >= LEAST;

describe('agreedQuote', () => {
  const agreedOf = (count: number, ...quotes: (VenueQuote | null)[]) => {
    const { kind, quote: found } = agreedQuote(nodes(count), ofNodes(quotes), {}, isEnough);
    return [kind, found?.amountOut ?? null, ...(found ? [found.route] : [])];
  };

  it.each<[string, number, (VenueQuote | null)[], unknown[]]>([
    ['takes the quote of the only node', 1, [quote(100n)], ['agreed', 100n, 'usual']],
    ['refuses on the word of the only node', 1, [null], ['refused', null]],
    ['names what the only node reaches', 1, [quote(80n)], ['refused', 80n, 'usual']],
    ['takes the lower of two outputs', 2, [quote(100n), quote(101n)], ['agreed', 100n, 'usual']],
    [
      'takes an output that two of three reach, not the highest',
      3,
      [quote(999n), quote(100n), quote(101n)],
      ['agreed', 101n, 'usual'],
    ],
    [
      'takes an output that two of three reach, not the lowest',
      3,
      [null, quote(100n), quote(101n)],
      ['agreed', 100n, 'usual'],
    ],
    [
      'takes the quote of the only node that answers of two',
      2,
      [quote(100n)],
      ['agreed', 100n, 'usual'],
    ],
    ['refuses nothing on the word of one of two', 2, [null], ['unclear', null]],
    ['refuses nothing for a low output of one of two', 2, [quote(80n)], ['unclear', null]],
    ['is unclear where one of two has none', 2, [null, quote(100n)], ['unclear', 100n, 'usual']],
    [
      'is unclear where two of two differ in the route',
      2,
      [quote(100n), quote(101n, 'other')],
      ['unclear', 100n, 'usual'],
    ],
    ['refuses on the word of two', 3, [null, quote(100n), null], ['refused', null]],
    [
      'refuses where two reach too little, and names what they reach',
      3,
      [quote(999n), quote(80n), quote(81n)],
      ['refused', 81n, 'usual'],
    ],
  ])('%s', (_, count, quotes, expected) => {
    expect(agreedOf(count, ...quotes)).toEqual(expected);
  });

  it('takes the quote that leaves most after the shortfall of its venue', () => {
    const liar = { ...quote(101n), venue: 'liar' };
    const ofNode = [liar, quote(100n)];
    const taken = (ppm: bigint) =>
      agreedQuote(nodes(2), [ofNode, ofNode], {
        shortfallOf: (venue) => (venue === 'liar' ? ppm : 0n),
      });
    expect(taken(0n).quote?.venue).toBe('liar');
    expect(taken(19_000n).quote?.venue).toBe('pools');
  });

  it('takes no route that one node alone has, whatever its output', () => {
    for (const output of [99n, 100n, 101n, 999n]) {
      const quotes = [quote(output, 'other'), quote(100n), quote(101n)];
      expect(agreedOf(3, ...quotes)).toEqual(['agreed', 100n, 'usual']);
    }
  });
});

describe('agreedQuote of several venues', () => {
  const at = (venue: string, amountOut: bigint): VenueQuote => ({ ...quote(amountOut), venue });
  const agreedOf = (count: number, ...quotes: VenueQuote[][]) => {
    const { kind, quote: found } = agreedQuote(nodes(count), quotes, {}, isEnough);
    return [kind, found?.amountOut ?? null, found?.venue ?? null];
  };

  it('takes a venue that both of two nodes have where each has another best', () => {
    const one = [at('aggregator', 120n), at('pools', 100n)];
    expect(agreedOf(2, one, [at('pools', 101n)])).toEqual(['agreed', 100n, 'pools']);
    const other = [at('aggregator', 99n), at('pools', 101n)];
    expect(agreedOf(2, one, other)).toEqual(['agreed', 100n, 'pools']);
  });

  it('takes the best venue that two of three nodes have', () => {
    const both = [at('aggregator', 120n), at('pools', 100n)];
    expect(agreedOf(3, both, both, [at('pools', 100n)])).toEqual(['agreed', 120n, 'aggregator']);
    expect(agreedOf(3, both, [at('pools', 100n)], [])).toEqual(['agreed', 100n, 'pools']);
  });

  it('counts a node once, however many of its venues have a quote', () => {
    const both = [at('aggregator', 120n), at('pools', 100n)];
    expect(agreedOf(2, both, [])).toEqual(['unclear', 120n, 'aggregator']);
    const low = [at('aggregator', 80n), at('pools', 81n)];
    expect(agreedOf(3, both, low, low)).toEqual(['refused', 81n, 'pools']);
  });

  it('takes the best acceptable quote of the only node', () => {
    const byGas = { gasValue: (gas: bigint) => gas };
    const dear = { ...at('aggregator', 95n), gas: 20n };
    const quotes = [[at('pools', 80n), dear]];
    expect(agreedQuote(nodes(1), quotes, byGas, isEnough)).toEqual({ kind: 'agreed', quote: dear });
  });
});

describe('agreedQuote with the value of gas', () => {
  const atCost = (amountOut: bigint, route: string, gas: bigint) => ({
    ...quote(amountOut, route),
    gas,
  });

  it('takes the route of two nodes that leaves most after its gas', () => {
    const far = atCost(110n, 'far', 30n);
    const near = atCost(100n, 'near', 5n);
    const quotes = [far, far, near, near];
    const best = agreedQuote(nodes(4), ofNodes(quotes), { gasValue: (gas) => gas });
    expect(best).toEqual({ kind: 'agreed', quote: near });
    expect(agreedQuote(nodes(4), ofNodes(quotes), {})).toEqual({ kind: 'agreed', quote: far });
  });
});

describe('agreedExactOutputQuote', () => {
  const exact = (amountIn: bigint): ExactOutputQuote => ({ venue: 'pools', amountIn, gas: 0n });
  const agreedOf = (...quotes: (ExactOutputQuote | null)[]) => {
    const { kind, quote: found } = agreedExactOutputQuote(nodes(3), ofNodes(quotes), {});
    return [kind, found?.amountIn ?? null];
  };

  it('takes the lowest input that two nodes accept', () => {
    expect(agreedOf(exact(1n), exact(101n), exact(100n))).toEqual(['agreed', 100n]);
    expect(agreedOf(null, exact(101n), exact(100n))).toEqual(['agreed', 101n]);
    expect(agreedOf(null, exact(101n), null)).toEqual(['refused', null]);
  });
});
