import {
  encodeFunctionData,
  numberToHex,
  parseAbi,
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
} from '../swaps/aggregator-lab.js';
import type { Swap, SwapChain, SwapFault } from '../swaps/swap-chain.js';
import { swapDataOf } from '../swaps/swap-data.js';
import { pricingOf, SwapPricing } from '../swaps/swap-pricing.js';

/** Token as LI.FI lists it. */
export interface LifiToken {
  address: Address;
  symbol: string;
  decimals: number;
}

interface LifiOptions extends AggregatorOptions {
  tokens: readonly LifiToken[];
}

const facetAbi = parseAbi([
  'struct SwapData { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }',
  'function swapTokensGeneric(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmount, SwapData[] swapData) payable',
]);
const INVALID = 400;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const VALIDATION_ERROR = 1011;
const NO_QUOTE = 1002;
const UNAUTHORIZED_ERROR = 1010;

/** Serves the API of LI.FI with one exchange on each chain. */
export function startLifi(options: LifiOptions): Promise<AggregatorLab> {
  const pricings = options.chains.map((chain) => new SwapPricing(chain));
  return startAggregator(options, (swaps) => {
    const route = (path: string, handle: (request: LabRequest) => Promise<LabAnswer>) => ({
      method: 'GET' as const,
      path,
      hasFaults: true,
      handle,
    });
    const swapsBy = (amountName: 'fromAmount' | 'toAmount') => async (request: LabRequest) => {
      const answer = await quote(options, pricings, request, amountName, swaps.fault);
      return swaps.alter && answer.status === undefined
        ? { json: swaps.alter(answer.json) }
        : answer;
    };
    return [
      route('/quote', swapsBy('fromAmount')),
      route('/quote/toAmount', swapsBy('toAmount')),
      route('/tokens', async () => ({ json: tokensOf(options) })),
    ];
  });
}

const refused = (status: number, code: number, message: string): LabAnswer => ({
  status,
  json: { message, code },
});

const tokensOf = ({ chains, tokens }: LifiOptions): unknown => ({
  tokens: Object.fromEntries(
    chains.map(({ chainId }) => [
      chainId,
      tokens.map((token) => ({ ...token, chainId, priceUSD: '1' })),
    ]),
  ),
});

async function quote(
  options: LifiOptions,
  pricings: readonly SwapPricing[],
  { url, headers }: LabRequest,
  amountName: 'fromAmount' | 'toAmount',
  fault: SwapFault,
): Promise<LabAnswer> {
  if (headers['x-lifi-api-key'] !== options.apiKey) {
    return refused(UNAUTHORIZED, UNAUTHORIZED_ERROR, 'Invalid API key');
  }
  const given = (name: string): string => url.searchParams.get(name) ?? '';
  const pricing = pricingOf(pricings, given('fromChain'));
  const isOnOneChain = given('toChain') === given('fromChain');
  if (pricing === undefined || !isOnOneChain || !/^[1-9]\d*$/.test(given(amountName))) {
    return refused(INVALID, VALIDATION_ERROR, 'the request is invalid');
  }
  const tokens = [given('fromToken') as Address, given('toToken') as Address] as const;
  const amount = BigInt(given(amountName));
  const swap = await (amountName === 'fromAmount'
    ? pricing.exactInput(...tokens, amount)
    : pricing.exactOutput(...tokens, amount));
  if (swap === null) {
    return refused(NOT_FOUND, NO_QUOTE, 'No available quotes for the requested transfer');
  }
  return { json: stepOf(pricing.chain, options.tokens, swap, fault, given) };
}

function stepOf(
  chain: SwapChain,
  tokens: readonly LifiToken[],
  swap: Swap,
  fault: SwapFault,
  given: (name: string) => string,
): unknown {
  const { chainId } = chain;
  const slippageBps = BigInt(Math.round(Number(given('slippage') || '0.005') * 10_000));
  const isNative = swap.inputToken === zeroAddress;
  const told = toldOf(chain, swap, { fault, isNative, slippageBps });
  const taker = given('fromAddress') as Address;
  const token = (address: Address) => ({
    ...(tokens.find((known) => known.address.toLowerCase() === address.toLowerCase()) ?? {
      symbol: 'UNKNOWN',
      decimals: 18,
    }),
    address,
    chainId,
    name: 'Token',
    priceUSD: '1',
  });
  return {
    id: 'step',
    type: 'lifi',
    tool: 'uniswap',
    toolDetails: { key: 'uniswap', name: 'Uniswap', logoURI: 'https://lab.example/uniswap.svg' },
    action: {
      fromToken: token(swap.inputToken),
      toToken: token(swap.outputToken),
      fromAmount: swap.amountIn.toString(),
      fromChainId: chainId,
      toChainId: chainId,
      fromAddress: taker,
      toAddress: given('toAddress') || taker,
      slippage: Number(given('slippage')),
    },
    estimate: {
      tool: 'uniswap',
      fromAmount: swap.amountIn.toString(),
      toAmount: told.amountOut.toString(),
      toAmountMin: told.minAmountOut.toString(),
      approvalAddress: told.spender,
      executionDuration: 0,
      feeCosts: [],
      gasCosts: [{ type: 'SEND', price: '1', estimate: '250000', limit: '375000' }],
    },
    includedSteps: [],
    transactionRequest: {
      to: told.target,
      data: fault.data ?? call(chain, swap, fault, { taker, minAmountOut: told.minAmountOut }),
      value: numberToHex(told.value),
      gasLimit: numberToHex(375_000),
      gasPrice: numberToHex(1_000_000_000),
      chainId,
      from: taker,
    },
  };
}

const call = (
  chain: SwapChain,
  swap: Swap,
  fault: SwapFault,
  { taker, minAmountOut }: { taker: Address; minAmountOut: bigint },
): Hex =>
  encodeFunctionData({
    abi: facetAbi,
    functionName: 'swapTokensGeneric',
    args: [
      zeroHash,
      'lab',
      '',
      fault.recipient ?? taker,
      minAmountOut,
      swapDataOf(chain, swap, fault),
    ],
  });
