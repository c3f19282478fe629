import { Chain, chainDefinitions } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import { bestExactOutputQuote, bestOutputOf, bestQuote, leastInputOf } from './best-quote.js';
import type { ConversionRequest, Venue, VenueQuote } from './venue.js';

const definition = chainDefinitions['alphanet'];
if (!definition) throw new Error('alphanet is not defined');
const chain = new Chain({ definition, rpcUrls: ['http://127.0.0.1:1'] });
const request = { inputToken: zeroAddress, outputToken: zeroAddress, amountIn: 1n };

const venue = (name: string, answer: bigint | null | Error, gas = 0n): Venue => ({
  name,
  mayConvert: () => true,
  pairs: async () => [],
  async quoteExactInput(): Promise<VenueQuote | null> {
    if (answer instanceof Error) throw answer;
    if (answer === null) return null;
    return { venue: name, amountIn: 1n, amountOut: answer, gas, route: '', calls: () => [] };
  },
  async quoteExactOutput() {
    if (answer instanceof Error) throw answer;
    return answer === null ? null : { venue: name, amountIn: answer, gas };
  },
});

describe('bestQuote', () => {
  it('takes the highest output', async () => {
    const best = await bestQuote(
      [venue('a', 5n), venue('b', 7n), venue('c', null)],
      chain.anyNode,
      request,
    );
    expect(best?.venue).toBe('b');
  });

  it('takes the output that leaves most after its gas, where gas has a value', async () => {
    const venues = [venue('a', 100n, 30n), venue('b', 90n, 10n), venue('c', 79n)];
    const best = (value?: (gas: bigint) => bigint) =>
      bestQuote(venues, chain.anyNode, { ...request, gasValue: value });
    expect((await best())?.venue).toBe('a');
    expect((await best((gas) => gas))?.venue).toBe('b');
    expect((await best((gas) => gas * 2n))?.venue).toBe('c');
  });

  it('takes the output that leaves most after the shortfall of its venue, and changes no amount', async () => {
    const venues = [venue('liar', 100_300n), venue('b', 100_000n)];
    const best = (ppm: bigint, rest: Partial<ConversionRequest> = {}) =>
      bestQuote(venues, chain.anyNode, {
        ...{ ...request, ...rest },
        shortfallOf: (name) => (name === 'liar' ? ppm : 0n),
      });
    expect(await best(0n)).toMatchObject({ venue: 'liar', amountOut: 100_300n });
    expect(await best(2_000n)).toMatchObject({ venue: 'liar', amountOut: 100_300n });
    expect(await best(2_992n)).toMatchObject({ venue: 'b', amountOut: 100_000n });
    // An output that is acceptable comes before one that is not.
    expect(await best(2_992n, { minOutput: 100_001n })).toMatchObject({ venue: 'liar' });
    expect(await best(2_992n, { minOutput: 100_000n })).toMatchObject({ venue: 'b' });
  });

  it('takes the output of a venue whose shortfall is large only where no other has one', async () => {
    const shortfallOf = (name: string) => (name === 'liar' ? 20_000n : 19_999n);
    const best = (...venues: Venue[]) =>
      bestQuote(venues, chain.anyNode, { ...request, shortfallOf });
    const liar = venue('liar', 1_000_000n);
    expect((await best(liar, venue('b', 1n)))?.venue).toBe('b');
    expect((await best(liar, venue('b', null)))?.venue).toBe('liar');
  });

  it('returns the quote of an available venue when another fails', async () => {
    const best = await bestQuote(
      [venue('a', new Error('down')), venue('b', 7n)],
      chain.anyNode,
      request,
    );
    expect(best?.venue).toBe('b');
  });

  it('is null when no venue converts these tokens', async () => {
    expect(await bestQuote([venue('a', null)], chain.anyNode, request)).toBeNull();
  });

  it('throws when no venue answers, instead of reporting no conversion', async () => {
    const venues = [venue('a', null), venue('b', new Error('down'))];
    await expect(bestQuote(venues, chain.anyNode, request)).rejects.toThrow('alphanet');
  });
});

describe('bestExactOutputQuote', () => {
  const wanted = { inputToken: zeroAddress, outputToken: zeroAddress, amountOut: 1n };

  it('takes the lowest input', async () => {
    const venues = [
      venue('a', 7n),
      venue('b', 5n),
      venue('c', null),
      venue('d', new Error('down')),
    ];
    expect((await bestExactOutputQuote(venues, chain.anyNode, wanted))?.venue).toBe('b');
  });

  it('takes the input that is lowest with its gas, where gas has a value', async () => {
    const venues = [venue('a', 90n, 30n), venue('b', 100n, 10n)];
    const best = (value: (gas: bigint) => bigint) =>
      bestExactOutputQuote(venues, chain.anyNode, { ...wanted, gasValue: value });
    expect((await best(() => 0n))?.venue).toBe('a');
    expect((await best((gas) => gas))?.venue).toBe('b');
  });

  it('takes the input that is lowest with the shortfall of its venue', async () => {
    const venues = [venue('liar', 99_700n), venue('b', 100_000n)];
    const best = (ppm: bigint) =>
      bestExactOutputQuote(venues, chain.anyNode, {
        ...wanted,
        shortfallOf: (name) => (name === 'liar' ? ppm : 0n),
      });
    expect(await best(2_900n)).toMatchObject({ venue: 'liar', amountIn: 99_700n });
    expect(await best(3_100n)).toMatchObject({ venue: 'b', amountIn: 100_000n });
    expect(await best(2_000_000n)).toMatchObject({ venue: 'b' });
  });

  it('is null when no venue has this output, and throws when one that failed might', async () => {
    expect(await bestExactOutputQuote([venue('a', null)], chain.anyNode, wanted)).toBeNull();
    const venues = [venue('a', null), venue('b', new Error('down'))];
    await expect(bestExactOutputQuote(venues, chain.anyNode, wanted)).rejects.toThrow('alphanet');
  });
});

describe('the best of several quotes', () => {
  const quoteOf = (name: string, amount: bigint, gas: bigint) => ({
    ...{ venue: 'pools', name, gas },
    ...{ amountOut: amount, amountIn: amount },
  });
  const quotes = [quoteOf('far', 110n, 30n), quoteOf('near', 100n, 5n), quoteOf('same', 100n, 5n)];
  const gasValue = (gas: bigint) => gas;

  it('has the highest output, where gas has a value after its gas', () => {
    expect(bestOutputOf(quotes, {})?.name).toBe('far');
    expect(bestOutputOf(quotes, { gasValue })?.name).toBe('near');
    expect(bestOutputOf([], {})).toBeNull();
  });

  it('has the lowest input, where gas has a value with its gas', () => {
    const inputs = [quoteOf('far', 90n, 30n), ...quotes.slice(1)];
    expect(leastInputOf(inputs, {})?.name).toBe('far');
    expect(leastInputOf(inputs, { gasValue })?.name).toBe('near');
    expect(leastInputOf([], {})).toBeNull();
  });
});
