import { developmentAddresses } from '@bascule/solidity';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem';
import { deployer } from './development-accounts.js';
import type { DevelopmentClient, PlannedTransaction } from './development-client.js';
import { transfer } from './planned-transactions.js';
import { squareRoot } from './pools.js';
import { filterAsync } from './reads.js';
import { developmentV4Pools, type V4Pool } from './v4-pools.js';

const { stateView, v4PositionManager } = developmentAddresses;

const stateViewAbi = parseAbi([
  'function getLiquidity(bytes32 poolId) view returns (uint128 liquidity)',
]);
const positionManagerAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function initializePool(PoolKey key, uint160 sqrtPriceX96) payable returns (int24)',
  'function modifyLiquidities(bytes unlockData, uint256 deadline) payable',
]);

/** Actions of Uniswap V4's position manager. */
const ACTIONS = { mint: 0x02, settle: 0x0b, sweep: 0x14 };
const MINT = parseAbiParameters([
  'PoolKey key, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
]);
const SETTLE = parseAbiParameters('address currency, uint256 amount, bool payerIsUser');
const SWEEP = parseAbiParameters('address currency, address to');
/** Amount of `settle` that stands for the whole debt. */
const OPEN_DELTA = 0n;

/** Plans what fills the empty pools: the position manager pays with what it was sent, and returns the rest. */
export async function fillV4Pools(client: DevelopmentClient): Promise<PlannedTransaction[]> {
  const empty = await filterAsync(
    developmentV4Pools,
    async ({ id }) =>
      (await client.readContract({
        address: stateView,
        abi: stateViewAbi,
        functionName: 'getLiquidity',
        args: [id],
      })) === 0n,
  );
  return empty.flatMap((pool) => fill(pool));
}

function fill(pool: V4Pool): PlannedTransaction[] {
  const sides = [pool.token0, pool.token1];
  const initialize = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'initializePool',
    args: [pool.key, pool.sqrtPriceX96],
  });
  const modify = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'modifyLiquidities',
    args: [unlockData(pool), maxUint256],
  });
  return [
    ...sides
      .filter(({ token }) => token !== zeroAddress)
      .map((side) => transfer(side, v4PositionManager)),
    {
      what: `liquidity of ${pool.name}`,
      from: deployer,
      to: v4PositionManager,
      data: encodeFunctionData({
        abi: positionManagerAbi,
        functionName: 'multicall',
        args: [[initialize, modify]],
      }),
      value: sides.find(({ token }) => token === zeroAddress)?.amount ?? 0n,
    },
  ];
}

function unlockData({ key, token0, token1, tickLower, tickUpper }: V4Pool): Hex {
  const { currency0, currency1 } = key;
  // A millionth less than the amounts give, since the price is rounded.
  const liquidity = (squareRoot(token0.amount * token1.amount) * 999_999n) / 1_000_000n;
  const max = [token0.amount, token1.amount] as const;
  const position = [key, tickLower, tickUpper, liquidity, ...max, deployer, '0x'] as const;
  const steps: readonly (readonly [number, Hex])[] = [
    [ACTIONS.mint, encodeAbiParameters(MINT, position)],
    [ACTIONS.settle, encodeAbiParameters(SETTLE, [currency0, OPEN_DELTA, false])],
    [ACTIONS.settle, encodeAbiParameters(SETTLE, [currency1, OPEN_DELTA, false])],
    [ACTIONS.sweep, encodeAbiParameters(SWEEP, [currency0, deployer])],
    [ACTIONS.sweep, encodeAbiParameters(SWEEP, [currency1, deployer])],
  ];
  const actions = concat(steps.map(([action]) => numberToHex(action, { size: 1 })));
  const parameters = steps.map(([, parameter]) => parameter);
  return encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [actions, parameters]);
}
