import { parseAbi } from 'viem';

export const factoryAbi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
]);

/** Of a pool, and of Multicall3, whose word on the time is of the same block. */
export const poolAbi = parseAbi([
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)',
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
]);
