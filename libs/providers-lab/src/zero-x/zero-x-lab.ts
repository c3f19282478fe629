import {
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
  type Address,
  type Hex,
} from 'viem';
import type { LabAnswer, LabRequest } from '../server/lab-server.js';
import {
  startAggregator,
  toldOf,
  type AggregatorLab,
  type AggregatorOptions,
  type ToldSwap,
} from '../swaps/aggregator-lab.js';
import type { Swap, SwapChain, SwapFault } from '../swaps/swap-chain.js';
import { swapDataOf } from '../swaps/swap-data.js';
import { pricingOf, SwapPricing } from '../swaps/swap-pricing.js';

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const settlerAbi = parseAbi([
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)',
]);
const holderAbi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes result)',
]);
const ACTION = parseAbiParameters(
  '(address callTo, address approveTo, address sendingAssetId, address receivingAssetId, uint256 fromAmount, bytes callData, bool requiresDeposit)',
);
const UNAUTHORIZED = 401;
const INVALID = 400;

/** Serves the swap API of 0x, version 2. */
export function startZeroX(options: AggregatorOptions): Promise<AggregatorLab> {
  const pricings = options.chains.map((chain) => new SwapPricing(chain));
  return startAggregator(options, (swaps) => [
    {
      method: 'GET',
      path: '/swap/allowance-holder/quote',
      hasFaults: true,
      handle: async (request) => {
        const answer = await quote(options, pricings, request, swaps.fault);
        return swaps.alter && answer.status === undefined
          ? { json: swaps.alter(answer.json) }
          : answer;
      },
    },
  ]);
}

const refused = (status: number, name: string, message: string): LabAnswer => ({
  status,
  json: { name, message },
});

async function quote(
  { apiKey }: AggregatorOptions,
  pricings: readonly SwapPricing[],
  { url, headers }: LabRequest,
  fault: SwapFault,
): Promise<LabAnswer> {
  if (headers['0x-api-key'] !== apiKey || headers['0x-version'] !== 'v2') {
    return refused(UNAUTHORIZED, 'UNAUTHORIZED', 'no valid key');
  }
  const given = (name: string): string => url.searchParams.get(name) ?? '';
  const pricing = pricingOf(pricings, given('chainId'));
  if (pricing === undefined || !/^[1-9]\d*$/.test(given('sellAmount'))) {
    return refused(INVALID, 'INPUT_INVALID', 'The input is invalid');
  }
  const { chain } = pricing;
  const token = (name: string): Address =>
    given(name).toLowerCase() === NATIVE.toLowerCase() ? zeroAddress : (given(name) as Address);
  const sold = token('sellToken');
  const swap = await pricing.exactInput(sold, token('buyToken'), BigInt(given('sellAmount')));
  if (swap === null) return { json: { liquidityAvailable: false, zid: '0x01' } };
  const isNative = sold === zeroAddress;
  const slippageBps = BigInt(url.searchParams.get('slippageBps') ?? '100');
  const told = toldOf(chain, swap, { fault, isNative, slippageBps });
  const data =
    fault.data ?? call(chain, swap, fault, { taker: given('taker') as Address, ...told });
  return { json: answered(chain, { ...swap, ...told, data }, given) };
}

function call(
  chain: SwapChain,
  swap: Swap,
  fault: SwapFault,
  { taker, minAmountOut }: { taker: Address; minAmountOut: bigint },
): Hex {
  const actions = swapDataOf(chain, swap, fault);
  const taken = actions.at(-1)?.fromAmount ?? 0n;
  const slippage = {
    recipient: fault.recipient ?? taker,
    buyToken: swap.outputToken,
    minAmountOut,
  };
  const execute = encodeFunctionData({
    abi: settlerAbi,
    functionName: 'execute',
    args: [
      slippage,
      actions.map((action) => encodeAbiParameters(ACTION, [{ ...action, requiresDeposit: false }])),
      zeroHash,
    ],
  });
  const token = swap.inputToken === zeroAddress ? NATIVE : swap.inputToken;
  return encodeFunctionData({
    abi: holderAbi,
    functionName: 'exec',
    args: [chain.contract, token, taken, chain.contract, execute],
  });
}

function answered(
  { chainId }: SwapChain,
  swap: Swap & ToldSwap & { data: Hex },
  given: (name: string) => string,
): unknown {
  const isNative = swap.inputToken === zeroAddress;
  return {
    liquidityAvailable: true,
    blockNumber: '1',
    chainId,
    sellToken: given('sellToken').toLowerCase(),
    buyToken: given('buyToken').toLowerCase(),
    sellAmount: swap.amountIn.toString(),
    buyAmount: swap.amountOut.toString(),
    minBuyAmount: swap.minAmountOut.toString(),
    allowanceTarget: isNative ? null : swap.spender,
    fees: { integratorFee: null, zeroExFee: null, gasFee: null },
    issues: {
      allowance: isNative ? null : { actual: '0', spender: swap.spender },
      balance: {
        token: given('sellToken').toLowerCase(),
        actual: '0',
        expected: swap.amountIn.toString(),
      },
      simulationIncomplete: true,
      invalidSourcesPassed: [],
    },
    route: {
      fills: [
        {
          from: given('sellToken').toLowerCase(),
          to: given('buyToken').toLowerCase(),
          source: 'Uniswap_V3',
          proportionBps: '10000',
        },
      ],
      tokens: [],
    },
    tokenMetadata: {
      buyToken: { buyTaxBps: '0', sellTaxBps: '0' },
      sellToken: { buyTaxBps: '0', sellTaxBps: '0' },
    },
    totalNetworkFee: '250000000000000',
    transaction: {
      to: swap.target,
      data: swap.data,
      gas: '250000',
      gasPrice: '1000000000',
      value: swap.value.toString(),
    },
    zid: '0x01',
  };
}
