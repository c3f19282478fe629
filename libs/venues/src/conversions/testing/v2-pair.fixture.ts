import { developmentAddresses } from '@bascule/solidity';
import { encodeFunctionData, parseAbi, type Address } from 'viem';
import type { ConversionStage } from './conversion-stage.fixture.js';

const { uniswapV2Factory } = developmentAddresses;

const abi = parseAbi([
  'function createPair(address tokenA, address tokenB) returns (address pair)',
  'function getPair(address tokenA, address tokenB) view returns (address pair)',
  'function mint(address to) returns (uint256 liquidity)',
]);

/** Address of a pair by its factory. */
export const pairOf = (stage: ConversionStage, a: Address, b: Address): Promise<Address> =>
  stage.client.readContract({
    address: uniswapV2Factory,
    abi,
    functionName: 'getPair',
    args: [a, b],
  });

/** Creates a pair of Uniswap V2 with reserves of the faucet. Returns its address. */
export async function createV2Pair(
  stage: ConversionStage,
  [a, amountA]: readonly [Address, bigint],
  [b, amountB]: readonly [Address, bigint],
): Promise<Address> {
  await stage.send(
    uniswapV2Factory,
    encodeFunctionData({ abi, functionName: 'createPair', args: [a, b] }),
  );
  const pair = await pairOf(stage, a, b);
  await stage.transfer(a, pair, amountA);
  await stage.transfer(b, pair, amountB);
  await stage.send(pair, encodeFunctionData({ abi, functionName: 'mint', args: [pair] }));
  return pair;
}
