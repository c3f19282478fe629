import { developmentAddresses } from '@bascule/solidity';
import {
  encodeAbiParameters,
  encodeFunctionData,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  type Address,
} from 'viem';
import type { ConversionStage } from './conversion-stage.fixture.js';

const { v4PositionManager } = developmentAddresses;

const abi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function initializePool(PoolKey key, uint160 sqrtPriceX96) payable returns (int24)',
  'function modifyLiquidities(bytes unlockData, uint256 deadline) payable',
]);
const MINT = parseAbiParameters([
  'PoolKey key, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
]);
const SETTLE = parseAbiParameters('address currency, uint256 amount, bool payerIsUser');
/** Mints a position, pays for it with the position manager's tokens, twice, and sweeps the rest, twice. */
const ACTIONS = '0x020b0b1414';
const MAX_UINT128 = 2n ** 128n - 1n;

export interface V4PoolPlan {
  a: Address;
  b: Address;
  /** Amounts of the faucet that are sent for the position; the rest comes back. */
  amountA: bigint;
  amountB: bigint;
  sqrtPriceX96: bigint;
  tickLower: number;
  tickUpper: number;
  liquidity: bigint;
}

/** Creates a pool of Uniswap V4 of 0.3 % with one position. */
export async function createV4Pool(stage: ConversionStage, plan: V4PoolPlan): Promise<void> {
  const { a, b, amountA, amountB, sqrtPriceX96, tickLower, tickUpper, liquidity } = plan;
  const [currency0, currency1] = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  const key = { currency0, currency1, fee: 3000, tickSpacing: 60, hooks: zeroAddress };
  await stage.send(
    v4PositionManager,
    encodeFunctionData({ abi, functionName: 'initializePool', args: [key, sqrtPriceX96] }),
  );
  if (amountA > 0n) await stage.transfer(a, v4PositionManager, amountA);
  if (amountB > 0n) await stage.transfer(b, v4PositionManager, amountB);
  const owner = stage.client.account.address;
  const sweep = (currency: Address) =>
    encodeAbiParameters(parseAbiParameters('address, address'), [currency, owner]);
  const max = [MAX_UINT128, MAX_UINT128] as const;
  const unlockData = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [
    ACTIONS,
    [
      encodeAbiParameters(MINT, [key, tickLower, tickUpper, liquidity, ...max, owner, '0x']),
      encodeAbiParameters(SETTLE, [currency0, 0n, false]),
      encodeAbiParameters(SETTLE, [currency1, 0n, false]),
      sweep(currency0),
      sweep(currency1),
    ],
  ]);
  await stage.send(
    v4PositionManager,
    encodeFunctionData({ abi, functionName: 'modifyLiquidities', args: [unlockData, maxUint256] }),
  );
}
