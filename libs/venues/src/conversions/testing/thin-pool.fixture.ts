import { developmentAddresses } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, type Address, type Hex } from 'viem';

const { positionManager, usdt, weth } = developmentAddresses;

const positionManagerAbi = parseAbi([
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
]);

const USDT_IN_THE_POOL = 50_000n * 10n ** 6n;
const FEE = 3000;
/** The ticks next to 1,000,000 USDT for one WETH, and ten tick spacings on. */
const [NEAR, FAR] = [138_180, 138_780];

/**
 * A pool that pays a fabulous 1,000,000 USDT for one WETH, but has no more than 50,000 of them in a narrow range: about
 * 0.05 WETH into it its liquidity ends.
 */
export async function createThinPool(
  owner: Address,
  send: (to: Address, data: Hex) => Promise<unknown>,
): Promise<void> {
  const wethIsFirst = BigInt(weth) < BigInt(usdt);
  const [token0, token1] = wethIsFirst ? [weth, usdt] : [usdt, weth];
  const create = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, FEE, wethIsFirst ? 2n ** 96n / 1_000n : 2n ** 96n * 1_000n],
  });
  const mint = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        token0,
        token1,
        fee: FEE,
        tickLower: wethIsFirst ? -FAR : NEAR,
        tickUpper: wethIsFirst ? -NEAR : FAR,
        amount0Desired: wethIsFirst ? 0n : USDT_IN_THE_POOL,
        amount1Desired: wethIsFirst ? USDT_IN_THE_POOL : 0n,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: owner,
        deadline: maxUint256,
      },
    ],
  });
  const approval = [positionManager, USDT_IN_THE_POOL] as const;
  await send(usdt, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: approval }));
  const both = [create, mint] as const;
  await send(
    positionManager,
    encodeFunctionData({ abi: positionManagerAbi, functionName: 'multicall', args: [both] }),
  );
}
