import { developmentAccounts } from '@bascule/local-stack';
import type { SwapFault } from '@bascule/providers-lab';
import { converterAbi, developmentAddresses } from '@bascule/solidity';
import { expect, it } from '@jest/globals';
import { encodeFunctionData, erc20Abi, zeroAddress, type Address, type Hex } from 'viem';
import { RECIPIENT, TOKENS } from './testing/aggregator-stage.fixture.js';
import { describeEachAggregator } from './testing/aggregator-stages.fixture.js';

const { converter } = developmentAddresses;
const { usdc, weth } = TOKENS;
const THIEF: Address = '0x00000000000000000000000000000000000000dd';
const SOLD = { inputToken: usdc, outputToken: weth, amountIn: 1_000_000_000n };
const [faucet] = developmentAccounts;

/** A conversion of whatever the Converter holds, to the thief. */
const nestedConversion: Hex = encodeFunctionData({
  abi: converterAbi,
  functionName: 'convert',
  args: [
    {
      chainId: 31337n,
      inputToken: zeroAddress,
      maxInput: 0n,
      fees: [],
      outputToken: usdc,
      minOutput: 0n,
      customCalls: [],
      bridgeAdapter: zeroAddress,
      minBridged: 0n,
    },
    THIEF,
    [],
  ],
});
const theft: Hex = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transferFrom',
  args: [converter, THIEF, 1n],
});

describeEachAggregator('a lying aggregator, %s', (stageOf) => {
  const quote = (fault: SwapFault) => {
    const { chain, lab, venue } = stageOf();
    lab.swaps.fault = fault;
    return venue().quoteExactInput(chain.anyNode, SOLD);
  };

  it.each<[string, SwapFault, string]>([
    ['another target', { target: THIEF }, 'contract'],
    ['another spender', { spender: THIEF }, 'spender'],
    ['native currency', { value: 1n }, 'value'],
    ['too much data', { data: `0x${'00'.repeat(24 * 1024 + 1)}` }, 'call|size of data'],
  ])('is refused where it names %s', async (_, fault, field) => {
    await expect(quote(fault)).rejects.toThrow(new RegExp(`another (${field}) than`));
  });

  it.each<[string, SwapFault]>([
    ['pays another recipient', { recipient: THIEF }],
    ['tells 1 % more than it pays', { toldBps: 10_100n }],
    ['calls the Converter again', { first: { target: converter, data: nestedConversion } }],
    ['takes tokens beside the swap', { first: { target: usdc, data: theft } }],
  ])('has no quote where it %s', async (_, fault) => {
    expect(await quote(fault)).toBeNull();
  });

  it('has no quote where it takes more than was granted', async () => {
    const taken = await quote({ takeBps: 10_001n }).catch(() => null);
    expect(taken).toBeNull();
  });

  it('has no quote without an output', async () => {
    await stageOf().pay(weth, 1n);
    expect(await quote({ toldBps: 0n }).catch(() => null)).toBeNull();
  });

  it('is quoted by what it pays, not by what it tells', async () => {
    const honest = await quote({});
    for (const toldBps of [9_000n, 10_040n]) {
      expect((await quote({ toldBps }))?.amountOut).toBe(honest?.amountOut);
    }
  });

  it('counts no tokens that a stranger left with the Converter', async () => {
    const honest = await quote({});
    await stageOf().transfer(weth, converter, 10n ** 18n);
    expect((await quote({}))?.amountOut).toBe(honest?.amountOut);
  });

  it('takes less than it was granted without an allowance afterwards', async () => {
    const { allowance, balance, convert } = stageOf();
    const less = await quote({ takeBps: 9_999n, toldBps: 9_999n });
    if (!less) throw new Error('no quote');
    const calls = less.calls({ converter, minOutput: less.amountOut });
    const before = await balance(usdc, faucet.address);
    const { status } = await convert({ ...SOLD, minOutput: less.amountOut, calls });
    expect([status, await allowance(usdc)]).toEqual(['success', 0n]);
    expect(await balance(usdc, faucet.address)).toBe(before - (SOLD.amountIn * 9_999n) / 10_000n);
  });

  it.each([
    ['within its own minimum', 9_930n],
    ['below it', 5_000n],
  ])('reverts where it pays less than in the quote, %s', async (_, payoutBps) => {
    const { balance, convert, pay } = stageOf();
    const honest = await quote({});
    if (!honest) throw new Error('no quote');
    const minOutput = (honest.amountOut * 995n) / 1_000n;
    const calls = honest.calls({ converter, minOutput });
    await pay(weth, payoutBps);
    const before = await balance(weth, RECIPIENT);
    const { status } = await convert({ ...SOLD, minOutput: 1n, calls });
    expect(status).toBe('reverted');
    expect(await balance(weth, RECIPIENT)).toBe(before);
    expect(await balance(usdc, converter)).toBe(SOLD.amountIn);
  });

  it('never pays below the minimum of the leg, whatever its calls do', async () => {
    const { balance, convert, pay } = stageOf();
    const honest = await quote({});
    if (!honest) throw new Error('no quote');
    await pay(weth, 9_930n);
    const [approveZero, approve, swap] = honest.calls({ converter, minOutput: 0n });
    if (!approveZero || !approve || !swap) throw new Error('no calls');
    const calls = [approveZero, approve, swap];
    const before = await balance(weth, RECIPIENT);
    const minOutput = (honest.amountOut * 995n) / 1_000n;
    expect((await convert({ ...SOLD, minOutput, calls })).status).toBe('reverted');
    expect(await balance(weth, RECIPIENT)).toBe(before);
  });
});
