import { developmentAddresses } from '@bascule/solidity';
import { expect } from '@jest/globals';
import { zeroAddress, type Address } from 'viem';
import type { ConvertedTokens, Venue, VenueQuote } from '../venue.js';
import { FAUCET, RECIPIENT, type ConversionStage } from './conversion-stage.fixture.js';

const { converter, weth } = developmentAddresses;

/** Quote that must exist. */
export async function quoteOf(
  stage: ConversionStage,
  venue: Venue,
  request: ConvertedTokens & { amountIn: bigint },
): Promise<VenueQuote> {
  const quote = await venue.quoteExactInput(stage.chain.anyNode, request);
  if (!quote) throw new Error('no quote');
  return quote;
}

/** Expects that nothing stays behind: no token with Converter and router, and no allowance. */
export async function expectNoRemainder(
  stage: ConversionStage,
  router: Address,
  { inputToken, outputToken }: ConvertedTokens,
): Promise<void> {
  for (const token of new Set([inputToken, outputToken, zeroAddress, weth])) {
    expect([token, await stage.balance(token, converter)]).toEqual([token, 0n]);
    expect([token, await stage.balance(token, router)]).toEqual([token, 0n]);
  }
  if (inputToken !== zeroAddress) expect(await stage.allowance(inputToken, router)).toBe(0n);
}

/** Expects that a quote is what arrives, at about the estimated gas. */
export async function expectExactConversion(
  stage: ConversionStage,
  { venue, router }: { venue: Venue; router: Address },
  request: ConvertedTokens & { amountIn: bigint },
): Promise<VenueQuote> {
  const quote = await quoteOf(stage, venue, request);
  const minOutput = quote.amountOut;
  const before = await stage.balance(request.outputToken, RECIPIENT);
  const calls = quote.calls({ converter, minOutput });
  const gasUsed = await stage.convert({ ...request, minOutput, calls });
  const arrived = (await stage.balance(request.outputToken, RECIPIENT)) - before;
  expect(arrived).toBe(quote.amountOut);
  await expectNoRemainder(stage, router, request);
  expect(quote.gas).toBeLessThan(gasUsed * 2n);
  expect(quote.gas).toBeGreaterThan(gasUsed / 3n);
  return quote;
}

/** Expects that a quoted input suffices for an output, and that no less does. */
export async function expectLeastInput(
  stage: ConversionStage,
  venue: Venue,
  { amountOut, tolerance, ...tokens }: ConvertedTokens & { amountOut: bigint; tolerance: bigint },
): Promise<void> {
  const view = stage.chain.anyNode;
  const least = await venue.quoteExactOutput(view, { ...tokens, amountOut });
  if (!least) throw new Error('no quote');
  const outputOf = async (amountIn: bigint) =>
    (await venue.quoteExactInput(view, { ...tokens, amountIn }))?.amountOut ?? 0n;
  expect(await outputOf(least.amountIn + tolerance)).toBeGreaterThanOrEqual(amountOut);
  expect(await outputOf(least.amountIn - tolerance - 1n)).toBeLessThan(amountOut);
  expect(least.gas).toBeGreaterThan(0n);
}

/** Expects that a venue lists each pair once that it has a quote for, and no other. */
export async function expectListedPairs(
  stage: ConversionStage,
  venue: Venue,
  tokens: readonly Address[],
): Promise<void> {
  const view = stage.chain.anyNode;
  const listed = (await venue.pairs(view, tokens)).map((pair) => pair.join());
  expect(new Set(listed).size).toBe(listed.length);
  for (const [i, inputToken] of tokens.entries()) {
    for (const outputToken of tokens.slice(i + 1)) {
      // A ten-millionth of the faucet's tokens, and of its native currency.
      const amountIn = (await stage.balance(inputToken, FAUCET)) / 10_000_000n || 1_000_000n;
      const quote = await venue.quoteExactInput(view, { inputToken, outputToken, amountIn });
      const isListed = listed.includes(`${inputToken},${outputToken}`);
      expect([inputToken, outputToken, isListed]).toEqual([
        ...[inputToken, outputToken, quote !== null],
      ]);
    }
  }
}
