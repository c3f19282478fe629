import { developmentAddresses } from '@bascule/solidity';
import { encodeFunctionData, parseAbi } from 'viem';
import { deployer } from './development-accounts.js';
import type { DevelopmentClient, PlannedTransaction } from './development-client.js';
import { deposit, transfer } from './planned-transactions.js';
import { balanceOf, filterAsync } from './reads.js';
import { developmentV2Pairs, type Pair } from './v2-pairs.js';

const { uniswapV2Factory, weth } = developmentAddresses;

const factoryAbi = parseAbi([
  'function createPair(address tokenA, address tokenB) returns (address pair)',
]);
const pairAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function mint(address to) returns (uint256 liquidity)',
]);

/** Plans what fills the empty pairs: a pair gives liquidity for what it was sent. */
export async function fillV2Pairs(client: DevelopmentClient): Promise<PlannedTransaction[]> {
  const empty = await filterAsync(developmentV2Pairs, (pair) => isEmpty(client, pair));
  return (await Promise.all(empty.map((pair) => fill(client, pair)))).flat();
}

const exists = async (client: DevelopmentClient, { address }: Pair): Promise<boolean> =>
  (await client.getCode({ address })) !== undefined;

async function isEmpty(client: DevelopmentClient, pair: Pair): Promise<boolean> {
  const read = { address: pair.address, abi: pairAbi, functionName: 'totalSupply' } as const;
  return !(await exists(client, pair)) || (await client.readContract(read)) === 0n;
}

async function fill(client: DevelopmentClient, pair: Pair): Promise<PlannedTransaction[]> {
  const sides = [pair.token0, pair.token1];
  const missing = await Promise.all(
    sides.map(async ({ token, amount }) => ({
      token,
      amount: amount - (await balanceOf(client, token, pair.address)),
    })),
  );
  const toSend = missing.filter(({ amount }) => amount > 0n);
  const args = [pair.token0.token, pair.token1.token] as const;
  const create: PlannedTransaction = {
    what: `pair of ${pair.name}`,
    from: deployer,
    to: uniswapV2Factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'createPair', args }),
  };
  const mint: PlannedTransaction = {
    what: `liquidity of ${pair.name}`,
    from: deployer,
    to: pair.address,
    data: encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [deployer] }),
  };
  return [
    ...((await exists(client, pair)) ? [] : [create]),
    ...toSend.flatMap((side) => [
      ...(side.token === weth ? [deposit(deployer, side.amount)] : []),
      transfer(side, pair.address),
    ]),
    mint,
  ];
}
