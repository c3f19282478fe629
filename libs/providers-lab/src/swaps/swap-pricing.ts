import {
  createPublicClient,
  encodePacked,
  http,
  isAddressEqual,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { BPS, type Swap, type SwapChain } from './swap-chain.js';

const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] prices, uint32[] ticks, uint256 gas)',
  'function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256 amountIn, uint160[] prices, uint32[] ticks, uint256 gas)',
]);
const aggregatorAbi = parseAbi([
  'function payoutBps(address outputToken) view returns (uint256 bps)',
]);

interface Hops {
  tokens: readonly Address[];
  fees: readonly number[];
}

interface PricedHops {
  hops: Hops;
  amount: bigint;
}

/** Finds the pricing of a chain by its id. */
export const pricingOf = (
  pricings: readonly SwapPricing[],
  chainId: string,
): SwapPricing | undefined => pricings.find(({ chain }) => String(chain.chainId) === chainId);

/** Prices swaps by Uniswap V3 and the share that the aggregator's contract pays out. */
export class SwapPricing {
  private readonly client;

  constructor(readonly chain: SwapChain) {
    this.client = createPublicClient({ transport: http(chain.rpcUrl) });
  }

  /** Null where no pools convert these tokens. */
  async exactInput(
    inputToken: Address,
    outputToken: Address,
    amountIn: bigint,
  ): Promise<Swap | null> {
    const best = (await this.priced(inputToken, outputToken, 'quoteExactInput', amountIn)).sort(
      (one, other) => Number(other.amount - one.amount),
    )[0];
    if (best === undefined) return null;
    const amountOut = (best.amount * (await this.payoutBps(outputToken))) / BPS;
    return { inputToken, outputToken, amountIn, amountOut, path: encoded(best.hops) };
  }

  /** Null where no pools have this output. */
  async exactOutput(
    inputToken: Address,
    outputToken: Address,
    amountOut: bigint,
  ): Promise<Swap | null> {
    const bps = await this.payoutBps(outputToken);
    const needed = (amountOut * BPS + bps - 1n) / bps;
    const best = (await this.priced(inputToken, outputToken, 'quoteExactOutput', needed)).sort(
      (one, other) => Number(one.amount - other.amount),
    )[0];
    // Each pool rounds in its own favour, by a unit.
    return best === undefined
      ? null
      : this.exactInput(inputToken, outputToken, best.amount + BigInt(best.hops.fees.length));
  }

  private payoutBps(outputToken: Address): Promise<bigint> {
    return this.client.readContract({
      address: this.chain.contract,
      abi: aggregatorAbi,
      functionName: 'payoutBps',
      args: [outputToken],
    });
  }

  private async priced(
    inputToken: Address,
    outputToken: Address,
    functionName: 'quoteExactInput' | 'quoteExactOutput',
    amount: bigint,
  ): Promise<PricedHops[]> {
    const erc20 = (token: Address): Address =>
      token === zeroAddress ? this.chain.wrappedNative : token;
    const answers = this.hopsOf(erc20(inputToken), erc20(outputToken)).map(async (hops) => {
      const path = encoded(functionName === 'quoteExactInput' ? hops : reversed(hops));
      const { result } = await this.client.simulateContract({
        address: this.chain.quoterV2,
        abi: quoterAbi,
        functionName,
        args: [path, amount],
      });
      return { hops, amount: result[0] };
    });
    return (await Promise.allSettled(answers)).flatMap((answer) =>
      answer.status === 'fulfilled' ? [answer.value] : [],
    );
  }

  private hopsOf(inputToken: Address, outputToken: Address): Hops[] {
    if (isAddressEqual(inputToken, outputToken)) return [];
    const { feeTiers, intermediateTokens, wrappedNative } = this.chain;
    const between = [wrappedNative, ...intermediateTokens].filter(
      (token) => !isAddressEqual(token, inputToken) && !isAddressEqual(token, outputToken),
    );
    return feeTiers.flatMap((first) => [
      { tokens: [inputToken, outputToken], fees: [first] },
      ...between.flatMap((token) =>
        feeTiers.map((second) => ({
          tokens: [inputToken, token, outputToken],
          fees: [first, second],
        })),
      ),
    ]);
  }
}

const reversed = ({ tokens, fees }: Hops): Hops => ({
  tokens: tokens.toReversed(),
  fees: fees.toReversed(),
});

function encoded({ tokens, fees }: Hops): Hex {
  const [first, ...rest] = tokens;
  const types = ['address', ...rest.flatMap(() => ['uint24', 'address'])];
  return encodePacked(types, [first, ...rest.flatMap((token, index) => [fees[index], token])]);
}
