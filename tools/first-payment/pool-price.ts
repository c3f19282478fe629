import { developmentAddresses } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, type Address } from 'viem';
import type { Chain } from './chain.js';

const { swapRouter02, uniswapV3Factory, usdc, wbtc, weth } = developmentAddresses;

const abi = parseAbi([
  'function getPool(address a, address b, uint24 fee) view returns (address)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 a, uint16 b, uint16 c, uint8 d, bool e)',
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap swap) payable returns (uint256 amountOut)',
]);

/** A pool, and how much of its first token is given to make the second dearer. */
interface Move {
  pair: readonly [Address, Address];
  fee: number;
  amount: bigint;
}

/** Five to ten per cent in each pool. */
const amount = 300_000n * 10n ** 6n;

/** Every way from USDC to WETH begins with one of them. */
const POOLS: readonly Move[] = [
  { pair: [usdc, weth], fee: 500, amount },
  { pair: [usdc, weth], fee: 3000, amount },
  { pair: [usdc, wbtc], fee: 3000, amount },
];

const PLENTY = 10n ** 26n;

/**
 * Makes what USDC buys dearer than any payment tolerates.
 * @returns what puts every price back to where it was
 */
export const raisePrices = (chain: Chain): Promise<() => Promise<void>> => movePrices(chain, POOLS);

export async function movePrices(
  chain: Chain,
  moves: readonly Move[],
): Promise<() => Promise<void>> {
  const before = await Promise.all(moves.map((move) => sqrtPrice(chain, move)));
  for (const token of new Set(moves.flatMap(({ pair }) => pair))) await approve(chain, token);
  for (const { pair, fee, amount: given } of moves) {
    await swap(chain, pair[0], pair[1], fee, given, 0n);
  }
  return async () => {
    // Swapping stops exactly at the price that was there.
    for (const [index, { pair, fee }] of moves.entries()) {
      await swap(chain, pair[1], pair[0], fee, PLENTY, before[index] ?? 0n);
    }
  };
}

async function sqrtPrice(chain: Chain, { pair, fee }: Move): Promise<bigint> {
  const address = await chain.client.readContract({
    address: uniswapV3Factory,
    abi,
    functionName: 'getPool',
    args: [pair[0], pair[1], fee],
  });
  const [price] = await chain.client.readContract({ address, abi, functionName: 'slot0' });
  return price;
}

function approve(chain: Chain, token: Address) {
  const args = [swapRouter02, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  return chain.send(chain.faucet, { to: token, data });
}

function swap(
  chain: Chain,
  tokenIn: Address,
  tokenOut: Address,
  fee: number,
  amountIn: bigint,
  sqrtPriceLimitX96: bigint,
) {
  const recipient = chain.faucet.address;
  const data = encodeFunctionData({
    abi,
    functionName: 'exactInputSingle',
    args: [
      { tokenIn, tokenOut, fee, recipient, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96 },
    ],
  });
  return chain.send(chain.faucet, { to: swapRouter02, data });
}
